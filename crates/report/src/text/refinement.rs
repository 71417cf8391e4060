//! The iterations of a refinement method, as text: the predicates of each, and the invariant over them.

use super::{Detail, WIDTH};
use crate::number::counted;
use crate::view::Refinement;

/// The number of disjuncts of an invariant that are shown without `-v`.
const DISJUNCTS: usize = 3;

pub(super) fn iterations(all: &[Refinement], detail: Detail) -> String {
    all.iter().enumerate().map(|(number, one)| iteration(number, one, detail)).collect()
}

fn iteration(number: usize, one: &Refinement, detail: Detail) -> String {
    let predicates = counted(one.predicates.len() as u64, "predicate");
    let rounds = match one.rounds {
        0 => String::new(),
        rounds => format!(", {}", counted(rounds as u64, "round")),
    };
    let mut text = format!("  iteration {number}: {predicates}{rounds}\n");
    text.push_str(&filled("predicates", &one.predicates));
    let shown = if detail == Detail::Verbose { usize::MAX } else { DISJUNCTS };
    for (place, disjunct) in one.invariant.iter().take(shown).enumerate() {
        let label = if place == 0 { "invariant" } else { "" };
        let or = if place == 0 { "  " } else { "| " };
        text.push_str(&format!("    {label:<11}{or}{disjunct}\n"));
    }
    if one.invariant.is_empty() {
        text.push_str(&format!("    {:<11}  false\n", "invariant"));
    }
    let hidden = one.invariant.len().saturating_sub(shown);
    if hidden > 0 {
        text.push_str(&format!("    {:<11}| and {hidden} more (-v shows all)\n", ""));
    }
    text
}

/// Items separated by commas after a label, several on a line.
pub(super) fn filled(label: &str, items: &[String]) -> String {
    let (mut text, mut line) = (String::new(), format!("    {label:<11} "));
    for (place, item) in items.iter().enumerate() {
        let comma = if place + 1 < items.len() { "," } else { "" };
        if line.chars().count() + 2 + item.chars().count() > WIDTH {
            text.push_str(&format!("{line}\n"));
            line = format!("    {:<11} ", "");
        }
        line.push_str(&format!(" {item}{comma}"));
    }
    format!("{text}{line}\n")
}

//! The sets of abstract states of an abstraction as text: a formula for each iteration, and the valuations if there are few, like
//! table 1 of Lahiri and Bryant.

use super::WIDTH;
use crate::number::counted;
use crate::reached::{Reached, ReachedSet};

/// The set of each iteration as a formula over short names of the predicates, and small ones as a table.
pub(super) fn sets(reached: &Reached) -> String {
    if reached.sets.is_empty() {
        return String::new();
    }
    let mut text = "  reachable sets, with\n".to_string();
    for (number, name) in reached.predicates.iter().enumerate() {
        text.push_str(&format!("    {:<4} {name}\n", format!("p{}", number + 1)));
    }
    for set in &reached.sets {
        let states = counted(u64::try_from(set.states).unwrap_or(u64::MAX), "state");
        let formula = match (&set.formula, set.cubes) {
            (Some(formula), _) => wrapped(formula, 11),
            (None, Some(cubes)) => counted(cubes as u64, "cube"),
            (None, None) => "too many cubes to count".to_string(),
        };
        text.push_str(&format!("    rho{:<3} {formula}  ({states})\n", set.iteration));
    }
    text.push_str(&table(reached).unwrap_or_default());
    text
}

/// The valuations of the last set, with the iteration in which each came in; `None` if they are many.
fn table(reached: &Reached) -> Option<String> {
    let last = reached.sets.last()?.valuations.as_ref()?;
    let names = (1..=reached.predicates.len()).map(|number| format!("{:<5}", format!("p{number}")));
    let mut text = format!("    {}first in\n", names.collect::<String>());
    for valuation in last {
        let values: String = valuation.iter().map(|&value| if value { "T    " } else { "F    " }).collect();
        let is_in = |set: &&ReachedSet| set.valuations.as_ref().is_some_and(|all| all.contains(valuation));
        let first = reached.sets.iter().find(is_in)?;
        text.push_str(&format!("    {values}rho{}\n", first.iteration));
    }
    Some(text)
}

/// A formula on several lines, broken where a conjunct or cube ends.
fn wrapped(formula: &str, indent: usize) -> String {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in formula.split_inclusive(' ') {
        let is_operator = matches!(word, "& " | "| ");
        if !is_operator && indent + line.chars().count() + word.chars().count() > WIDTH {
            lines.push(line.trim_end().to_string());
            line.clear();
        }
        line.push_str(word);
    }
    lines.push(line);
    lines.join(&format!("\n{}", " ".repeat(indent)))
}

//! What stands in the way of a proof by induction, as text: the step in the format of runs, what small instances say, and lemmas.

use super::{Detail, contents, step};
use crate::induction::{Induction, ShownCounterexample};
use crate::number::counted;
use crate::style::{Paint, Style};

/// Lemmas that were kept, without `-v`.
const KEPT: usize = 3;

pub(super) fn obstacle(name: &str, induction: &Induction, detail: Detail, style: Style) -> String {
    let mut text = match (&induction.step, &induction.none) {
        (Some(found), _) => counterexample(name, found, detail, style),
        (None, Some(why)) => format!("  no counterexample to induction is shown: {why}\n"),
        (None, None) => String::new(),
    };
    let kept: Vec<String> =
        induction.kept.iter().flat_map(|group| group.formulas().collect::<Vec<_>>()).collect();
    if !kept.is_empty() {
        let shown = if detail == Detail::Verbose { kept.len() } else { kept.len().min(KEPT) };
        text.push_str(&format!("  proved on the way ({}):\n", counted(kept.len() as u64, "lemma")));
        text.extend(kept[..shown].iter().map(|lemma| crate::layout::formula(lemma, 4)));
        if shown < kept.len() {
            text.push_str(&format!("    and {} more (-v shows all)\n", kept.len() - shown));
        }
    }
    let shown = if detail == Detail::Verbose { induction.candidates.len() } else { 1 };
    let candidates: Vec<_> = induction.candidates.iter().take(shown).collect();
    if !candidates.is_empty() {
        text.push_str("  what might be missing (not proved):\n");
    }
    for candidate in candidates {
        let declared = candidate.invariant.as_ref().unwrap_or(&candidate.lemma);
        text.push_str(&crate::layout::formula(declared, 4));
    }
    text
}

fn counterexample(name: &str, found: &ShownCounterexample, detail: Detail, style: Style) -> String {
    let sizes: Vec<String> = found.sizes.iter().map(|(name, size)| format!("{name} = {size}")).collect();
    let sizes = if sizes.is_empty() { String::new() } else { format!(" ({})", sizes.join(", ")) };
    let mut text = match &found.before {
        None => format!("  a startstate in which \"{name}\" is false{sizes}:\n"),
        Some(_) => {
            format!(
                "  a counterexample to the induction of \"{}\": everything asked about holds before{sizes}\n",
                found.breaks
            )
        }
    };
    if let Some(before) = &found.before {
        let title = style.paint(Paint::Strong, "the state before");
        text.push_str(&format!("  0. {title}\n"));
        text.push_str(&match detail {
            Detail::Verbose => contents(&found.contents),
            _ => contents(&before.changes),
        });
    }
    text.push_str(&step(usize::from(found.before.is_some()), &found.step, style));
    let witness: Vec<String> =
        found.witness.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let witness = if witness.is_empty() { String::new() } else { format!(", for {}", witness.join(", ")) };
    text.push_str(&format!("  => here \"{}\" is false{witness}\n", found.breaks));
    if let Some(nearby) = &found.nearby {
        let states = counted(nearby.states as u64, "state");
        text.push_str(&match nearby.is_reached {
            true => {
                format!("  reached: one of {states} explored in this instance looks like the state before\n")
            }
            false => format!(
                "  not reached: none of {states} explored in this instance looks like the state before\n"
            ),
        });
    }
    text
}

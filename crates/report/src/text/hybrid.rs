//! What the engine `hybrid` did, as text: one line for each property, and the details with `-v`.

use super::Detail;
use super::refinement::filled;
use crate::hybrid::{Hybrid, HybridRefinement, HybridRow};
use crate::number::counted;

/// Refinements whose tables are shown; all of them are in the report and in the JSON.
const TABLES: usize = 3;

/// Rows of candidates that are not needed that are shown.
const IDLE_ROWS: usize = 6;

/// Characters of a formula in a table.
const FORMULA_WIDTH: usize = 48;

pub(super) fn properties(all: &[Hybrid], detail: Detail) -> String {
    if detail != Detail::Verbose {
        return String::new();
    }
    all.iter().map(property).collect()
}

fn property(one: &Hybrid) -> String {
    let mut text = format!(
        "  {}: {}, {} of {} kept, {}, {}, {}\n",
        one.property,
        counted(one.iterations as u64, "iteration"),
        one.kept.len(),
        counted(one.registers as u64, "register"),
        counted(one.predicates.len() as u64, "predicate"),
        counted(one.bits as u64, "bit"),
        counted(one.correlations as u64, "correlation"),
    );
    let clusters = one.clusters.iter().filter(|cluster| cluster.len() > 1);
    let clusters: Vec<String> = clusters.map(|cluster| format!("{{{}}}", cluster.join("; "))).collect();
    let size = one.register_bits.map(|bits| counted(bits as u64, "register bit"));
    let gates = one.gates.map(|gates| counted(gates as u64, "gate"));
    let size: Vec<String> = size.into_iter().chain(gates).collect();
    for (label, items) in [
        ("size", &size),
        ("kept", &one.kept),
        ("predicates", &one.predicates),
        ("clusters", &clusters),
        ("branches", &one.branches),
        ("invariants", &one.invariants),
    ] {
        if !items.is_empty() {
            text.push_str(&filled(label, items));
        }
    }
    let compared: Vec<String> = one
        .refinements
        .iter()
        .filter_map(|refinement| {
            let one_by_one = refinement.one_by_one?;
            Some(format!("{} lazily, {one_by_one} one by one", refinement.added))
        })
        .collect();
    if !compared.is_empty() {
        text.push_str(&filled("candidates", &compared));
    }
    for (number, refinement) in one.refinements.iter().enumerate().take(TABLES) {
        text.push_str(&table(number + 1, refinement));
    }
    let hidden = one.refinements.len().saturating_sub(TABLES);
    if hidden > 0 {
        let more = counted(hidden as u64, "more spurious counterexample");
        text.push_str(&format!("    {more} (--report OUT.html shows all)\n"));
    }
    text
}

/// An extended counterexample, a state in each column.
fn table(number: usize, one: &HybridRefinement) -> String {
    let end = match one.dead_end {
        Some(state) => format!(", dead end at {state}"),
        None => String::new(),
    };
    let mut text = format!(
        "    spurious counterexample {number}: {}{end}, excluded by {}\n",
        counted(one.length as u64, "state"),
        one.means
    );
    let is_idle = |row: &&HybridRow| row.standing == "candidate";
    let hidden = one.table.iter().filter(is_idle).count().saturating_sub(IDLE_ROWS);
    let shown = &one.table[..one.table.len() - hidden];
    let width = shown.iter().map(|row| row.formula.chars().count()).max().unwrap_or(0).min(FORMULA_WIDTH);
    let columns = (0..one.length).map(|state| (state % 10).to_string());
    text.push_str(&format!("        {:width$}  {}\n", "", columns.collect::<Vec<String>>().join(" ")));
    for row in shown {
        let mark = match row.standing {
            "chosen" => "+",
            "candidate" => "?",
            _ => " ",
        };
        let values: Vec<String> = row.values.chars().map(String::from).collect();
        text.push_str(&format!("      {mark} {:width$}  {}\n", cut(&row.formula), values.join(" ")));
    }
    if hidden > 0 {
        text.push_str(&format!("      ? {hidden} more with a value\n"));
    }
    text
}

/// A formula, or its beginning.
fn cut(formula: &str) -> String {
    if formula.chars().count() <= FORMULA_WIDTH {
        return formula.to_string();
    }
    formula.chars().take(FORMULA_WIDTH - 1).chain(['…']).collect()
}

//! What the engine `hybrid` did, as text: one line for each property, and the details with `-v`.

use super::Detail;
use super::refinement::filled;
use crate::hybrid::Hybrid;
use crate::number::counted;

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
    for (label, items) in [
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
    text
}

//! Clusters for Graphviz: predicates in the boxes of their clusters, and lines to the registers that they speak of. Registers
//! that are kept are filled.

use super::Hybrid;
use std::collections::BTreeSet;

pub fn dot(title: &str, all: &[Hybrid]) -> String {
    let mut text = String::from("graph clusters {\n");
    text.push_str(&format!("  label={};\n  labelloc=t;\n  rankdir=LR;\n", quoted(title)));
    text.push_str("  node [fontname=\"monospace\", fontsize=10];\n");
    for (place, one) in all.iter().enumerate() {
        text.push_str(&property(place, one));
    }
    text.push_str("}\n");
    text
}

fn property(place: usize, one: &Hybrid) -> String {
    let mut text =
        format!("  subgraph cluster_p{place} {{\n    label={};\n    style=dashed;\n", quoted(&one.property));
    for (number, cluster) in one.clusters.iter().enumerate() {
        text.push_str(&format!(
            "    subgraph cluster_p{place}_{number} {{\n      label=\"\";\n      style=solid;\n"
        ));
        for predicate in one.numbers(cluster) {
            text.push_str(&format!("      {}\n", node(place, one, predicate)));
        }
        text.push_str("    }\n");
    }
    let clustered: BTreeSet<usize> = one.clusters.iter().flat_map(|cluster| one.numbers(cluster)).collect();
    for predicate in (0..one.predicates.len()).filter(|predicate| !clustered.contains(predicate)) {
        text.push_str(&format!("    {}\n", node(place, one, predicate)));
    }
    let registers: BTreeSet<&String> = one.supports.iter().flatten().chain(&one.kept).collect();
    for register in &registers {
        let fill = if one.kept.contains(register) { ", style=filled, fillcolor=\"#d9f0d9\"" } else { "" };
        text.push_str(&format!(
            "    {} [label={}, shape=ellipse{fill}];\n",
            quoted(&format!("{place}:{register}")),
            quoted(register)
        ));
    }
    text.push_str("  }\n");
    for (predicate, support) in one.supports.iter().enumerate() {
        for register in support {
            text.push_str(&format!(
                "  p{place}_{predicate} -- {};\n",
                quoted(&format!("{place}:{register}"))
            ));
        }
    }
    text
}

fn node(place: usize, one: &Hybrid, predicate: usize) -> String {
    format!("p{place}_{predicate} [label={}, shape=box];", quoted(&one.predicates[predicate]))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

//! A self-contained page about the engine `hybrid`: sizes, clusters as boxes, and each spurious counterexample as a table of 0,
//! 1 and x. It needs no network.

use super::{Hybrid, HybridRefinement};
use crate::page::page;
use crate::recursive::html::escaped;
use crate::view::Report;

/// Characters of a formula that are shown at once.
const LONG: usize = 80;

const OWN_STYLE: &str = include_str!("page.css");

pub fn html(report: &Report) -> String {
    page(report, OWN_STYLE, &report.hybrid.iter().map(property).collect::<String>())
}

fn property(one: &Hybrid) -> String {
    let mut text = format!("<h2>{}</h2>\n<table class=\"numbers\"><tr>", escaped(&one.property));
    let known = |number: Option<usize>| number.map_or("–".to_string(), |number| number.to_string());
    let numbers = [
        ("register bits", known(one.register_bits)),
        ("gates", known(one.gates)),
        ("iterations", one.iterations.to_string()),
        ("predicates", one.predicates.len().to_string()),
        ("bits of an abstract state", one.bits.to_string()),
        ("correlations", one.correlations.to_string()),
    ];
    numbers.iter().for_each(|(label, _)| text.push_str(&format!("<th>{label}</th>")));
    text.push_str("</tr><tr>");
    numbers.iter().for_each(|(_, number)| text.push_str(&format!("<td>{number}</td>")));
    text.push_str("</tr></table>\n");
    text.push_str(&clusters(one));
    for (number, refinement) in one.refinements.iter().enumerate() {
        text.push_str(&table(number + 1, refinement));
    }
    text
}

/// A box for each cluster, with the registers that its predicates speak of; green are those that are kept.
fn clusters(one: &Hybrid) -> String {
    let mut text = String::from("<h3>Clusters</h3>\n<div class=\"clusters\">\n");
    for cluster in one.shown_clusters() {
        text.push_str("<div class=\"cluster\">");
        for &predicate in &cluster {
            text.push_str(&formula(&one.predicates[predicate]));
        }
        let mut registers: Vec<&String> = cluster.iter().flat_map(|&p| &one.supports[p]).collect();
        registers.sort();
        registers.dedup();
        text.push_str("<p>");
        for register in registers {
            let class = if one.kept.contains(register) { " kept" } else { "" };
            text.push_str(&format!("<span class=\"register{class}\">{}</span> ", escaped(register)));
        }
        text.push_str("</p></div>\n");
    }
    text.push_str("</div>\n");
    text
}

/// A formula; of a long one the beginning, behind which the rest can be unfolded.
fn formula(text: &str) -> String {
    let Some((cut, _)) = text.char_indices().nth(LONG) else {
        return format!("<code>{}</code>", escaped(text));
    };
    format!(
        "<details><summary><code>{}…</code></summary><code>…{}</code></details>",
        escaped(&text[..cut]),
        escaped(&text[cut..])
    )
}

/// An extended counterexample, a state in each column.
fn table(number: usize, one: &HybridRefinement) -> String {
    let end = one.dead_end.map_or(String::new(), |state| format!(", dead end at state {state}"));
    let mut text = format!(
        "<h3>Spurious counterexample {number}</h3>\n<p>{} states{end}; excluded by {}.</p>\n<table class=\"run\"><tr><th></th>",
        one.length, one.means
    );
    (0..one.length).for_each(|state| text.push_str(&format!("<th>t{state}</th>")));
    text.push_str("</tr>\n");
    for row in &one.table {
        text.push_str(&format!("<tr class=\"{}\"><th>{}</th>", row.standing, formula(&row.formula)));
        for state in 0..one.length {
            let value = row.values.chars().nth(state).map(String::from).unwrap_or_default();
            text.push_str(&format!("<td class=\"v{value}\">{value}</td>"));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table>\n");
    text
}

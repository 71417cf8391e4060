//! The view as text: a line for each question, numbers, and with `-v` everything else.

use super::{Edge, Fate, Item, Line, Node, Recursive, Theorem, Tree};
use crate::number::counted;
use crate::style::{Paint, Style};
use crate::text::{Detail, certificate, listed, step, time_line, trust, verdict_paint};
use crate::view::{Property, Report, Verdict};

/// The number of items that are shown without `-v`.
const ITEMS: usize = 8;
/// The length at which texts are truncated without `-v`.
const WIDTH: usize = 110;

/// Everything after the verdict line.
pub(crate) fn body(report: &Report, recursive: &Recursive, detail: Detail, style: Style) -> String {
    let mut text = items(report, recursive, detail, style);
    text.push_str(&hint(report));
    if let Some(tree) = &recursive.tree {
        text.push_str(&format!("  {}\n", tree_line(tree)));
    }
    if !recursive.lemmas.is_empty() {
        text.push_str(&format!("  {}\n", counted(recursive.lemmas.len() as u64, "lemma")));
    }
    text.push_str(&certificate(report));
    text.push_str(&trust(report, detail));
    text.push_str(&format!("  {}\n", style.paint(Paint::Faint, &time_line(&report.statistics))));
    if detail == Detail::Verbose {
        text.push_str(&everything(report, recursive));
    }
    text
}

/// Unproved items come first: those need attention.
fn items(report: &Report, recursive: &Recursive, detail: Detail, style: Style) -> String {
    let mut all: Vec<(&Property, &Item)> = report.properties.iter().zip(&recursive.items).collect();
    all.sort_by_key(|(property, _)| match property.verdict {
        Verdict::Unsafe => 0,
        Verdict::Unknown => 1,
        Verdict::Safe => 2,
    });
    let shown = if detail == Detail::Verbose { usize::MAX } else { ITEMS };
    let mut text: String =
        all.iter().take(shown).map(|(property, known)| item(property, known, detail, style)).collect();
    let rest: Vec<&str> = all.iter().skip(shown).map(|(property, _)| property.name.as_str()).collect();
    if !rest.is_empty() {
        text.push_str(&format!("  and {} more (-v shows all)\n", rest.len()));
    }
    text
}

fn item(property: &Property, item: &Item, detail: Detail, style: Style) -> String {
    let word = style.paint(verdict_paint(property.verdict), word(property.verdict));
    let statement = shortened(&item.statement, detail);
    let mut text = format!("  {word}: \"{}\": {statement}\n", property.name);
    if !item.counterexample.is_empty() {
        let code = property.reason.as_ref().map_or("", |reason| reason.explanation.code);
        text.push_str(&format!("       false for {} ({code})\n", values(&item.counterexample)));
    }
    if let Some(refused) = &item.refused {
        text.push_str(&format!("       refused: {refused}\n"));
    }
    if let Some(trace) = &property.trace {
        trace.steps.iter().enumerate().for_each(|(number, shown)| text.push_str(&step(number, shown, style)));
        text.push_str(&format!("  => {}\n", style.paint(Paint::Bad, &trace.end)));
    }
    if let (Verdict::Unknown, Some(reason)) = (property.verdict, &property.reason) {
        text.push_str(&format!("       {} ({})\n", reason.text, reason.explanation.code));
    }
    text
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "proved",
        Verdict::Unsafe => "refuted",
        Verdict::Unknown => "open",
    }
}

fn values(values: &[(String, String)]) -> String {
    let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    values.join("; ")
}

fn shortened(text: &str, detail: Detail) -> String {
    match detail {
        Detail::Verbose => text.to_string(),
        _ => crate::source::shorten(text, WIDTH),
    }
}

/// A hint about the first open item.
fn hint(report: &Report) -> String {
    let open = report.properties.iter().filter(|property| property.verdict == Verdict::Unknown);
    let Some(reason) = open.filter_map(|property| property.reason.as_ref()).next() else {
        return String::new();
    };
    let hint = reason.hint.as_ref().map_or(String::new(), |hint| format!("{hint}; "));
    format!("  try: {hint}tenet explain {}\n", reason.explanation.code)
}

fn tree_line(tree: &Tree) -> String {
    let open: Vec<String> = tree.open().iter().map(usize::to_string).collect();
    let open: Vec<&str> = open.iter().map(String::as_str).collect();
    let state = match open.is_empty() {
        true => "closed".to_string(),
        false => format!("not closed: node {} stayed open", listed(&open, 5)),
    };
    let ranking = tree.ranking.as_ref().map_or(String::new(), |ranking| {
        format!("; every run ends, since ({}) becomes smaller", ranking.join(", "))
    });
    format!("computation tree: {}, {state}{ranking}", tree.counts())
}

/// Lemmas, the tree, and all derivations.
fn everything(report: &Report, recursive: &Recursive) -> String {
    let mut text = String::new();
    for (place, lemma) in recursive.lemmas.iter().enumerate() {
        text.push_str(&theorem(place + 1, lemma));
    }
    for (property, item) in report.properties.iter().zip(&recursive.items) {
        if !item.proof.is_empty() {
            text.push_str(&format!("\n{} \"{}\": {}\n", item.kind.word(), property.name, item.statement));
            lines(&mut text, 1, &item.proof);
        }
    }
    if let Some(tree) = &recursive.tree {
        text.push_str("\ncomputation tree:\n");
        tree.nodes.iter().enumerate().for_each(|(place, shown)| node(&mut text, place, shown));
    }
    text
}

fn theorem(number: usize, lemma: &Theorem) -> String {
    let measure = lemma.measure.as_ref().map_or(String::new(), |measure| format!(" (by {measure})"));
    let mut text = format!("\nlemma {number}{measure}: {}\n", lemma.statement);
    lines(&mut text, 1, &lemma.proof);
    text
}

fn node(text: &mut String, place: usize, node: &Node) {
    text.push_str(&format!("  node {}: {}\n", place + 1, node.state));
    match &node.fate {
        Fate::Open => text.push_str("    open: nothing was shown of it\n"),
        Fate::Abstracted { by, to, proof } => {
            let by =
                by.as_ref().map_or("an abstraction that was found".to_string(), |name| format!("\"{name}\""));
            text.push_str(&format!("    abstracted by {by} to node {}\n", to + 1));
            lines(text, 3, proof);
        }
        Fate::Subsumed { by, proof } => {
            text.push_str(&format!("    subsumed by node {}\n", by + 1));
            lines(text, 3, proof);
        }
        Fate::Split { cases, proof } => {
            text.push_str("    split\n");
            lines(text, 3, proof);
            for (when, to, proof) in cases {
                text.push_str(&format!("    where {when}: node {}\n", to + 1));
                lines(text, 3, proof);
            }
        }
        Fate::Expanded { edges, properties } => {
            text.push_str("    expanded\n");
            edges.iter().for_each(|shown| edge(text, shown));
            for (name, proof) in properties {
                match proof {
                    None => text.push_str(&format!("    property \"{name}\" was not shown here\n")),
                    Some(proof) => {
                        text.push_str(&format!("    property \"{name}\"\n"));
                        lines(text, 3, proof);
                    }
                }
            }
        }
    }
}

fn edge(text: &mut String, edge: &Edge) {
    let to = edge.to.map_or("is impossible".to_string(), |to| format!("leads to node {}", to + 1));
    text.push_str(&format!("    \"{}\" {to}\n", edge.transition));
    lines(text, 3, &edge.proof);
}

/// A derivation, indented.
pub(super) fn lines(text: &mut String, indent: usize, shown: &[Line]) {
    // The depth of derivations was limited when they were made, so this recursion is bounded.
    let margin = "  ".repeat(indent);
    for line in shown {
        text.push_str(format!("{margin}{} {}", line.word, line.text).trim_end());
        text.push('\n');
        for case in &line.cases {
            text.push_str(&format!("{margin}  - {}\n", case.title));
            lines(text, indent + 2, &case.lines);
        }
    }
}

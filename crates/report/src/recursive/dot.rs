//! Computation trees for Graphviz.

use super::tree::Link;
use super::{Fate, Node, Tree};

/// The tree as a directed graph.
pub fn dot(title: &str, tree: &Tree) -> String {
    let mut text = String::from("digraph tree {\n");
    text.push_str(&format!("  label={};\n  labelloc=t;\n", quoted(title)));
    text.push_str("  node [shape=box, fontname=\"monospace\", fontsize=10, style=filled];\n");
    text.push_str("  edge [fontname=\"sans-serif\", fontsize=9];\n");
    for (place, node) in tree.nodes.iter().enumerate() {
        text.push_str(&self::node(place, node));
        let mut impossible: Vec<&str> = Vec::new();
        for (link, child) in tree.children(place) {
            match (link, child) {
                (Link::Step(name), Some(child)) => text.push_str(&edge(place, child, name, "solid")),
                (Link::Step(name), None) => impossible.push(name),
                (Link::Case(when), Some(child)) => text.push_str(&edge(place, child, when, "dotted")),
                (Link::Abstraction(name), Some(child)) => {
                    let label = name.map_or("abstracted".to_string(), |name| format!("abstracted: {name}"));
                    text.push_str(&edge(place, child, &label, "bold"));
                }
                (Link::Case(_) | Link::Abstraction(_), None) => {}
            }
        }
        if !impossible.is_empty() {
            text.push_str(&dead_end(place, &impossible));
        }
        if let Fate::Subsumed { by, .. } = &node.fate {
            text.push_str(&edge(place, *by, "subsumed by", "dashed"));
        }
    }
    text.push_str("}\n");
    text
}

fn node(place: usize, node: &Node) -> String {
    let colour = match node.fate {
        Fate::Expanded { .. } => "#e3eefb",
        Fate::Abstracted { .. } => "#fdf0d5",
        Fate::Subsumed { .. } => "#e6f4e6",
        Fate::Split { .. } => "#f2f2f2",
        Fate::Open => "#fbdcdc",
    };
    let label = format!("{}: {}\n{}", place + 1, node.fate.word(), broken(&node.state));
    format!("  n{} [label={}, fillcolor=\"{colour}\"];\n", place + 1, quoted(&label))
}

fn edge(from: usize, to: usize, label: &str, style: &str) -> String {
    let constraint = if style == "dashed" { ", constraint=false" } else { "" };
    format!("  n{} -> n{} [label={}, style={style}{constraint}];\n", from + 1, to + 1, quoted(label))
}

/// The impossible transitions of a node, as one box.
fn dead_end(place: usize, names: &[&str]) -> String {
    let label = format!("impossible:\n{}", names.join("\n"));
    let name = format!("x{}", place + 1);
    format!(
        "  {name} [label={}, shape=plaintext, fillcolor=\"#eeeeee\"];\n  n{} -> {name} [style=dotted, arrowhead=tee];\n",
        quoted(&label),
        place + 1
    )
}

/// A state on several lines, broken outside brackets where they are long.
fn broken(state: &str) -> String {
    let (mut text, mut line, mut depth) = (String::new(), 0usize, 0i32);
    for character in state.chars() {
        depth += match character {
            '(' | '[' => 1,
            ')' | ']' => -1,
            _ => 0,
        };
        line += 1;
        if character == ' ' && depth == 0 && line > 40 && text.ends_with(',') {
            text.push('\n');
            line = 0;
        } else {
            text.push(character);
        }
    }
    text
}

/// A string of DOT.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
    let end = if escaped.contains("\\l") { "\\l" } else { "" };
    format!("\"{escaped}{end}\"")
}

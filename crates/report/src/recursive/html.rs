//! A self-contained page with everything: verdicts, the computation tree, lemmas and derivations. It needs no network.

use super::layout::layout;
use super::tree::Link;
use super::{Case, Edge, Fate, Item, Line, Node, Recursive, Theorem, Tree};
use crate::view::{Property, Report, Verdict};

/// The style sheet. Light and dark follow the reader's settings.
pub(crate) const STYLE: &str = include_str!("page.css");

/// Dimensions of the picture.
const COLUMN: usize = 170;
const ROW: usize = 92;
const BOX: (usize, usize) = (108, 34);
const MARGIN: usize = 14;

pub fn html(report: &Report, recursive: &Recursive) -> String {
    let mut page = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str(&format!("<title>{}: {}</title>\n", report.verdict.word(), escaped(&report.file)));
    page.push_str(&format!("<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"));
    page.push_str(&heading(report));
    page.push_str(&items(report, recursive));
    if let Some(tree) = &recursive.tree {
        page.push_str(&tree_section(tree));
    }
    if !recursive.lemmas.is_empty() {
        page.push_str("<h2>Lemmas</h2>\n");
        let lemmas = recursive.lemmas.iter().enumerate();
        lemmas.for_each(|(place, lemma)| page.push_str(&theorem(place + 1, lemma)));
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn heading(report: &Report) -> String {
    let word = report.verdict.word();
    let certificate = report.certificate.as_ref().map_or(String::new(), |certificate| {
        let (checks, solver) = (certificate.checks, escaped(&certificate.solver));
        format!(" The proofs were checked: {checks} questions to {solver}.")
    });
    format!(
        "<h1><span class=\"badge {word}\">{word}</span> {}</h1>\n<p>{}.{certificate}</p>\n",
        escaped(&report.file),
        escaped(&report.headline)
    )
}

fn items(report: &Report, recursive: &Recursive) -> String {
    let items = report.properties.iter().zip(&recursive.items);
    let shown: String = items.map(|(property, known)| item(property, known)).collect();
    format!("<h2>What was asked</h2>\n{shown}")
}

fn item(property: &Property, item: &Item) -> String {
    let class = property.verdict.word();
    let word = match property.verdict {
        Verdict::Safe => "proved",
        Verdict::Unsafe => "refuted",
        Verdict::Unknown => "open",
    };
    let mut text = format!(
        "<section class=\"item\">\n<p><span class=\"badge {class}\">{word}</span> {} <b>{}</b></p>\n<pre>{}</pre>\n",
        item.kind.word(),
        escaped(&property.name),
        escaped(&item.statement)
    );
    if !item.counterexample.is_empty() {
        let values = item.counterexample.iter();
        let rows: String = values
            .map(|(name, value)| format!("<li><code>{} = {}</code></li>", escaped(name), escaped(value)))
            .collect();
        text.push_str(&format!("<p>It is false for</p>\n<ul>{rows}</ul>\n"));
    }
    if let Some(trace) = &property.trace {
        let steps: String = trace
            .steps
            .iter()
            .map(|step| {
                let changes: Vec<String> =
                    step.changes.iter().map(|(place, value)| format!("{place}: {value}")).collect();
                format!("<li>{} <code>{}</code></li>", escaped(&step.title()), escaped(&changes.join(", ")))
            })
            .collect();
        text.push_str(&format!("<ol start=\"0\">{steps}</ol>\n<p>{}</p>\n", escaped(&trace.end)));
    }
    if let (Verdict::Unknown, Some(reason)) = (property.verdict, &property.reason) {
        text.push_str(&format!("<p>{} ({})</p>\n", escaped(&reason.text), reason.explanation.code));
    }
    text.push_str(&proof("derivation", &item.proof));
    text.push_str("</section>\n");
    text
}

fn theorem(number: usize, lemma: &Theorem) -> String {
    let measure = lemma.measure.as_ref().map_or(String::new(), |measure| {
        format!(" <span class=\"faint\">by induction on <code>{}</code></span>", escaped(measure))
    });
    format!(
        "<section class=\"item\" id=\"lemma-{number}\">\n<p><b>Lemma {number}</b>{measure}</p>\n<pre>{}</pre>\n{}</section>\n",
        escaped(&lemma.statement),
        proof("derivation", &lemma.proof)
    )
}

fn tree_section(tree: &Tree) -> String {
    let state = if tree.is_closed() { "closed" } else { "not closed, so it proves nothing" };
    let ranking = tree.ranking.as_ref().map_or(String::new(), |ranking| {
        format!(
            " Every run ends: <code>({})</code> becomes smaller with each step.",
            escaped(&ranking.join(", "))
        )
    });
    let nodes: String = tree.nodes.iter().enumerate().map(|(place, shown)| node(place, shown)).collect();
    format!(
        "<h2>Computation tree</h2>\n<p>{}; it is {state}.{ranking}</p>\n<div class=\"picture\">\n{}</div>\n{nodes}",
        escaped(&tree.counts()),
        picture(tree)
    )
}

fn node(place: usize, node: &Node) -> String {
    let word = node.fate.word();
    let mut text = format!(
        "<section class=\"node {word}\" id=\"node-{0}\">\n<p><b>Node {0}</b> <span class=\"badge {word}\">{word}</span>",
        place + 1
    );
    match &node.fate {
        Fate::Abstracted { by, to, .. } => {
            let by = by.as_ref().map_or(String::new(), |name| format!(" by “{}”", escaped(name)));
            text.push_str(&format!("{by} to {}", link(*to)));
        }
        Fate::Subsumed { by, .. } => text.push_str(&format!(" by {}", link(*by))),
        Fate::Expanded { .. } | Fate::Split { .. } | Fate::Open => {}
    }
    text.push_str(&format!("</p>\n<pre>{}</pre>\n", escaped(&node.state)));
    match &node.fate {
        Fate::Open => text.push_str("<p>Nothing was shown of it.</p>\n"),
        Fate::Abstracted { proof, .. } | Fate::Subsumed { proof, .. } => {
            text.push_str(&self::proof("why it is included", proof));
        }
        Fate::Split { cases, proof: cover } => {
            text.push_str(&self::proof("why one of the cases is true", cover));
            for (when, to, lines) in cases {
                text.push_str(&details(&format!("<code>{}</code> → {}", escaped(when), link(*to)), lines));
            }
        }
        Fate::Expanded { edges, properties } => {
            edges.iter().for_each(|shown| text.push_str(&edge(shown)));
            for (name, shown) in properties {
                let title = format!("property “{name}”");
                text.push_str(&match shown {
                    Some(shown) => proof(&title, shown),
                    None => format!("<p>{} was not shown here.</p>\n", escaped(&title)),
                });
            }
        }
    }
    text.push_str("</section>\n");
    text
}

fn link(node: usize) -> String {
    format!("<a href=\"#node-{0}\">node {0}</a>", node + 1)
}

fn edge(edge: &Edge) -> String {
    let to = match edge.to {
        Some(to) => format!("→ {}", link(to)),
        None => "<span class=\"badge impossible\">impossible</span>".to_string(),
    };
    details(&format!("<b>{}</b> {to}", escaped(&edge.transition)), &edge.proof)
}

/// A collapsible derivation; empty if there is none.
fn proof(title: &str, lines: &[Line]) -> String {
    if lines.is_empty() { String::new() } else { details(&escaped(title), lines) }
}

fn details(title: &str, lines: &[Line]) -> String {
    format!("<details><summary>{title}</summary>\n{}</details>\n", list(lines))
}

/// The lines of a derivation. Their depth was limited when they were made, so this recursion is bounded.
fn list(lines: &[Line]) -> String {
    let shown: String = lines
        .iter()
        .map(|line| {
            let cases: String = line.cases.iter().map(case).collect();
            let (word, class) = (line.word, line.kind.word().replace(' ', "-"));
            let text = escaped(&line.text);
            format!("<li><span class=\"step {class}\">{word}</span> <code>{text}</code>{cases}</li>\n")
        })
        .collect();
    format!("<ol class=\"proof\">\n{shown}</ol>\n")
}

fn case(case: &Case) -> String {
    let lines = if case.lines.is_empty() { String::new() } else { list(&case.lines) };
    format!("<div class=\"case\"><code>{}</code>{lines}</div>", escaped(&case.title))
}

/// The tree as a picture: boxes with arrows to their children, labelled with transitions.
fn picture(tree: &Tree) -> String {
    let layout = layout(tree);
    let place = |node: usize| {
        let (column, row) = layout.places[node];
        (MARGIN + column * COLUMN / 2 + COLUMN / 2, MARGIN + row * ROW)
    };
    let (width, height) =
        (2 * MARGIN + layout.columns * COLUMN, 2 * MARGIN + (layout.rows - 1) * ROW + BOX.1);
    let mut svg = format!("<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\">\n");
    svg.push_str("<title>The computation tree</title>\n<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" ");
    svg.push_str(
        "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>\n",
    );
    let parents = tree.parents();
    for (number, node) in tree.nodes.iter().enumerate() {
        svg.push_str(&arrows(tree, number, &parents, &place));
        if let Fate::Subsumed { by, .. } = node.fate {
            svg.push_str(&back(place(number), place(by)));
        }
    }
    for (number, node) in tree.nodes.iter().enumerate() {
        svg.push_str(&picture_node(number, node, place(number)));
    }
    svg.push_str("</svg>\n");
    svg
}

/// The arrows to the children. Several transitions may lead to the same node.
fn arrows(
    tree: &Tree,
    node: usize,
    parents: &[Option<usize>],
    place: &impl Fn(usize) -> (usize, usize),
) -> String {
    let mut labels: Vec<(usize, Vec<String>)> = Vec::new();
    for (link, child) in tree.children(node) {
        let Some(child) = child else { continue };
        let label = match link {
            Link::Step(name) => name.to_string(),
            Link::Case(when) => when.to_string(),
            Link::Abstraction(name) => format!("abstracted: {}", name.unwrap_or("found")),
        };
        match labels.iter_mut().find(|(known, _)| *known == child) {
            Some((_, known)) => known.push(label),
            None => labels.push((child, vec![label])),
        }
    }
    let mut svg = String::new();
    for (child, names) in labels {
        if parents.get(child) != Some(&Some(node)) {
            continue;
        }
        let ((x, y), (to_x, to_y)) = (place(node), place(child));
        svg.push_str(&format!("<line x1=\"{x}\" y1=\"{}\" x2=\"{to_x}\" y2=\"{to_y}\"/>\n", y + BOX.1));
        let (middle_x, middle_y) = ((x + 2 * to_x) / 3, (y + BOX.1 + 2 * to_y) / 3);
        let text = crate::source::shorten(&names.join(", "), 26);
        svg.push_str(&format!(
            "<text class=\"label\" x=\"{middle_x}\" y=\"{middle_y}\"><title>{}</title>{}</text>\n",
            escaped(&names.join(", ")),
            escaped(&text)
        ));
    }
    svg
}

/// A dashed arrow to a subsuming node, around the nodes between.
fn back((x, y): (usize, usize), (to_x, to_y): (usize, usize)) -> String {
    let half = BOX.0 / 2;
    let middle = BOX.1 / 2;
    let is_left = to_x <= x;
    let (start, end) =
        if is_left { (x + half, to_x + half) } else { (x.saturating_sub(half), to_x.saturating_sub(half)) };
    let bend = if is_left { start.max(end) + COLUMN / 4 } else { start.min(end).saturating_sub(COLUMN / 4) };
    format!(
        "<path class=\"back\" d=\"M{start} {} C{bend} {} {bend} {} {end} {}\"/>\n",
        y + middle,
        y + middle,
        to_y + middle,
        to_y + middle
    )
}

fn picture_node(number: usize, node: &Node, (x, y): (usize, usize)) -> String {
    let word = node.fate.word();
    let left = x.saturating_sub(BOX.0 / 2);
    format!(
        "<a href=\"#node-{0}\"><rect class=\"{word}\" x=\"{left}\" y=\"{y}\" width=\"{1}\" height=\"{2}\" rx=\"5\"/>\
         <text x=\"{x}\" y=\"{3}\"><title>{4}</title>{0}: {word}</text></a>\n",
        number + 1,
        BOX.0,
        BOX.1,
        y + BOX.1 / 2 + 4,
        escaped(&node.state)
    )
}

/// Escaped text for HTML, also in attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

//! A self-contained page about an abstraction: how the set of abstract states grows, what is in it after each iteration, and the
//! invariant. It needs no network.

use super::{Reached, ReachedSet};
use crate::page::page;
use crate::recursive::html::escaped;
use crate::view::{Abstraction, Report};

const OWN_STYLE: &str = include_str!("page.css");

/// Dimensions of the picture, and of its margins on the left and everywhere else.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 120.0;
const MARGIN: f64 = 28.0;

pub fn html(report: &Report, abstraction: &Abstraction) -> String {
    let reached = &abstraction.reached;
    let mut body = String::new();
    if !reached.sets.is_empty() {
        body.push_str(&format!("<h2>Growth</h2>\n<div class=\"picture\">\n{}</div>\n", growth(&reached.sets)));
        body.push_str(&sets(reached));
    }
    body.push_str(&predicates(&reached.predicates));
    body.push_str(&invariant(abstraction));
    page(report, OWN_STYLE, &body)
}

/// The number of abstract states after each iteration, on a logarithmic scale.
fn growth(sets: &[ReachedSet]) -> String {
    let logarithm = |states: u128| (states.max(1) as f64).log10();
    let top = sets.iter().map(|set| logarithm(set.states)).fold(1.0, f64::max).ceil();
    let last = sets.iter().map(|set| set.iteration).max().unwrap_or(0).max(1) as f64;
    let x = |iteration: usize| LEFT + iteration as f64 * (WIDTH - LEFT - MARGIN) / last;
    let y = |power: f64| HEIGHT - MARGIN - power * (HEIGHT - 2.0 * MARGIN) / top;
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" role=\"img\">\n");
    svg.push_str("<title>Abstract states after each iteration, logarithmic</title>\n");
    // So many lines that their labels do not touch.
    let step = (top / 10.0).ceil().max(1.0);
    for line in 0..=(top / step) as usize {
        let power = line as f64 * step;
        let height = y(power);
        let label = if power <= 6.0 { format!("{}", 10_f64.powf(power)) } else { format!("1e{power}") };
        svg.push_str(&format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{height:.1}\" x2=\"{:.1}\" y2=\"{height:.1}\"/>\
             <text class=\"left\" x=\"{:.1}\" y=\"{:.1}\">{label}</text>\n",
            WIDTH - MARGIN,
            LEFT - 8.0,
            height + 4.0
        ));
    }
    let place = |set: &ReachedSet| (x(set.iteration), y(logarithm(set.states)));
    let points: Vec<String> = sets.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    svg.push_str(&format!("<polyline class=\"growth\" points=\"{}\"/>\n", points.join(" ")));
    for set in sets {
        let ((x, y), (states, iteration)) = (place(set), (set.states, set.iteration));
        svg.push_str(&format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"><title>rho{iteration}: {states}</title></circle>\
             <text x=\"{x:.1}\" y=\"{:.1}\">{iteration}</text>\n",
            HEIGHT - MARGIN / 3.0
        ));
    }
    svg.push_str("</svg>\n");
    svg
}

/// A row for each set: its size, the rules that added something, and its formula.
fn sets(reached: &Reached) -> String {
    let mut text = String::from(
        "<table><tr><th>set</th><th>states</th><th>cubes</th><th>formula</th><th>added by</th></tr>\n",
    );
    for set in &reached.sets {
        let cubes = set.cubes.map_or("–".to_string(), |cubes| cubes.to_string());
        let formula = set.formula.as_ref().map_or("too long to show".to_string(), |formula| {
            format!("<code>{}</code>", escaped(formula))
        });
        text.push_str(&format!(
            "<tr><td>rho{}</td><td class=\"number\">{}</td><td class=\"number\">{cubes}</td><td>{formula}</td><td>{}</td></tr>\n",
            set.iteration,
            set.states,
            escaped(&set.rules.join(", "))
        ));
    }
    text.push_str("</table>\n");
    text
}

/// What the formulas call `p1`, `p2` and so on.
fn predicates(predicates: &[String]) -> String {
    let rows = predicates.iter().enumerate();
    let rows: String = rows
        .map(|(number, predicate)| {
            format!("<tr><td>p{}</td><td><code>{}</code></td></tr>\n", number + 1, escaped(predicate))
        })
        .collect();
    if rows.is_empty() { rows } else { format!("<h2>Predicates</h2>\n<table>\n{rows}</table>\n") }
}

fn invariant(abstraction: &Abstraction) -> String {
    let groups = abstraction.invariant.iter();
    let groups: String = groups
        .map(|group| {
            let lemmas: Vec<String> = group.lemmas.iter().map(|lemma| escaped(lemma)).collect();
            let indent = if group.quantifier.is_empty() { "" } else { "  " };
            let title = if group.quantifier.is_empty() { String::new() } else { escaped(&group.quantifier) + "\n" };
            format!("<pre>{title}{indent}{}</pre>\n", lemmas.join(&format!("\n{indent}")))
        })
        .collect();
    if groups.is_empty() { groups } else { format!("<h2>Invariant</h2>\n{groups}") }
}

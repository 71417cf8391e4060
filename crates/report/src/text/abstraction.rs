//! The results of an abstraction as text: the invariant if it proves something, the obstacle if it does not, and the
//! cost.

use super::{Detail, WIDTH, listed, time_line, verdict_paint};
use crate::layout;
use crate::number::counted;
use crate::style::{Paint, Style};
use crate::view::{Abstraction, Candidate, Failure, Imprecision, Property, Report, Suggestion, Verdict};

/// The number of places of a state that are shown without `-v`.
const PLACES: usize = 24;

/// The number of candidates for predicates that are shown without `-v`.
const CANDIDATES: usize = 3;

/// The number of steps of an abstract run that are shown without `-v`.
const STEPS: usize = 12;

/// The number of lemmas that are shown of those that were searched for, without `-v`.
const LEMMAS: usize = 8;

/// Everything after the verdict line.
pub(super) fn body(report: &Report, abstraction: &Abstraction, detail: Detail, style: Style) -> String {
    let mut text = properties(report, style);
    text.push_str(&failures(report, detail, style));
    if report.verdict == Verdict::Safe && !report.checked.is_empty() {
        text.push_str(&format!("  checked: {}\n", report.checked));
    }
    if report.verdict == Verdict::Safe || report.properties.is_empty() || detail == Detail::Verbose {
        text.push_str(&invariant(abstraction, detail));
    }
    text.push_str(&counts(report, abstraction));
    text.push_str(&certificate(report));
    text.push_str(&trust(report, detail));
    text.push_str(&axioms("axioms proved", &report.proved_axioms));
    text.push_str(&axioms("assuming", &report.assumptions));
    text.push_str(&format!("  {}\n", style.paint(Paint::Faint, &time_line(&report.statistics))));
    if detail == Detail::Verbose {
        text.push_str(&verbose(abstraction));
    }
    text
}

/// A line for each predicate that was added.
pub(super) fn suggestions(abstraction: &Abstraction) -> String {
    let mut text = String::new();
    for (number, added) in abstraction.suggestions.iter().enumerate() {
        let Suggestion { property, steps, rule, material, predicate } = added;
        text.push_str(&format!(
            "round {}: \"{property}\" fails after {}; from \"{rule}\" ({material}): predicate {predicate};\n",
            number + 1,
            counted(*steps as u64, "step"),
        ));
    }
    text
}

/// A line for each verdict, if there are several properties with different ones.
fn properties(report: &Report, style: Style) -> String {
    if report.verdict == Verdict::Safe || report.properties.len() < 2 {
        return String::new();
    }
    let (safe, open): (Vec<&Property>, Vec<&Property>) =
        report.properties.iter().partition(|property| property.verdict == Verdict::Safe);
    let mut text = String::new();
    if !safe.is_empty() {
        let names: Vec<&str> = safe.iter().map(|property| property.name.as_str()).collect();
        let word = style.paint(verdict_paint(Verdict::Safe), Verdict::Safe.word());
        text.push_str(&format!("  {word}: {}\n", listed(&names, usize::MAX)));
    }
    if open.len() == 1 {
        return text; // The first line is about it.
    }
    // One line for each reason: a limit leaves all of them open at once.
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for property in open {
        let reason = property.reason.as_ref();
        let why = reason.map_or(String::new(), |r| format!(" ({}; {})", r.text, r.explanation.code));
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(&property.name),
            None => reasons.push((why, vec![&property.name])),
        }
    }
    let word = style.paint(verdict_paint(Verdict::Unknown), Verdict::Unknown.word());
    let is_said = reasons.len() == 1; // The first line gives the only reason.
    for (why, names) in reasons {
        let why = if is_said { "" } else { &why };
        text.push_str(&format!("  {word}: {}{why}\n", names.join(", ")));
    }
    text
}

/// The obstacle for the first property that is not proved (for all, with `-v`), and a hint.
fn failures(report: &Report, detail: Detail, style: Style) -> String {
    let open = report.properties.iter().filter(|property| property.verdict == Verdict::Unknown);
    let shown = open.clone().filter(|property| property.failure.is_some());
    let is_same =
        shown.clone().any(|p| p.failure.as_ref().is_some_and(|failure| failure.induction.is_some()));
    // Induction is asked of each, and of the others the same stands in the way of all.
    let is_each = open.clone().any(|property| property.engine == "induct");
    let shown = shown.take(if detail == Detail::Verbose && !is_same || is_each { usize::MAX } else { 1 });
    let mut text: String = shown.map(|property| failed(property, detail, style)).collect();
    if let Some(reason) =
        open.clone().find_map(|property| property.reason.as_ref()).or(report.reason.as_ref())
    {
        let hint = reason.hint.as_ref().map_or(String::new(), |hint| format!("{hint}; "));
        text.push_str(&format!("  try: {hint}tenet explain {}\n", reason.explanation.code));
    }
    text
}

fn failed(property: &Property, detail: Detail, style: Style) -> String {
    let Some(failure) = &property.failure else { return String::new() };
    let mut text = failure.induction.as_ref().map_or(String::new(), |induction| {
        super::induction::obstacle(&property.name, induction, detail, style)
    });
    if !failure.path.is_empty() {
        text.push_str(&format!("  an abstract run to a violation of \"{}\":\n", property.name));
        text.push_str(&path(failure, detail));
    }
    if let Some(imprecision) = &failure.imprecision {
        text.push_str(&step(failure, imprecision, detail));
    }
    text.push_str(&candidates(failure, detail));
    if (failure.path.is_empty() || detail == Detail::Verbose) && !failure.witness.is_empty() {
        text.push_str(&format!("  a state that the invariant allows and \"{}\" does not:\n", property.name));
        text.push_str(&filled(&equations(&failure.witness), 7, detail));
    }
    text
}

/// All predicates at the start, and then those that change; of a long run the beginning and the end.
fn path(failure: &Failure, detail: Detail) -> String {
    let mut text = String::new();
    let hidden = match detail {
        Detail::Verbose => 0..0,
        _ if failure.path.len() <= STEPS => 0..0,
        _ => STEPS / 2..failure.path.len() - STEPS / 2,
    };
    for (number, step) in failure.path.iter().enumerate() {
        if hidden.contains(&number) {
            if number == hidden.start {
                text.push_str(&format!("    ... {} (-v shows them)\n", counted(hidden.len() as u64, "step")));
            }
            continue;
        }
        text.push_str(&format!("  {number:>3}. {}\n", step.name));
        let Some(before) = number.checked_sub(1).map(|before| &failure.path[before].state) else {
            text.push_str(&valuation(failure, &step.state));
            continue;
        };
        for (predicate, name) in failure.predicates.iter().enumerate() {
            let (old, new) = (before[predicate], step.state[predicate]);
            if old != new {
                text.push_str(&format!("       {name}: {old} -> {new}\n"));
            }
        }
    }
    text
}

fn valuation(failure: &Failure, state: &[bool]) -> String {
    let of = |wanted: bool| -> Vec<String> {
        let known = failure.predicates.iter().zip(state);
        known.filter(|(_, value)| **value == wanted).map(|(text, _)| text.clone()).collect()
    };
    let mut text = String::new();
    for (title, predicates) in [("true:", of(true)), ("false:", of(false))] {
        if !predicates.is_empty() {
            text.push_str(&format!(
                "   {}",
                labelled(title, &predicates, Detail::Verbose).replace("\n    ", "\n       ")
            ));
        }
    }
    text
}

/// The step to look at, with its changes.
fn step(failure: &Failure, imprecision: &Imprecision, detail: Detail) -> String {
    if imprecision.step == 0 {
        return "  the violation is there from the start\n".to_string();
    }
    let names = imprecision.undetermined.iter().map(|&predicate| failure.predicates[predicate].as_str());
    let names: Vec<&str> = names.collect();
    let mut text = match names.as_slice() {
        [] => format!("  look at step {}, for example\n", imprecision.step),
        names => format!(
            "  step {} need not lead there: the predicates before it do not determine {}, for example\n",
            imprecision.step,
            listed(names, usize::MAX)
        ),
    };
    let (before, after) = (&imprecision.before, &imprecision.after);
    let new = |place: &str| after.iter().find(|(known, _)| known == place).map(|(_, value)| value);
    let is_same = |(place, value): &&(String, String)| new(place).is_none_or(|new| new == value);
    let (same, changed): (Vec<_>, Vec<_>) = before.iter().partition(is_same);
    let same: Vec<String> = same.iter().map(|(place, value)| format!("{place} = {value}")).collect();
    for (place, value) in &changed {
        text.push_str(&format!("       {place}: {value} -> {}\n", new(place).map_or("", String::as_str)));
    }
    let is_known = |place: &str| before.iter().any(|(known, _)| known == place);
    for (place, value) in after.iter().filter(|(place, _)| !is_known(place)) {
        text.push_str(&format!("       {place} = {value} afterwards\n"));
    }
    if !same.is_empty() {
        text.push_str(&labelled("where", &same, detail));
    }
    text
}

/// What to try, best first.
fn candidates(failure: &Failure, detail: Detail) -> String {
    let is_shown = |candidate: &&Candidate| candidate.excludes || detail == Detail::Verbose;
    let shown: Vec<&Candidate> = failure.candidates.iter().filter(is_shown).collect();
    if shown.is_empty() {
        return String::new();
    }
    let mut text = "  predicates without which the run is possible, and with which it is not:\n".to_string();
    if detail == Detail::Verbose {
        text = "  candidates for predicates:\n".to_string();
    }
    let count = if detail == Detail::Verbose { shown.len() } else { CANDIDATES };
    for candidate in shown.into_iter().take(count) {
        let Candidate { predicate, step, material, excludes } = candidate;
        let name = failure.path.get(*step).map_or("", |step| step.name.as_str());
        let why = if *excludes { "" } else { "; the run stays possible" };
        text.push_str(&format!(
            "    predicate {predicate};\n      ({material} of step {step}, {name}{why})\n"
        ));
    }
    text
}

fn equations(values: &[(String, String)]) -> Vec<String> {
    values.iter().map(|(place, value)| format!("{place} = {value}")).collect()
}

/// Items after a label, the labels of several such lists in one column.
fn labelled(label: &str, items: &[String], detail: Detail) -> String {
    let text = filled(items, 11, detail);
    format!("    {label:<6} {}", text.trim_start())
}

/// Items separated by commas, several on a line.
fn filled(items: &[String], indent: usize, detail: Detail) -> String {
    let shown = if detail == Detail::Verbose { items.len() } else { items.len().min(PLACES) };
    let mut pieces: Vec<String> = items[..shown].to_vec();
    if shown < items.len() {
        pieces.push(format!("and {} more", items.len() - shown));
    }
    let margin = " ".repeat(indent);
    let (mut text, mut line) = (String::new(), String::new());
    for (position, piece) in pieces.iter().enumerate() {
        let comma = if position + 1 < pieces.len() { "," } else { "" };
        if !line.is_empty() && indent + line.chars().count() + 2 + piece.chars().count() > WIDTH {
            text.push_str(&format!("{margin}{line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(piece);
        line.push_str(comma);
    }
    if !line.is_empty() {
        text.push_str(&format!("{margin}{line}\n"));
    }
    text
}

/// The lemmas: all of those that were computed from predicates, a few of those that were searched for.
fn invariant(abstraction: &Abstraction, detail: Detail) -> String {
    if abstraction.invariant.is_empty() {
        return String::new();
    }
    let is_short = abstraction.is_searched() && detail != Detail::Verbose;
    let mut left = if is_short { LEMMAS } else { usize::MAX };
    let unchecked = if abstraction.is_checked { "" } else { ", not checked" };
    let count = counted(abstraction.lemma_count() as u64, "lemma");
    let mut text = format!("  invariant ({count}{unchecked}):\n");
    for group in &abstraction.invariant {
        if left == 0 {
            break;
        }
        let margin = if group.quantifier.is_empty() { 4 } else { 6 };
        if !group.quantifier.is_empty() {
            text.push_str(&format!("    {}\n", group.quantifier));
        }
        text.extend(group.lemmas.iter().take(left).map(|lemma| layout::formula(lemma, margin)));
        left = left.saturating_sub(group.lemmas.len());
    }
    let hidden = abstraction.lemma_count().saturating_sub(LEMMAS);
    if is_short && hidden > 0 {
        text.push_str(&format!("    and {hidden} more (-v shows all)\n"));
    }
    text
}

fn counts(report: &Report, abstraction: &Abstraction) -> String {
    if abstraction.is_searched() {
        return String::new();
    }
    let mut text = format!(
        "  {}, {} for {}, {}, {}\n",
        counted(abstraction.predicates as u64, "predicate"),
        counted(abstraction.substitution_count() as u64, "substitution"),
        counted(abstraction.substitutions.len() as u64, "rule"),
        counted(abstraction.iterations as u64, "productive iteration"),
        counted(report.statistics.smt_calls, "solver call"),
    );
    // Without digit separators, which would look like separators of the items.
    let sizes: Vec<String> = abstraction.states.iter().map(u128::to_string).collect();
    if !sizes.is_empty() {
        text.push_str(&format!("  abstract states: {}\n", sizes.join(", ")));
    }
    text
}

pub(crate) fn certificate(report: &Report) -> String {
    let Some(certificate) = &report.certificate else { return String::new() };
    let file = certificate.file.as_ref().map_or(String::new(), |file| format!(" in {file}"));
    let checks = counted(certificate.checks as u64, "check");
    format!("  certificate{file}: {checks}, verified with {}\n", certificate.solver)
}

/// Signs of vacuity.
pub(crate) fn trust(report: &Report, detail: Detail) -> String {
    report.trust.as_ref().map_or(String::new(), |trust| trust.text(detail))
}

/// An answer that depends on axioms names all of them (EX-T6).
fn axioms(what: &str, names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("  {what}: {}\n", names.join("; ")) }
}

fn verbose(abstraction: &Abstraction) -> String {
    if abstraction.is_searched() {
        return String::new();
    }
    let mut text = format!(
        "  {} before redundant ones were dropped, {} in the last set, substitutions deepened {}\n",
        counted(abstraction.clauses as u64, "lemma"),
        counted(abstraction.nodes as u64, "decision node"),
        counted(abstraction.deepenings as u64, "time"),
    );
    text.push_str(&super::reached::sets(&abstraction.reached));
    text.push_str(&format!("  substitutions of {}:\n", abstraction.indices));
    for (rule, tuples) in &abstraction.substitutions {
        text.push_str(&format!("    {rule}\n{}", filled(tuples, 7, Detail::Verbose)));
    }
    text
}

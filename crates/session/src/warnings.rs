//! What makes a proof say less than it seems to, as diagnostics: a warning about a rule points at it.

use tenet_engine::Warning;
use tenet_lang::diagnostic::{Diagnostic, Explanation, Label, Severity};
use tenet_lang::span::Span;
use tenet_report::codes;
use tenet_report::number::counted;
use tenet_system::System;

/// Rules that one warning points at.
const PLACES: usize = 5;

/// The engine's warnings, those that put the answer in doubt first.
pub(crate) fn diagnostics(system: &System, warnings: &[Warning], has_properties: bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if warnings.contains(&Warning::AxiomsUnsatisfiable) {
        let names: Vec<&str> = system.axioms.iter().map(|axiom| axiom.name.as_str()).collect();
        let text = "no state satisfies the axioms, so NOTHING is proved";
        let help = format!("what is assumed: {}", names.join("; "));
        found.push(general(&codes::AXIOMS_CONTRADICT, text).help(help));
    }
    if warnings.contains(&Warning::NoStart) {
        let text = "no startstate is possible, so NOTHING is proved";
        found.push(general(&codes::NOTHING_REACHABLE, text));
    }
    let ends = warnings.iter().find_map(|warning| match warning {
        Warning::AssumptionsEnd(cycles) => Some(*cycles),
        _ => None,
    });
    if let Some(cycles) = ends {
        let cycles = counted(cycles as u64, "cycle");
        let text = format!(
            "the assumptions allow no run of more than {cycles}, so nothing is said about what comes then"
        );
        found.push(
            general(&codes::ASSUMPTIONS_END, &text).help("look for assumptions that contradict each other"),
        );
    }
    if !has_properties {
        let text = "there are no invariants or assertions, so NOTHING is proved";
        let help = "a property is an `invariant` of Murphi, an `unsafe` of Cubicle, a `bad` of BTOR2";
        found.push(general(&codes::NO_INVARIANTS, text).help(help));
    }
    let of =
        |pick: fn(&Warning) -> Option<usize>| -> Vec<usize> { warnings.iter().filter_map(pick).collect() };
    let never = of(|warning| match warning {
        Warning::RuleNeverTaken(rule) => Some(*rule),
        _ => None,
    });
    found.extend(about_rules(system, &codes::NEVER_FIRED, "can never be taken", &never));
    let none = of(|warning| match warning {
        Warning::NoSubstitution(rule) => Some(*rule),
        _ => None,
    });
    let text = "has no substitution; the index variables stand for themselves";
    let help = "add an `instantiate` hint, or drop --instances forced";
    found.extend(about_rules(system, &codes::NO_SUBSTITUTION, text, &none).map(|warning| warning.help(help)));
    let cut = of(|warning| match warning {
        Warning::SubstitutionsCut(rule) => Some(*rule),
        _ => None,
    });
    found.extend(about_rules(
        system,
        &codes::SUBSTITUTIONS_CUT,
        "has more substitutions than are used",
        &cut,
    ));
    let unknown: u64 = warnings.iter().map(unanswered).sum();
    if unknown > 0 {
        let times = counted(unknown, "question");
        let text = format!("the solver could not decide {times}; what it does not know counts as reachable");
        found.push(general(&codes::SOLVER_UNKNOWN, &text));
    }
    found
}

fn unanswered(warning: &Warning) -> u64 {
    match warning {
        Warning::SolverUnknown(times) => *times,
        _ => 0,
    }
}

fn general(explanation: &'static Explanation, text: &str) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..Diagnostic::global(explanation, text) }
}

/// One warning for all rules that it is about, at the first line of each.
fn about_rules(
    system: &System,
    explanation: &'static Explanation,
    text: &str,
    rules: &[usize],
) -> Option<Diagnostic> {
    let (first, others) = rules.split_first()?;
    let name = &system.rules[*first].name;
    let more = match others.len() {
        0 => String::new(),
        more => format!("; the same goes for {}", counted(more as u64, "other rule")),
    };
    let labels = rules.iter().take(PLACES).map(|&rule| {
        let start = system.rules[rule].source.start;
        Label { span: Span { start, end: start }, text: String::new() }
    });
    Some(Diagnostic {
        explanation,
        severity: Severity::Warning,
        message: format!("rule \"{name}\" {text}{more}"),
        labels: labels.collect(),
        help: None,
    })
}

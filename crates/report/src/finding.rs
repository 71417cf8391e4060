//! Findings of a search in words.

use crate::codes;
use crate::run::show_action;
use crate::source::{Location, Text, shorten};
use tenet_lang::diagnostic::Explanation;
use tenet_system::finite::layout::UNDEFINED;
use tenet_system::finite::machine::Fault;
use tenet_system::finite::program::{FaultKind, Program, Source};
use tenet_system::finite::trace::{Finding, site};

pub(crate) struct Described {
    /// The code for `tenet explain`.
    pub explanation: &'static Explanation,
    /// The name under which it is listed among the properties.
    pub name: String,
    /// As a clause: `invariant "Mutex" is false`.
    pub what: String,
    pub location: Option<Location>,
}

/// Describes a finding.
pub(crate) fn describe(program: &Program, text: &Text<'_>, finding: &Finding) -> Described {
    match finding {
        Finding::Property(index) => {
            let property = &program.properties[*index];
            Described {
                explanation: &codes::INVARIANT,
                name: property.name.clone(),
                what: format!("invariant \"{}\" is false", property.name),
                location: locate(text, property.source),
            }
        }
        Finding::Deadlock => Described {
            explanation: &codes::DEADLOCK,
            name: "deadlock".to_string(),
            what: "deadlock".to_string(),
            location: None,
        },
        Finding::PropertyFault(_, fault) | Finding::StepFault(_, fault) | Finding::StartFault(_, fault) => {
            describe_fault(program, text, fault)
        }
    }
}

fn describe_fault(program: &Program, text: &Text<'_>, fault: &Fault) -> Described {
    let site = site(program, fault);
    let location = locate(text, site.source);
    let name = match site.kind {
        FaultKind::Assertion => statement_name("assertion", &site.detail, location.as_ref()),
        FaultKind::Error => statement_name("error", &site.detail, location.as_ref()),
        _ => at(codes::fault(site.kind).title, location.as_ref()),
    };
    Described {
        explanation: codes::fault(site.kind),
        name,
        what: clause(site.kind, &site.detail, fault.value),
        location,
    }
}

/// The name of an `assert` or `error` statement among the properties.
pub(crate) fn statement_name(word: &str, message: &str, location: Option<&Location>) -> String {
    if message.is_empty() { at(word, location) } else { format!("{word} \"{}\"", shorten(message, 60)) }
}

fn at(what: &str, location: Option<&Location>) -> String {
    match location {
        Some(location) => format!("{what} at {}:{}", location.line, location.column),
        None => what.to_string(),
    }
}

/// The fault at a site as a clause.
fn clause(kind: FaultKind, detail: &str, value: Option<i64>) -> String {
    let detail = shorten(detail, 70);
    let around = |before: &str, after: &str| match detail.as_str() {
        "" => String::new(),
        text => format!("{before}{text}{after}"),
    };
    let (message, source) = (around(" \"", "\""), around(": `", "`"));
    let value = match value {
        None | Some(UNDEFINED) => String::new(),
        Some(value) => format!(" (value {value})"),
    };
    match kind {
        FaultKind::Assertion => format!("assertion{message} is false"),
        FaultKind::Error => format!("error statement{message} is reached"),
        FaultKind::Undefined => format!("an undefined value is read{source}"),
        FaultKind::Range => format!("a value does not fit its type{value}{source}"),
        FaultKind::Index => format!("an index is outside its array{value}{source}"),
        FaultKind::Overflow => format!("a number leaves the 64-bit range{source}"),
        FaultKind::DivisionByZero => format!("division by zero{source}"),
        FaultKind::MultisetFull => format!("a multiset is full{source}"),
        FaultKind::Endless => format!("a loop or recursion goes on for too long{}", around(": ", "")),
        FaultKind::MissingReturn => format!("a function ends without `return`{source}"),
    }
}

/// The line after a run: at which point of the behaviour it goes wrong.
pub(crate) fn last_line(described: &Described, finding: &Finding, program: &Program) -> String {
    let what = &described.what;
    match finding {
        Finding::Property(_) => format!("here {what}"),
        Finding::Deadlock => "deadlock: here no rule leads to another state".to_string(),
        Finding::PropertyFault(index, _) => {
            format!("here property \"{}\" cannot be evaluated: {what}", program.properties[*index].name)
        }
        Finding::StepFault(action, _) => {
            format!("then in rule {}: {what}", show_action(program, false, *action))
        }
        Finding::StartFault(action, _) => {
            format!("in startstate {}: {what}", show_action(program, true, *action))
        }
    }
}

/// A place, if the program has places.
pub(crate) fn locate(text: &Text<'_>, source: Source) -> Option<Location> {
    (source.end > source.start).then(|| text.locate(source))
}

//! The search through one instance: which invariants, within which budget, and the replay of what was found.

use crate::budget::Budget;
use crate::observer::Observer;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::suggest::closest;
use tenet_report::codes;
use tenet_report::exploration::Stop;
use tenet_system::finite::explore::{Options, Outcome, Progress, Statistics, explore};
use tenet_system::finite::program::{Program, PropertyKind};
use tenet_system::finite::trace::{ReplayError, Replayer};
use tracing::{debug, trace};

/// The invariants with these names, all without any; a name that is none is an error.
pub fn chosen_properties(names: &[String], program: &Program) -> Result<Option<Vec<usize>>, Vec<Diagnostic>> {
    if names.is_empty() {
        return Ok(None);
    }
    let invariants = program.properties.iter().enumerate();
    let invariants: Vec<(usize, &str)> = invariants
        .filter(|(_, p)| p.kind == PropertyKind::Invariant)
        .map(|(i, p)| (i, p.name.as_str()))
        .collect();
    let (mut chosen, mut unknown) = (Vec::new(), Vec::new());
    for name in names {
        match invariants.iter().find(|(_, known)| known == name) {
            Some((index, _)) => chosen.push(*index),
            None => unknown.push(unknown_property(name, &invariants)),
        }
    }
    if unknown.is_empty() { Ok(Some(chosen)) } else { Err(unknown) }
}

/// That there is no such property.
pub fn unknown_property(name: &str, invariants: &[(usize, &str)]) -> Diagnostic {
    let names: Vec<&str> = invariants.iter().map(|(_, name)| *name).collect();
    let help = match closest(name, names.iter().copied()) {
        Some(close) => format!("did you mean \"{close}\"?"),
        None if names.is_empty() => "the model has no invariants".to_string(),
        None => format!("the invariants are: {}", names.join(", ")),
    };
    Diagnostic::global(&codes::UNKNOWN_PROPERTY, format!("there is no invariant called \"{name}\""))
        .help(help)
}

/// Searches, and says why the search was stopped if it was.
pub fn search(
    program: &Program,
    options: &Options,
    budget: &Budget,
    observer: &dyn Observer,
) -> (Outcome, Option<Stop>) {
    let mut stop: Option<tenet_engine::Stop> = None;
    let mut tick = |progress: &Progress| {
        observer.searching(budget.elapsed(), progress);
        let (states, depth) = (progress.statistics.states, progress.statistics.depth);
        trace!(states, depth, waiting = progress.waiting, "searching");
        stop = stop.or_else(|| budget.stop());
        stop.is_none()
    };
    debug!(threads = options.threads, rules = program.rules.len(), "search begins");
    let outcome = explore(program, options, &mut tick);
    let Statistics { states, rules_fired, depth, .. } = outcome.statistics;
    debug!(states, rules_fired, depth, end = ?outcome.end, violations = outcome.traces.len(), "search ends");
    observer.rests();
    let stop = stop.map(|stop| match stop {
        tenet_engine::Stop::Interrupt => Stop::Interrupt,
        _ => Stop::Timeout(budget.limit().unwrap_or_else(|| budget.elapsed().as_secs_f64())),
    });
    (outcome, stop)
}

/// Repeats the runs that were found.
pub fn replay(program: &Program, outcome: &Outcome) -> Result<(), ReplayError> {
    if outcome.traces.is_empty() {
        return Ok(());
    }
    let mut replayer = Replayer::new(program);
    outcome.traces.iter().try_for_each(|trace| replayer.replay(trace))
}

//! Logs the queries that solvers are asked: an event for each, with its text if that is wanted.
//!
//! Logging is off by default. A query then costs one look at the maximum level of `tracing`. Logging never changes
//! answers: the text is made of the terms by an encoder of its own, and the solver is not touched.

use std::time::Instant;

use tenet_term::{TermId, TermStore};
use tracing::{Level, enabled, trace};

use crate::{Answer, Effort, Script};

/// The target of the events about questions. Their fields are `solver`, `answer`, `reason`, `effort`, `seconds` and `smtlib`.
pub const QUESTION: &str = "tenet_solve::question";

/// Enabling this target at the level of these events adds the text of queries.
pub const SMTLIB: &str = "tenet_solve::smtlib";

/// Are queries logged?
pub(crate) fn are_watched() -> bool {
    enabled!(target: QUESTION, Level::TRACE)
}

pub(crate) fn log(
    solver: &str,
    answer: &Answer,
    effort: Option<Effort>,
    start: Instant,
    text: impl FnOnce() -> Option<String>,
) {
    if !are_watched() {
        return;
    }
    let seconds = start.elapsed().as_secs_f64();
    let smtlib = if is_text_wanted() { text() } else { None };
    let (answer, reason) = match answer {
        Answer::Sat => ("sat", None),
        Answer::Unsat => ("unsat", None),
        Answer::Unknown(reason) => ("unknown", Some(reason.as_str())),
    };
    let (effort, smtlib) = (effort.map(Effort::as_units), smtlib.as_deref());
    trace!(target: QUESTION, solver, answer, reason, effort, seconds, smtlib, "question");
}

fn is_text_wanted() -> bool {
    enabled!(target: SMTLIB, Level::TRACE)
}

/// The formulas that are asserted in a solver, if the text of questions is wanted; otherwise nothing is kept.
pub(crate) struct Asserted(Option<Scopes>);

#[derive(Default)]
struct Scopes {
    formulas: Vec<TermId>,
    /// How many there were when each open scope was opened.
    outside: Vec<usize>,
}

impl Asserted {
    pub(crate) fn new() -> Asserted {
        Asserted(is_text_wanted().then(Scopes::default))
    }

    pub(crate) fn push(&mut self) {
        if let Some(scopes) = &mut self.0 {
            scopes.outside.push(scopes.formulas.len());
        }
    }

    pub(crate) fn pop(&mut self) {
        if let Some(scopes) = &mut self.0 {
            let left = scopes.outside.pop().expect("invariant: there is a scope to close");
            scopes.formulas.truncate(left);
        }
    }

    pub(crate) fn assert(&mut self, formula: TermId) {
        if let Some(scopes) = &mut self.0 {
            scopes.formulas.push(formula);
        }
    }

    /// The question whether all of them can be true with these assumptions.
    pub(crate) fn question(&self, store: &TermStore, assumptions: &[TermId]) -> Option<String> {
        let scopes = self.0.as_ref()?;
        let mut script = Script::new();
        scopes.formulas.iter().for_each(|&formula| script.assert(store, formula));
        assumptions.iter().for_each(|&formula| script.assume(store, formula));
        script.check();
        Some(script.text().to_owned())
    }
}

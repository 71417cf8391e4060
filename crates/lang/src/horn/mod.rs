//! Constrained Horn clauses in SMT-LIB (`.smt2`), as CHC-COMP and Z3's fixedpoint engine have them.
//!
//! The pipeline: [`sexpr`] gives trees, [`terms`] terms and [`clauses`] clauses, all command by command in [`script`]; [`inline`]
//! eliminates relations, and [`lower`] makes the rest the control locations of a [`tenet_system::System`]. Clauses are
//! unsatisfiable iff `false` can be derived, that is, iff the system can reach its location `error`; so *safe* is SMT-LIB's
//! `sat`, and *unsafe* its `unsat`. What is accepted is in `docs/horn.md`.
//!
//! On the way, `quantifiers`, `eliminate` and `division` remove what clauses cannot have, `resolve` resolves clauses and keeps
//! their history, `equations` solves for variables, `calls` replaces calls by products, and `slice` drops irrelevant arguments.
//! The way back is `interpretation` for an invariant and `derivation` for a run.

mod calls;
pub mod clauses;
mod condense;
pub mod derivation;
pub mod division;
pub mod eliminate;
pub mod equations;
mod frontend;
pub mod inline;
pub mod interpretation;
pub mod lower;
pub mod operators;
pub mod print;
pub mod quantifiers;
pub mod resolve;
pub mod script;
pub mod sexpr;
pub mod signature;
pub mod slice;
pub mod sorts;
pub mod terms;
pub mod vacuity;

pub use frontend::HornFrontend;

use crate::diagnostic::Diagnostic;
use clauses::Clause;
use inline::{Change, Place};
use lower::Lowered;
use signature::Relation;
use tenet_system::{Run, System};
use tenet_term::TermId;

#[derive(Clone, Debug)]
pub struct Horn {
    /// The system, and how it corresponds to the clauses. All terms live in its store.
    pub lowered: Lowered,
    pub relations: Vec<Relation>,
    pub clauses: Vec<Clause>,
    /// The relations and products of them that occurred in clauses while relations were eliminated.
    pub places: Vec<Place>,
    /// The changes, in order.
    pub history: Vec<Change>,
}

impl Horn {
    pub fn system(&self) -> &System {
        &self.lowered.system
    }

    /// Does the rule at this position rest on a value of a division by zero? A run with such a rule is no
    /// counterexample.
    pub fn is_open_rule(&self, rule: usize) -> bool {
        self.lowered.rules.get(rule).is_some_and(|resolvent| resolvent.clause.open)
    }

    /// The same for the start at this position.
    pub fn is_open_start(&self, start: usize) -> bool {
        self.lowered.starts.get(start).is_some_and(|resolvent| resolvent.clause.open)
    }

    /// The system without the steps that rest on a value of a division by zero. Indices stay the same.
    pub fn without_open(&self, system: &System) -> System {
        let mut closed = system.clone();
        let starts = closed.starts.iter_mut().enumerate().filter(|(start, _)| self.is_open_start(*start));
        starts.for_each(|(_, start)| start.constraint = TermId::FALSE);
        let rules = closed.rules.iter_mut().enumerate().filter(|(rule, _)| self.is_open_rule(*rule));
        rules.for_each(|(_, rule)| rule.guard = TermId::FALSE);
        closed
    }

    /// Is the run no counterexample, because it rests on a value of a division by zero?
    pub fn is_open_run(&self, run: &Run) -> bool {
        self.is_open_start(run.start.rule) || run.rules.iter().any(|taken| self.is_open_rule(taken.rule))
    }
}

/// Reads a file from text to system, with warnings; or says why it is rejected.
pub fn read(text: &str) -> Result<(Horn, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (tree, mut found) = sexpr::parse(text);
    if found.iter().any(Diagnostic::is_error) {
        return Err(found);
    }
    let (script, more) = script::read(&tree);
    found.extend(more);
    if found.iter().any(Diagnostic::is_error) {
        return Err(found);
    }
    let script::Script { mut store, relations, clauses } = script;
    match inline::inline(&mut store, &clauses, &relations) {
        Ok(inlined) => {
            let lowered = lower::lower(store, &clauses, &inlined, &tree);
            let inline::Inlined { places, history, .. } = inlined;
            Ok((Horn { lowered, relations, clauses, places, history }, found))
        }
        Err(errors) => {
            found.extend(errors);
            Err(found)
        }
    }
}

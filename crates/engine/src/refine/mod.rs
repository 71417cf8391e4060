//! The engine `refine`: programs, that is, systems with control locations and scalar data.

mod accelerate;
mod bounded;
mod facts;
mod implicant;
mod interpolate;
pub(crate) mod linear;
pub mod methods;
mod minimise;
mod outcome;
mod path;
mod predicates;
mod program;
mod search;
mod spacer;
mod steps;
mod walk;

pub use outcome::{Found, Outcome, Reason};
pub use program::{Origin, Program};

use crate::reach::Warning;
use crate::watch::Watch;
use search::Search;
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_system::System;
use tenet_term::{Role, Sort, SymbolId, TermId};

/// Searches for an invariant that implies these properties, or for a run that violates one.
pub fn refine(system: &mut System, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
    let program = match Program::new(system, properties) {
        Ok(program) => program,
        Err(refusal) => return Outcome::without(Reason::NotAProgram(refusal)),
    };
    let facts = program.facts.clone();
    let mut search = Search::new(system, program, watch);
    let result = search.run();
    let (solver_calls, solver_seconds) = search.statistics();
    let (predicates, refinements) = search.effort();
    let warnings = match result {
        Ok(Found::Proof(_)) => vacuity(system, &facts, watch),
        _ => Vec::new(),
    };
    Outcome { result, warnings, predicates, refinements, solver_calls, solver_seconds }
}

/// What makes a proof say nothing: constants that the axioms do not allow (SPEC X-T2). That nothing can start is not one: of
/// clauses it says that they are satisfied, and startstates are always possible.
fn vacuity(system: &System, facts: &[TermId], watch: &dyn Watch) -> Vec<Warning> {
    if facts.is_empty() {
        return Vec::new();
    }
    let mut solver = Z3Solver::new();
    solver.set_limits(Limits::until(watch.interrupt()));
    facts.iter().for_each(|&fact| solver.assert(&system.store, fact));
    match solver.check(&system.store, &[]) {
        Answer::Unsat => vec![Warning::AxiomsUnsatisfiable],
        _ => Vec::new(),
    }
}

/// Is it a program over numbers or bit-vectors, without arrays, types of any size and axioms about the state?
pub fn is_program(system: &System) -> bool {
    let store = &system.store;
    let is_wide = |sort: &Sort| matches!(sort, Sort::Int | Sort::Real | Sort::BitVec(_));
    let is_wide = |symbol: &SymbolId| is_wide(store.sort(store.symbol(*symbol).sort));
    let is_state = |symbol: SymbolId| store.symbol(symbol).role == Role::State;
    let about_state = |term: TermId| store.symbols_in(term).into_iter().any(is_state);
    program::require_scalars(system).is_ok()
        && system.state.iter().any(|var| is_wide(&var.symbol))
        && !system.axioms.iter().any(|axiom| about_state(axiom.formula))
}

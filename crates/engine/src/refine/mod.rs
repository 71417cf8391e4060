//! The engine `refine`: programs, that is, systems with control locations and scalar data.

mod accelerate;
mod bounded;
mod facts;
mod implicant;
mod interpolate;
mod linear;
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

use crate::watch::Watch;
use search::Search;
use tenet_system::System;
use tenet_term::{Sort, SymbolId};

/// Searches for an invariant that implies these properties, or for a run that violates one.
pub fn refine(system: &mut System, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
    let program = match Program::new(system, properties) {
        Ok(program) => program,
        Err(refusal) => return Outcome::without(Reason::NotAProgram(refusal)),
    };
    let mut search = Search::new(system, program, watch);
    let result = search.run();
    let (solver_calls, solver_seconds) = search.statistics();
    let (predicates, refinements) = search.effort();
    Outcome { result, warnings: Vec::new(), predicates, refinements, solver_calls, solver_seconds }
}

/// Is it a program over numbers or bit-vectors, without arrays and types of any size?
pub fn is_program(system: &System) -> bool {
    let store = &system.store;
    let is_wide = |sort: &Sort| matches!(sort, Sort::Int | Sort::Real | Sort::BitVec(_));
    let is_wide = |symbol: &SymbolId| is_wide(store.sort(store.symbol(*symbol).sort));
    program::require_scalars(system).is_ok() && system.state.iter().any(|var| is_wide(&var.symbol))
}

//! The engine `refine`: programs, that is, systems with control locations and scalar data.

mod facts;
mod implicant;
mod interpolate;
mod linear;
mod minimise;
mod outcome;
mod path;
mod predicates;
mod program;
mod search;
mod steps;
mod walk;

pub use outcome::{Found, Outcome, Reason};
pub use program::{Origin, Program};

use crate::watch::Watch;
use search::Search;
use tenet_system::System;

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

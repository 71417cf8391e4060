//! What the engine answers.

use crate::reach::Warning;
use crate::watch::Stop;
use tenet_system::Lemma;
use tenet_system::run::Violation;

/// The answer.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was found.
    pub result: Result<Found, Reason>,
    /// What makes the result say less than it seems to.
    pub warnings: Vec<Warning>,
    /// How many predicates were in use at the end.
    pub predicates: usize,
    /// How often predicates were added.
    pub refinements: usize,
    /// Number of solver calls.
    pub solver_calls: u64,
    /// Seconds in the solver.
    pub solver_seconds: f64,
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Found {
    /// An invariant that implies the properties.
    Proof(Vec<Lemma>),
    /// A run that violates one of them.
    Run(Violation),
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Somebody said so.
    Stopped(Stop),
    /// The system is not of the kind that the engine is for.
    NotAProgram(&'static str),
    /// Everything that takes turns has given up; and what the search for lemmas stumbled over.
    GivenUp(String),
}

impl Outcome {
    /// No answer, before any work.
    pub fn without(reason: Reason) -> Outcome {
        let (result, warnings) = (Err(reason), Vec::new());
        Outcome { result, warnings, predicates: 0, refinements: 0, solver_calls: 0, solver_seconds: 0.0 }
    }
}

//! What the engine answers, and statistics of its run.

pub use crate::common::search::Found;
use crate::common::watch::Stop;
use tenet_system::run::Violation;

#[derive(Clone, Debug)]
pub struct Outcome {
    pub result: Result<Found, Reason>,
    /// What was done for each property that was tried.
    pub work: Vec<Work>,
    pub solver_calls: u64,
    pub solver_seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The search was cancelled.
    Stopped(Stop),
    NotACircuit,
    /// The solver does not know whether a counterexample is real.
    Inconclusive(String),
    /// A counterexample was found, and does not happen when it is replayed: a mistake somewhere, and no verdict.
    NotReplayed(Box<Violation>),
    /// A counterexample is spurious, and nothing was found that excludes it.
    Stuck,
}

/// What was done for a property. Terms are given by their text, so that a report needs no access to the store.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    pub property: usize,
    /// Registers that the property depends on.
    pub registers: usize,
    pub iterations: usize,
    /// How often the abstract model was built.
    pub rebuilds: usize,
    /// How often it was built while a refinement looked for predicates: never, unless sets are compared.
    pub rebuilds_in_refinement: usize,
    pub predicates: Vec<String>,
    /// The clusters at the end, each by its predicates.
    pub clusters: Vec<Vec<String>>,
    pub kept: Vec<String>,
    /// The bits of an abstract state.
    pub bits: usize,
    /// The branch conditions that became predicates, with their places.
    pub branches: Vec<String>,
    /// The definitions of predicates that were added as invariants.
    pub invariants: Vec<String>,
    /// How many clauses about correlations of predicates there are.
    pub correlations: usize,
    /// How many facts about steps there are.
    pub facts: usize,
    /// The refinements, one for each spurious counterexample.
    pub refinements: Vec<Refinement>,
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refinement {
    pub length: usize,
    pub added: usize,
    pub means: Means,
    /// How many candidates have to be added one by one until the counterexample is excluded, if that was measured.
    pub one_by_one: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Means {
    /// Branch conditions, or none at all: the abstraction of a step was too coarse.
    #[default]
    Candidates,
    /// Conditions under which its steps are possible.
    Preconditions,
    /// What tells its dead end from other states. One of them is excluded, the others may take more refinements.
    Split,
}

impl Outcome {
    /// No answer, before any work.
    pub fn without(reason: Reason) -> Outcome {
        Outcome { result: Err(reason), work: Vec::new(), solver_calls: 0, solver_seconds: 0.0 }
    }
}

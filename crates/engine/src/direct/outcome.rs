//! What the engine answers.

use crate::common::Warning;
use crate::common::watch::Stop;
use tenet_system::Lemma;
use tenet_term::Substitution;

#[derive(Clone, Debug)]
pub struct Outcome {
    /// An invariant that implies the properties, or why there is none.
    pub result: Result<Vec<Lemma>, Reason>,
    /// For each rule, which lemmas of the invariant (by position) were used at which values of their variables.
    pub uses: Vec<Vec<(usize, Substitution)>>,
    pub warnings: Vec<Warning>,
    pub solver_calls: u64,
    pub solver_seconds: f64,
}

#[derive(Clone, Debug)]
pub enum Reason {
    /// The search was cancelled.
    Stopped(Stop),
    /// The solver answered unknown, for this reason.
    Inconclusive(String),
    /// There is no small instance to learn from.
    NoInstance(String),
    /// A startstate seems to violate a property, judged with the instances of quantifiers made so far.
    Violated,
    /// A state of a small instance violates a property.
    Reached,
    /// A counterexample to induction cannot be blocked: no literal separates it from explored states.
    Stuck {
        /// The rule that breaks a property from such a state.
        rule: usize,
    },
    /// Every attempt exceeded the limits on the number of lemmas or on their width.
    TooHard,
    /// A function of the model has functions as arguments.
    Functional,
}

impl Outcome {
    pub(super) fn without(reason: Reason) -> Outcome {
        let (uses, warnings) = (Vec::new(), Vec::new());
        Outcome { result: Err(reason), uses, warnings, solver_calls: 0, solver_seconds: 0.0 }
    }
}

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
    /// What makes the result say less than it seems to.
    pub warnings: Vec<Warning>,
    pub solver_calls: u64,
    pub solver_seconds: f64,
}

/// Why there is no proof.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Somebody said so.
    Stopped(Stop),
    /// The solver does not know.
    Inconclusive(String),
    /// There is no small instance to learn from.
    NoInstance(String),
    /// A property can be violated in a startstate, as far as instances go.
    Violated,
    /// A property is violated in a state of a small instance.
    Reached,
    /// No literal tells states that are reached from states that are not.
    Stuck {
        /// The rule that breaks a property from such a state.
        rule: usize,
    },
    /// Every attempt needed too many lemmas, or lemmas about too many elements.
    TooHard,
    /// A function of the model has functions as arguments.
    Functional,
}

impl Outcome {
    /// Nothing was done, for this reason.
    pub(super) fn without(reason: Reason) -> Outcome {
        let (uses, warnings) = (Vec::new(), Vec::new());
        Outcome { result: Err(reason), uses, warnings, solver_calls: 0, solver_seconds: 0.0 }
    }
}

//! Why a search ends without a proof.

use crate::common::watch::Stop;

#[derive(Clone, Debug)]
pub enum Halt {
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
}

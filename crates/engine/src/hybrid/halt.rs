//! Why a search ends without an answer.

use crate::common::watch::Stop;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The search was cancelled.
    Stopped(Stop),
    /// The solver does not know whether a counterexample is real.
    Inconclusive(String),
    /// The property holds of all reachable states, but these are too many clauses for a certificate.
    TooManyClauses,
    /// The decision diagrams of the abstract model do not fit.
    NoRoom,
    /// What has no decision diagrams was left open, and there is a counterexample because of that.
    NoDiagrams,
    /// A counterexample is spurious, and nothing was found that excludes it.
    Stuck,
}

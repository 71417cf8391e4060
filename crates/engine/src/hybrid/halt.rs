//! Why a search ends without an answer.

use crate::common::watch::Stop;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The search was cancelled.
    Stopped(Stop),
    /// The solver does not know whether a counterexample is real.
    Inconclusive(String),
    /// A counterexample is spurious, and nothing was found that excludes it.
    Stuck,
}

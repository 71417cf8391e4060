//! What is left to a solver, and what is refused.

use tenet_term::TermId;
use thiserror::Error;

/// Something that a solver has to confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Where in the proof it is asked.
    pub path: String,
    /// What it shows.
    pub shows: String,
    /// A formula over variables and constants. It must be unsatisfiable.
    pub formula: TermId,
}

/// Why a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: {reason}")]
pub struct Rejection {
    /// The step.
    pub path: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Rejection {
    /// The rejection of the step at this place.
    pub(super) fn at(path: &str) -> impl Fn(String) -> Rejection + '_ {
        |reason| Rejection { path: path.to_owned(), reason }
    }
}

//! Questions for a solver, and rejections.

use tenet_term::TermId;
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The place in the proof.
    pub path: String,
    pub shows: String,
    /// A formula over variables and constants. It must be unsatisfiable.
    pub formula: TermId,
}

/// Why a proof is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: {reason}")]
pub struct Rejection {
    /// The place in the proof.
    pub path: String,
    pub reason: String,
}

impl Rejection {
    /// The rejection of the step at this place.
    pub(super) fn at(path: &str) -> impl Fn(String) -> Rejection + '_ {
        |reason| Rejection { path: path.to_owned(), reason }
    }
}

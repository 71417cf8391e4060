//! The independent checker.

use std::path::PathBuf;
use thiserror::Error;

/// Who decides the checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Z3 in this process, given the text of the file.
    Z3,
    /// A solver as a process: it is given the file.
    Process(PathBuf),
}

/// A certificate that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The model.
    pub model: String,
    /// The properties that are proved.
    pub properties: Vec<String>,
    /// The lemmas, for people.
    pub lemmas: Vec<String>,
    /// What the proof assumes.
    pub assumptions: Vec<String>,
    /// How many checks were made.
    pub checks: usize,
}

/// Why a certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct Rejection {
    /// The reason, for people.
    pub reason: String,
    /// The line of the file, counted from one, where there is one.
    pub line: Option<usize>,
}

/// Checks a certificate against the model it names.
///
/// `read` gives the text of a file that the header names.
pub fn verify(
    text: &str,
    backend: &Backend,
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Verified, Rejection> {
    let _ = (text, backend, read);
    unimplemented!("the checker is being written")
}

//! Errors that stop nothing, up to a limit.

use crate::diagnostic::Diagnostic;

/// After so many errors the rest is dropped silently: the file is rejected anyway.
pub(crate) const MAX_PROBLEMS: usize = 20;

/// What is wrong so far, in source order.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Diagnostic>);

impl Problems {
    /// Keeps an error, unless there are enough.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.0.len() < MAX_PROBLEMS {
            self.0.push(diagnostic);
        }
    }

    /// The errors kept.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.0
    }
}

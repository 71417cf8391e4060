//! Lexical errors, up to a limit.

use crate::diagnostic::Diagnostic;

/// More errors than this are not reported: the file is rejected anyway.
pub(crate) const MAX_PROBLEMS: usize = 20;

/// The errors so far, in source order.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Diagnostic>);

impl Problems {
    /// Adds an error, unless the limit is reached.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.0.len() < MAX_PROBLEMS {
            self.0.push(diagnostic);
        }
    }

    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.0
    }
}

//! Diagnostics of a text that is read step by step: the first step with an error is the last.

use crate::diagnostic::Diagnostic;

/// All diagnostics so far.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Diagnostic>);

impl Findings {
    /// Adds the diagnostics of a step; fails if there is an error among them.
    pub(crate) fn add(&mut self, found: Vec<Diagnostic>) -> Result<(), Vec<Diagnostic>> {
        let is_refused = found.iter().any(Diagnostic::is_error);
        self.0.extend(found);
        if is_refused { Err(std::mem::take(&mut self.0)) } else { Ok(()) }
    }

    /// The warnings of a text that was accepted.
    pub(crate) fn warnings(self) -> Vec<Diagnostic> {
        self.0
    }
}

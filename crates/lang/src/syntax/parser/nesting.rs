//! A limit on nesting, so that the parser, later passes and dropping the tree may all recurse.

use super::{Language, Parser};

/// The greatest depth of recursion.
pub(crate) const MAX_DEPTH: usize = 256;

impl<L: Language> Parser<'_, L> {
    /// Runs a recursive part one level deeper, or stops the parse if that is too deep.
    pub fn descend<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.too_deep();
        }
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Reports that the current part is too deep, even if there is an error at this token, and stops the parse.
    pub fn too_deep(&mut self) {
        let diagnostic = self
            .error(L::TOO_DEEP, "nested too deeply; the rest of the file was not read")
            .label(format!("more than {MAX_DEPTH} levels"))
            .help(L::LESS_DEEP);
        self.reported_at = None;
        self.report(diagnostic);
        self.stop();
    }
}

//! Syntax errors.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[];

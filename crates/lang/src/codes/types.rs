//! Names and types.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[];

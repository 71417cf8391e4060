//! What can be wrong with a sort, a symbol or the construction of a term.

use thiserror::Error;

use crate::symbol::Role;

/// An ill-formed sort or an ill-sorted term. The texts name sorts and symbols as the printer does.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SortError {
    /// A sort that breaks its own rules, such as an empty range.
    #[error("type `{name}`: {reason}")]
    BadSort { name: String, reason: &'static str },
    /// An operator with the wrong number of operands.
    #[error("`{op}` takes {expected} operands, found {found}")]
    Arity { op: String, expected: String, found: usize },
    #[error("operand {position} of `{op}` must be {expected}, found `{found}`")]
    Operand {
        op: String,
        /// Which operand, counted from one.
        position: usize,
        expected: String,
        found: String,
    },
    #[error("type `{sort}` has no such literal: {detail}")]
    Literal { sort: String, detail: String },
    /// A symbol in a place that its role forbids.
    #[error("symbol `{name}` has role {role:?}, which is not allowed here")]
    Role { name: String, role: Role },
    /// A quantifier or lambda that binds nothing, or the same symbol twice.
    #[error("`{op}` must bind at least one symbol, each once")]
    Binder { op: String },
}

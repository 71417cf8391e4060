//! What can be wrong with a sort, a symbol or the construction of a term.

use thiserror::Error;

use crate::symbol::Role;

/// An ill-formed sort or an ill-sorted term. The texts name sorts and symbols as the printer does.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SortError {
    /// A sort that breaks its own rules, such as an empty range.
    #[error("type `{name}`: {reason}")]
    BadSort {
        /// The name of the sort.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An operator with the wrong number of operands.
    #[error("`{op}` takes {expected} operands, found {found}")]
    Arity {
        /// The operator.
        op: String,
        /// How many it takes.
        expected: String,
        /// How many there are.
        found: usize,
    },
    /// An operand of the wrong sort.
    #[error("operand {position} of `{op}` must be {expected}, found `{found}`")]
    Operand {
        /// The operator.
        op: String,
        /// Which operand, counted from one.
        position: usize,
        /// What is expected.
        expected: String,
        /// The sort found.
        found: String,
    },
    /// A literal that its sort does not have.
    #[error("type `{sort}` has no such literal: {detail}")]
    Literal {
        /// The sort.
        sort: String,
        /// What was asked for.
        detail: String,
    },
    /// A symbol in a place that its role forbids.
    #[error("symbol `{name}` has role {role:?}, which is not allowed here")]
    Role {
        /// The symbol.
        name: String,
        /// Its role.
        role: Role,
    },
    /// A quantifier or lambda that binds nothing, or the same symbol twice.
    #[error("`{op}` must bind at least one symbol, each once")]
    Binder {
        /// The binder.
        op: String,
    },
}

//! Terms: the language every other layer speaks.
#![forbid(unsafe_code)]

pub mod bitvec;
mod build;
mod error;
mod id;
mod raw;
mod semantics;
mod sort;
mod store;
mod substitute;
mod symbol;
mod term;
mod traverse;
mod typing;

pub use bitvec::BitVec;
pub use build::FLATTEN_LIMIT;
pub use error::SortError;
pub use id::{SortId, SymbolId, TermId};
pub use sort::Sort;
pub use store::TermStore;
pub use substitute::{Building, Substituter, Substitution};
pub use symbol::{ROLES, Role, RoleSet, Symbol};
pub use term::{Args, BvOp, Op};
pub use traverse::TermMap;

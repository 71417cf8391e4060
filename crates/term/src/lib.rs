//! Terms: the language every other layer speaks.
#![forbid(unsafe_code)]

mod atoms;
pub mod bitvec;
mod build;
mod error;
mod evaluate;
mod id;
mod model;
mod nnf;
mod print;
mod raw;
mod semantics;
mod simplify;
mod sort;
mod store;
mod substitute;
mod symbol;
mod term;
mod traverse;
mod typing;
mod value;

pub use atoms::{Literal, Polarity};
pub use bitvec::BitVec;
pub use build::FLATTEN_LIMIT;
pub use error::SortError;
pub use id::{SortId, SymbolId, TermId};
pub use model::{EvalError, Model};
pub use sort::Sort;
pub use store::TermStore;
pub use substitute::{Building, Substituter, Substitution};
pub use symbol::{ROLES, Role, RoleSet, Symbol};
pub use term::{Args, BvOp, Op};
pub use traverse::TermMap;
pub use value::{FunctionTable, Value};

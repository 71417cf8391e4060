//! Terms: the language that every other layer speaks.
//!
//! A [`TermStore`] owns sorts, symbols and terms; a [`TermId`] is a number into it, and two terms are equal exactly when
//! their ids are. Everything that is defined by recursion over terms is here, and is done without recursion:
//! substitution with beta reduction, simplification, normal forms, evaluation in a finite model, printing.
//! Nothing here knows of files, transition systems or solvers.
//!
//! ```
//! use tenet_term::{FunctionTable, Model, Role, Substitution, TermStore, Value};
//!
//! let mut store = TermStore::new();
//!
//! // An array of cache states, one for each of any number of nodes.
//! let node = store.index_sort("NODE");
//! let state = store.enum_sort("STATE", &["Invalid", "Shared", "Exclusive"]);
//! let array = store.function_sort(&[node], state);
//! let cache = store.declare("Cache.State", array, Role::State);
//! let client = store.declare("client", node, Role::Input);
//!
//! // A property of every node.
//! let i = store.declare("i", node, Role::Bound);
//! let (cache_term, i_term, client_term) = (store.mk_symbol(cache), store.mk_symbol(i), store.mk_symbol(client));
//! let exclusive = store.mk_variant(state, "Exclusive").expect("STATE has that value");
//! let shared = store.mk_variant(state, "Shared").expect("STATE has that value");
//! let read = store.mk_apply(cache_term, &[i_term]);
//! let is_exclusive = store.mk_eq(read, exclusive);
//! let is_not = store.mk_not(is_exclusive);
//! let property = store.mk_forall(&[i], is_not);
//! assert_eq!(store.print(property), "forall i : NODE. Cache.State[i] != Exclusive");
//!
//! // The rule `Cache.State[client] := Shared`; the pre-image of the property is a substitution, and lambda-free.
//! let written = store.mk_store(cache_term, &[client_term], shared);
//! let update = Substitution::from_pairs(&store, [(cache, written)]);
//! let before = store.substitute(property, &update);
//! let before = store.nnf(before);
//! assert_eq!(store.print(before), "forall i : NODE. Cache.State[i] != Exclusive | i = client");
//!
//! // In an instance with two nodes of which the other one is exclusive it does not hold.
//! let mut model = Model::new();
//! model.set_size(node, 2);
//! model.set(client, Value::Index(0));
//! model.set(cache, FunctionTable::new(Value::Enum(2)));
//! assert_eq!(model.holds(&store, before), Ok(false));
//! ```
//!
//! Where to look: sorts and their rules in `sort` and `typing`; the smart constructors `mk_*` and the normal form they
//! keep in `build`; `raw_*`, which keep what is written, in `raw`; [`Substitution`]; [`Model::evaluate`];
//! [`TermStore::simplify`], [`TermStore::nnf`], [`TermStore::lift_ites`], [`TermStore::atoms`]; [`TermStore::print`].
//!
//! Which constructor? Front ends, whose sorts come from the user, use [`TermStore::checked`] and get a [`SortError`] to
//! report. Everyone else uses `mk_*`, where an ill-sorted call is a bug and panics.
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
mod sparse;
mod store;
mod substitute;
mod substituter;
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
pub use substitute::{Building, Substitution};
pub use substituter::Substituter;
pub use symbol::{ROLES, Role, RoleSet, Spelling, Symbol};
pub use term::{Args, BvOp, Op};
pub use traverse::TermMap;
pub use value::{FunctionTable, Value};

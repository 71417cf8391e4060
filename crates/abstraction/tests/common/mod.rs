//! What several tests share: random systems, a solver that looks at every model, and small helpers.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod brute;
pub mod formulas;
pub mod queries;
pub mod random;

use tenet_term::{SortId, SymbolId, TermId, TermStore};

/// How many states a test goes through at most.
pub const LIMIT: usize = 1 << 14;

/// `f[args]`
pub fn at(store: &mut TermStore, function: SymbolId, args: &[SymbolId]) -> TermId {
    let function = store.mk_symbol(function);
    let args: Vec<TermId> = args.iter().map(|&arg| store.mk_symbol(arg)).collect();
    store.mk_apply(function, &args)
}

/// The sizes that give an index sort this size.
pub fn size(sort: SortId, size: u32) -> [(SortId, u32); 1] {
    [(sort, size)]
}

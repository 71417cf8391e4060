//! Traversals of terms whose order depends on the terms' structure alone.
//!
//! The order of ids depends on what else was built in a store. The maker and the checker of a certificate use two
//! stores, and must produce the same.

use rustc_hash::FxHashSet;
use tenet_term::{Op, SymbolId, TermId, TermStore};

/// All subterms, each once, operands before their users, from left to right.
pub(crate) fn postorder(store: &TermStore, terms: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = Vec::new();
    for root in terms {
        stack.push((root, false));
        while let Some((term, is_done)) = stack.pop() {
            if is_done {
                order.push(term);
            } else if seen.insert(term) {
                stack.push((term, true));
                stack.extend(store.args(term).iter().rev().map(|&arg| (arg, false)));
            }
        }
    }
    order
}

/// The free variables of a term, in order of occurrence.
pub(crate) fn free_variables(
    store: &TermStore,
    terms: impl IntoIterator<Item = TermId> + Clone,
) -> Vec<SymbolId> {
    let free: FxHashSet<SymbolId> =
        terms.clone().into_iter().flat_map(|term| store.free_bound(term).iter().copied()).collect();
    let order = postorder(store, terms);
    order
        .into_iter()
        .filter_map(|term| store.as_symbol(term))
        .filter(|symbol| free.contains(symbol))
        .collect()
}

/// The symbols of a term.
pub(crate) fn symbols(store: &TermStore, term: TermId) -> FxHashSet<SymbolId> {
    let subterms = store.subterms(term);
    let found = subterms.into_iter().filter_map(|subterm| match store.op(subterm) {
        Op::Symbol(symbol) => Some(*symbol),
        _ => None,
    });
    found.collect()
}

//! Simultaneous, capture-avoiding substitution of terms for symbols, with beta reduction.
//!
//! The pre-image of a rule is a substitution, so this is the workhorse of every engine. Replacing a function symbol by
//! a lambda reduces every application of it at once; the result is lambda-free where every function symbol is fully
//! applied (Lahiri and Bryant, section 2.1). All replacements happen in parallel and reach nested applications (QI-T6).
//! The work is done by a [`Substituter`].

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::id::{SymbolId, TermId};
use crate::store::TermStore;
use crate::substituter::Substituter;
use crate::term::Op;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Building {
    Smart,
    /// As written (RC-T1); only applied lambdas are reduced.
    Raw,
}

impl Building {
    /// The operator on the operands, built this way.
    pub fn build(self, store: &mut TermStore, op: Op, args: &[TermId]) -> TermId {
        match (self, op) {
            (Building::Smart, op) => store.mk(op, args),
            (Building::Raw, Op::Apply) => Substituter::reduce(store, self, args[0], &args[1..]),
            (Building::Raw, op) => store.raw(op, args),
        }
    }
}

/// A finite map from symbols to terms of compatible sorts.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    pub(crate) map: IndexMap<SymbolId, TermId, FxBuildHasher>,
}

impl Substitution {
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// The substitution with these pairs. Panics if the sorts of a pair do not fit.
    pub fn from_pairs(
        store: &TermStore,
        pairs: impl IntoIterator<Item = (SymbolId, TermId)>,
    ) -> Substitution {
        let mut substitution = Substitution::new();
        for (symbol, term) in pairs {
            substitution.insert(store, symbol, term);
        }
        substitution
    }

    /// Adds or replaces a pair. Panics if the sorts do not fit; an integer fits a range.
    pub fn insert(&mut self, store: &TermStore, symbol: SymbolId, term: TermId) {
        let fits = store.sorts.compatible(store.symbol(symbol).sort, store.sort_of(term));
        assert!(fits, "invariant: `{}` is replaced by a term of its sort", store.symbol(symbol).name);
        if store.as_symbol(term) == Some(symbol) {
            self.map.swap_remove(&symbol);
        } else {
            self.map.insert(symbol, term);
        }
    }

    pub fn get(&self, symbol: SymbolId) -> Option<TermId> {
        self.map.get(&symbol).copied()
    }

    /// Is nothing replaced?
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The pairs, in no particular (but a deterministic) order.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, TermId)> {
        self.map.iter().map(|(&symbol, &term)| (symbol, term))
    }
}

impl TermStore {
    /// The term with every free occurrence of a symbol replaced, in normal form where something changed.
    pub fn substitute(&mut self, term: TermId, substitution: &Substitution) -> TermId {
        Substituter::new(self, substitution, Building::Smart).apply(self, term)
    }

    /// The same, keeping everything as written except for applied lambdas.
    pub fn substitute_raw(&mut self, term: TermId, substitution: &Substitution) -> TermId {
        Substituter::new(self, substitution, Building::Raw).apply(self, term)
    }
}

//! Walks over terms: subterms in topological order, bottom-up rewriting, free symbols.
//!
//! Every walk has an explicit stack, because terms are as deep as the input makes them, and visits a shared subterm
//! once. Operands have smaller ids than their users, so sorting ids is a topological sort.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::id::{SymbolId, TermId};
use crate::store::TermStore;
use crate::symbol::Role;
use crate::term::Args;

impl TermStore {
    /// The term and all its subterms, each once, operands before their users (in ascending id order).
    pub fn subterms(&self, term: TermId) -> Vec<TermId> {
        self.subterms_of_all([term])
    }

    /// The given terms and all their subterms, each once, operands before their users.
    pub fn subterms_of_all(&self, terms: impl IntoIterator<Item = TermId>) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut stack: Vec<TermId> = terms.into_iter().collect();
        let mut found = Vec::new();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                found.push(term);
                stack.extend_from_slice(self.args(term));
            }
        }
        found.sort_unstable();
        found
    }

    /// How many distinct subterms a term has, itself included.
    pub fn size(&self, term: TermId) -> usize {
        self.subterms(term).len()
    }

    /// All symbols that occur, free or bound, in ascending id order.
    pub fn symbols_in(&self, term: TermId) -> Vec<SymbolId> {
        let mut found: Vec<_> =
            self.subterms(term).into_iter().filter_map(|sub| self.as_symbol(sub)).collect();
        found.sort_unstable();
        found
    }

    /// The symbols that occur free, in ascending id order.
    pub fn free_symbols(&self, term: TermId) -> Vec<SymbolId> {
        let mut found = self.symbols_in(term);
        let free_bound = self.free_bound(term);
        found.retain(|symbol| self.symbol(*symbol).role != Role::Bound || free_bound.contains(symbol));
        found
    }

    /// Rewrites a term bottom-up: `rewrite` gets each subterm with its operands already rewritten. It is called once
    /// for each distinct subterm and sees bound symbols like any others.
    pub fn rewrite_bottom_up(
        &mut self,
        term: TermId,
        mut rewrite: impl FnMut(&mut TermStore, TermId, &[TermId]) -> TermId,
    ) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for subterm in self.subterms(term) {
            let args: Args = self.args(subterm).iter().map(|arg| done[arg]).collect();
            let result = rewrite(self, subterm, &args);
            done.insert(subterm, result);
        }
        done[&term]
    }

    /// Rewrites a term bottom-up with the smart constructors, replacing what `replace` answers for. A replacement
    /// is not rewritten again. Bound symbols get no special treatment: use a substitution to replace symbols.
    pub fn replace(&mut self, term: TermId, mut replace: impl FnMut(TermId) -> Option<TermId>) -> TermId {
        self.rewrite_bottom_up(term, |store, subterm, args| match replace(subterm) {
            Some(replacement) => replacement,
            None => store.mk_again(subterm, args),
        })
    }

    /// The term with other operands, in normal form; the term itself if the operands are its own.
    pub(crate) fn mk_again(&mut self, term: TermId, args: &[TermId]) -> TermId {
        if args == self.args(term) {
            return term;
        }
        let op = self.op(term).clone();
        self.mk(op, args)
    }
}

/// A side table with one entry for some of the terms, in order of insertion.
pub type TermMap<V> = IndexMap<TermId, V, FxBuildHasher>;

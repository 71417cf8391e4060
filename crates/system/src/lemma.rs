//! Lemmas: universally quantified formulas, the conjuncts of an invariant; and the bounds that guard their instances.

use tenet_term::{Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

use crate::system::{Bounds, IndexVar, System};

/// A formula that holds for all values, within their bounds, of its variables.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// The variables (role `Index`), in no lemma bound twice. Empty for a closed formula.
    pub vars: Vec<IndexVar>,
    /// Over constants, state and the variables.
    pub body: TermId,
}

impl Lemma {
    /// The instance at these terms, one for each variable: guarded by their being within bounds (QI-T5).
    pub fn instance(&self, store: &mut TermStore, terms: &[TermId]) -> TermId {
        assert_eq!(self.vars.len(), terms.len(), "invariant: one term for each variable");
        let pairs = self.vars.iter().zip(terms).map(|(var, &term)| (var.symbol, term));
        let substitution = Substitution::from_pairs(store, pairs);
        let body = store.substitute(self.body, &substitution);
        let guards: Vec<TermId> =
            self.vars.iter().zip(terms).map(|(var, &term)| var.guard(store, term)).collect();
        let guard = store.mk_and(guards);
        store.mk_implies(guard, body)
    }

    pub fn formula(&self, store: &mut TermStore) -> TermId {
        let mut bound = Vec::new();
        for var in &self.vars {
            let (name, sort) = (store.symbol(var.symbol).name.clone(), store.symbol(var.symbol).sort);
            let symbol = store.bound_avoiding(&name, sort, &bound);
            bound.push(symbol);
        }
        let terms: Vec<TermId> = bound.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let guards: Vec<TermId> =
            self.vars.iter().zip(&terms).map(|(var, &term)| var.bounds.contain(store, term)).collect();
        let pairs = self.vars.iter().zip(&terms).map(|(var, &term)| (var.symbol, term));
        let substitution = Substitution::from_pairs(store, pairs);
        let body = store.substitute(self.body, &substitution);
        // A bound of the sort is part of the quantifier; only a symbolic one has to be said.
        let guard = store.mk_and(guards);
        let body = store.mk_implies(guard, body);
        store.mk_forall(&bound, body)
    }
}

impl IndexVar {
    /// That a term is a value the variable may take: within the range of its sort and within its symbolic bounds.
    pub fn guard(&self, store: &mut TermStore, term: TermId) -> TermId {
        let sort = store.symbol(self.symbol).sort;
        let of_sort = within_sort(store, sort, term);
        let of_bounds = self.bounds.contain(store, term);
        store.mk_and([of_sort, of_bounds])
    }
}

impl Bounds {
    pub fn contain(&self, store: &mut TermStore, term: TermId) -> TermId {
        let above = self.lo.map_or(TermId::TRUE, |lo| store.mk_le(lo, term));
        let below = self.hi.map_or(TermId::TRUE, |hi| store.mk_le(term, hi));
        store.mk_and([above, below])
    }
}

/// That a term, an integer, is within the range that is this sort; true for every other sort.
pub fn within_sort(store: &mut TermStore, sort: SortId, term: TermId) -> TermId {
    let Sort::Range { lo, hi, .. } = store.sort(sort).clone() else { return TermId::TRUE };
    let (lo, hi) = (lo.map(|lo| store.mk_int(lo)), hi.map(|hi| store.mk_int(hi)));
    Bounds { lo, hi }.contain(store, term)
}

/// That a parameter or constant has a value of its sort, or has such values at all places if it is a function.
pub fn domain(store: &mut TermStore, symbol: SymbolId) -> TermId {
    let term = store.mk_symbol(symbol);
    let Sort::Function { args, result } = store.sort(store.symbol(symbol).sort).clone() else {
        return within_sort(store, store.symbol(symbol).sort, term);
    };
    let mut places: Vec<SymbolId> = Vec::new();
    for sort in args {
        places.push(store.bound_avoiding("u", sort, &places));
    }
    let terms: Vec<TermId> = places.iter().map(|&place| store.mk_symbol(place)).collect();
    let value = store.mk_apply(term, &terms);
    let within = within_sort(store, result, value);
    store.mk_forall(&places, within)
}

impl System {
    /// What the declarations of the state promise: every value is within its bounds. Each promise is a lemma that a
    /// proof must show to be inductive, like any other; it is not assumed (X-T4).
    pub fn value_lemmas(&mut self) -> Vec<Lemma> {
        let mut lemmas = Vec::new();
        for position in 0..self.state.len() {
            let var = self.state[position].clone();
            let (args, result) = match self.store.sort(self.store.symbol(var.symbol).sort).clone() {
                Sort::Function { args, result } => (args, result),
                _ => (Vec::new(), self.store.symbol(var.symbol).sort),
            };
            let vars: Vec<IndexVar> = args
                .iter()
                .zip(&var.args)
                .enumerate()
                .map(|(place, (&sort, &bounds))| IndexVar { symbol: self.value_index(place, sort), bounds })
                .collect();
            let terms: Vec<TermId> = vars.iter().map(|var| self.store.mk_symbol(var.symbol)).collect();
            let symbol = self.store.mk_symbol(var.symbol);
            let value = if terms.is_empty() { symbol } else { self.store.mk_apply(symbol, &terms) };
            let of_sort = within_sort(&mut self.store, result, value);
            let of_bounds = var.value.contain(&mut self.store, value);
            let body = self.store.mk_and([of_sort, of_bounds]);
            if body != TermId::TRUE {
                lemmas.push(Lemma { vars, body });
            }
        }
        lemmas
    }

    /// The variable for argument number `place` in the lemmas about values.
    fn value_index(&mut self, place: usize, sort: SortId) -> SymbolId {
        self.store.declare(&format!("a{place}"), sort, Role::Index)
    }
}

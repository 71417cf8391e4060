//! Instances at the nearest terms: the constants of the goal, the parameters of the rule, and what is no function in the
//! state. They suffice for most of what the engine gives no advice on, and cost one question.

use tenet_term::{Sort, SortId, SymbolId, TermId, TermStore};

use super::Search;
use crate::script::{Check, Instance, Item, Scope};

/// Instances of one fact; with more it is left out.
const MAX_INSTANCES_PER_FACT: usize = 64;
const MAX_INSTANCES: usize = 1_000;

impl Search<'_> {
    /// The instances, each with its formula; trivial ones are left out.
    pub(super) fn nearby(&mut self, scope: &Scope, check: &Check) -> Vec<(TermId, Instance)> {
        self.nearby_of(&scope.facts, scope, check)
    }

    pub(super) fn nearby_of(
        &mut self,
        facts: &[SymbolId],
        scope: &Scope,
        check: &Check,
    ) -> Vec<(TermId, Instance)> {
        let near = self.near_symbols(scope, check);
        let mut found = Vec::new();
        for &fact in facts {
            for terms in self.tuples_of(fact, &near) {
                let instance = Instance { fact, terms };
                let formula = self.formula(&instance);
                if formula != TermId::TRUE {
                    found.push((formula, instance));
                }
            }
        }
        found.truncate(MAX_INSTANCES);
        found
    }

    /// The constants of the goal and everything that is declared.
    pub(super) fn near_symbols(&self, scope: &Scope, check: &Check) -> Vec<SymbolId> {
        let declared = scope.items.iter().chain(&self.script.items).filter_map(|item| match item {
            Item::Declare(symbol) => Some(*symbol),
            _ => None,
        });
        check.constants.iter().copied().chain(declared).collect()
    }

    /// All tuples of these symbols that a fact may be about, or none if they are too many.
    fn tuples_of(&mut self, fact: SymbolId, near: &[SymbolId]) -> Vec<Vec<TermId>> {
        let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
        for param in self.facts[&fact].params.clone() {
            let fits = |symbol: &SymbolId| fits(&self.store, param, *symbol);
            let terms: Vec<SymbolId> = near.iter().copied().filter(fits).collect();
            if tuples.len() * terms.len() > MAX_INSTANCES_PER_FACT {
                return Vec::new();
            }
            let terms: Vec<TermId> = terms.into_iter().map(|symbol| self.store.mk_symbol(symbol)).collect();
            let extend = |tuple: &Vec<TermId>, term: TermId| tuple.iter().copied().chain([term]).collect();
            tuples =
                tuples.iter().flat_map(|tuple| terms.iter().map(move |&term| extend(tuple, term))).collect();
        }
        tuples
    }
}

fn fits(store: &TermStore, param: SymbolId, symbol: SymbolId) -> bool {
    are_alike(store, store.symbol(param).sort, store.symbol(symbol).sort)
}

/// Are the sorts the same to a solver?
pub(super) fn are_alike(store: &TermStore, one: SortId, other: SortId) -> bool {
    let is_integer = |sort| matches!(store.sort(sort), Sort::Int | Sort::Range { .. });
    one == other || (is_integer(one) && is_integer(other))
}

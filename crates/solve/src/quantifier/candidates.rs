//! The terms that the variables of a quantifier are replaced with.

use num_bigint::BigInt;
use tenet_term::{Role, Sort, SortId, SymbolId, TermId, TermStore};

use super::Policy;
use super::matching;
use super::places::{Places, VariablePlaces};
use super::pool::{Pool, TermSet, kind};
use super::tuples::Tuples;

/// Sorts with at most this many values are enumerated: that is exact, and little work.
const MAX_ENUMERATED_VALUES: usize = 16;
/// The same for ranges of integers, where terms that are there usually do as well.
const MAX_ENUMERATED_INTEGERS: i64 = 4;

pub(super) struct Sources<'a> {
    pub(super) store: &'a mut TermStore,
    pub(super) policy: &'a Policy<'a>,
    pub(super) pool: &'a mut Pool,
    /// The constants made for sorts without a ground term.
    pub(super) made: &'a mut Vec<SymbolId>,
    /// Deeper terms wait for a later round: otherwise `f[x]` in the body of a quantifier over `x` runs away.
    pub(super) depth: usize,
}

impl Sources<'_> {
    /// The combinations for the variables of a quantifier, best first within each of the parts.
    pub(super) fn tuples(&mut self, bound: &[SymbolId], places: &Places) -> Vec<Tuples> {
        let lists = self.lists(bound, places);
        if places.patterns.is_empty() {
            return vec![Tuples::new(lists)];
        }
        // Inside functions, variables are found by matching only: anything else would make up new functions, about
        // which nothing is known.
        let forced: Vec<Vec<TermId>> = bound.iter().map(|&symbol| self.forced(symbol)).collect();
        let in_pattern =
            |number: usize| places.patterns.iter().any(|pattern| pattern.variables.contains(&number));
        let mut all: Vec<Tuples> = matching::assignments(self.store, bound, &places.patterns, self.pool)
            .into_iter()
            .filter(|assignment| self.is_allowed(bound, assignment))
            .map(|assignment| {
                let choose = |number: usize| match assignment[number] {
                    Some(term) => vec![term],
                    None => lists[number].clone(),
                };
                Tuples::new((0..bound.len()).map(choose).collect())
            })
            .collect();
        let by_force = |number: usize| if in_pattern(number) { &forced[number] } else { &lists[number] };
        all.push(Tuples::new((0..bound.len()).map(|number| by_force(number).clone()).collect()));
        all
    }

    fn is_allowed(&self, bound: &[SymbolId], assignment: &[Option<TermId>]) -> bool {
        let mut chosen = bound.iter().zip(assignment).filter_map(|(&symbol, term)| Some((symbol, (*term)?)));
        chosen.all(|(symbol, term)| !self.is_forbidden(symbol, term))
    }

    /// The candidates for each variable alone.
    fn lists(&mut self, bound: &[SymbolId], places: &Places) -> Vec<Vec<TermId>> {
        let mut sets: Vec<TermSet> = Vec::new();
        for (&symbol, places) in bound.iter().zip(&places.variables) {
            let set = self.own_candidates(symbol, places);
            sets.push(set);
        }
        link(&mut sets, places);
        let mut lists = Vec::new();
        for (&symbol, set) in bound.iter().zip(&mut sets) {
            if set.is_empty() {
                set.insert(self.any_value(symbol));
            }
            set.extend(self.forced(symbol));
            set.retain(|&term| !self.is_forbidden(symbol, term));
            let mut list: Vec<TermId> = set.iter().copied().collect();
            list.sort_by_cached_key(|&term| (self.pool.depth(self.store, term), term));
            lists.push(list);
        }
        lists
    }

    fn own_candidates(&mut self, symbol: SymbolId, places: &VariablePlaces) -> TermSet {
        let sort = self.store.symbol(symbol).sort;
        if let Some(values) = self.all_values(sort) {
            return values.into_iter().collect();
        }
        let mut set: TermSet = places.compared.iter().copied().collect();
        for &(function, place, shape) in &places.slots {
            let found: Vec<TermId> = self.pool.at(function, place).collect();
            set.extend(found.into_iter().map(|term| shape.solve(self.store, term)));
        }
        set.extend(places.results.iter().flat_map(|&function| self.pool.results(function)));
        if places.wide {
            set.extend(self.pool.of_kind(self.store, sort));
            set.extend(self.injected(sort));
        }
        set.extend(self.pool.skolems(self.store, sort));
        set.retain(|&term| {
            let fits = kind(self.store, self.store.sort_of(term)) == kind(self.store, sort);
            fits && self.pool.depth(self.store, term) <= self.depth
        });
        set
    }

    /// Every value of a sort that has few.
    fn all_values(&mut self, sort: SortId) -> Option<Vec<TermId>> {
        match self.store.sort(sort).clone() {
            Sort::Bool => Some(vec![TermId::FALSE, TermId::TRUE]),
            Sort::Enum { variants, .. } if variants.len() <= MAX_ENUMERATED_VALUES => {
                Some((0..variants.len() as u32).map(|position| self.store.mk_enum(sort, position)).collect())
            }
            Sort::Range { lo: Some(lo), hi: Some(hi), .. }
                if &hi - &lo < BigInt::from(MAX_ENUMERATED_INTEGERS) =>
            {
                let mut values = Vec::new();
                let mut value = lo;
                while value <= hi {
                    values.push(self.store.mk_int(value.clone()));
                    value += 1;
                }
                Some(values)
            }
            _ => None,
        }
    }

    /// Values of a union that come from its members: all of an enumeration, the ground terms of an index sort.
    fn injected(&mut self, sort: SortId) -> Vec<TermId> {
        let Sort::Union { members, .. } = self.store.sort(sort).clone() else { return Vec::new() };
        let mut terms = Vec::new();
        for member in members {
            let inner = match self.all_values(member) {
                Some(values) => values,
                None => self.pool.of_kind(self.store, member).collect(),
            };
            terms.extend(inner.into_iter().map(|term| self.store.mk_in(sort, member, term)));
        }
        terms
    }

    fn forced(&self, symbol: SymbolId) -> Vec<TermId> {
        let sort = self.store.symbol(symbol).sort;
        let forced = self.policy.forced.iter().filter(|(target, _)| *target == sort);
        forced.map(|&(_, term)| term).filter(|&term| !self.is_forbidden(symbol, term)).collect()
    }

    fn is_forbidden(&self, symbol: SymbolId, term: TermId) -> bool {
        self.policy.forbidden.contains(&(self.store.symbol(symbol).sort, term))
    }

    /// Some term of the sort, for a variable without candidates: sorts are inhabited, so a universal says something
    /// also where no ground term is at hand.
    fn any_value(&mut self, symbol: SymbolId) -> TermId {
        let sort = self.store.symbol(symbol).sort;
        if let Sort::Range { lo: Some(bound), .. } | Sort::Range { hi: Some(bound), .. } =
            self.store.sort(sort)
        {
            return self.store.mk_int(bound.clone());
        }
        let at_hand: Vec<TermId> = self.pool.of_kind(self.store, sort).collect();
        let simplest = at_hand.into_iter().min_by_key(|&term| (self.pool.depth(self.store, term), term));
        simplest.unwrap_or_else(|| {
            let name = format!("{}#any", self.store.sort_name(sort));
            let any = self.store.declare(&name, sort, Role::Skolem);
            if !self.made.contains(&any) {
                self.made.push(any);
            }
            self.store.mk_symbol(any)
        })
    }
}

/// Variables that are compared with each other share their candidates.
fn link(sets: &mut [TermSet], places: &Places) {
    let mut changed = true;
    while changed {
        changed = false;
        for (number, variable) in places.variables.iter().enumerate() {
            for &partner in &variable.linked {
                let terms = sets[partner].clone();
                let before = sets[number].len();
                sets[number].extend(terms);
                changed |= sets[number].len() > before;
            }
        }
    }
}

//! How the numbers of a cube compare: a lemma about a queue speaks of the places between its ends.

use std::cmp::Ordering;

use tenet_term::{Op, Sort, SortId, SymbolId, TermId, TermStore};

use super::cube::Naming;
use super::kind::Kind;
use super::structure::Env;

/// Each place is compared with at most this many numbers: the comparisons grow quadratically, and of those beyond the
/// nearest ones lemmas rarely use any.
const MAX_COMPARED_NUMBERS: usize = 10;

/// A number that a variable stands for.
struct Place {
    value: i64,
    var: TermId,
    kind: Option<Kind>,
    /// The elements that it belongs to: `reply[i, p]` is about the places of `i` alone.
    owners: Vec<SymbolId>,
}

/// That a number is at most another, `a + 1 <= b` as `a < b`.
pub fn at_most(store: &mut TermStore, a: TermId, b: TermId) -> TermId {
    if let (Op::Add, &[x, y]) = (store.op(a), store.args(a)) {
        let one = store.mk_int(1);
        if store.sort(store.sort_of(a)).is_integer() && (x == one || y == one) {
            return store.mk_lt(if x == one { y } else { x }, b);
        }
    }
    store.mk_le(a, b)
}

impl Naming<'_, '_, '_> {
    /// Adds an auxiliary literal: it is true in the model, but the step does not depend on it.
    pub(super) fn add_auxiliary(&mut self, literal: TermId) {
        let known = self.literals.len();
        self.add(literal);
        self.auxiliary.extend_from_slice(&self.literals[known..]);
    }

    /// Adds how the numbers that index arrays compare with each other and with the other numbers of the cube, if they
    /// are of one kind and about the same elements.
    pub(super) fn compare_places(&mut self) {
        if !self.vocabulary.has_places() {
            return;
        }
        let (env, places) = (self.env(), self.places());
        let numbers = self.numbers(&places);
        for (number, place) in places.iter().enumerate() {
            for other in &places[number + 1..] {
                let is_of_same = place.kind == other.kind && are_comparable(&place.owners, &other.owners);
                if is_of_same && place.value < other.value {
                    let literal = self.structure.store.mk_lt(place.var, other.var);
                    self.add(literal);
                }
            }
            let others = numbers.iter().filter(|(_, kind, owners)| {
                place.kind.is_some() && *kind == place.kind && are_comparable(&place.owners, owners)
            });
            for &(other, ..) in others.take(MAX_COMPARED_NUMBERS) {
                let Some(value) = self.structure.evaluate(other, &env) else { continue };
                let literal = match place.value.cmp(&value) {
                    Ordering::Less => self.structure.store.mk_lt(place.var, other),
                    Ordering::Equal => self.structure.store.mk_eq(place.var, other),
                    Ordering::Greater => self.structure.store.mk_lt(other, place.var),
                };
                self.add(literal);
            }
        }
    }

    /// The numbers that have names, the least first.
    fn places(&self) -> Vec<Place> {
        let store = &*self.structure.store;
        let terms = store.subterms_of_all(self.literals.iter().copied());
        let named = self.vars.iter().filter(|((sort, ..), _)| *sort == SortId::INT);
        let mut places: Vec<Place> = named
            .map(|(&(_, kind, value), &var)| {
                let mut owners: Vec<SymbolId> = terms
                    .iter()
                    .copied()
                    .filter(|&term| *store.op(term) == Op::Apply && store.args(term).contains(&var))
                    .chain(self.sums.iter().filter(|(place, _)| *place == var).map(|&(_, sum)| sum))
                    .flat_map(|term| elements_of(store, term))
                    .collect();
                owners.sort_unstable();
                owners.dedup();
                Place { value, var, kind, owners }
            })
            .collect();
        places.sort_unstable_by_key(|place| (place.value, place.var));
        places
    }

    /// The numbers that are read, with their kinds and the elements that they are about.
    fn numbers(&mut self, places: &[Place]) -> Vec<(TermId, Option<Kind>, Vec<SymbolId>)> {
        let mut scope = self.vocabulary.kinds.scope(self.structure.store, &self.literals);
        let store = &*self.structure.store;
        let mut numbers = Vec::new();
        for term in store.subterms_of_all(self.literals.iter().copied()) {
            let is_number = store.sort(store.sort_of(term)).is_integer();
            let is_read = matches!(store.op(term), Op::Symbol(_) | Op::Apply);
            if is_number && is_read && !places.iter().any(|place| place.var == term) {
                let kind = self.vocabulary.kinds.of(store, term, &mut scope);
                numbers.push((term, kind, elements_of(store, term)));
            }
        }
        numbers
    }

    /// What the variables stand for.
    pub(super) fn env(&self) -> Env {
        let pairs = self.vars.iter();
        pairs.filter_map(|(&(.., value), &var)| Some((self.structure.store.as_symbol(var)?, value))).collect()
    }
}

/// The elements of index sorts that a term speaks of.
fn elements_of(store: &TermStore, term: TermId) -> Vec<SymbolId> {
    let is_element = |&symbol: &SymbolId| {
        let info = store.symbol(symbol);
        info.role == tenet_term::Role::Index && matches!(store.sort(info.sort), Sort::Index { .. })
    };
    store.free_symbols(term).into_iter().filter(is_element).collect()
}

/// Are numbers of these elements about the same?
fn are_comparable(one: &[SymbolId], other: &[SymbolId]) -> bool {
    let is_part = |one: &[SymbolId], other: &[SymbolId]| one.iter().all(|element| other.contains(element));
    is_part(one, other) || is_part(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direct::code::operate;
    use tenet_term::Role;

    #[test]
    fn at_most_says_the_same_without_the_next_number() {
        let mut store = TermStore::new();
        let [a, b] = ["a", "b"].map(|name| {
            let symbol = store.declare(name, SortId::INT, Role::State);
            store.mk_symbol(symbol)
        });
        let one = store.mk_int(1);
        let next = store.mk_add([a, one]);
        let (literal, plain) = (at_most(&mut store, next, b), at_most(&mut store, a, b));
        assert_eq!((literal, plain), (store.mk_lt(a, b), store.mk_le(a, b)));
        for (x, y) in (-2..3).flat_map(|x| (-2..3).map(move |y| (x, y))) {
            let holds = |term: TermId, x| operate(&store, store.op(term), SortId::INT, &[x, y]);
            assert_eq!(holds(literal, x), holds(plain, x + 1), "{x} {y}");
        }
    }

    #[test]
    fn places_of_different_elements_are_not_comparable() {
        let mut store = TermStore::new();
        let node = store.index_sort("NODE");
        let [i, j] = ["i", "j"].map(|name| store.declare(name, node, Role::Index));
        for (one, other, expected) in [
            (vec![i], vec![i], true),
            (vec![], vec![j], true),
            (vec![i, j], vec![j], true),
            (vec![i], vec![j], false),
        ] {
            assert_eq!(are_comparable(&one, &other), expected);
            assert_eq!(are_comparable(&other, &one), expected);
        }
    }
}

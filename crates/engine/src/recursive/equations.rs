//! Solving equations for variables: of the left-hand side, to eliminate them, and for the unknowns of the right-hand
//! side.
//!
//! Arrays are functions that were changed at some places. `<Z,i,e> = t` is solved by `Z = <t,i,v>` for any `v`, provided that `t[i] = e`:
//! all solutions are of this form, so nothing is lost by taking it (Jaffar and Santosa, section 4.3, take two special cases).

use crate::common::linear::Linear;
use num_rational::BigRational;
use num_traits::{One, Signed};
use tenet_term::{Op, Role, Sort, Substitution, SymbolId, TermId, TermStore};

use super::sequent::Sequent;

/// A function changed at one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub base: TermId,
    pub place: TermId,
    pub value: TermId,
}

pub(super) fn last_write(store: &mut TermStore, array: TermId) -> Option<Write> {
    let Op::Lambda(bound) = store.op(array) else { return None };
    let [symbol] = bound[..] else { return None };
    let body = store.args(array)[0];
    let Op::Ite = store.op(body) else { return None };
    let [condition, value, otherwise] = [0, 1, 2].map(|index| store.args(body)[index]);
    let Op::Eq = store.op(condition) else { return None };
    let [left, right] = [0, 1].map(|index| store.args(condition)[index]);
    let place = match (store.as_symbol(left) == Some(symbol), store.as_symbol(right) == Some(symbol)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    if mentions(store, place, symbol) || mentions(store, value, symbol) {
        return None;
    }
    let base = store.mk_lambda(&[symbol], otherwise);
    Some(Write { base, place, value })
}

pub(super) fn mentions(store: &TermStore, term: TermId, symbol: SymbolId) -> bool {
    store.free_symbols(term).contains(&symbol)
}

/// Is this a variable whose value is still to be found?
pub(super) fn is_unknown(store: &TermStore, symbol: SymbolId) -> bool {
    store.symbol(symbol).role == Role::Skolem
}

pub(super) fn unknowns(store: &TermStore, term: TermId) -> Vec<SymbolId> {
    store.free_symbols(term).into_iter().filter(|&symbol| is_unknown(store, symbol)).collect()
}

pub(super) fn is_array(store: &TermStore, term: TermId) -> bool {
    matches!(store.sort(store.sort_of(term)), Sort::Function { .. })
}

pub(super) fn is_about_arrays(store: &TermStore, formula: TermId) -> bool {
    let is_equation =
        |&term: &TermId| matches!(store.op(term), Op::Eq) && is_array(store, store.args(term)[0]);
    store.has_lambda(formula) && store.subterms(formula).iter().any(is_equation)
}

/// One variable of those that are wanted, and what it equals according to the equation.
pub(super) fn solve(
    store: &mut TermStore,
    equation: TermId,
    is_wanted: impl Fn(&TermStore, SymbolId) -> bool,
) -> Option<(SymbolId, TermId)> {
    let Op::Eq = store.op(equation) else { return None };
    let [left, right] = [0, 1].map(|index| store.args(equation)[index]);
    let mut solutions = Vec::new();
    for (subject, value) in [(left, right), (right, left)] {
        if let Some(symbol) = store.as_symbol(subject)
            && is_wanted(store, symbol)
            && !mentions(store, value, symbol)
        {
            solutions.push((symbol, value));
        }
    }
    if solutions.is_empty() && store.sort(store.sort_of(left)).is_integer() {
        solutions.extend(solve_sum(store, left, right, is_wanted));
    }
    // The newest variable goes: those of the user are older.
    solutions.into_iter().max_by_key(|(symbol, _)| *symbol)
}

/// The same for an equation `<Z,i,e> = t` of arrays: `Z` is `<t,i,v>` for some `v`, on condition that `t[i] = e`.
pub(super) fn solve_writes(
    store: &mut TermStore,
    equation: TermId,
    is_wanted: impl Fn(&TermStore, SymbolId) -> bool,
) -> Option<(SymbolId, TermId, TermId)> {
    let Op::Eq = store.op(equation) else { return None };
    let [left, right] = [0, 1].map(|index| store.args(equation)[index]);
    if !is_array(store, left) {
        return None;
    }
    [(left, right), (right, left)].into_iter().find_map(|(pattern, term)| {
        let (base, writes) = writes(store, pattern);
        let symbol = store.as_symbol(base).filter(|&symbol| is_wanted(store, symbol))?;
        let parts = writes.iter().flat_map(|write| [write.place, write.value]).chain([term]);
        if parts.into_iter().any(|part| mentions(store, part, symbol)) {
            return None;
        }
        let (mut value, mut conditions) = (term, Vec::new());
        for (index, write) in writes.iter().enumerate() {
            let entry = store.mk_apply(term, &[write.place]);
            let (sort, entry) = (store.sort_of(entry), store.mk_eq(entry, write.value));
            // Unless a later write has changed it again.
            let later = writes[..index].iter().map(|later| store.mk_eq(later.place, write.place));
            let cases: Vec<TermId> = later.collect::<Vec<_>>().into_iter().chain([entry]).collect();
            conditions.push(store.mk_or(cases));
            let before = store.fresh("before", sort, Role::Index);
            let before = store.mk_symbol(before);
            value = store.mk_store(value, &[write.place], before);
        }
        Some((symbol, value, store.mk_and(conditions)))
    })
}

/// Solves an equation of integers for a variable that occurs once, as itself.
fn solve_sum(
    store: &mut TermStore,
    left: TermId,
    right: TermId,
    is_wanted: impl Fn(&TermStore, SymbolId) -> bool,
) -> Option<(SymbolId, TermId)> {
    let sum = Linear::of(store, left).plus(&Linear::of(store, right), &-BigRational::one());
    let mut best: Option<(SymbolId, Linear, BigRational)> = None;
    for (&base, factor) in &sum.factors {
        let Some(symbol) = store.as_symbol(base) else { continue };
        let rest = sum.clone().without(&base);
        let hidden = rest.factors.keys().any(|&other| mentions(store, other, symbol));
        if factor.abs().is_one()
            && is_wanted(store, symbol)
            && !hidden
            && best.as_ref().is_none_or(|(known, _, _)| *known < symbol)
        {
            best = Some((symbol, rest, factor.clone()));
        }
    }
    let (symbol, rest, factor) = best?;
    let value = rest.scaled(&-factor.recip());
    let sort = store.symbol(symbol).sort;
    Some((symbol, value.term(store, sort)))
}

/// The obligation without variables that an equation of the left determines.
pub(super) fn eliminate(store: &mut TermStore, sequent: &Sequent) -> Sequent {
    let mut result = sequent.clone();
    let is_variable = |store: &TermStore, symbol: SymbolId| store.symbol(symbol).role == Role::Index;
    let mut position = 0;
    while position < result.constraint.len() {
        let part = result.constraint[position];
        match solve(store, part, is_variable) {
            Some((symbol, value)) => {
                result.constraint.remove(position);
                let substitution = Substitution::from_pairs(store, [(symbol, value)]);
                result = result.substitute(store, &substitution);
                position = 0;
            }
            None => position += 1,
        }
    }
    result
}

/// A guess for an unknown in an equation of arrays or of integers that is no plain solution. A new unknown may be part of it.
pub(super) fn guess(store: &mut TermStore, equation: TermId) -> Option<(SymbolId, TermId)> {
    let Op::Eq = store.op(equation) else { return None };
    let [left, right] = [0, 1].map(|index| store.args(equation)[index]);
    if !is_array(store, left) {
        return None;
    }
    same_shape(store, left, right)
        .or_else(|| guess_write(store, left, right))
        .or_else(|| guess_write(store, right, left))
}

/// Two arrays that were changed in the same order: their places and values should be the same.
fn same_shape(store: &mut TermStore, left: TermId, right: TermId) -> Option<(SymbolId, TermId)> {
    let ((base, left), (other, right)) = (writes(store, left), writes(store, right));
    for (here, there) in left.iter().zip(&right) {
        let is_known = here.base == there.base || here.place == there.place;
        let pairs = [(here.place, there.place), (here.value, there.value)];
        if let Some(found) = pairs.into_iter().find_map(|pair| same(store, pair)).filter(|_| is_known) {
            return Some(found);
        }
        if here.place != there.place {
            break;
        }
    }
    // As many writes to the same array: places that are not known yet are those that are not there yet, in the same order.
    if base != other || left.len() != right.len() {
        return None;
    }
    let (left, right) = (without(&left, &right), without(&right, &left));
    left.into_iter().zip(right).find_map(|pair| same(store, pair))
}

/// The places of writes that others do not have.
fn without(writes: &[Write], others: &[Write]) -> Vec<TermId> {
    let is_there = |place: TermId| others.iter().any(|other| other.place == place);
    writes.iter().map(|write| write.place).filter(|&place| !is_there(place)).collect()
}

/// An unknown and what it is if two terms are the same.
fn same(store: &TermStore, (one, other): (TermId, TermId)) -> Option<(SymbolId, TermId)> {
    [(one, other), (other, one)].into_iter().find_map(|(unknown, value)| {
        let symbol = store.as_symbol(unknown).filter(|&symbol| is_unknown(store, symbol))?;
        unknowns(store, value).is_empty().then_some((symbol, value))
    })
}

/// The writes of an array, the last one first, and what was there before.
fn writes(store: &mut TermStore, array: TermId) -> (TermId, Vec<Write>) {
    let (mut base, mut result) = (array, Vec::new());
    while let Some(write) = last_write(store, base) {
        base = write.base;
        result.push(write);
    }
    (base, result)
}

/// `<Z,i,e> = t` for an unknown array or value.
fn guess_write(store: &mut TermStore, pattern: TermId, term: TermId) -> Option<(SymbolId, TermId)> {
    if !unknowns(store, term).is_empty() {
        return None;
    }
    let mut pattern = pattern;
    let mut places: Vec<TermId> = Vec::new();
    while let Some(write) = last_write(store, pattern) {
        if !unknowns(store, write.place).is_empty() {
            return None;
        }
        if let Some(symbol) = store.as_symbol(write.value)
            && is_unknown(store, symbol)
            && !places.contains(&write.place)
        {
            return Some((symbol, store.mk_apply(term, &[write.place])));
        }
        places.push(write.place);
        pattern = write.base;
    }
    let symbol = store.as_symbol(pattern).filter(|&symbol| is_unknown(store, symbol))?;
    let mut value = term;
    for place in places {
        let Sort::Function { result, .. } = store.sort(store.sort_of(term)) else { return None };
        let result = *result;
        let entry = store.fresh("entry", result, Role::Skolem);
        let entry = store.mk_symbol(entry);
        value = store.mk_store(value, &[place], entry);
    }
    Some((symbol, value))
}

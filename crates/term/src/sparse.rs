//! Functions over many bit-vectors that are the same nearly everywhere.
//!
//! A memory with addresses of 32 bits has four billion places, of which a write changes one. Where the body of a lambda looks at
//! its symbol only by comparing it with other terms and by reading other functions there, its value depends on nothing
//! but which of these comparisons hold, and what stands in the tables of these functions. So the places that are told
//! apart are the values of the former and the entries of the latter; all others are alike.

use std::collections::BTreeSet;

use crate::id::{SymbolId, TermId};
use crate::model::{EvalError, Model};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::term::Op;
use crate::value::{FunctionTable, Value};

/// The terms whose values tell places of a lambda apart; nothing if it has to be looked at everywhere.
pub(crate) fn anchors(store: &TermStore, lambda: TermId) -> Option<Vec<TermId>> {
    let Op::Lambda(bound) = store.op(lambda) else { return None };
    let &[place] = &bound[..] else { return None };
    if !matches!(store.sort(store.symbol(place).sort), Sort::BitVec(_)) {
        return None;
    }
    let mut anchors = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![store.args(lambda)[0]];
    while let Some(term) = stack.pop() {
        if !depends(store, term, place) || !seen.insert(term) {
            continue;
        }
        if store.op(term).is_binder() || store.as_symbol(term).is_some() {
            return None;
        }
        match anchor(store, term, place) {
            Some(anchor) => {
                anchors.insert(anchor);
            }
            None => stack.extend(store.args(term)),
        }
    }
    Some(anchors.into_iter().collect())
}

fn depends(store: &TermStore, term: TermId, place: SymbolId) -> bool {
    store.free_bound(term).contains(&place)
}

/// What the place is compared with, or which function is read there.
fn anchor(store: &TermStore, term: TermId, place: SymbolId) -> Option<TermId> {
    let &[first, second] = store.args(term) else { return None };
    let is_place = |term: TermId| store.as_symbol(term) == Some(place);
    let other = match store.op(term) {
        Op::Eq if is_place(first) => second,
        Op::Eq if is_place(second) => first,
        Op::Apply if is_place(second) => first,
        _ => return None,
    };
    (!depends(store, other, place)).then_some(other)
}

/// The places that these values tell apart, and in front of them one that stands for all others, if there are any.
pub(crate) fn places<'v>(
    model: &Model,
    store: &TermStore,
    place: SymbolId,
    values: impl Iterator<Item = &'v Value>,
) -> Result<Vec<Value>, EvalError> {
    let mut told_apart: BTreeSet<Value> = BTreeSet::new();
    for value in values {
        match value {
            Value::Function(table) => told_apart.extend(table.entries().map(|(args, _)| args[0].clone())),
            other => {
                told_apart.insert(other.clone());
            }
        }
    }
    let sort = store.symbol(place).sort;
    // Among one place more than are told apart, there is one that is none of these; unless there are no more.
    let all = model.cardinality(store, sort).unwrap_or(u64::MAX);
    let mut other = None;
    for position in 0..all.min(told_apart.len() as u64 + 1) {
        let place = model.element(store, sort, position)?;
        if !told_apart.contains(&place) {
            other = Some(place);
            break;
        }
    }
    Ok(other.into_iter().chain(told_apart).collect())
}

/// Do two functions of bit-vectors have the same values everywhere? Nothing if their argument is something else.
pub(crate) fn equal(
    model: &Model,
    store: &TermStore,
    args: &[crate::SortId],
    left: &FunctionTable,
    right: &FunctionTable,
) -> Option<bool> {
    let &[sort] = args else { return None };
    if !matches!(store.sort(sort), Sort::BitVec(_)) {
        return None;
    }
    let places: BTreeSet<&[Value]> = left.entries().chain(right.entries()).map(|(place, _)| place).collect();
    let are_all = model.cardinality(store, sort).is_ok_and(|all| all == places.len() as u64);
    let agree = places.iter().all(|place| left.get(place) == right.get(place));
    Some(agree && (are_all || left.default_value() == right.default_value()))
}

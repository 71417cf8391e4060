//! The values of many terms in a solver's model, with as few questions as possible.
//!
//! Asking a solver for a value costs a walk over its model. What the model decides is the value of each symbol and of each
//! function at each place; sums and comparisons of these are computed here.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use tenet_solve::Solver;
use tenet_term::{Op, Sort, TermId, TermStore, Value};

/// The values of these terms, which must be in topological order and contain their subterms (functions excepted).
pub fn valuation(store: &TermStore, solver: &mut dyn Solver, terms: &[TermId]) -> FxHashMap<TermId, Value> {
    let mut values: FxHashMap<TermId, Value> =
        FxHashMap::with_capacity_and_hasher(terms.len(), Default::default());
    let mut places: FxHashMap<(TermId, Vec<Value>), TermId> = FxHashMap::default();
    for &term in terms {
        if let Some(value) = computed(store, term, &values) {
            values.insert(term, value);
            continue;
        }
        if let Some(place) = place(store, term, &values) {
            if let Some(same) = places.get(&place) {
                values.extend(values.get(same).cloned().map(|value| (term, value)));
                continue;
            }
            places.insert(place, term);
        }
        if let Some(Some(value)) = solver.values(store, &[term]).pop() {
            values.insert(term, value);
        }
    }
    values
}

/// The function and the values it is applied to.
fn place(store: &TermStore, term: TermId, values: &FxHashMap<TermId, Value>) -> Option<(TermId, Vec<Value>)> {
    let (Op::Apply, [head, args @ ..]) = (store.op(term), store.args(term)) else { return None };
    let args: Option<Vec<Value>> = args.iter().map(|arg| values.get(arg).cloned()).collect();
    Some((*head, args?))
}

/// The value as it follows from those of the operands, for the commonest operators.
fn computed(store: &TermStore, term: TermId, values: &FxHashMap<TermId, Value>) -> Option<Value> {
    if store.op(term).is_literal() {
        // The numbers of elements of index sorts are the solver's.
        let is_index = matches!(store.sort(store.sort_of(term)), Sort::Index { .. });
        return if is_index { None } else { store.value_of(term) };
    }
    let operands = || store.args(term).iter().map(|arg| values.get(arg));
    let pair = || {
        let [a, b] = store.args(term) else { return None };
        Some((values.get(a)?, values.get(b)?))
    };
    match store.op(term) {
        Op::Eq => pair().map(|(a, b)| Value::Bool(a == b)),
        Op::Lt => pair().map(|(a, b)| Value::Bool(a < b)),
        Op::Le => pair().map(|(a, b)| Value::Bool(a <= b)),
        Op::Add => {
            let mut sum = BigInt::default();
            for operand in operands() {
                let Value::Int(number) = operand? else { return None };
                sum += number;
            }
            Some(Value::Int(sum))
        }
        _ => None,
    }
}

/// The atoms and every term below them that has a value.
pub fn valued_terms(store: &TermStore, atoms: &[TermId]) -> Vec<TermId> {
    let is_function = |&term: &TermId| matches!(store.sort(store.sort_of(term)), Sort::Function { .. });
    store.subterms_of_all(atoms.iter().copied()).into_iter().filter(|term| !is_function(term)).collect()
}

pub fn truths(atoms: &[TermId], values: &FxHashMap<TermId, Value>) -> Vec<bool> {
    let truth = |atom| values.get(atom).and_then(Value::as_bool).unwrap_or(false);
    atoms.iter().map(truth).collect()
}

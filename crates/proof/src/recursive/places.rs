//! Equality of arrays, instantiated at the places that a question mentions.
//!
//! Equality of functions is a quantifier to a solver, and solvers give up on quantifiers unpredictably. So such an assumption is
//! instantiated at each term that is used as a place, and where functions are to be proved equal, this is proved at a fresh
//! place. For updates at single places this is all that can matter. The instances follow from what is assumed, and the fresh
//! place stands for all places, so a question that is unsatisfiable afterwards was so before.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermMap, TermStore};

use crate::walk::postorder;

/// The number of instances that are added.
const MAX_INSTANCES: usize = 2_000;

/// That a constraint implies a formula, as a formula that must be unsatisfiable.
pub(super) fn refutation(store: &mut TermStore, constraint: TermId, implied: TermId) -> TermId {
    let implied = at_new_places(store, constraint, implied);
    let mut parts = vec![constraint];
    parts.extend(instances(store, constraint, implied));
    parts.push(store.raw_not(implied));
    // Without simplification: unsatisfiability is for the solver to find, not for the constructors of terms.
    store.raw_and(&parts)
}

/// The formula with each equality of functions replaced by equality at a fresh place, which no other term mentions. Only under
/// conjunctions and disjunctions, where only its falsity can matter.
fn at_new_places(store: &mut TermStore, constraint: TermId, implied: TermId) -> TermId {
    let mut used: FxHashSet<SymbolId> = FxHashSet::default();
    used.extend([constraint, implied].into_iter().flat_map(|term| store.symbols_in(term)));
    let mut done: TermMap<TermId> = TermMap::default();
    for part in positive(store, implied) {
        let replaced = match store.op(part).clone() {
            op @ (Op::And | Op::Or) => {
                let args: Vec<TermId> = store.args(part).iter().map(|arg| done[arg]).collect();
                store.raw(op, &args)
            }
            _ => match domain(store, part) {
                Some(sorts) => {
                    let places: Vec<TermId> =
                        sorts.iter().map(|&sort| new_place(store, sort, &mut used)).collect();
                    at(store, part, &places)
                }
                None => part,
            },
        };
        done.insert(part, replaced);
    }
    done[&implied]
}

/// The subformulas under conjunctions and disjunctions, operands before their users.
fn positive(store: &TermStore, formula: TermId) -> Vec<TermId> {
    let found = joined(store, formula, |op| matches!(op, Op::And | Op::Or));
    postorder(store, [formula]).into_iter().filter(|part| found.contains(part)).collect()
}

/// The subformulas joined by these operators.
fn joined(store: &TermStore, formula: TermId, joins: fn(&Op) -> bool) -> IndexSet<TermId, FxBuildHasher> {
    let mut found = IndexSet::default();
    let mut stack = vec![formula];
    while let Some(part) = stack.pop() {
        if found.insert(part) && joins(store.op(part)) {
            stack.extend(store.args(part).iter().rev());
        }
    }
    found
}

/// The sorts of the places, if a formula is an equality of functions.
fn domain(store: &TermStore, formula: TermId) -> Option<Vec<SortId>> {
    if *store.op(formula) != Op::Eq {
        return None;
    }
    match store.sort(store.sort_of(store.args(formula)[0])) {
        Sort::Function { args, .. } => Some(args.clone()),
        _ => None,
    }
}

/// An equality of functions at some places.
fn at(store: &mut TermStore, equality: TermId, places: &[TermId]) -> TermId {
    let [left, right] = [0, 1].map(|side| store.args(equality)[side]);
    let (left, right) = (store.mk_apply(left, places), store.mk_apply(right, places));
    store.mk_eq(left, right)
}

/// A fresh constant.
fn new_place(store: &mut TermStore, sort: SortId, used: &mut FxHashSet<SymbolId>) -> TermId {
    let mut number = 0u32;
    loop {
        number += 1;
        let symbol = store.declare(&format!("place{number}"), sort, Role::Skolem);
        if used.insert(symbol) {
            return store.mk_symbol(symbol);
        }
    }
}

/// The equalities of functions in a constraint, at the places that occur.
fn instances(store: &mut TermStore, constraint: TermId, implied: TermId) -> Vec<TermId> {
    let conjuncts = joined(store, constraint, |op| *op == Op::And);
    let places = places(store, [constraint, implied]);
    let mut found = Vec::new();
    for equality in conjuncts {
        let Some(sorts) = domain(store, equality) else { continue };
        for tuple in tuples(store, &sorts, &places) {
            if found.len() == MAX_INSTANCES {
                return found;
            }
            let instance = at(store, equality, &tuple);
            if instance != TermId::TRUE {
                found.push(instance);
            }
        }
    }
    found
}

/// The terms without free bound variables that functions are applied to, or that bound variables are compared with.
fn places(store: &TermStore, formulas: [TermId; 2]) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    let is_variable = |term: TermId| store.as_symbol(term).is_some() && !store.is_closed(term);
    for term in postorder(store, formulas) {
        let candidates: &[TermId] = match (store.op(term), store.args(term)) {
            (Op::Apply, [_, args @ ..]) => args,
            (Op::Eq, args @ &[left, right]) if is_variable(left) || is_variable(right) => args,
            _ => continue,
        };
        for &candidate in candidates {
            if store.is_closed(candidate) && !found.contains(&candidate) {
                found.push(candidate);
            }
        }
    }
    found
}

/// All tuples of places of these sorts, up to the limit.
fn tuples(store: &TermStore, sorts: &[SortId], places: &[TermId]) -> Vec<Vec<TermId>> {
    let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
    for &sort in sorts {
        let fitting = || places.iter().copied().filter(|&place| store.sort_of(place) == sort);
        let longer = |tuple: &Vec<TermId>| -> Vec<Vec<TermId>> {
            fitting().map(|place| tuple.iter().copied().chain([place]).collect()).collect()
        };
        tuples = tuples.iter().flat_map(longer).take(MAX_INSTANCES).collect();
    }
    tuples
}

#[cfg(test)]
mod tests {
    use super::refutation;
    use tenet_solve::{Answer, Solver, Z3Solver};
    use tenet_term::{Role, SortId, TermId, TermStore};

    struct Arrays {
        store: TermStore,
        symbols: [TermId; 3],
        numbers: [TermId; 3],
    }

    fn arrays() -> Arrays {
        let mut store = TermStore::new();
        let sort = store.function_sort(&[SortId::INT], SortId::INT);
        let mut declare = |name: &str, sort| {
            let symbol = store.declare(name, sort, Role::Index);
            store.mk_symbol(symbol)
        };
        let symbols = ["a", "b", "c"].map(|name| declare(name, sort));
        let numbers = ["i", "j", "k"].map(|name| declare(name, SortId::INT));
        Arrays { store, symbols, numbers }
    }

    fn is_unsatisfiable(store: &TermStore, formula: TermId) -> bool {
        let mut solver = Z3Solver::new();
        solver.assert(store, formula);
        solver.check(store, &[]) == Answer::Unsat
    }

    #[test]
    fn writes_at_different_places_commute() {
        let Arrays { mut store, symbols: [a, b, c], numbers: [i, j, k] } = arrays();
        let first = store.mk_store(a, &[i], k);
        let left = store.mk_store(first, &[j], i);
        let second = store.mk_store(a, &[j], i);
        let right = store.mk_store(second, &[i], k);
        let (named_left, named_right) = (store.mk_eq(b, left), store.mk_eq(c, right));
        let equal = store.mk_eq(b, c);
        let constraint = store.mk_and([named_left, named_right]);
        let formula = refutation(&mut store, constraint, equal);
        assert!(!is_unsatisfiable(&store, formula));
        let differ = store.mk_ne(i, j);
        let constraint = store.mk_and([constraint, differ]);
        let formula = refutation(&mut store, constraint, equal);
        assert!(is_unsatisfiable(&store, formula));
    }

    #[test]
    fn each_equality_is_shown_at_its_own_place() {
        let Arrays { mut store, symbols: [a, b, c], numbers: [i, ..] } = arrays();
        // A constant that has the name of a generated one.
        let place = store.declare("place1", SortId::INT, Role::Skolem);
        let place = store.mk_symbol(place);
        let (at_place, same) = (store.mk_apply(a, &[place]), store.mk_apply(b, &[place]));
        let constraint = store.mk_eq(at_place, same);
        let (one, other) = (store.mk_eq(a, b), store.mk_eq(a, c));
        let either = store.mk_or([one, other]);
        for implied in [one, either] {
            let formula = refutation(&mut store, constraint, implied);
            assert!(!is_unsatisfiable(&store, formula));
        }
        let updated = store.mk_store(a, &[i], i);
        let unchanged = store.mk_eq(a, updated);
        let read = store.mk_apply(a, &[i]);
        let constraint = store.mk_eq(read, i);
        let formula = refutation(&mut store, constraint, unchanged);
        assert!(is_unsatisfiable(&store, formula));
    }
}

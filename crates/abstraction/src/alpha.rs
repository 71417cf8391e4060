//! The least element of the monotone lattice above a formula (Ball, Podelski and Rajamani, section 2).
//!
//! It is the upward closure of the truth vectors that the formula allows, and of these only the minimal ones matter: sets of
//! true predicates of which no proper subset is possible. Each solution of the solver is made smaller until nothing
//! smaller is possible, and then everything above it is excluded. The number of questions follows the size of the
//! answer, not the number of vectors.

use crate::monotone::{Conjunction, Monotone};
use tenet_solve::{Answer, Solver};
use tenet_term::{TermId, TermStore};

/// That the solver did not know whether there are more truth vectors, with its reason: no element can be called the least
/// one, and the caller has to be content with a larger one (X-T1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inconclusive(pub String);

/// The least element, over predicates by position, that the conjunction of the facts implies.
///
/// Facts and predicates may have any free symbols; that some of them are meant existentially changes nothing.
pub fn alpha(
    solver: &mut dyn Solver,
    store: &mut TermStore,
    facts: &[TermId],
    predicates: &[TermId],
) -> Result<Monotone, Inconclusive> {
    solver.push();
    facts.iter().for_each(|&fact| solver.assert(store, fact));
    let result = closure(solver, store, predicates);
    solver.pop();
    result
}

/// The upward closure of the truth vectors that are possible under what the solver was told.
fn closure(
    solver: &mut dyn Solver,
    store: &mut TermStore,
    predicates: &[TermId],
) -> Result<Monotone, Inconclusive> {
    let mut found = Monotone::bottom();
    loop {
        match solver.check(store, &[]) {
            Answer::Unsat => return Ok(found),
            Answer::Unknown(reason) => return Err(Inconclusive(reason)),
            Answer::Sat => {}
        }
        let Some(first) = solution(solver, store, predicates) else {
            return Err(Inconclusive("it does not tell a truth value".to_string()));
        };
        let minimal = shrink(solver, store, predicates, first);
        let is_smaller = not_all(store, predicates, &minimal);
        solver.assert(store, is_smaller);
        found.add(minimal);
    }
}

/// A minimal set of true predicates within the given one, as far as the solver can tell.
fn shrink(
    solver: &mut dyn Solver,
    store: &mut TermStore,
    predicates: &[TermId],
    mut current: Conjunction,
) -> Conjunction {
    loop {
        let mut assumptions: Vec<TermId> = (0..predicates.len())
            .filter(|position| current.predicates().binary_search(position).is_err())
            .map(|position| store.mk_not(predicates[position]))
            .collect();
        assumptions.push(not_all(store, predicates, &current));
        // An unknown here costs nothing: what is not minimal is still possible.
        if solver.check(store, &assumptions) != Answer::Sat {
            return current;
        }
        match solution(solver, store, predicates) {
            Some(smaller) => current = smaller,
            None => return current,
        }
    }
}

/// The predicates that are true in the solver's model.
fn solution(solver: &mut dyn Solver, store: &TermStore, predicates: &[TermId]) -> Option<Conjunction> {
    let values = solver.values(store, predicates);
    let mut is_true = Vec::new();
    for (position, value) in values.iter().enumerate() {
        if value.as_ref()?.as_bool()? {
            is_true.push(position);
        }
    }
    Some(is_true.into_iter().collect())
}

/// That one of these predicates is false.
fn not_all(store: &mut TermStore, predicates: &[TermId], conjunction: &Conjunction) -> TermId {
    let all: Vec<TermId> = conjunction.predicates().iter().map(|&position| predicates[position]).collect();
    let all = store.mk_and(all);
    store.mk_not(all)
}

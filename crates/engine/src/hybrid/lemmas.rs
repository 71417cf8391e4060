//! The proof: the reachable abstract states as clauses over predicates and bits of kept registers.
//!
//! The clauses together are inductive, because the abstract model follows every step of the circuit. Most clauses of
//! a large set are not needed: those stay that exclude a violation, and those that they in turn need to be inductive.

use super::Maker;
use super::concrete::Concrete;
use super::model::Model;
use super::observe;
use rustc_hash::FxHashSet;
use tenet_abstraction::set::{Set, cover_within};
use tenet_solve::{Limits, Solver};
use tenet_system::Lemma;
use tenet_term::{Literal, TermId, TermStore};

/// Clauses up to which a set is written down; a certificate of more would take longer than the search.
const MAX_CLAUSES: usize = 20_000;

/// The clauses that the property needs, as lemmas. `None` if there are too many of them.
pub fn lemmas(
    store: &mut TermStore,
    concrete: &mut Concrete,
    model: &Model,
    reached: &Set,
    solvers: Maker<'_>,
    limits: &Limits,
) -> Option<Vec<Lemma>> {
    let clauses = clauses(store, model, reached)?;
    let needed = needed(store, concrete, &clauses, solvers, limits).unwrap_or(clauses);
    Some(needed.into_iter().map(|body| Lemma { vars: Vec::new(), body }).collect())
}

/// The set as clauses. Valuations that no state has are in or out, whichever is shorter.
fn clauses(store: &mut TermStore, model: &Model, reached: &Set) -> Option<Vec<TermId>> {
    let outside = reached.complement();
    let (lower, upper) =
        (outside.intersect(model.consistent()), outside.union(&model.consistent().complement()));
    let cubes = cover_within(&lower, &upper, MAX_CLAUSES)?;
    let clause = |cube: Vec<(usize, bool)>| {
        let literal =
            |(var, value): (usize, bool)| Literal { atom: model.view.atoms[var / 2], positive: !value };
        let literals: Vec<Literal> = cube.into_iter().map(literal).collect();
        let formulas = observe::formulas(store, &literals);
        store.mk_or(formulas)
    };
    Some(cubes.into_iter().map(clause).collect())
}

/// The clauses that exclude a violation and are inductive together. `None` if the solver does not know.
fn needed(
    store: &mut TermStore,
    concrete: &mut Concrete,
    clauses: &[TermId],
    solvers: Maker<'_>,
    limits: &Limits,
) -> Option<Vec<TermId>> {
    let (mut bad, mut step) = (solvers(), solvers());
    bad.set_limits(limits.clone());
    step.set_limits(limits.clone());
    bad.assert(store, concrete.bad);
    step.assert(store, concrete.circuit.constraint);
    let mut open = core(store, bad.as_mut(), clauses, None)?;
    let mut needed: Vec<TermId> = Vec::new();
    let mut known: FxHashSet<TermId> = FxHashSet::default();
    while let Some(clause) = open.pop() {
        if !known.insert(clause) {
            continue;
        }
        needed.push(clause);
        let next = concrete.next(store, clause);
        let broken = store.mk_not(next);
        // What is needed already costs nothing, so it comes first and is tried alone.
        let found = match core(store, step.as_mut(), &needed, Some(broken)) {
            Some(found) => found,
            None => core(store, step.as_mut(), clauses, Some(broken))?,
        };
        open.extend(found);
    }
    Some(needed)
}

/// The clauses that refute the formula, or everything that is asserted.
fn core(
    store: &TermStore,
    solver: &mut dyn Solver,
    clauses: &[TermId],
    formula: Option<TermId>,
) -> Option<Vec<TermId>> {
    let assumptions: Vec<TermId> = formula.into_iter().chain(clauses.iter().copied()).collect();
    if !solver.check(store, &assumptions).is_proved() {
        return None;
    }
    let core = solver.core();
    Some(clauses.iter().copied().filter(|clause| core.contains(clause)).collect())
}

//! Vacuity (X-T2): formulas that contradict each other, and startstates that are impossible.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::query::{Bounds, bounded_query, query};
use crate::common::Warning;
use crate::common::watch::Watch;
use tenet_abstraction::{Layout, Parts};
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_system::System;
use tenet_term::{Op, Role, Sort, Substitution, TermId, TermStore};

/// Rounds in which new terms lead to new instances.
const INSTANTIATION_ROUNDS: usize = 1;
const MAX_INSTANCES: usize = 5_000;
/// Resource units of the solver for the question whether there is a startstate.
const UNITS_FOR_START: u32 = 1_000_000;

/// Can all of these formulas hold together? True also if the solver does not know.
pub fn is_satisfiable(system: &mut System, axioms: &[TermId], interrupt: &Arc<AtomicBool>) -> bool {
    if axioms.is_empty() {
        return true;
    }
    let parts = Parts { always: axioms.to_vec(), instances: Vec::new(), posts: Vec::new() };
    query(system, &Layout::new(0), &parts, None, 0, interrupt).is_possible(&system.store)
}

/// Is it shown that a startstate is not possible, whatever the size of anything? Every type has an element, of which everything
/// holds that holds of all: the solver is told of one, since it looks only at elements that something speaks of.
pub fn start_is_excluded(system: &mut System, start: usize, interrupt: &Arc<AtomicBool>) -> bool {
    let constraint = system.starts[start].constraint;
    let axioms = system.axioms.iter().map(|axiom| axiom.formula);
    let mut formulas: Vec<TermId> = axioms.chain([constraint]).collect();
    let conjuncts: Vec<TermId> = match system.store.op(constraint) {
        Op::And => system.store.args(constraint).to_vec(),
        _ => vec![constraint],
    };
    for conjunct in conjuncts {
        formulas.extend(of_an_element(&mut system.store, conjunct));
    }
    is_excluded(system, formulas, UNITS_FOR_START, interrupt)
}

/// What a formula about all elements says of one of each sort.
fn of_an_element(store: &mut TermStore, formula: TermId) -> Option<TermId> {
    let Op::Forall(bound) = store.op(formula).clone() else { return None };
    let mut elements = Substitution::new();
    for &symbol in bound.iter() {
        let sort = store.symbol(symbol).sort;
        if !matches!(store.sort(sort), Sort::Index { .. }) {
            return None;
        }
        let name = format!("element_of_{}", store.sort_name(sort));
        let element = store.declare(&name, sort, Role::Skolem);
        let element = store.mk_symbol(element);
        elements.insert(store, symbol, element);
    }
    let body = store.args(formula)[0];
    Some(store.substitute(body, &elements))
}

/// Is it shown that these formulas cannot all hold, with at most `units` resource units of the solver for each check?
/// What the solver does not know is not shown.
pub fn is_excluded(
    system: &mut System,
    formulas: Vec<TermId>,
    units: u32,
    interrupt: &Arc<AtomicBool>,
) -> bool {
    let parts = Parts { always: formulas, instances: Vec::new(), posts: Vec::new() };
    let bounds =
        Bounds { rounds: INSTANTIATION_ROUNDS, instances: MAX_INSTANCES, units: Some(units), unfolds: false };
    let mut query = bounded_query(system, &Layout::new(0), &parts, None, bounds, interrupt);
    !query.is_possible(&system.store)
}

/// Whether formulas without quantifiers, about constants alone, contradict each other.
pub fn of_constants(store: &TermStore, facts: &[TermId], watch: &dyn Watch) -> Vec<Warning> {
    if facts.is_empty() {
        return Vec::new();
    }
    let mut solver = Z3Solver::new();
    solver.set_limits(Limits::until(watch.interrupt()));
    facts.iter().for_each(|&fact| solver.assert(store, fact));
    match solver.check(store, &[]) {
        Answer::Unsat => vec![Warning::AxiomsUnsatisfiable],
        _ => Vec::new(),
    }
}

//! What makes a result say less than it seems to (SPEC X-T2).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Layout, Observation, Parts, Query, sort_hints};
use tenet_solve::Z3Solver;
use tenet_solve::quantifier::Policy;
use tenet_system::System;
use tenet_term::{Op, Role, Sort, Substitution, TermId, TermStore};

use super::fixpoint::{Fixpoint, query};
use super::outcome::Warning;

/// How often new terms may lead to new instances, when something is to be excluded.
const ROUNDS: usize = 1;
/// At most so many instances then.
const INSTANCES: usize = 5_000;
/// So many of the solver's own units for the question whether there is a start.
const START_UNITS: u32 = 1_000_000;

impl Warning {
    /// Does it mean that everything, and so nothing, is proved?
    pub fn is_vacuous(&self) -> bool {
        matches!(self, Warning::AxiomsUnsatisfiable | Warning::NoStart | Warning::NoProperty)
    }
}

/// The warnings about a computation.
pub fn warnings(
    system: &mut System,
    observation: &Observation,
    fixpoint: &Fixpoint,
    interrupt: &Arc<AtomicBool>,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if !is_satisfiable(system, &observation.axioms, interrupt) {
        warnings.push(Warning::AxiomsUnsatisfiable);
    } else if fixpoint.iterations.first().is_some_and(|initial| initial.states == 0) {
        warnings.push(Warning::NoStart);
    } else {
        warnings.extend(fixpoint.never_taken().map(Warning::RuleNeverTaken));
    }
    warnings.extend(fixpoint.without.iter().map(|&rule| Warning::NoSubstitution(rule)));
    warnings.extend(fixpoint.cut.iter().map(|&rule| Warning::SubstitutionsCut(rule)));
    if fixpoint.unknowns() > 0 {
        warnings.push(Warning::SolverUnknown(fixpoint.unknowns()));
    }
    warnings
}

/// Can all of these formulas hold together, as far as can be told?
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
    is_excluded(system, formulas, START_UNITS, interrupt)
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

/// Is it shown that these formulas cannot all hold, with no more than so many of the solver's own units for each check? What the
/// solver does not know is not shown.
pub fn is_excluded(
    system: &mut System,
    formulas: Vec<TermId>,
    units: u32,
    interrupt: &Arc<AtomicBool>,
) -> bool {
    let parts = Parts { always: formulas, instances: Vec::new(), posts: Vec::new() };
    let policy = Policy {
        rounds: ROUNDS,
        limit: INSTANCES,
        forced: sort_hints(system, None, true),
        forbidden: sort_hints(system, None, false),
        definitions: &[],
    };
    let solver = match parts.formulas().any(|formula| system.store.has_quantifier(formula)) {
        true => Z3Solver::instances(),
        false => Z3Solver::ground(),
    };
    let solver = Box::new(solver.within(units));
    let layout = Layout::new(0);
    let mut query = Query::new(&mut system.store, &layout, &parts, &policy, solver, interrupt.clone());
    !query.is_possible(&system.store)
}

//! Does the invariant imply a property? (SPEC 1.2.6)
//!
//! The property is negated and Skolemised; then the invariant is instantiated at the constants and at the terms around
//! them, several tuples at once (SPEC QI-T7).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Interrupted, Layout, Observation, Query, Solution};
use tenet_solve::quantifier::{self, Policy};
use tenet_system::{PropertyKind, System};
use tenet_term::TermId;

use super::fixpoint::{Fixpoint, query};

/// How deep the terms go at which the invariant is used.
const DEPTH: usize = 1;

/// A state that satisfies the invariant and violates the property, as far as instances go.
pub struct Violation {
    /// The valuations of the predicates in it.
    pub solution: Solution,
    /// The question, whose model is the state.
    pub query: Query,
    /// The terms that the question is about.
    pub formulas: Vec<TermId>,
}

/// Checks a property against the limit. `None` if it is implied.
pub fn check(
    system: &mut System,
    observation: &Observation,
    fixpoint: &Fixpoint,
    property: usize,
    interrupt: &Arc<AtomicBool>,
) -> Result<Option<Violation>, Interrupted> {
    if let PropertyKind::Start { start } = system.properties[property].kind {
        return check_start(system, start, property, interrupt);
    }
    let formulas = denied(system, property);
    let generated = observation.state_substitutions(system, &formulas, DEPTH);
    let parts = observation.state(system, &formulas, &generated.substitutions);
    let mut query = query(system, &fixpoint.layout, &parts, None, fixpoint.depth, interrupt);
    let solution = query.solve(&mut system.store, &fixpoint.set, fixpoint.clauses.list(), &[])?;
    Ok(solution.map(|solution| Violation { solution, query, formulas }))
}

/// A property of a startstate speaks of its parameters; it needs no invariant.
fn check_start(
    system: &mut System,
    start: usize,
    property: usize,
    interrupt: &Arc<AtomicBool>,
) -> Result<Option<Violation>, Interrupted> {
    let mut formulas = denied(system, property);
    formulas.push(system.starts[start].constraint);
    let layout = Layout::new(0);
    let parts =
        tenet_abstraction::Parts { always: formulas.clone(), instances: Vec::new(), posts: Vec::new() };
    let mut query = query(system, &layout, &parts, None, DEPTH, interrupt);
    let solution = query.solve(&mut system.store, &layout.space.full(), &[], &[])?;
    Ok(solution.map(|solution| Violation { solution, query, formulas }))
}

/// The negation of a property, without quantifiers at the top: its Skolem constants are visible.
fn denied(system: &mut System, property: usize) -> Vec<TermId> {
    let formula = system.properties[property].formula;
    let negation = system.store.mk_not(formula);
    let negation = system.store.nnf(negation);
    let policy =
        Policy { rounds: 1, limit: 10_000, forced: Vec::new(), forbidden: Vec::new(), definitions: &[] };
    let grounded = quantifier::ground(&mut system.store, &[negation], &[], &policy);
    // The quantified formula stays beside its ground version: later terms may be needed to instantiate it.
    let facts = grounded.facts.iter().map(|fact| fact.formula);
    grounded.roots.iter().copied().chain(facts).chain([negation]).collect()
}

//! Queries about formulas with quantifiers, set up in the same way for every engine: which terms quantifiers are instantiated with, and
//! which solver is asked.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Layout, Parts, Query, sort_hints};
use tenet_solve::Z3Solver;
use tenet_solve::quantifier::Policy;
use tenet_system::System;

/// Rounds in which new terms lead to new instances of quantifiers. One is enough for most proofs, and each multiplies
/// the instances.
const INSTANTIATION_ROUNDS: usize = 1;

/// Additional rounds at greater depth.
const EXTRA_ROUNDS_WHEN_DEEP: usize = 1;

/// Instances of quantifiers in one query, before a solver spends its time on them alone.
const MAX_INSTANCES: usize = 20_000;

pub struct Bounds {
    /// Rounds in which new terms lead to new instances of quantifiers. One is enough for most proofs, and each
    /// multiplies the instances.
    pub rounds: usize,
    pub instances: usize,
    /// Resource units of the solver for each check.
    pub units: Option<u32>,
    pub unfolds: bool,
}

/// Sets a query up, for instances of some depth.
///
/// Definitions are unfolded only at greater depth: each unfolding makes a witness, which is a term to unfold at, and what
/// a proof needs of a least definition is usually what its axioms say.
pub fn query(
    system: &mut System,
    layout: &Layout,
    parts: &Parts,
    rule: Option<usize>,
    depth: usize,
    interrupt: &Arc<AtomicBool>,
) -> Query {
    let rounds = INSTANTIATION_ROUNDS + depth.min(EXTRA_ROUNDS_WHEN_DEEP);
    let bounds = Bounds { rounds, instances: MAX_INSTANCES, units: None, unfolds: depth > 0 };
    bounded_query(system, layout, parts, rule, bounds, interrupt)
}

/// Sets a query up within these bounds.
pub fn bounded_query(
    system: &mut System,
    layout: &Layout,
    parts: &Parts,
    rule: Option<usize>,
    bounds: Bounds,
    interrupt: &Arc<AtomicBool>,
) -> Query {
    let policy = Policy {
        rounds: bounds.rounds,
        limit: bounds.instances,
        forced: sort_hints(system, rule, true),
        forbidden: sort_hints(system, rule, false),
        definitions: if bounds.unfolds { &system.definitions } else { &[] },
    };
    let solver = match parts.formulas().any(|formula| system.store.has_quantifier(formula)) {
        true => Z3Solver::instances(),
        false => Z3Solver::ground(),
    };
    let solver = match bounds.units {
        Some(units) => solver.within(units),
        None => solver,
    };
    Query::new(&mut system.store, layout, parts, &policy, Box::new(solver), interrupt.clone())
}

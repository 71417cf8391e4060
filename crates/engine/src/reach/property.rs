//! Does the invariant imply a property? (Lahiri and Bryant, section 5)
//!
//! The property is negated and Skolemised; then the invariant is instantiated at the constants and at the terms around
//! them, several tuples at once (QI-T7).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Interrupted, Layout, Observation, Parts, Query, Solution, set::Set};
use tenet_solve::quantifier::{self, Policy};
use tenet_system::{PropertyKind, System, domain};
use tenet_term::TermId;

use super::fixpoint::Fixpoint;
use crate::common::query::query;

/// Depth of the terms at which the invariant is instantiated.
const INSTANCE_DEPTH: usize = 1;

/// Whether a property is implied, of one set after the other, each larger than the one before.
pub struct Question {
    pub property: usize,
    /// Its model, after a violation, is a state that the set allows and the property does not.
    pub query: Query,
    pub formulas: Vec<TermId>,
    /// A property of a startstate speaks of its parameters; this set, without predicates, is all it needs.
    of_start: Option<Set>,
}

impl Question {
    pub fn new(
        system: &mut System,
        observation: &Observation,
        (layout, depth): (&Layout, usize),
        property: usize,
        interrupt: &Arc<AtomicBool>,
    ) -> Question {
        let mut formulas = denied(system, property);
        if let PropertyKind::Start { start } = system.properties[property].kind {
            formulas.push(system.starts[start].constraint);
            let params = system.starts[start].params.clone();
            formulas.extend(params.into_iter().map(|param| domain(&mut system.store, param)));
            let parts = Parts { always: formulas.clone(), instances: Vec::new(), posts: Vec::new() };
            let layout = Layout::new(0);
            let query = query(system, &layout, &parts, None, INSTANCE_DEPTH, interrupt);
            return Question { property, query, formulas, of_start: Some(layout.space.full()) };
        }
        let generated = observation.state_substitutions(system, &formulas, INSTANCE_DEPTH);
        let parts = observation.state(system, &formulas, &generated.substitutions);
        let query = query(system, layout, &parts, None, depth, interrupt);
        Question { property, query, formulas, of_start: None }
    }

    /// Does it need nothing but the startstate?
    pub fn is_about_start(&self) -> bool {
        self.of_start.is_some()
    }

    /// The valuations of the predicates in a state that satisfies the set and violates the property, as far as instances
    /// go. `None` if the property is implied.
    pub fn violation(
        &mut self,
        system: &mut System,
        fixpoint: &Fixpoint,
    ) -> Result<Option<Solution>, Interrupted> {
        match &self.of_start {
            Some(set) => self.query.solve(&mut system.store, set, &[], &[]),
            None => self.query.solve(&mut system.store, &fixpoint.set, fixpoint.clauses.list(), &[]),
        }
    }
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

//! What makes a result say less than it seems to (SPEC X-T2).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Layout, Observation, Parts};
use tenet_system::System;
use tenet_term::TermId;

use super::fixpoint::{Fixpoint, query};
use super::outcome::Warning;

impl Warning {
    /// Does it mean that everything, and so nothing, is proved?
    pub fn is_vacuous(&self) -> bool {
        matches!(self, Warning::AxiomsUnsatisfiable | Warning::NoStart)
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

/// Is there a state in which the axioms hold, as far as their instances tell?
/// Can all of these formulas hold together, as far as can be told?
pub fn is_satisfiable(system: &mut System, axioms: &[TermId], interrupt: &Arc<AtomicBool>) -> bool {
    if axioms.is_empty() {
        return true;
    }
    let parts = Parts { always: axioms.to_vec(), instances: Vec::new(), posts: Vec::new() };
    query(system, &Layout::new(0), &parts, None, 0, interrupt).is_possible(&system.store)
}

//! Reasons why a result says less than it seems to (X-T2).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::Observation;
use tenet_system::System;

use super::fixpoint::Fixpoint;
use crate::common::Warning;
use crate::common::vacuity::is_satisfiable;

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

//! Why a property is not implied: an abstract run that violates it, and a concrete instance of the step at which precision is lost.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Interrupted, Observation};
use tenet_system::System;

use super::details::{Cause, Failure, Imprecision, Snapshot, Step};
use super::fixpoint::Fixpoint;
use super::path::Past;
use super::property::Question;
use super::snapshot;

/// Explains a violation of a property by the limit. The question has a model of a state that the limit allows and the property
/// does not.
pub fn explain(
    system: &mut System,
    observation: &Observation,
    fixpoint: &Fixpoint,
    question: &mut Question,
    interrupt: &Arc<AtomicBool>,
) -> Failure {
    let witness = snapshot::of_state(system, &mut question.query, &question.formulas);
    let mut past = Past::new(system, observation, fixpoint, interrupt);
    // What cannot be found out in time is not shown.
    let path = past.path(question).unwrap_or_default();
    let imprecision = imprecision(&mut past, &path).unwrap_or_default();
    Failure { cause: Cause::Unclear, path, imprecision, witness }
}

/// The last step that changes a predicate which it need not change, or else the one that violates the property.
fn imprecision(past: &mut Past<'_>, path: &[Step]) -> Result<Option<Imprecision>, Interrupted> {
    let Some(last) = path.len().checked_sub(1) else { return Ok(None) };
    let mut found = (last, Vec::new());
    if past.system.indices.is_empty() {
        for step in (1..path.len()).rev() {
            let (before, after) = (&path[step - 1].state, &path[step].state);
            let Some(rule) = path[step].rule else { break };
            let undetermined = past.undetermined(rule, before, after)?;
            if undetermined.iter().any(|&predicate| before[predicate] != after[predicate]) {
                found = (step, undetermined);
                break;
            }
        }
    }
    let (step, undetermined) = found;
    let Some(rule) = path[step].rule else {
        let (before, after) = (Snapshot::default(), Snapshot::default());
        return Ok(Some(Imprecision { step, undetermined, before, after }));
    };
    let from = match past.system.indices.is_empty() {
        true => past.fixpoint.layout.valuation(&path[step - 1].state),
        false => past.set_before(&path[step].state),
    };
    let Some(mut query) = past.step(rule, &from, &path[step].state)? else { return Ok(None) };
    let (before, after) = snapshot::of_step(past.system, &mut query, &past.observation.predicates, rule);
    Ok(Some(Imprecision { step, undetermined, before, after }))
}

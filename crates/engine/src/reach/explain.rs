//! Why a property is not implied: an abstract run that violates it, a concrete instance of the step at which precision is lost, and
//! the predicates that might be missing there.

use tenet_abstraction::{Interrupted, Observation, Origin};
use tenet_system::System;
use tenet_term::TermId;

use super::details::{Candidate, Cause, Failure, Imprecision, Step};
use super::fixpoint::Fixpoint;
use super::path::Past;
use super::property::Question;
use super::snapshot;
use super::suggest::{Replay, rank};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Candidates that exclude the run, before the search for more ends.
const ENOUGH: usize = 3;

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
    let candidates = missing(&mut past, question.property, &path, ENOUGH).unwrap_or_default();
    Failure { cause: Cause::Unclear, path, imprecision, candidates, witness }
}

/// The best predicate that excludes an abstract run to a violation of the property, with the run.
pub fn suggestion(
    past: &mut Past<'_>,
    question: &mut Question,
) -> Result<Option<(Vec<Step>, Candidate)>, Interrupted> {
    let path = past.path(question)?;
    let best = missing(past, question.property, &path, 1)?.into_iter().next();
    Ok(best.filter(|candidate| candidate.excludes).map(|candidate| (path, candidate)))
}

/// The candidates for the step of the path at which precision is lost, those that exclude it first.
fn missing(
    past: &mut Past<'_>,
    property: usize,
    path: &[Step],
    enough: usize,
) -> Result<Vec<Candidate>, Interrupted> {
    let Some(losing) = losing_step(past, path)? else { return Ok(Vec::new()) };
    let predicate = |&position: &usize| past.observation.predicates[position];
    let mut targets: Vec<TermId> = losing.undetermined.iter().map(predicate).collect();
    targets.push(past.system.properties[property].formula);
    let depth = past.fixpoint.depth;
    let rules = past.rules(path);
    let replay = Replay { origin: Origin::Generated(depth), property, rules, interrupt: past.interrupt };
    rank(past.system, past.observation, &replay, path, losing.step, &targets, enough)
}

/// A step of a path and what the abstract state before it does not determine.
struct Losing {
    step: usize,
    undetermined: Vec<usize>,
    may_be_disabled: bool,
}

/// The last step that changes a predicate which it need not change, or whose rule need not be enabled, for closed predicates; else the
/// one that violates the property.
fn losing_step(past: &mut Past<'_>, path: &[Step]) -> Result<Option<Losing>, Interrupted> {
    let Some(last) = path.len().checked_sub(1) else { return Ok(None) };
    if past.system.indices.is_empty() {
        for step in (1..path.len()).rev() {
            let (before, after) = (&path[step - 1].state, &path[step].state);
            let Some(rule) = path[step].rule else { break };
            let undetermined = past.undetermined(rule, before, after)?;
            let may_be_disabled = past.may_be_disabled(rule, before)?;
            let changes = undetermined.iter().any(|&predicate| before[predicate] != after[predicate]);
            if changes || may_be_disabled {
                return Ok(Some(Losing { step, undetermined, may_be_disabled }));
            }
        }
    }
    Ok(Some(Losing { step: last, undetermined: Vec::new(), may_be_disabled: false }))
}

/// A concrete instance of that step.
fn imprecision(past: &mut Past<'_>, path: &[Step]) -> Result<Option<Imprecision>, Interrupted> {
    let Some(Losing { step, undetermined, may_be_disabled }) = losing_step(past, path)? else {
        return Ok(None);
    };
    let mut found = Imprecision {
        step,
        undetermined,
        may_be_disabled,
        before: Default::default(),
        after: Default::default(),
    };
    let Some(rule) = path[step].rule else { return Ok(Some(found)) };
    let from = match past.system.indices.is_empty() {
        true => past.fixpoint.layout.valuation(&path[step - 1].state),
        false => past.set_before(&path[step].state),
    };
    let Some(mut query) = past.step(rule, &from, &path[step].state)? else { return Ok(None) };
    (found.before, found.after) =
        snapshot::of_step(past.system, &mut query, &past.observation.predicates, rule);
    Ok(Some(found))
}

//! One property after the other, where an engine has claimed nothing of all of them together: one that is hard, or false in a way that
//! is not found, must not starve the others.
//!
//! All of them together come first, with a part of the time, because the lemmas of one mostly help the others. Each one alone gets a fair
//! slice of what is left then. Invariants of several properties are one invariant together, so there is one certificate in the end.

use crate::answer::NoAnswer;
use crate::attempt::{Attempt, claim, confirmed};
use crate::job::Job;
use crate::judge;
use crate::vacuous;
use crate::watcher::Watcher;
use tenet_engine::{Claim, Engine, Evidence, Outcome, Stop};
use tenet_system::{Advice, PropertyKind, System};

/// The part of the time that all properties together may take.
const TOGETHER: f64 = 0.85;

/// The part of what is left then that the search of small instances may take, if there is one.
pub(crate) const SEARCH: f64 = 0.3;

/// The properties that are tried alone: each one that the author wrote, and what the language demands as one.
fn groups(system: &System, chosen: &[usize]) -> Vec<Vec<usize>> {
    let is_demand = |&position: &usize| {
        let kind = system.properties[position].kind;
        matches!(kind, PropertyKind::Implicit { .. } | PropertyKind::Start { .. })
    };
    let (demands, named): (Vec<usize>, Vec<usize>) = chosen.iter().copied().partition(is_demand);
    let demands = Some(demands).filter(|demands| !demands.is_empty());
    named.into_iter().map(|position| vec![position]).chain(demands).collect()
}

/// Are these several properties, of which an engine can be asked apart?
pub(crate) fn is_possible(system: &System, chosen: &[usize], engine: &dyn Engine) -> bool {
    engine.gains_from_fewer_properties() && groups(system, chosen).len() > 1
}

/// The part of a budget for all properties together.
pub(crate) fn together<'a>(job: &Job<'a>, budget: &'a mut Option<crate::Budget>) -> Job<'a> {
    let budget = budget.insert(job.budget.slice(TOGETHER));
    Job { budget, ..*job }
}

/// Is nothing known of all of them, although there is time left to ask about each?
pub(crate) fn is_needed(
    job: &Job<'_>,
    system: &System,
    chosen: &[usize],
    engine: &dyn Engine,
    joint: &Attempt,
) -> bool {
    let is_open = joint.outcome.claims.iter().all(|claimed| matches!(claimed.claim, Claim::Open(_)));
    let is_over = !matches!(joint.stop, None | Some(Stop::Timeout)) || job.budget.stop().is_some();
    let is_vacuous = judge::vacuity(&joint.outcome, chosen).is_some();
    is_open && !is_over && !is_vacuous && is_possible(system, chosen, engine)
}

/// Tries the properties one by one; `joint` is what became of all together. Gives nothing if that tells no more.
pub(crate) fn attempt_apart(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    engine: &dyn Engine,
    joint: &Attempt,
) -> Result<Option<Attempt>, NoAnswer> {
    let groups = groups(system, chosen);
    let mut merged = Outcome { stop: None, ..joint.outcome.clone() };
    for (done, group) in groups.iter().enumerate() {
        let budget = job.budget.slice(1.0 / (groups.len() - done) as f64);
        let mut watcher = Watcher::start(&budget, job.observer)?;
        let outcome = claim(job, system, group, engine, &mut watcher)?;
        let is_violated = outcome.violated().is_some();
        merge(&mut merged, outcome);
        if is_violated || job.budget.stop().is_some() {
            break;
        }
    }
    let is_proof = |claim: &Claim| matches!(claim, Claim::Proof | Claim::Violation(_));
    if !merged.claims.iter().any(|claimed| is_proof(&claimed.claim)) {
        return Ok(None);
    }
    let watcher = Watcher::start(job.budget, job.observer)?;
    vacuous::add_warnings(job, system, chosen, &mut merged, &watcher);
    Ok(Some(confirmed(job, system, chosen, engine, merged, &watcher)))
}

/// Puts what is claimed of some properties into what is claimed of all.
fn merge(merged: &mut Outcome, outcome: Outcome) {
    for claimed in outcome.claims {
        let place = merged.claims.iter_mut().find(|known| known.property == claimed.property);
        place.into_iter().for_each(|place| place.claim = claimed.claim.clone());
    }
    merged.stop = merged.stop.or(outcome.stop);
    merged.statistics.solver_calls += outcome.statistics.solver_calls;
    merged.statistics.solver_seconds += outcome.statistics.solver_seconds;
    for warning in outcome.warnings {
        if !merged.warnings.contains(&warning) {
            merged.warnings.push(warning);
        }
    }
    if let Evidence::Invariant { lemmas, advice } = outcome.evidence {
        let (mut all, mut uses) = match std::mem::take(&mut merged.evidence) {
            Evidence::Invariant { lemmas, advice } => (lemmas, advice),
            Evidence::Nothing | Evidence::Derivations(_) => {
                (Vec::new(), Advice { uses: Some(Vec::new()), ..Advice::default() })
            }
        };
        extend(&mut uses, advice, all.len());
        all.extend(lemmas);
        merged.evidence = Evidence::Invariant { lemmas: all, advice: uses };
    }
}

/// Adds advice about lemmas that stand behind this number of others.
fn extend(known: &mut Advice, more: Advice, before: usize) {
    append(&mut known.rules, more.rules);
    known.uses = match (known.uses.take(), more.uses) {
        (Some(mut known), Some(more)) => {
            let moved = more.into_iter().map(|uses| {
                uses.into_iter().map(|(lemma, values)| (lemma + before, values)).collect::<Vec<_>>()
            });
            append(&mut known, moved.collect());
            Some(known)
        }
        _ => None,
    };
}

/// For each rule, what was known and what is new.
fn append<T>(known: &mut Vec<Vec<T>>, more: Vec<Vec<T>>) {
    known.resize_with(known.len().max(more.len()), Vec::new);
    for (known, more) in known.iter_mut().zip(more) {
        known.extend(more);
    }
}

//! Which of the four causes it is that a property is not proved, as far as small instances tell.
//!
//! A small instance can be gone through completely, and so can the sets of its valuations: no solver and no substitution
//! is involved. If even the exact abstraction does not imply a property that holds there, then nothing but other
//! predicates can help, because the abstraction for all sizes allows everything that the one for a single size does. If
//! it does imply it, what is missing are instances, in all likelihood. Where there are no small instances, as with integers,
//! the exact abstraction of the whole system may tell (`exactly`).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tenet_abstraction::Observation;
use tenet_abstraction::exact::{Exact, States};
use tenet_system::{PropertyKind, System};
use tenet_term::{Sort, SortId, TermId};

use super::details::{Cause, Implication};
use super::exactly;
use super::fixpoint::Fixpoint;

/// The sizes of index sorts that are explored.
const INSTANCE_SIZES: [u32; 3] = [1, 2, 3];

/// The largest instance that is explored.
const MAX_STATES: usize = 1 << 14;

/// Limit on pairs of a state with a choice or an assignment. A count, not a clock: the same question has the same
/// answer on every machine.
const MAX_PAIRS: usize = 1 << 17;

/// Fills in why properties (by position) are not implied.
pub fn fill_in(system: &System, implications: &mut [(usize, Implication)], interrupt: &AtomicBool) {
    let failures = implications.iter_mut().filter_map(|(property, implication)| match implication {
        // What is said of a startstate alone needs no predicates.
        Implication::NotImplied(failure) if !is_about_start(system, *property) => Some((*property, failure)),
        _ => None,
    });
    let failures: Vec<_> = failures.collect();
    if failures.is_empty() {
        return;
    }
    let instances = instances(system, interrupt);
    for (property, failure) in failures {
        let formula = system.properties[property].formula;
        let seen: Vec<Option<Seen>> = instances.iter().map(|instance| instance.see(formula)).collect();
        failure.cause = cause(&seen, instances.len() == sizes(system).len());
    }
}

/// The same for causes that small instances have not told, from the exact abstraction of the unbounded system.
pub fn fill_in_exactly(
    system: &mut System,
    observation: &Observation,
    fixpoint: &Fixpoint,
    implications: &mut [(usize, Implication)],
    interrupt: &Arc<AtomicBool>,
) {
    for (property, implication) in implications {
        let Implication::NotImplied(failure) = implication else { continue };
        if failure.cause != Cause::Unclear || is_about_start(system, *property) {
            continue;
        }
        failure.cause = match exactly::is_implied(system, observation, fixpoint, *property, interrupt) {
            Some(true) => Cause::Instances,
            Some(false) => Cause::PredicatesOrFalse,
            None => Cause::Unclear,
        };
    }
}

fn is_about_start(system: &System, property: usize) -> bool {
    matches!(system.properties[property].kind, PropertyKind::Start { .. })
}

/// What an instance says of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    /// Does it hold in every reachable state?
    holds: bool,
    /// Does the exact abstraction imply it?
    is_implied: bool,
}

/// The cause, from all instances that could be looked at; `all` says whether these are all that were meant to be.
fn cause(seen: &[Option<Seen>], all: bool) -> Cause {
    let known = || seen.iter().flatten();
    if known().any(|seen| !seen.holds) {
        Cause::False
    } else if known().any(|seen| !seen.is_implied) {
        Cause::Predicates
    } else if all && seen.iter().all(Option::is_some) {
        Cause::Instances
    } else {
        Cause::Unclear
    }
}

/// A finite instance with what is reachable in it, really and abstractly.
struct Instance<'a> {
    exact: Exact<'a>,
    reachable: States,
    allowed: States,
}

impl Instance<'_> {
    fn see(&self, formula: TermId) -> Option<Seen> {
        let everywhere = |states: &States| {
            let truths = states.iter().map(|&state| self.exact.holds(state, formula));
            truths.collect::<Result<Vec<bool>, _>>().ok().map(|truths| !truths.contains(&false))
        };
        Some(Seen { holds: everywhere(&self.reachable)?, is_implied: everywhere(&self.allowed)? })
    }
}

/// The instances that are small enough, up to the first that is not.
fn instances<'a>(system: &'a System, interrupt: &AtomicBool) -> Vec<Instance<'a>> {
    let mut instances = Vec::new();
    for &size in sizes(system) {
        let sizes: Vec<(SortId, u32)> = index_sorts(system).map(|sort| (sort, size)).collect();
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        // An instance that is not finite, too large, or leaves a range gives no answer.
        let Ok(exact) = Exact::within(system, &sizes, MAX_STATES, MAX_PAIRS) else { break };
        let reachable = exact.reachability().pop().unwrap_or_default();
        let limit = exact.abstract_reachability().pop().unwrap_or_default();
        let allowed = exact.gamma(&limit);
        instances.push(Instance { exact, reachable, allowed });
    }
    instances
}

fn index_sorts(system: &System) -> impl Iterator<Item = SortId> {
    system.store.sorts().filter(|(_, sort)| matches!(sort, Sort::Index { .. })).map(|(id, _)| id)
}

/// The sizes to look at; without index sorts there is only one instance.
fn sizes(system: &System) -> &'static [u32] {
    if index_sorts(system).next().is_some() { &INSTANCE_SIZES } else { &INSTANCE_SIZES[..1] }
}

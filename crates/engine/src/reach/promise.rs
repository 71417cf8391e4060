//! Promises: the declared ranges of values that a computation has assumed. Is each of them an invariant?
//!
//! That a variable is within its declared range is assumed before a step and is to be shown of the state after it
//! (X-T4). The limit is computed first, because it may take the limit to show it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Interrupted, Observation, Parts};
use tenet_system::System;
use tenet_term::TermId;

use super::fixpoint::Fixpoint;
use crate::common::query::query;

/// Those of the promises that every startstate and every step keeps, given all of them and the limit.
pub fn kept(
    system: &mut System,
    observation: &Observation,
    fixpoint: &Fixpoint,
    interrupt: &Arc<AtomicBool>,
) -> Result<Vec<TermId>, Interrupted> {
    let mut kept = observation.promises.clone();
    let mut question = Question { system, fixpoint, interrupt };
    for start in 0..question.system.starts.len() {
        question.houdini(&mut kept, None, |system, promises| {
            observation.broken_at_start(system, start, promises)
        })?;
    }
    for rule in 0..question.system.rules.len() {
        question.houdini(&mut kept, Some(rule), |system, promises| {
            observation.broken_by_rule(system, rule, &fixpoint.substitutions[rule], promises)
        })?;
    }
    Ok(kept)
}

struct Question<'a> {
    system: &'a mut System,
    fixpoint: &'a Fixpoint,
    interrupt: &'a Arc<AtomicBool>,
}

impl Question<'_> {
    /// Leaves the promises that are kept: all are asked about together, as a rule they are, and one by one if not.
    fn houdini(
        &mut self,
        kept: &mut Vec<TermId>,
        rule: Option<usize>,
        parts: impl Fn(&mut System, &[TermId]) -> Parts,
    ) -> Result<(), Interrupted> {
        let all = parts(self.system, kept);
        if kept.is_empty() || !self.is_possible(&all, rule)? {
            return Ok(());
        }
        for promise in std::mem::take(kept) {
            let one = parts(self.system, &[promise]);
            if !self.is_possible(&one, rule)? {
                kept.push(promise);
            }
        }
        Ok(())
    }

    /// Is there such a step from a state in the limit, as far as can be told?
    fn is_possible(&mut self, parts: &Parts, rule: Option<usize>) -> Result<bool, Interrupted> {
        let Fixpoint { layout, set, clauses, depth, .. } = self.fixpoint;
        let mut query = query(self.system, layout, parts, rule, *depth, self.interrupt);
        let solution = query.solve(&mut self.system.store, set, clauses.list(), &[])?;
        Ok(solution.is_some())
    }
}

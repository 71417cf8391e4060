//! Which of the candidate predicates exclude an abstract run.
//!
//! A candidate is added to the predicates, and the rules of the run are followed again from the startstates, with its value carried
//! along: if the property cannot be violated any more, this run, and each that leaves out some of its steps, is excluded. With closed
//! predicates only the rules of the run count. With index variables a step rests on all the valuations known before it, so
//! everything that was added up to the violation is done again.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Clauses, Interrupted, Layout, Observation, Origin};
use tenet_system::{Predicate, Property, System};
use tenet_term::{Substitution, TermId};
use tracing::debug;

use super::candidates::{Occasion, Proposal, candidates};
use super::details::{Candidate, Step};
use super::property::Question;
use crate::common::query::query;

/// Candidates that are tried for one run.
const MAX_TRIED: usize = 60;

/// A violation that candidates are to exclude.
pub struct Replay<'a> {
    pub origin: Origin,
    pub property: usize,
    /// The rules in the order in which they are taken.
    pub rules: Vec<usize>,
    pub interrupt: &'a Arc<AtomicBool>,
}

impl Replay<'_> {
    /// Can these rules lead to a violation, as far as these predicates tell?
    fn is_violated(&self, system: &mut System, observation: &Observation) -> Result<bool, Interrupted> {
        let layout = Layout::new(observation.predicates.len());
        let depth = self.origin.depth();
        let nothing = layout.space.empty();
        let mut set = nothing.clone();
        for start in 0..system.starts.len() {
            let parts = observation.start(system, start);
            let mut query = query(system, &layout, &parts, None, depth, self.interrupt);
            set = query.image(&mut system.store, &nothing, &[], &set)?;
        }
        for &rule in &self.rules {
            let mut clauses = Clauses::default();
            clauses.update(&layout, &set);
            let substitutions = self.substitutions(system, observation, rule);
            let parts = observation.rule(system, rule, &substitutions);
            let mut query = query(system, &layout, &parts, Some(rule), depth, self.interrupt);
            set = query.image(&mut system.store, &set, clauses.list(), &set)?;
        }
        let mut question =
            Question::new(system, observation, (&layout, depth), self.property, self.interrupt);
        let mut clauses = Clauses::default();
        clauses.update(&layout, &set);
        Ok(question.query.solve(&mut system.store, &set, clauses.list(), &[])?.is_some())
    }

    fn substitutions(
        &self,
        system: &mut System,
        observation: &Observation,
        rule: usize,
    ) -> Vec<Substitution> {
        let mut substitutions = observation.rule_substitutions(system, rule, self.origin).substitutions;
        if substitutions.is_empty() {
            substitutions.push(Substitution::new());
        }
        substitutions
    }
}

/// Makes the conjuncts of properties the predicates, where there are none.
pub fn begin_with_properties(system: &mut System, properties: &[usize]) {
    for &property in properties {
        let Property { source, formula, .. } = system.properties[property].clone();
        for conjunct in system.store.conjuncts(formula) {
            let is_known = system.predicates.iter().any(|known| known.formula == conjunct);
            if !is_known && !conjunct.is_bool_literal() {
                let name = system.store.print_source(conjunct);
                system.predicates.push(Predicate { name, source, formula: conjunct });
            }
        }
    }
}

/// The candidates for the step at which a run loses precision, those that exclude the run first, and then smaller ones first. Those of
/// other steps follow, the nearest step first. Ends as soon as `enough` are found that exclude the run.
pub fn rank(
    system: &mut System,
    observation: &Observation,
    replay: &Replay<'_>,
    path: &[Step],
    losing: usize,
    targets: &[TermId],
    enough: usize,
) -> Result<Vec<Candidate>, Interrupted> {
    let mut tried: Vec<Candidate> = Vec::new();
    let excluding = |tried: &[Candidate]| tried.iter().filter(|one| one.excludes).count();
    let mut steps: Vec<usize> = (0..path.len()).collect();
    steps.sort_by_key(|&step| (step.abs_diff(losing), step < losing));
    for step in steps {
        if excluding(&tried) > 0 {
            break; // Those of the step itself say most.
        }
        let occasion = Occasion { rule: path[step].rule, targets };
        for Proposal { formula, material } in candidates(system, &occasion) {
            if tried.len() == MAX_TRIED || excluding(&tried) == enough {
                break;
            }
            if tried.iter().any(|one| one.formula == formula) {
                continue;
            }
            let mut extended = observation.clone();
            extended.predicates.push(formula);
            let excludes = !replay.is_violated(system, &extended)?;
            let text = system.store.print_source(formula);
            debug!(candidate = text, excludes, "candidate tried");
            tried.push(Candidate { formula, text, material, step, excludes });
        }
    }
    tried.sort_by_key(|candidate| !candidate.excludes);
    Ok(tried)
}

//! The engine `reach`: the strongest invariant that can be said with given predicates (Lahiri and Bryant; Das, Dill and Park).
//!
//! `fixpoint` computes the set of valuations, `property` checks what it implies, `invariant` writes it down,
//! `explain` and `cause` say why a property is not proved. If one is not, everything is computed again with more
//! substitutions, which can only make the set smaller (QI-A7).

mod cause;
mod engine;
mod explain;
mod fixpoint;
mod invariant;
mod outcome;
mod promise;
mod property;
mod vacuity;

pub use crate::common::Warning;
pub use engine::{Details, Reach};
pub use outcome::{
    Cause, Failure, Image, Implication, Instances, Introduced, Iteration, Options, Outcome, PropertyOutcome,
    Snapshot, Statistics,
};

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::log;
use crate::common::watch::{Stop, Watch};
use fixpoint::{Fixpoint, stopped};
use property::Question;
use tenet_abstraction::{Interrupted, Observation, Origin};
use tenet_system::System;
use tracing::{debug, info, info_span};

/// Computes the strongest invariant over the system's predicates and checks properties with it.
///
/// The system is changed only by terms and symbols added to its store.
pub fn reach(system: &mut System, options: &Options, watch: &mut dyn Watch) -> Outcome {
    let _span = info_span!("reach").entered();
    info!(rules = system.rules.len(), predicates = system.predicates.len(), "engine begins");
    let mut run = Run { observation: Observation::of(system), interrupt: watch.interrupt(), options };
    let promises = run.observation.promises.clone();
    let last = match options.instances {
        // Without index variables the second deepening asks what the first has asked.
        Instances::Generated { deepenings } if system.indices.is_empty() => deepenings.min(1),
        Instances::Generated { deepenings } => deepenings,
        Instances::Forced => 0,
    };
    for depth in 0.. {
        let origin = match options.instances {
            Instances::Generated { .. } => Origin::Generated(depth),
            Instances::Forced => Origin::Forced,
        };
        run.observation.promises = promises.clone();
        // A proof that has failed is not computed to its end if there is a better one to be tried.
        let until_violated = depth < last || options.until_violated;
        debug!(depth, "attempt begins");
        let mut attempt = run.attempt(system, origin, until_violated, watch);
        if depth < last && matches!(attempt.end, Ok(End::Violated)) {
            continue;
        }
        let mut outcome = run.outcome(system, &mut attempt, watch);
        outcome.deepenings = depth;
        if depth == last || !outcome.is_worth_deepening() {
            cause::fill_in(system, &mut outcome, &run.interrupt);
            let (iterations, lemmas) = (outcome.iterations.len(), outcome.invariant.len());
            info!(iterations, lemmas, is_complete = outcome.complete, stop = ?outcome.stop, "engine ends");
            return outcome;
        }
    }
    unreachable!("the last depth returns")
}

impl Outcome {
    fn is_worth_deepening(&self) -> bool {
        self.complete
            && self.warnings.iter().all(|warning| !warning.is_vacuous())
            && self.properties.iter().any(|property| matches!(property.verdict, Implication::NotProved(_)))
    }
}

impl Attempt {
    fn is_violated(&mut self, system: &mut System) -> Result<bool, Interrupted> {
        for question in &mut self.questions {
            if question.violation(system, &self.fixpoint)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

struct Run<'a> {
    observation: Observation,
    interrupt: Arc<AtomicBool>,
    options: &'a Options,
}

/// A computation with substitutions of one depth.
struct Attempt {
    fixpoint: Fixpoint,
    questions: Vec<Question>,
    end: Result<End, Stop>,
}

enum End {
    /// Nothing can be added.
    Limit,
    /// What has been added violates a property, and so will the limit.
    Violated,
}

impl Run<'_> {
    /// The limit with substitutions of one depth. A promise that it rests on and that turns out not to be kept is taken
    /// back, and everything is done again without it.
    fn attempt(
        &mut self,
        system: &mut System,
        origin: Origin,
        until_violated: bool,
        watch: &mut dyn Watch,
    ) -> Attempt {
        loop {
            let fixpoint = Fixpoint::new(system, &self.observation, origin, &self.interrupt);
            let properties = self.chosen(system).into_iter();
            let questions = properties
                .map(|property| {
                    Question::new(system, &self.observation, &fixpoint, property, &self.interrupt)
                })
                .collect();
            let mut attempt = Attempt { fixpoint, questions, end: Ok(End::Limit) };
            attempt.end = self.iterate(system, &mut attempt, until_violated, watch);
            if !matches!(attempt.end, Ok(End::Limit)) {
                return attempt;
            }
            match promise::kept(system, &self.observation, &attempt.fixpoint, &self.interrupt) {
                Ok(kept) if kept.len() == self.observation.promises.len() => return attempt,
                Ok(kept) => {
                    debug!(
                        kept = kept.len(),
                        of = self.observation.promises.len(),
                        "values leave their types"
                    );
                    self.observation.promises = kept;
                }
                Err(Interrupted) => {
                    attempt.end = Err(stopped(watch));
                    return attempt;
                }
            }
        }
    }

    /// Iterates to the limit, or until told to stop.
    fn iterate(
        &self,
        system: &mut System,
        attempt: &mut Attempt,
        until_violated: bool,
        watch: &mut dyn Watch,
    ) -> Result<End, Stop> {
        attempt.fixpoint.start(system, self.options.image).map_err(|_| stopped(watch))?;
        loop {
            attempt.fixpoint.report(watch);
            if until_violated && attempt.is_violated(system).map_err(|_| stopped(watch))? {
                return Ok(End::Violated);
            }
            if !attempt.fixpoint.step(system, self.options, watch)? {
                return Ok(End::Limit);
            }
        }
    }

    fn outcome(&mut self, system: &mut System, attempt: &mut Attempt, watch: &mut dyn Watch) -> Outcome {
        let Attempt { fixpoint, questions, end } = attempt;
        let mut outcome = Outcome {
            iterations: fixpoint.iterations.clone(),
            complete: matches!(end, Ok(End::Limit)),
            stop: end.as_ref().err().copied(),
            invariant: Vec::new(),
            properties: Vec::new(),
            substitutions: fixpoint.substitutions.clone(),
            deepenings: 0,
            warnings: vacuity::warnings(system, &self.observation, fixpoint, &self.interrupt),
            statistics: fixpoint.statistics(),
        };
        outcome.statistics.clauses = fixpoint.clauses.list().len();
        for question in questions {
            let verdict = match end {
                Ok(end) => self.verdict(system, fixpoint, question, end),
                Err(_) => Ok(Implication::Open),
            };
            let verdict = verdict.unwrap_or_else(|Interrupted| {
                outcome.stop = Some(stopped(watch));
                Implication::Open
            });
            let name = system.properties[question.property].name.as_str();
            debug!(name, is_proved = matches!(verdict, Implication::Proved), "property checked");
            outcome.properties.push(PropertyOutcome { property: question.property, verdict });
        }
        if outcome.complete {
            self.write_down(system, fixpoint, &mut outcome);
        }
        outcome
    }

    fn chosen(&self, system: &System) -> Vec<usize> {
        match &self.options.properties {
            Some(properties) => properties.clone(),
            None => (0..system.properties.len()).collect(),
        }
    }

    fn verdict(
        &self,
        system: &mut System,
        fixpoint: &Fixpoint,
        question: &mut Question,
        end: &End,
    ) -> Result<Implication, Interrupted> {
        Ok(match (question.violation(system, fixpoint)?, end) {
            (Some(solution), _) => {
                let (observation, interrupt) = (&self.observation, &self.interrupt);
                let failure = explain::explain(system, observation, fixpoint, question, &solution, interrupt);
                Implication::NotProved(Box::new(failure))
            }
            (None, End::Limit) => Implication::Proved,
            (None, End::Violated) => Implication::Open,
        })
    }

    /// The invariant: the promises about values that are kept, and the limit.
    fn write_down(&self, system: &mut System, fixpoint: &Fixpoint, outcome: &mut Outcome) {
        let mut clauses = fixpoint.clauses.list().to_vec();
        if self.options.simplify {
            let (simpler, statistics) =
                invariant::simplify(system, &self.observation, &clauses, &self.interrupt);
            clauses = simpler;
            outcome.statistics.solver_calls += statistics.calls;
            outcome.statistics.solver_seconds += statistics.seconds;
        }
        for lemma in system.value_lemmas() {
            let formula = lemma.formula(&mut system.store);
            if self.observation.promises.contains(&formula) {
                outcome.invariant.push(lemma);
            }
        }
        outcome.invariant.extend(invariant::lemmas(system, &self.observation, &clauses));
        for lemma in &outcome.invariant {
            debug!(lemma = log::lemma(&system.store, lemma), "lemma learned");
        }
    }
}

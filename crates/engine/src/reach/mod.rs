//! The engine `reach`: the strongest invariant that can be said with given predicates (SPEC 1.2, 2.2).
//!
//! `fixpoint` computes the set of valuations, `property` checks what it implies, `invariant` writes it down, `explain`
//! and `cause` say why a property is not proved. If one is not, the whole is done again with more substitutions: they
//! can only make the set smaller (SPEC QI-A7).

mod cause;
mod explain;
mod fixpoint;
mod invariant;
mod outcome;
mod promise;
mod property;
mod vacuity;

pub use outcome::{
    Cause, Failure, Image, Instances, Introduced, Iteration, Options, Outcome, PropertyOutcome, Snapshot,
    Statistics, Verdict, Warning,
};

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::watch::{Stop, Watch};
use fixpoint::Fixpoint;
use tenet_abstraction::{Interrupted, Observation, Origin};
use tenet_system::System;

/// Computes the strongest invariant over the system's predicates and checks properties with it.
///
/// The system is changed only by terms and symbols added to its store.
pub fn reach(system: &mut System, options: &Options, watch: &mut dyn Watch) -> Outcome {
    let mut run = Run { observation: Observation::of(system), interrupt: watch.interrupt(), options };
    let promises = run.observation.promises.clone();
    let last = match options.instances {
        Instances::Generated { deepenings } => deepenings,
        Instances::Forced => 0,
    };
    let mut depth = 0;
    loop {
        let origin = match options.instances {
            Instances::Generated { .. } => Origin::Generated(depth),
            Instances::Forced => Origin::Forced,
        };
        run.observation.promises = promises.clone();
        let mut outcome = run.attempt(system, origin, watch);
        outcome.deepenings = depth;
        // Without index variables the second deepening asks what the first has asked.
        let is_last = depth >= last || (system.indices.is_empty() && depth > 0);
        if is_last || !outcome.is_worth_deepening() {
            cause::tell(system, &mut outcome, &run.interrupt);
            return outcome;
        }
        depth += 1;
    }
}

impl Outcome {
    fn is_worth_deepening(&self) -> bool {
        self.complete
            && self.warnings.iter().all(|warning| !warning.is_vacuous())
            && self.properties.iter().any(|property| matches!(property.verdict, Verdict::NotProved(_)))
    }
}

struct Run<'a> {
    observation: Observation,
    interrupt: Arc<AtomicBool>,
    options: &'a Options,
}

impl Run<'_> {
    /// The limit with substitutions of one depth. A promise that it rests on and that turns out not to be kept is taken
    /// back, and everything is done again without it.
    fn limit(
        &mut self,
        system: &mut System,
        origin: Origin,
        watch: &mut dyn Watch,
    ) -> (Fixpoint, Result<(), Stop>) {
        loop {
            let mut fixpoint = Fixpoint::new(system, &self.observation, origin, &self.interrupt);
            let result = fixpoint.run(system, self.options, watch);
            if result.is_err() {
                return (fixpoint, result);
            }
            match promise::kept(system, &self.observation, &fixpoint, &self.interrupt) {
                Ok(kept) if kept.len() == self.observation.promises.len() => return (fixpoint, Ok(())),
                Ok(kept) => self.observation.promises = kept,
                Err(Interrupted) => return (fixpoint, Err(watch.stop().unwrap_or(Stop::Interrupt))),
            }
        }
    }

    /// One computation with substitutions of one depth.
    fn attempt(&mut self, system: &mut System, origin: Origin, watch: &mut dyn Watch) -> Outcome {
        let (fixpoint, result) = self.limit(system, origin, watch);
        let mut outcome = Outcome {
            iterations: fixpoint.iterations.clone(),
            complete: result.is_ok(),
            stop: result.err(),
            invariant: Vec::new(),
            properties: Vec::new(),
            substitutions: fixpoint.substitutions.clone(),
            deepenings: 0,
            warnings: vacuity::warnings(system, &self.observation, &fixpoint, &self.interrupt),
            statistics: fixpoint.statistics(),
        };
        outcome.statistics.clauses = fixpoint.clauses.list().len();
        for property in self.chosen(system) {
            let verdict = match outcome.complete {
                true => self.verdict(system, &fixpoint, property),
                false => Ok(Verdict::Open),
            };
            let verdict = verdict.unwrap_or_else(|Interrupted| {
                outcome.stop = Some(watch.stop().unwrap_or(Stop::Interrupt));
                Verdict::Open
            });
            outcome.properties.push(PropertyOutcome { property, verdict });
        }
        if outcome.complete {
            self.write_down(system, &fixpoint, &mut outcome);
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
        property: usize,
    ) -> Result<Verdict, Interrupted> {
        let violation = property::check(system, &self.observation, fixpoint, property, &self.interrupt)?;
        Ok(match violation {
            None => Verdict::Proved,
            Some(violation) => {
                let failure =
                    explain::explain(system, &self.observation, fixpoint, violation, &self.interrupt);
                Verdict::NotProved(Box::new(failure))
            }
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
    }
}

//! The engine `reach`: the strongest invariant that can be said with given predicates (Lahiri and Bryant; Das, Dill and Park).
//!
//! `fixpoint` computes the set of valuations, `property` checks what it implies, `invariant` writes it down,
//! `explain` and `cause` say why a property is not proved. If one is not, everything is computed again with more
//! substitutions, which can only make the set smaller (QI-A7).

mod candidates;
mod cause;
mod details;
mod engine;
mod exactly;
mod explain;
mod fixpoint;
mod invariant;
mod path;
mod promise;
mod property;
mod snapshot;
mod suggest;
mod vacuity;

pub use crate::common::Warning;
pub use candidates::Material;
pub use details::{
    Candidate, Cause, Details, Failure, Image, Imprecision, Instances, Iteration, Options, Round, Snapshot,
    Step,
};
pub use engine::Reach;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::log;
use crate::common::watch::{Stop, Watch};
use crate::interface::{self, Outcome, Unfit};
use details::Implication;
use fixpoint::{Fixpoint, stopped};
use path::Past;
use property::Question;
use tenet_abstraction::{Interrupted, Observation, Origin};
use tenet_system::{Lemma, Predicate, System};
use tracing::{debug, info, info_span};

/// Computes the strongest invariant over the system's predicates and checks properties with it.
///
/// The system is changed only by terms and symbols added to its store.
pub fn reach(system: &mut System, properties: &[usize], options: &Options, watch: &mut dyn Watch) -> Outcome {
    let _span = info_span!("reach").entered();
    if options.suggestions > 0 && system.predicates.is_empty() {
        suggest::begin_with_properties(system, properties);
    }
    info!(rules = system.rules.len(), predicates = system.predicates.len(), "engine begins");
    let mut run =
        Run { observation: Observation::of(system), interrupt: watch.interrupt(), properties, options };
    let promises = run.observation.promises.clone();
    let last = match options.instances {
        // Without index variables the second deepening asks what the first has asked.
        Instances::Generated { deepenings } if system.indices.is_empty() => deepenings.min(1),
        Instances::Generated { deepenings } => deepenings,
        Instances::Forced => 0,
    };
    let (mut depth, mut rounds) = (0, Vec::new());
    let mut suggestions = options.suggestions;
    loop {
        let origin = match options.instances {
            Instances::Generated { .. } => Origin::Generated(depth),
            Instances::Forced => Origin::Forced,
        };
        run.observation.promises = promises.clone();
        // A proof that has failed is not computed to its end if there is a better one to be tried.
        let until_violated = depth < last || suggestions > 0 || options.until_violated;
        debug!(depth, "attempt begins");
        let mut attempt = run.attempt(system, origin, until_violated, watch);
        if let Ok(End::Refused(why)) = attempt.end {
            let why = format!("images cannot be computed with decision diagrams alone: {why}");
            return Outcome::unfit(properties, Unfit { why, hint: "leave `--image bdd` out".to_string() });
        }
        if matches!(attempt.end, Ok(End::Violated)) {
            if depth < last {
                depth += 1;
                continue;
            }
            // A run that more instances exclude needs no predicate.
            if let (true, Ok(Some((round, predicate)))) =
                (suggestions > 0, run.suggestion(system, &mut attempt))
            {
                info!(predicate = round.predicate, "predicate added");
                rounds.push(round);
                system.predicates.push(predicate);
                run.observation = Observation::of(system);
                (depth, suggestions) = (0, suggestions - 1);
                continue;
            }
            if suggestions > 0 {
                suggestions = 0;
                continue;
            }
        }
        let mut reached = run.reached(system, &mut attempt, watch);
        reached.details.deepenings = depth;
        reached.details.rounds = std::mem::take(&mut rounds);
        if depth == last || !reached.is_worth_deepening() {
            cause::fill_in(system, &mut reached.implications, &run.interrupt);
            cause::fill_in_exactly(
                system,
                &run.observation,
                &attempt.fixpoint,
                &mut reached.implications,
                &run.interrupt,
            );
            let (iterations, lemmas) = (reached.details.iterations.len(), reached.invariant.len());
            let is_complete = reached.details.is_complete;
            info!(iterations, lemmas, is_complete, stop = ?reached.stop, "engine ends");
            return reached.outcome();
        }
        rounds = reached.details.rounds;
        depth += 1;
    }
}

/// What a computation gave.
struct Reached {
    details: Details,
    /// Why it stopped before the limit.
    stop: Option<Stop>,
    /// The invariant, a conjunction; empty unless the limit was reached. Includes the promises about values that it rests on.
    invariant: Vec<Lemma>,
    /// What it says of each property, by position.
    implications: Vec<(usize, Implication)>,
    warnings: Vec<Warning>,
    statistics: interface::Statistics,
}

impl Reached {
    fn is_worth_deepening(&self) -> bool {
        self.details.is_complete
            && self.warnings.iter().all(|warning| !warning.is_vacuous())
            && self.implications.iter().any(|(_, found)| matches!(found, Implication::NotImplied(_)))
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
    /// The properties in question.
    properties: &'a [usize],
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
    /// Images cannot be computed in the way that was asked for.
    Refused(String),
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
            let mut fixpoint = Fixpoint::new(system, &self.observation, origin, &self.interrupt);
            let refused = match self.options.image {
                Image::Elimination => fixpoint.encode(system).err(),
                Image::Cubes | Image::Recursion => None,
            };
            let questions = self.properties.iter();
            let questions = questions
                .map(|&property| {
                    let of = (&fixpoint.layout, fixpoint.depth);
                    Question::new(system, &self.observation, of, property, &self.interrupt)
                })
                .collect();
            let mut attempt = Attempt { fixpoint, questions, end: Ok(End::Limit) };
            attempt.end = match refused {
                Some(why) => Ok(End::Refused(why)),
                None => self.iterate(system, &mut attempt, until_violated, watch),
            };
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
            if attempt.fixpoint.is_given_up() {
                return Ok(End::Refused("a diagram is too large".to_string()));
            }
            if until_violated && attempt.is_violated(system).map_err(|_| stopped(watch))? {
                return Ok(End::Violated);
            }
            if !attempt.fixpoint.step(system, self.options, watch)? && !attempt.fixpoint.is_given_up() {
                return Ok(End::Limit);
            }
        }
    }

    /// A predicate that excludes the violation, if there is one.
    fn suggestion(
        &self,
        system: &mut System,
        attempt: &mut Attempt,
    ) -> Result<Option<(Round, Predicate)>, Interrupted> {
        for question in &mut attempt.questions {
            if question.violation(system, &attempt.fixpoint)?.is_none() {
                continue;
            }
            let mut past = Past::new(system, &self.observation, &attempt.fixpoint, &self.interrupt);
            let found = explain::suggestion(&mut past, question)?;
            return Ok(found.map(|(path, best)| {
                let round = Round {
                    property: question.property,
                    steps: path.len() - 1,
                    rule: path[best.step].rule,
                    material: best.material,
                    predicate: best.text.clone(),
                };
                let source = system.properties[question.property].source;
                (round, Predicate { name: best.text, source, formula: best.formula })
            }));
        }
        Ok(None)
    }

    fn reached(&mut self, system: &mut System, attempt: &mut Attempt, watch: &mut dyn Watch) -> Reached {
        let Attempt { fixpoint, questions, end } = attempt;
        let warnings = vacuity::warnings(system, &self.observation, fixpoint, &self.interrupt);
        let asked = fixpoint.statistics();
        let mut reached = Reached {
            details: Details {
                iterations: fixpoint.iterations.clone(),
                is_complete: matches!(end, Ok(End::Limit)),
                substitutions: fixpoint.substitutions.clone(),
                deepenings: 0,
                rounds: Vec::new(),
                nodes: fixpoint.set.nodes(),
                clauses: fixpoint.clauses.list().len(),
            },
            stop: end.as_ref().err().copied(),
            invariant: Vec::new(),
            implications: Vec::new(),
            warnings,
            statistics: interface::Statistics {
                solver_calls: asked.calls,
                solver_seconds: asked.seconds,
                ..interface::Statistics::default()
            },
        };
        for question in questions {
            let implication = match end {
                Ok(end) => self.implication(system, fixpoint, question, end),
                Err(_) => Ok(Implication::Open),
            };
            let implication = implication.unwrap_or_else(|Interrupted| {
                reached.stop = Some(stopped(watch));
                Implication::Open
            });
            let name = system.properties[question.property].name.as_str();
            debug!(name, is_implied = matches!(implication, Implication::Implied), "property checked");
            reached.implications.push((question.property, implication));
        }
        if reached.details.is_complete {
            self.write_down(system, fixpoint, &mut reached);
        }
        reached
    }

    fn implication(
        &self,
        system: &mut System,
        fixpoint: &Fixpoint,
        question: &mut Question,
        end: &End,
    ) -> Result<Implication, Interrupted> {
        Ok(match (question.violation(system, fixpoint)?, end) {
            (Some(_), _) => {
                let (observation, interrupt) = (&self.observation, &self.interrupt);
                let failure = explain::explain(system, observation, fixpoint, question, interrupt);
                Implication::NotImplied(Box::new(failure))
            }
            (None, End::Limit) => Implication::Implied,
            (None, End::Violated | End::Refused(_)) => Implication::Open,
        })
    }

    /// The invariant: the promises about values that are kept, and the limit.
    fn write_down(&self, system: &mut System, fixpoint: &Fixpoint, reached: &mut Reached) {
        let mut clauses = fixpoint.clauses.list().to_vec();
        if self.options.simplify {
            let (simpler, statistics) =
                invariant::simplify(system, &self.observation, &clauses, &self.interrupt);
            clauses = simpler;
            reached.statistics.solver_calls += statistics.calls;
            reached.statistics.solver_seconds += statistics.seconds;
        }
        for lemma in system.value_lemmas() {
            let formula = lemma.formula(&mut system.store);
            if self.observation.promises.contains(&formula) {
                reached.invariant.push(lemma);
            }
        }
        reached.invariant.extend(invariant::lemmas(system, &self.observation, &clauses));
        for lemma in &reached.invariant {
            debug!(lemma = log::lemma(&system.store, lemma), "lemma learned");
        }
    }
}

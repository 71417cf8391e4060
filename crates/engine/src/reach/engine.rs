//! `reach` behind the interface of all engines.

use super::{Cause, Failure, Implication, Iteration, Options, Outcome, PropertyOutcome, reach};
use crate::common::watch::{Stop, Watch};
use crate::interface::{
    self, Claim, Engine, Evidence, Obstacle, Open, PropertyClaim, Reason, Statistics, Subject, Unfit,
};
use tenet_system::{Advice, System, words};
use tenet_term::Substitution;

/// The engine `reach`. Which properties its options name does not matter: the caller says it.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    pub options: Options,
}

/// Statistics of the computation.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// The sets, one after the other: the initial one first.
    pub iterations: Vec<Iteration>,
    pub substitutions: Vec<Vec<Substitution>>,
    pub deepenings: usize,
    /// Nodes of the last set's decision diagram.
    pub nodes: usize,
    /// Clauses of the invariant before it was made irredundant.
    pub clauses: usize,
}

impl Details {
    /// The iterations that added something: what the papers count.
    pub fn productive(&self) -> usize {
        super::outcome::productive(&self.iterations)
    }
}

impl Engine for Reach {
    fn name(&self) -> &'static str {
        "reach"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        has_predicates(subject.system(self.name())?)
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> interface::Outcome {
        let Subject::System(system) = subject else {
            return interface::Outcome::unfit(properties, Unfit::for_systems(self.name()));
        };
        if let Err(unfit) = has_predicates(system) {
            return interface::Outcome::unfit(properties, unfit);
        }
        let options = Options { properties: Some(properties.to_vec()), ..self.options.clone() };
        claimed(reach(system, &options, watch))
    }

    fn gains_from_fewer_properties(&self) -> bool {
        false
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some("force the missing instances with `instantiate`")
    }
}

fn has_predicates(system: &System) -> Result<(), Unfit> {
    match system.predicates.is_empty() {
        false => Ok(()),
        true => Err(Unfit {
            why: "there are no predicates to abstract with".to_string(),
            hint: "declare index variables and predicates, `index i : NODE; predicate cache[i] = Exclusive;`, in a `.tenet` \
                   file or in a file of their own that --predicates names"
                .to_string(),
        }),
    }
}

fn claimed(outcome: Outcome) -> interface::Outcome {
    let done = outcome.iterations.len().saturating_sub(1) as u64;
    let so_far = format!("after {}", words::counted(done, "iteration"));
    let claims = outcome.properties.into_iter().map(|PropertyOutcome { property, verdict }| {
        let claim = match verdict {
            Implication::Proved if outcome.complete => Claim::Proof,
            Implication::NotProved(failure) if outcome.complete => Claim::Open(not_implied(failure)),
            Implication::Proved | Implication::NotProved(_) | Implication::Open => {
                Claim::Open(without_limit(outcome.stop, &so_far))
            }
        };
        PropertyClaim { property, claim }
    });
    let claims = claims.collect();
    let evidence = match outcome.complete {
        true => {
            let advice = Advice { rules: outcome.substitutions.clone(), ..Advice::default() };
            Evidence::Invariant { lemmas: outcome.invariant, advice }
        }
        false => Evidence::Nothing,
    };
    let details = Details {
        iterations: outcome.iterations,
        substitutions: outcome.substitutions,
        deepenings: outcome.deepenings,
        nodes: outcome.statistics.nodes,
        clauses: outcome.statistics.clauses,
    };
    let statistics = Statistics {
        solver_calls: outcome.statistics.solver_calls,
        solver_seconds: outcome.statistics.solver_seconds,
        details: interface::Details::Reach(details),
    };
    interface::Outcome {
        claims,
        evidence,
        warnings: outcome.warnings,
        statistics,
        stop: outcome.stop,
        so_far,
    }
}

fn without_limit(stop: Option<Stop>, so_far: &str) -> Open {
    match stop {
        Some(Stop::Memory) => {
            let hint = Some("raise --memory, or use fewer predicates".to_string());
            Open { hint, ..Open::stopped(Stop::Memory, so_far) }
        }
        Some(stop) => Open::stopped(stop, so_far),
        None => {
            let why = format!("the iteration did not end {so_far}");
            Open::new(Reason::Unfinished, why, "use fewer predicates")
        }
    }
}

/// The invariant does not imply the property, for one of the four causes. That it is called false counts for nothing without a run.
fn not_implied(failure: Box<Failure>) -> Open {
    let (reason, why, hint) = match failure.cause {
        Cause::Predicates => (
            Reason::Predicates,
            "the predicates do not suffice, whatever the substitutions",
            "if the step shown is impossible, add a predicate that says why",
        ),
        Cause::Instances => (
            Reason::Substitutions,
            "the predicates suffice for small instances, but the substitutions do not",
            "raise --deepen, or force the missing terms with `instantiate`",
        ),
        Cause::False | Cause::Unclear => (
            Reason::Unclear,
            "the predicates or the substitutions do not suffice, or it is false",
            "if the step shown is impossible, add a predicate that says why; else raise --deepen",
        ),
    };
    Open::new(reason, why, hint).because_of(Obstacle::State(failure))
}

//! `reach` behind the interface of all engines.

use super::details::{Cause, Failure, Implication};
use super::{Options, Reached, reach};
use crate::common::watch::{Stop, Watch};
use crate::interface::{
    Claim, Details, Engine, Evidence, InstanceSearch, Obstacle, Open, Outcome, PropertyClaim, Reason,
    Statistics, Subject, Unfit,
};
use tenet_system::{Advice, System, words};

#[derive(Clone, Debug, Default)]
pub struct Reach {
    pub options: Options,
}

impl Engine for Reach {
    fn name(&self) -> &'static str {
        "reach"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        self.has_material(subject.system(self.name())?)
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
        let Subject::System(system) = subject else {
            return Outcome::unfit(properties, Unfit::for_systems(self.name()));
        };
        if let Err(unfit) = self.has_material(system) {
            return Outcome::unfit(properties, unfit);
        }
        reach(system, properties, &self.options, watch)
    }

    fn instance_search(&self) -> InstanceSearch {
        InstanceSearch::Meanwhile
    }

    fn gains_from_fewer_properties(&self) -> bool {
        false
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some("force the missing instances with `instantiate`")
    }
}

impl Reach {
    /// Are there predicates to begin with, or leave to look for some?
    fn has_material(&self, system: &System) -> Result<(), Unfit> {
        match system.predicates.is_empty() && self.options.suggestions == 0 {
        false => Ok(()),
        true => Err(Unfit {
            why: "there are no predicates to abstract with".to_string(),
            hint: "declare index variables and predicates, `index i : NODE; predicate cache[i] = Exclusive;`, in a `.tenet` \
                   file or in a file of their own that --predicates names"
                .to_string(),
        }),
    }
    }
}

impl Reached {
    /// What is claimed of it.
    pub(super) fn outcome(self) -> Outcome {
        let Reached { details, stop, invariant, implications, warnings, statistics } = self;
        let done = details.iterations.len().saturating_sub(1) as u64;
        let so_far = format!("after {}", words::counted(done, "iteration"));
        let claim = |implication: Implication| match implication {
            Implication::Implied => Claim::Proof,
            // What violates the property in a set does so in all larger ones.
            Implication::NotImplied(failure) => Claim::Open(not_implied(failure)),
            Implication::Open => Claim::Open(without_limit(stop, &so_far)),
        };
        let claims = implications
            .into_iter()
            .map(|(property, implication)| PropertyClaim { property, claim: claim(implication) });
        let claims = claims.collect();
        let evidence = match details.is_complete {
            true => {
                let advice = Advice { rules: details.substitutions.clone(), ..Advice::default() };
                Evidence::Invariant { lemmas: invariant, advice }
            }
            false => Evidence::Nothing,
        };
        let statistics = Statistics { details: Details::Reach(details), ..statistics };
        Outcome { claims, evidence, warnings, statistics, stop, so_far, ..Outcome::default() }
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
        Cause::PredicatesOrFalse => (
            Reason::Predicates,
            "no substitutions help: the predicates do not suffice, or it is false",
            "if the step shown is impossible, add a predicate that says why",
        ),
        Cause::Instances => (
            Reason::Substitutions,
            "the predicates suffice, but the substitutions do not",
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

//! The outcome of a search for lemmas and runs, and what the engines that are such searches claim then.

use crate::common::Warning;
use crate::common::watch::Stop;
use crate::interface::{self, BEFORE_LEMMAS, Details, Obstacle, Open, Statistics, Unfit};
use tenet_system::run::Violation;
use tenet_system::{Advice, Lemma};
use tracing::info;

#[derive(Clone, Debug)]
pub struct Outcome {
    pub result: Result<Found, Reason>,
    /// What makes the result say less than it seems to.
    pub warnings: Vec<Warning>,
    pub predicates: usize,
    pub refinements: usize,
    pub solver_calls: u64,
    pub solver_seconds: f64,
}

#[derive(Clone, Debug)]
pub enum Found {
    Proof(Vec<Lemma>),
    /// A run that violates one of them.
    Run(Violation),
}

#[derive(Clone, Debug)]
pub enum Reason {
    /// The search was cancelled.
    Stopped(Stop),
    /// The system is not of the kind that the engine is for.
    NotAProgram(&'static str),
    /// All parts of the portfolio have given up; and the last obstacle of the search for lemmas.
    GivenUp(String),
}

/// Logs how the search has ended.
pub(crate) fn log_end(result: &Result<Found, Reason>, solver_calls: u64) {
    match result {
        Ok(Found::Proof(lemmas)) => info!(lemmas = lemmas.len(), solver_calls, "engine ends with a proof"),
        Ok(Found::Run(_)) => info!(solver_calls, "engine ends with a run"),
        Err(reason) => info!(?reason, solver_calls, "engine ends without an answer"),
    }
}

impl Outcome {
    /// No answer, before any work.
    pub fn without(reason: Reason) -> Outcome {
        let (result, warnings) = (Err(reason), Vec::new());
        Outcome { result, warnings, predicates: 0, refinements: 0, solver_calls: 0, solver_seconds: 0.0 }
    }
}

/// That the engine of this name is not made for such systems.
pub(crate) fn unreadable(engine: &str, why: &str) -> Unfit {
    Unfit::for_others(format!("the engine `{engine}` cannot read it: {why}"))
}

pub(crate) fn claimed(outcome: Outcome, engine: &str, properties: &[usize]) -> interface::Outcome {
    let Outcome { result, warnings, predicates, refinements, solver_calls, solver_seconds } = outcome;
    let outcome = match result {
        Ok(Found::Proof(lemmas)) => interface::Outcome::proof(properties, lemmas, Advice::default()),
        Ok(Found::Run(violation)) => interface::Outcome::violation(properties, violation),
        Err(reason) => interface::Outcome::open(properties, open(reason, engine)),
    };
    let counts = vec![("predicates", predicates as u64), ("refinements", refinements as u64)];
    let statistics = Statistics { solver_calls, solver_seconds, details: Details::Counts(counts) };
    interface::Outcome { warnings, statistics, so_far: BEFORE_LEMMAS.to_string(), ..outcome }
}

fn open(reason: Reason, engine: &str) -> Open {
    let given_up = "everything that was tried has given up";
    let open = |why: String| {
        Open::new(
            interface::Reason::NoLemmas,
            why,
            "raise --timeout, or add an invariant that says why it holds",
        )
    };
    match reason {
        Reason::Stopped(stop) => Open::stopped(stop, BEFORE_LEMMAS),
        Reason::NotAProgram(why) => Open::unfit(unreadable(engine, why)),
        Reason::GivenUp(obstacle) if obstacle.is_empty() => open(given_up.to_string()),
        Reason::GivenUp(obstacle) => {
            open(format!("{given_up}; {obstacle}")).because_of(Obstacle::Words(obstacle))
        }
    }
}

//! How a search for lemmas and runs ends, and what the engines that are such searches claim then.

use crate::common::Warning;
use crate::common::watch::Stop;
use crate::interface::{self, BEFORE_LEMMAS, Details, Obstacle, Open, Outcome, Unfit};
use tenet_solve::Statistics;
use tenet_system::run::Violation;
use tenet_system::{Advice, Lemma};
use tracing::info;

#[derive(Clone, Debug)]
pub enum Found {
    Proof(Vec<Lemma>),
    /// A run that violates one of the properties.
    Run(Violation),
}

/// Why a search ended without an answer.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The search was cancelled.
    Stopped(Stop),
    /// All parts of the portfolio have given up; and the last obstacle of the search for lemmas.
    GivenUp(String),
}

/// A search that has ended.
pub struct Ended {
    pub result: Result<Found, Reason>,
    pub warnings: Vec<Warning>,
    pub predicates: usize,
    pub refinements: usize,
    pub statistics: Statistics,
}

/// That the engine of this name is not made for such systems.
pub(crate) fn unreadable(engine: &str, why: &str) -> Unfit {
    Unfit::for_others(format!("the engine `{engine}` cannot read it: {why}"))
}

impl Ended {
    pub(crate) fn outcome(self, properties: &[usize]) -> Outcome {
        let Statistics { calls, seconds, .. } = self.statistics;
        let outcome = match self.result {
            Ok(Found::Proof(lemmas)) => {
                info!(lemmas = lemmas.len(), solver_calls = calls, "engine ends with a proof");
                Outcome::proof(properties, lemmas, Advice::default())
            }
            Ok(Found::Run(violation)) => {
                info!(solver_calls = calls, "engine ends with a run");
                Outcome::violation(properties, violation)
            }
            Err(reason) => {
                info!(?reason, solver_calls = calls, "engine ends without an answer");
                Outcome::open(properties, open(reason))
            }
        };
        let counts = vec![("predicates", self.predicates as u64), ("refinements", self.refinements as u64)];
        let details = Details::Counts(counts);
        let statistics = interface::Statistics { solver_calls: calls, solver_seconds: seconds, details };
        Outcome { warnings: self.warnings, statistics, so_far: BEFORE_LEMMAS.to_string(), ..outcome }
    }
}

fn open(reason: Reason) -> Open {
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
        Reason::GivenUp(obstacle) if obstacle.is_empty() => open(given_up.to_string()),
        Reason::GivenUp(obstacle) => {
            open(format!("{given_up}; {obstacle}")).because_of(Obstacle::Words(obstacle))
        }
    }
}

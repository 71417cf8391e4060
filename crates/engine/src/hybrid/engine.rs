//! `hybrid` behind the interface of all engines.

use super::{Found, Options, Outcome, Reason, hybrid};
use crate::common::watch::Watch;
use crate::interface::{
    self, ANOTHER_ENGINE, BEFORE_LEMMAS, Details, Engine, Obstacle, Open, Statistics, Subject, Unfit,
};
use tenet_system::{Advice, Circuit};

#[derive(Clone, Debug, Default)]
pub struct Hybrid {
    pub options: Options,
}

impl Engine for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        // Building the circuit view adds terms, so it is done on a copy.
        match Circuit::of(&mut subject.system(self.name())?.clone()) {
            Some(_) => Ok(()),
            None => Err(not_a_circuit()),
        }
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> interface::Outcome {
        let Subject::System(system) = subject else {
            return interface::Outcome::unfit(properties, Unfit::for_systems(self.name()));
        };
        let Outcome { result, work, solver_calls, solver_seconds } =
            hybrid(system, properties, &self.options, watch);
        let outcome = match result {
            Ok(Found::Proof(lemmas)) => interface::Outcome::proof(properties, lemmas, Advice::default()),
            Ok(Found::Run(violation)) => interface::Outcome::violation(properties, violation),
            // It is replayed again before it is shown, and that is where it ends without a verdict.
            Err(Reason::NotReplayed(violation)) => interface::Outcome::violation(properties, *violation),
            Err(reason) => interface::Outcome::open(properties, open(reason)),
        };
        let statistics = Statistics { solver_calls, solver_seconds, details: Details::Hybrid(work) };
        interface::Outcome { statistics, so_far: BEFORE_LEMMAS.to_string(), ..outcome }
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some(ANOTHER_ENGINE)
    }
}

fn not_a_circuit() -> Unfit {
    Unfit::for_others("the engine `hybrid` is for circuits")
}

fn open(reason: Reason) -> Open {
    let hint = "raise --timeout, or add an invariant that says why it holds";
    match reason {
        Reason::Stopped(stop) => Open::stopped(stop, BEFORE_LEMMAS),
        Reason::NotACircuit => Open::unfit(not_a_circuit()),
        Reason::Inconclusive(why) => {
            let text = format!("the solver does not know whether a run is possible: {why}");
            Open::new(interface::Reason::NoLemmas, text, hint).because_of(Obstacle::Words(why))
        }
        Reason::Stuck => {
            let text = "nothing was found that excludes a run which is not possible";
            Open::new(interface::Reason::NoLemmas, text, hint)
        }
        Reason::NotReplayed(_) => {
            let why = "a run was found that cannot be repeated".to_string();
            Open { reason: interface::Reason::NotReplayed, why, obstacle: None, hint: None }
        }
    }
}

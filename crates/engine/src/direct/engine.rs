//! `direct` behind the interface of all engines.

use super::{Options, Outcome, Reason, direct, takes_functions};
use crate::common::watch::Watch;
use crate::interface::{
    self, BEFORE_LEMMAS, Engine, InstanceSearch, MADE_FOR_IT, Obstacle, Open, Statistics, Subject, Unfit,
};
use crate::refine::is_program;
use tenet_system::{Advice, Circuit, System};
use tenet_term::Sort;

#[derive(Clone, Copy, Debug)]
pub struct Direct {
    pub options: Options,
    /// Whether the system is the reading of a recursive program without recursion, for which there is another engine.
    pub is_reading_of_program: bool,
}

impl Engine for Direct {
    fn name(&self) -> &'static str {
        "direct"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        match takes_functions(subject.system(self.name())?) {
            true => Err(functional()),
            false => Ok(()),
        }
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> interface::Outcome {
        let Subject::System(system) = subject else {
            return interface::Outcome::unfit(properties, Unfit::for_systems(self.name()));
        };
        let Outcome { result, uses, warnings, solver_calls, solver_seconds } =
            direct(system, properties, self.options, watch);
        let outcome = match result {
            Ok(lemmas) => {
                let advice = Advice { uses: Some(uses), ..Advice::default() };
                interface::Outcome::proof(properties, lemmas, advice)
            }
            Err(reason) => interface::Outcome::open(properties, self.open(system, reason)),
        };
        let statistics = Statistics { solver_calls, solver_seconds, ..Statistics::default() };
        interface::Outcome { warnings, statistics, so_far: BEFORE_LEMMAS.to_string(), ..outcome }
    }

    fn instance_search(&self) -> InstanceSearch {
        InstanceSearch::Beside
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some("choose another --seed")
    }
}

impl Direct {
    fn open(&self, system: &System, reason: Reason) -> Open {
        let open = |why: String| Open::new(interface::Reason::NoLemmas, why, self.hint(system));
        match reason {
            Reason::Stopped(stop) => Open::stopped(stop, BEFORE_LEMMAS),
            Reason::Functional => Open::unfit(functional()),
            Reason::Inconclusive(why) => {
                open(format!("the solver does not know: {why}")).because_of(Obstacle::Words(why))
            }
            Reason::NoInstance(why) => open(format!("there is no small instance to learn from: {why}"))
                .because_of(Obstacle::Words(why)),
            Reason::Violated => open("a startstate violates it, as far as the solver can tell".to_string()),
            Reason::Reached => open("a state that violates it is reached in a small instance".to_string()),
            Reason::Stuck { rule } => {
                let name = &system.rules[rule].name;
                open(format!("no lemma was found that keeps rule \"{name}\" from breaking it"))
                    .because_of(Obstacle::Rule(rule))
            }
            Reason::TooHard => {
                open("every attempt needed too many lemmas, or lemmas about too many elements".to_string())
            }
        }
    }

    /// What to try: another engine if one is made for such systems, and larger instances only where something has a size.
    fn hint(&self, system: &System) -> &'static str {
        if self.is_reading_of_program {
            return "leave `--engine` out: `recursive` also looks for runs that break a property";
        }
        // Building the circuit view adds terms, so it is done on a copy of the system.
        if is_program(system) || Circuit::of(&mut system.clone()).is_some() {
            return MADE_FOR_IT;
        }
        match system.store.sorts().any(|(_, sort)| matches!(sort, Sort::Index { .. })) {
            true => {
                "add an invariant that says why it holds, give predicates, or search larger instances with \
                 `tenet explore --size`"
            }
            false => "add an invariant that says why it holds, or give predicates",
        }
    }
}

/// That a function has functions as arguments, which only `reach` can read.
fn functional() -> Unfit {
    Unfit {
        why: "a definition has arrays as arguments, of which the engine `direct` knows nothing".to_string(),
        hint: "give predicates: the engine `reach` reads such definitions".to_string(),
    }
}

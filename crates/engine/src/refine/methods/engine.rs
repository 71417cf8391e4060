//! The published methods behind the interface of all engines.

use super::{Conclusion, Iteration, Options, Outcome, Reason, Unsupported, program, refine};
use crate::common::Warning;
use crate::common::watch::Watch;
use crate::interface::{self, BEFORE_LEMMAS, Engine, InstanceSearch, Open, Statistics, Subject, Unfit};
use tenet_solve::Z3Solver;
use tenet_system::{Advice, words};

/// The engine `refine` with one of the published methods.
#[derive(Clone, Debug, Default)]
pub struct Methods {
    pub options: Options,
}

/// Statistics of a run.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// The iterations, one for each value of `n`.
    pub iterations: Vec<Iteration>,
    /// The widenings that led to a proof, for Method II.
    pub schedule: Vec<num_bigint::BigUint>,
}

impl Engine for Methods {
    fn name(&self) -> &'static str {
        "refine"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        program::scalars(subject.system(self.name())?).map_err(|why| unsupported(&why))
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> interface::Outcome {
        let Subject::System(system) = subject else {
            return interface::Outcome::unfit(properties, Unfit::for_systems(self.name()));
        };
        match refine(system, properties, &self.options, Box::new(Z3Solver::ground()), watch) {
            Ok(outcome) => claimed(outcome, properties),
            Err(why) => interface::Outcome::unfit(properties, unsupported(&why)),
        }
    }

    fn instance_search(&self) -> InstanceSearch {
        InstanceSearch::None
    }

    fn gains_from_fewer_properties(&self) -> bool {
        false
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some("choose another --method or --direction")
    }
}

fn unsupported(why: &Unsupported) -> Unfit {
    Unfit {
        why: format!("this is not a program for the refinement methods: {why}"),
        hint: "leave `--method` out".to_string(),
    }
}

fn claimed(outcome: Outcome, properties: &[usize]) -> interface::Outcome {
    let Outcome { iterations, conclusion, schedule, is_vacuous, solver_calls, solver_seconds } = outcome;
    let outcome = match conclusion {
        Conclusion::Proved(lemmas) => interface::Outcome::proof(properties, lemmas, Advice::default()),
        Conclusion::Incorrect(violation) => interface::Outcome::violation(properties, violation),
        Conclusion::Open(reason) => interface::Outcome::open(properties, open(&reason)),
    };
    let warnings = if is_vacuous { vec![Warning::NoStart] } else { Vec::new() };
    let details = interface::Details::Methods(Details { iterations, schedule });
    let statistics = Statistics { solver_calls, solver_seconds, details };
    interface::Outcome { warnings, statistics, so_far: BEFORE_LEMMAS.to_string(), ..outcome }
}

/// Why there is neither a proof nor a run.
fn open(reason: &Reason) -> Open {
    let why = match reason {
        Reason::Stopped(stop) => return Open::stopped(*stop, BEFORE_LEMMAS),
        Reason::NotReplayed => {
            let why = "the run that was found could not be repeated".to_string();
            return Open { reason: interface::Reason::NotReplayed, why, obstacle: None, hint: None };
        }
        Reason::Iterations(number) => {
            format!("the method has not succeeded after {}", words::counted(*number as u64, "iteration"))
        }
        Reason::DoNotKnow => "widening led to a fixpoint that proves nothing".to_string(),
        Reason::Exhausted => "no widening within the limits of the search leads to a proof".to_string(),
        Reason::NoValues => "there is a run, but no values were found for it".to_string(),
        Reason::TooLarge => "the formulas have become too large".to_string(),
    };
    let hint = "raise --iterations, or choose another --method or --direction";
    Open::new(interface::Reason::NotRefined, why, hint)
}

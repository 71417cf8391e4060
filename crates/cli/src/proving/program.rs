//! What the engine `refine` says of programs, in the form that everything behind the engines reads.

use super::violation;
use tenet_engine::reach::{self, Outcome};
use tenet_engine::refine::{self, Found, Reason};

/// The outcome in the form that everything behind the engines reads; and a run, if there is one.
pub fn as_reached(outcome: refine::Outcome, chosen: &[usize]) -> (Outcome, Option<violation::Found>) {
    let statistics = reach::Statistics {
        solver_calls: outcome.solver_calls,
        solver_seconds: outcome.solver_seconds,
        ..reach::Statistics::default()
    };
    let stop = match &outcome.result {
        Err(Reason::Stopped(stop)) => Some(*stop),
        _ => None,
    };
    let (invariant, is_proved, violation) = match outcome.result {
        Ok(Found::Proof(lemmas)) => (lemmas, true, None),
        Ok(Found::Run(violation)) => {
            let (engine, refinement, hybrid) = ("refine", Vec::new(), Vec::new());
            (Vec::new(), false, Some(violation::Found { violation, statistics, refinement, engine, hybrid }))
        }
        Err(_) => (Vec::new(), false, None),
    };
    let verdict = || if is_proved { reach::Verdict::Proved } else { reach::Verdict::Open };
    let properties =
        chosen.iter().map(|&property| reach::PropertyOutcome { property, verdict: verdict() }).collect();
    let outcome = Outcome {
        iterations: Vec::new(),
        complete: is_proved,
        stop,
        invariant,
        properties,
        substitutions: Vec::new(),
        deepenings: 0,
        warnings: outcome.warnings,
        statistics,
    };
    (outcome, violation)
}

/// Why there is no answer, for people.
pub fn why_no_answer(reason: &Reason, engine: &str) -> String {
    match reason {
        Reason::Stopped(_) => "it was stopped".to_string(),
        Reason::NotAProgram(why) => format!("the engine `{engine}` cannot read it: {why}"),
        Reason::GivenUp(obstacle) if obstacle.is_empty() => {
            "everything that was tried has given up".to_string()
        }
        Reason::GivenUp(obstacle) => format!("everything that was tried has given up; {obstacle}"),
    }
}

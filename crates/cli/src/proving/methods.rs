//! The published refinement methods, in the form that everything behind the engines reads.

use super::answer::NoAnswer;
use super::attempt::Claimed;
use super::violation;
use super::watcher::Watcher;
use crate::model::Model;
use tenet_engine::Stop;
use tenet_engine::reach::{self, Warning};
use tenet_engine::refine::methods::formula::Disjunct;
use tenet_engine::refine::methods::{Conclusion, Options, Outcome, Reason, refine};
use tenet_lang::diagnostic::Diagnostic;
use tenet_proof::Advice;
use tenet_report::codes;
use tenet_report::number::counted;
use tenet_report::view::Refinement;
use tenet_solve::Z3Solver;
use tenet_system::System;

/// Runs a method.
pub fn claim(
    model: &Model,
    system: &mut System,
    chosen: &[usize],
    options: &Options,
    watcher: &mut Watcher,
) -> Result<Claimed, NoAnswer> {
    let solver = Box::new(Z3Solver::ground());
    let mut outcome = refine(system, chosen, options, solver, watcher).map_err(|unsupported| {
        let what = format!("this is not a program for the refinement methods: {unsupported}");
        NoAnswer::refused(Diagnostic::global(&codes::NOT_A_PROGRAM, what))
    })?;
    // Which clauses of the file are facts is not to be seen in the program that was made of them.
    outcome.is_vacuous &= !model.is_horn();
    let reached = as_reached(&outcome, chosen);
    let refinement = iterations(system, &outcome);
    let (mut violation, mut reason) = (None, None);
    match outcome.conclusion {
        Conclusion::Incorrect(found) => {
            violation = Some(violation::Found {
                violation: found,
                statistics: reached.statistics,
                refinement: refinement.clone(),
                engine: "refine",
                hybrid: Vec::new(),
            });
        }
        Conclusion::Open(Reason::NotReplayed) => return Err(NoAnswer::not_replayed("")),
        Conclusion::Open(why) => reason = Some(self::why(&why)),
        Conclusion::Proved(_) => {}
    }
    Ok(Claimed {
        outcome: reached,
        advice: Advice::default(),
        reason,
        is_unfit: false,
        violation,
        hybrid: Vec::new(),
        refinement,
    })
}

/// The outcome in the form that everything behind the engines reads.
fn as_reached(outcome: &Outcome, chosen: &[usize]) -> reach::Outcome {
    let lemmas = match &outcome.conclusion {
        Conclusion::Proved(lemmas) => Some(lemmas.clone()),
        _ => None,
    };
    let verdict = || if lemmas.is_some() { reach::Verdict::Proved } else { reach::Verdict::Open };
    let properties =
        chosen.iter().map(|&property| reach::PropertyOutcome { property, verdict: verdict() }).collect();
    reach::Outcome {
        iterations: Vec::new(),
        complete: lemmas.is_some(),
        stop: stop(&outcome.conclusion),
        properties,
        invariant: lemmas.unwrap_or_default(),
        substitutions: Vec::new(),
        deepenings: 0,
        warnings: if outcome.is_vacuous { vec![Warning::NoStart] } else { Vec::new() },
        statistics: reach::Statistics {
            solver_calls: outcome.solver_calls,
            solver_seconds: outcome.solver_seconds,
            ..reach::Statistics::default()
        },
    }
}

fn stop(conclusion: &Conclusion) -> Option<Stop> {
    match conclusion {
        Conclusion::Open(Reason::Stopped(stop)) => Some(*stop),
        _ => None,
    }
}

/// Why there is neither a proof nor a run, for people.
fn why(reason: &Reason) -> String {
    match reason {
        Reason::Stopped(_) => "it was stopped".to_string(),
        Reason::Iterations(number) => {
            format!("the method has not succeeded after {}", counted(*number as u64, "iteration"))
        }
        Reason::DoNotKnow => "widening led to a fixpoint that proves nothing".to_string(),
        Reason::Exhausted => "no widening within the limits of the search leads to a proof".to_string(),
        Reason::NoValues => "there is a run, but no values were found for it".to_string(),
        Reason::NotReplayed => "the run that was found could not be repeated".to_string(),
        Reason::TooLarge => "the formulas have become too large".to_string(),
    }
}

fn iterations(system: &System, outcome: &Outcome) -> Vec<Refinement> {
    let print = |atoms: &Vec<_>| Disjunct::of_atoms(atoms.clone()).print(&system.store);
    let iterations = outcome.iterations.iter().map(|one| Refinement {
        predicates: one.predicates.iter().map(|&atom| system.store.print(atom)).collect(),
        invariant: one.invariant.iter().map(print).collect(),
        rounds: one.rounds,
    });
    iterations.collect()
}

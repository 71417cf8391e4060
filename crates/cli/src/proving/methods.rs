//! Proofs with the published refinement methods: what the method claims is confirmed by a certificate or replayed like
//! everything else, and every iteration is printed.

use super::axioms::Axioms;
use super::confirm::{Confirmation, confirm};
use super::contradiction::Opinion;
use super::reads::Answer;
use super::view::{self, Facts};
use super::watcher::Watcher;
use super::{
    Instead, Job, LOOSE_RUN, answer, chosen, known_reads, no_flag, not_verified, run_of_an_instance,
    second_opinion, trust, vacuous, violation, warnings, write_confirmed,
};
use crate::chc;
use crate::commands::explore::{memory_limit, write_trace};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::machine;
use crate::model::Model;
use crate::no_verdict::no_verdict;
use crate::progress::Line;
use crate::watchdog;
use anyhow::Context;
use tenet_engine::reach::{self, Warning};
use tenet_engine::refine::methods::formula::Disjunct;
use tenet_engine::refine::methods::{Conclusion, Options, Outcome, Reason, refine};
use tenet_engine::{Stop, Watch};
use tenet_lang::diagnostic::Diagnostic;
use tenet_proof::Advice;
use tenet_report::codes;
use tenet_report::number::counted;
use tenet_report::view::Refinement;
use tenet_solve::Z3Solver;
use tenet_system::System;
use tenet_system::run::Violation;

/// Runs a method, prints the report, and gives the exit code.
pub fn run(
    job: &Job<'_>,
    input: &mut Input,
    model: &Model,
    system: &mut System,
    options: &Options,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    let Some(chosen) = chosen(&job.proof.properties, system, input) else {
        return input.reject(console, job.output.json);
    };
    let memory = memory_limit(job.proof.memory);
    watchdog::limit_memory(memory);
    watchdog::expect("refine", chosen.iter().map(|&property| view::name(&system.properties[property])));
    let line = Line::new(!job.output.quiet);
    let mut watcher = Watcher::start(job.clock, memory, line, no_flag()).context("cannot start a thread")?;
    let solver = Box::new(Z3Solver::ground());
    let mut outcome = match refine(system, &chosen, options, solver, &mut watcher) {
        Ok(outcome) => outcome,
        Err(unsupported) => {
            drop(watcher);
            let what = format!("this is not a program for the refinement methods: {unsupported}");
            input.diagnostics.push(Diagnostic::global(&codes::NOT_A_PROGRAM, what));
            return input.reject(console, job.output.json);
        }
    };
    // Which clauses of the file are facts is not to be seen in the program that was made of them.
    outcome.is_vacuous &= !model.is_horn();
    let mut reached = as_reached(&outcome, &chosen);
    vacuous::add_warnings(model, system, &chosen, &mut reached, &watcher);
    let refinement = iterations(system, &outcome);
    let reason = match outcome.conclusion {
        Conclusion::Incorrect(violation) if !is_open(model, &violation) => {
            match run_of_an_instance(job, model, system) {
                Instead::Nothing => Some(LOOSE_RUN.to_string()),
                Instead::Found(found) => {
                    drop(watcher);
                    return found.show(job, console);
                }
                Instead::NotNeeded => {
                    drop(watcher);
                    let (statistics, engine, hybrid) = (reached.statistics, "refine", Vec::new());
                    let found = violation::Found { violation, statistics, refinement, engine, hybrid };
                    return found.show(job, input, model, system, &chosen, console);
                }
            }
        }
        Conclusion::Open(Reason::NotReplayed) => {
            drop(watcher);
            return violation::not_replayed("", job, input, console);
        }
        Conclusion::Incorrect(_) => Some(chc::OPEN_RUN.to_string()),
        Conclusion::Open(reason) => Some(why(&reason)),
        Conclusion::Proved(_) => None,
    };
    let proved = view::claimed(&reached, &chosen);
    let mut confirmation = match proved.is_empty() {
        true => Confirmation::NotTried,
        false => {
            let origin = job.origin(input, "refine");
            confirm(system, &reached.invariant, &proved, &Advice::default(), &origin, input, &watcher)
        }
    };
    let was_stopped = matches!(confirmation, Confirmation::Gap(_)).then(|| watcher.stop()).flatten();
    drop(watcher);
    let known = input.diagnostics.len();
    let has_property = !vacuous::is_without_property(system, &chosen);
    input.diagnostics.extend(warnings::diagnostics(system, &reached.warnings, has_property));
    if job.is_talkative() {
        input.show_diagnostics_from(known, console);
    }
    if let Confirmation::Rejected(rejection) = &confirmation {
        return not_verified(rejection, input, job.output, console);
    }
    let definedness = match known_reads(job, input, model, 0, &confirmation)? {
        Answer::Known(definedness) => definedness,
        Answer::Run(found) => return found.show(job, console),
        Answer::Rejected(rejection) => return not_verified(&rejection, input, job.output, console),
    };
    let mut nothing_starts = None;
    if matches!(confirmation, Confirmation::Verified(_)) && proved == chosen {
        match second_opinion(job, model, system, &chosen) {
            Opinion::Agrees => {}
            Opinion::Empty(instance) if instance.is_empty() => {
                reached.warnings.push(reach::Warning::NoStart);
                confirmation = Confirmation::NotTried;
            }
            Opinion::Empty(instance) => nothing_starts = Some(instance),
            Opinion::Run(found) => return found.show(job, console),
            Opinion::Contradicts(what) => return no_verdict(&what, input, job.output, console),
        }
    }
    let axioms = Axioms::default(); // The methods refuse systems with axioms.
    let facts = Facts {
        text: input.text(),
        chosen: &chosen,
        instance: job.instance(),
        confirmation: &confirmation,
        stop: reached.stop.or(was_stopped),
        engine: "refine",
        reason,
        searched: None,
        timeout: job.clock.limit(),
        memory,
        certificate: write_confirmed(job, &confirmation, &axioms, &definedness, console)?,
        trust: trust::of_proof(job, model, system, &confirmation, &reached, &chosen, memory)?
            .map(|trust| trust::with_start(trust, nothing_starts)),
        axioms: &axioms,
        definedness: &definedness,
        seconds: job.clock.elapsed().as_secs_f64(),
        peak_memory_mb: machine::peak_memory_mb(),
    };
    let mut report = view::report(system, &reached, &facts);
    report.refinement = refinement;
    answer(job, input, model, system, &report, &reached.invariant, console)?;
    write_trace(job.proof.trace.as_deref(), &report, console)?;
    Ok(super::exit(&report, facts.stop, false))
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

/// Does the run show nothing, because it rests on a value that the language leaves open?
fn is_open(model: &Model, violation: &Violation) -> bool {
    matches!(model, Model::Horn(horn) if horn.is_open_run(&violation.run))
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

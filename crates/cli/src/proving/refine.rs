//! Proofs with the published refinement methods: what the method claims is confirmed by a certificate, the run that it
//! shows has been executed again, and every iteration is printed.

use super::confirm::{Confirmation, confirm};
use super::small::Small;
use super::view::{self, Facts};
use super::watcher::Watcher;
use super::{Job, chosen, no_flag, not_verified, reads_undefined, warnings, write_confirmed};
use crate::chc;
use crate::commands::explore::{memory_limit, print, write_trace};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::machine;
use crate::model::Model;
use crate::progress::Line;
use anyhow::Context;
use tenet_engine::reach::{self, Warning};
use tenet_engine::refine::methods::formula::Disjunct;
use tenet_engine::refine::methods::run::{Run, Step};
use tenet_engine::refine::methods::{Conclusion, Options, Outcome, Reason, refine};
use tenet_engine::{Stop, Watch};
use tenet_lang::diagnostic::Diagnostic;
use tenet_proof::Advice;
use tenet_report::codes;
use tenet_report::number::counted;
use tenet_report::run::{self as shown, ShownStep};
use tenet_report::shape;
use tenet_report::view::{self as report, Property, Refinement, Report, Verdict};
use tenet_solve::Z3Solver;
use tenet_system::run::Taken;
use tenet_system::{PropertyKind, System};
use tenet_term::{Sort, SortId, SymbolId, Value};

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
    // A run that rests on the value of a division by zero shows nothing.
    let is_open =
        matches!(&outcome.conclusion, Conclusion::Incorrect(run) if model.is_open_run(&as_run(run)));
    if is_open {
        outcome.conclusion = Conclusion::Open(Reason::NotReplayed);
    }
    // Clauses without facts that hold say what they say: they can be satisfied.
    outcome.is_vacuous &= !model.is_horn();
    let reached = as_reached(&outcome, &chosen);
    let proved = view::claimed(&reached, &chosen);
    let confirmation = match proved.is_empty() {
        true => Confirmation::NotTried,
        false => {
            let origin = job.origin(input, "refine");
            confirm(system, &reached.invariant, &proved, &Advice::default(), &origin, input, &watcher)
        }
    };
    let was_stopped = matches!(confirmation, Confirmation::Gap(_)).then(|| watcher.stop()).flatten();
    drop(watcher);
    if matches!(outcome.conclusion, Conclusion::Proved(_))
        && let Some(Small::Found(found)) = reads_undefined(job, model, system)
    {
        return found.show(job, console);
    }
    let known = input.diagnostics.len();
    input.diagnostics.extend(warnings::diagnostics(system, &reached.warnings, !chosen.is_empty()));
    if job.is_talkative() {
        input.show_diagnostics_from(known, console);
    }
    if let Confirmation::Rejected(rejection) = &confirmation {
        return not_verified(rejection, input, job.output, console);
    }
    let facts = Facts {
        text: input.text(),
        chosen: &chosen,
        instance: job.instance(),
        confirmation: &confirmation,
        stop: reached.stop.or(was_stopped),
        engine: "refine",
        reason: if is_open { Some(chc::OPEN_RUN.to_string()) } else { why(&outcome.conclusion) },
        searched: None,
        timeout: job.clock.limit(),
        memory,
        certificate: write_confirmed(job, &confirmation, console)?,
        seconds: job.clock.elapsed().as_secs_f64(),
        peak_memory_mb: machine::peak_memory_mb(),
    };
    let mut report = view::report(system, &reached, &facts);
    report.refinement = iterations(system, &outcome);
    if let Conclusion::Incorrect(run) = &outcome.conclusion {
        violated(&mut report, system, run, &facts);
    }
    match (model, &outcome.conclusion) {
        (Model::Horn(horn), Conclusion::Incorrect(run)) if job.is_chc => {
            console.answer(&chc::unsat(system, horn, &as_run(run), &input.content))?;
        }
        (Model::Horn(horn), _) if job.is_chc && report.verdict == Verdict::Safe => {
            console.answer(&chc::sat(system, horn, &reached.invariant))?;
        }
        _ if job.is_chc => console.answer(chc::UNKNOWN)?,
        _ => print(&report, input, job.output, console)?,
    }
    write_trace(job.proof.trace.as_deref(), &report, console)?;
    Ok(super::exit(&report, facts.stop, false))
}

/// The run in the form that everything behind the engines reads.
fn as_run(run: &Run) -> tenet_system::Run {
    let mut taken = run.steps.iter().map(|step| Taken { rule: step.rule, params: step.params.clone() });
    let start = taken.next().unwrap_or_default();
    tenet_system::Run { consts: run.consts.clone(), start, rules: taken.collect() }
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
fn why(conclusion: &Conclusion) -> Option<String> {
    let Conclusion::Open(reason) = conclusion else { return None };
    Some(match reason {
        Reason::Stopped(_) => "it was stopped".to_string(),
        Reason::Iterations(number) => {
            format!("the method has not succeeded after {}", counted(*number as u64, "iteration"))
        }
        Reason::DoNotKnow => "widening led to a fixpoint that proves nothing".to_string(),
        Reason::Exhausted => "no widening within the limits of the search leads to a proof".to_string(),
        Reason::NotReplayed => {
            "a run was found, but not with values that could be executed again".to_string()
        }
        Reason::TooLarge => "the formulas have become too large".to_string(),
    })
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

/// Turns the report into one about a violation.
fn violated(report: &mut Report, system: &System, run: &Run, facts: &Facts<'_>) {
    let property = &system.properties[run.property];
    let (explanation, what) = match property.kind {
        PropertyKind::Assertion { .. } => {
            (&codes::ASSERTION, format!("assertion \"{}\" fails in the next step", property.name))
        }
        PropertyKind::Implicit { .. } | PropertyKind::Start { .. } => {
            (&codes::RANGE, format!("it is not true that \"{}\"", property.name))
        }
        PropertyKind::Invariant => (&codes::INVARIANT, format!("invariant \"{}\" is false", property.name)),
    };
    report.verdict = Verdict::Unsafe;
    report.headline = format!("{what}, after {}", counted(run.length() as u64, "step"));
    report.abstraction = None;
    let found = |explanation, text: &str, hint: Option<&str>| {
        Some(report::Reason { explanation, text: text.to_string(), hint: hint.map(str::to_string) })
    };
    for (position, listed) in facts.chosen.iter().zip(&mut report.properties) {
        *listed = match *position == run.property {
            true => Property {
                verdict: Verdict::Unsafe,
                reason: found(explanation, &what, None),
                location: Some(facts.text.locate(property.source)),
                trace: Some(presented(system, run, format!("here {what}"))),
                ..listed.clone()
            },
            false => {
                let text = "the method stopped at the first violation";
                let hint = Some("choose others with --property");
                Property { reason: found(&codes::STOPPED_AT_FIRST, text, hint), ..listed.clone() }
            }
        };
    }
}

/// The run as it is shown.
fn presented(system: &System, run: &Run, end: String) -> shown::Run {
    let steps = (0..run.steps.len()).map(|number| presented_step(system, &run.steps, number)).collect();
    shown::Run { sizes: Vec::new(), steps, end, is_replayed: true }
}

fn presented_step(system: &System, steps: &[Step], number: usize) -> ShownStep {
    let step = &steps[number];
    let names: Vec<&str> =
        system.state.iter().map(|var| system.store.symbol(var.symbol).name.as_str()).collect();
    let (rule, count) = match number {
        0 => (&system.starts[step.rule].name, 0),
        _ => (&system.rules[step.rule].name, system.rules[step.rule].shown_params),
    };
    let texts: Vec<String> = system
        .state
        .iter()
        .zip(&step.state)
        .map(|(var, value)| text(system, system.store.symbol(var.symbol).sort, value))
        .collect();
    let changes = match number {
        0 => names.iter().zip(&texts).map(|(name, text)| (name.to_string(), text.clone())).collect(),
        _ => {
            let before = &steps[number - 1].state;
            let changed = (0..names.len()).filter(|&place| before[place] != step.state[place]);
            changed
                .map(|place| {
                    let sort = system.store.symbol(system.state[place].symbol).sort;
                    let change = format!("{} -> {}", text(system, sort, &before[place]), texts[place]);
                    (names[place].to_string(), change)
                })
                .collect()
        }
    };
    let param = |(symbol, value): &(SymbolId, Value)| {
        let info = system.store.symbol(*symbol);
        (info.name.clone(), text(system, info.sort, value))
    };
    let state = names.iter().zip(&step.state).zip(&texts);
    ShownStep {
        rule: rule.clone(),
        params: step.params.iter().take(count).map(param).collect(),
        state: state.map(|((name, value), text)| (name.to_string(), structured(value, text))).collect(),
        changes,
    }
}

fn structured(value: &Value, text: &str) -> shape::Value {
    match value {
        Value::Bool(value) => shape::Value::Bool(*value),
        Value::Int(number) => {
            let number = i64::try_from(number);
            number.map_or_else(|_| shape::Value::Name(text.to_string()), shape::Value::Number)
        }
        _ => shape::Value::Name(text.to_string()),
    }
}

/// A value as people read it.
fn text(system: &System, sort: SortId, value: &Value) -> String {
    match (system.store.sort(sort), value) {
        (_, Value::Bool(value)) => value.to_string(),
        (_, Value::Int(value)) => value.to_string(),
        (_, Value::Real(value)) => value.to_string(),
        (Sort::Enum { variants, .. }, Value::Enum(position)) => variants[*position as usize].clone(),
        (_, other) => format!("{other:?}"),
    }
}

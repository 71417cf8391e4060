//! Proofs of programs, with the engine `refine`: what it claims is confirmed or replayed like everything else.

use super::{Job, view};
use crate::chc;
use crate::commands::explore::{print, write_trace};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::machine;
use crate::model::Model;
use crate::no_verdict::no_verdict;
use tenet_engine::reach::{self, Outcome};
use tenet_engine::refine::{self, Found, Reason};
use tenet_lang::diagnostic::Explanation;
use tenet_report::view::{Property, Report, Statistics, Verdict};
use tenet_report::{codes, run_of_system};
use tenet_system::run::replay_violation;
use tenet_system::{PropertyKind, Run, System};
use tenet_term::Value;

/// A run that the engine has found.
pub struct Violation {
    property: usize,
    run: Run,
    witness: Vec<Value>,
    statistics: reach::Statistics,
}

/// The outcome in the form that everything behind the engines reads; and a run, if there is one.
pub fn as_reached(outcome: refine::Outcome, chosen: &[usize]) -> (Outcome, Option<Violation>) {
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
        Ok(Found::Run { property, run, witness }) => {
            (Vec::new(), false, Some(Violation { property, run, witness, statistics: statistics.clone() }))
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
pub fn why_no_answer(reason: &Reason) -> String {
    match reason {
        Reason::Stopped(_) => "it was stopped".to_string(),
        Reason::Inconclusive(why) => format!("the solver does not know: {why}"),
        Reason::NotAProgram(why) => format!("the engine `refine` cannot read it: {why}"),
        Reason::Stuck(path) => {
            format!(
                "no predicates were found that exclude a path of {} steps which is not possible",
                path.len()
            )
        }
    }
}

impl Violation {
    /// What was chosen.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Replays the run, prints it and ends the command.
    pub fn show(
        &self,
        job: &Job<'_>,
        input: &Input,
        model: &Model,
        system: &mut System,
        chosen: &[usize],
        console: &mut Console,
    ) -> anyhow::Result<Exit> {
        let states = match replay_violation(system, &self.run, self.property, &self.witness) {
            Ok(states) => states,
            Err(error) => {
                let what =
                    format!("error: a violation was found, but its run could not be repeated: {error}");
                return no_verdict(&what, input, job.output, console);
            }
        };
        let (explanation, what) = self.describe(system);
        let end = format!("here {what}");
        let trace = run_of_system::shown(system, &self.run, &states, end);
        let property = |&position: &usize| {
            let property = &system.properties[position];
            let is_it = position == self.property;
            let reason = match is_it {
                true => view::reason(explanation, &what, None),
                false => view::reason(
                    &codes::STOPPED_AT_FIRST,
                    "the search stopped at the first violation",
                    Some("use --property"),
                ),
            };
            Property {
                name: property.name.clone(),
                verdict: if is_it { Verdict::Unsafe } else { Verdict::Unknown },
                engine: "refine",
                seconds: job.clock.elapsed().as_secs_f64(),
                reason: Some(reason),
                failure: None,
                location: Some(input.text().locate(property.source)),
                trace: is_it.then(|| trace.clone()),
            }
        };
        let mut properties: Vec<Property> = chosen.iter().map(property).collect();
        properties.sort_by_key(|property| property.verdict != Verdict::Unsafe);
        let steps = tenet_report::number::counted(self.run.rules.len() as u64, "step");
        let report = Report {
            file: input.text().file.to_string(),
            verdict: Verdict::Unsafe,
            headline: format!("{what} after {steps}"),
            instance: job.instance(),
            checked: String::new(),
            properties,
            abstraction: None,
            refinement: Vec::new(),
            statistics: Statistics {
                smt_calls: self.statistics.solver_calls,
                smt_seconds: self.statistics.solver_seconds,
                seconds: job.clock.elapsed().as_secs_f64(),
                peak_memory_mb: machine::peak_memory_mb(),
                search: None,
            },
            assumptions: system.axioms.iter().map(|axiom| axiom.name.clone()).collect(),
            certificate: None,
            notes: Vec::new(),
        };
        match model {
            Model::Horn(horn) if job.is_chc => {
                console.answer(&chc::unsat(system, horn, &self.run, &input.content))?;
            }
            _ => print(&report, input, job.output, console)?,
        }
        write_trace(job.proof.trace.as_deref(), &report, console)?;
        Ok(report.verdict.into())
    }

    /// What is wrong at the end, as a clause.
    fn describe(&self, system: &System) -> (&'static Explanation, String) {
        let property = &system.properties[self.property];
        let what = match property.kind {
            PropertyKind::Invariant => format!("invariant \"{}\" is false", property.name),
            PropertyKind::Assertion { .. } => format!("assertion \"{}\" is false", property.name),
            PropertyKind::Implicit { .. } | PropertyKind::Start { .. } => {
                format!("this fails: {}", property.name)
            }
        };
        (&codes::INVARIANT, what)
    }
}

//! Runs over data without bound: replayed first, then reported, or there is no verdict.

use super::axioms::Axioms;
use super::confirm::Confirmation;
use super::reads::Definedness;
use super::view;
use super::{Job, write_confirmed};
use crate::chc;
use crate::commands::explore::{print, write_trace};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::machine;
use crate::model::Model;
use crate::no_verdict::no_verdict;
use crate::trace::{self, Format};
use tenet_engine::reach;
use tenet_report::hybrid::Hybrid;
use tenet_report::number::counted;
use tenet_report::view::{Property, Refinement, Report, Statistics, Verdict};
use tenet_report::{codes, run_of_system};
use tenet_system::System;
use tenet_system::run::{State, Violation, replay_violation};

/// A violation that somebody has found, with what it took.
pub struct Found {
    /// The violation, not replayed yet.
    pub violation: Violation,
    /// What was asked of solvers.
    pub statistics: reach::Statistics,
    /// The iterations of the method, if it is one that has any.
    pub refinement: Vec<Refinement>,
    /// The name of the engine.
    pub engine: &'static str,
    /// What the engine `hybrid` did, if it was that one.
    pub hybrid: Vec<Hybrid>,
}

impl Found {
    /// Replays the run, prints it and ends the command.
    pub fn show(
        self,
        job: &Job<'_>,
        input: &Input,
        model: &Model,
        system: &mut System,
        chosen: &[usize],
        console: &mut Console,
    ) -> anyhow::Result<Exit> {
        let states = match replay_violation(system, &self.violation) {
            Ok(states) => states,
            Err(error) => return not_replayed(&format!(": {error}"), job, input, console),
        };
        let replayed = match model {
            Model::Btor2(model) => match trace::replayed(model, system, &self.violation) {
                Ok(replayed) => Some((&**model, replayed)),
                Err(why) => return not_replayed(&format!(": {why}"), job, input, console),
            },
            _ => None,
        };
        let (axioms, reads) = (Axioms::default(), Definedness::default());
        write_confirmed(job, &Confirmation::NotTried, &axioms, &reads, console)?;
        let violation = self.violation.clone();
        let report = self.report(job, input, system, chosen, &states);
        match model {
            Model::Horn(horn) if job.is_chc => {
                console.answer(&chc::unsat(system, horn, &violation.run, &input.content))?;
            }
            _ => print(&report, input, job.output, console)?,
        }
        match &job.proof.trace {
            Some(file) if trace::format(file) != Some(Format::Itf) => {
                let replayed = replayed.as_ref().map(|(model, replayed)| (*model, replayed));
                trace::write(file, &report.file, system, &violation, &states, replayed, console)?;
            }
            file => write_trace(file.as_deref(), &report, console)?,
        }
        Ok(report.verdict.into())
    }

    fn report(
        self,
        job: &Job<'_>,
        input: &Input,
        system: &System,
        chosen: &[usize],
        states: &[State],
    ) -> Report {
        let Violation { property, run, .. } = &self.violation;
        let (explanation, what) = run_of_system::what(&system.properties[*property]);
        let end = format!("here {what}{}", run_of_system::for_what(system, &self.violation));
        let trace = run_of_system::shown(system, run, states, end);
        let seconds = job.clock.elapsed().as_secs_f64();
        let listed = |&position: &usize| {
            let is_it = position == *property;
            let reason = match is_it {
                true => view::reason(explanation, &what, None),
                false => view::reason(
                    &codes::STOPPED_AT_FIRST,
                    "the search stopped at the first violation",
                    Some("use --property"),
                ),
            };
            Property {
                name: view::name(&system.properties[position]),
                verdict: if is_it { Verdict::Unsafe } else { Verdict::Unknown },
                engine: self.engine,
                seconds,
                reason: Some(reason),
                failure: None,
                location: Some(input.text().locate(system.properties[position].source)),
                trace: is_it.then(|| trace.clone()),
            }
        };
        let mut properties: Vec<Property> = chosen.iter().map(listed).collect();
        properties.sort_by_key(|property| property.verdict != Verdict::Unsafe);
        Report {
            file: input.text().file.to_string(),
            verdict: Verdict::Unsafe,
            headline: format!("{what}, after {}", counted(run.rules.len() as u64, "step")),
            instance: job.instance(),
            checked: String::new(),
            properties,
            abstraction: None,
            refinement: self.refinement,
            hybrid: self.hybrid,
            recursive: None,
            statistics: Statistics {
                smt_calls: self.statistics.solver_calls,
                smt_seconds: self.statistics.solver_seconds,
                seconds,
                peak_memory_mb: machine::peak_memory_mb(),
                search: None,
            },
            proved_axioms: Vec::new(),
            trust: None,
            reason: None,
            assumptions: system.assumptions(),
            certificate: None,
            notes: Vec::new(),
        }
    }
}

/// That a run of our own cannot be repeated: nothing is known then.
pub fn not_replayed(why: &str, job: &Job<'_>, input: &Input, console: &mut Console) -> anyhow::Result<Exit> {
    let what = format!("error: a violation was found, but its run could not be repeated{why}");
    no_verdict(&what, input, job.output, console)
}

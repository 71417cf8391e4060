//! Runs over data without bound: replayed first, then reported, or there is no verdict.

use super::answer::NoAnswer;
use super::job::Job;
use super::view;
use crate::chc;
use crate::machine;
use crate::model::Model;
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

/// A run that was replayed.
pub struct Replayed {
    /// What it shows.
    pub report: Report,
    /// The same in the format of circuits that is wanted, or why it cannot be written so.
    pub witness: Option<Result<String, String>>,
    /// The same as a derivation from Horn clauses, if that is wanted.
    pub chc: Option<String>,
}

impl Found {
    /// Replays the run, and reports it.
    pub fn replayed(
        self,
        job: &Job<'_>,
        system: &mut System,
        chosen: &[usize],
    ) -> Result<Replayed, NoAnswer> {
        let states = replay_violation(system, &self.violation)
            .map_err(|error| NoAnswer::not_replayed(&format!(": {error}")))?;
        let replayed = match job.model {
            Model::Btor2(model) => {
                let replayed = trace::replayed(model, system, &self.violation)
                    .map_err(|why| NoAnswer::not_replayed(&format!(": {why}")))?;
                Some((&**model, replayed))
            }
            _ => None,
        };
        // The run that is wanted is the first.
        let format = job.witness.filter(|format| *format != Format::Itf && job.violated.is_empty());
        let witness = format.map(|format| {
            let replayed = replayed.as_ref().map(|(model, replayed)| (*model, replayed));
            trace::text(format, &job.input.file, system, &self.violation, &states, replayed)
        });
        let chc = match job.model {
            Model::Horn(horn) if job.is_chc => {
                Some(chc::unsat(system, horn, &self.violation.run, &job.input.content))
            }
            _ => None,
        };
        Ok(Replayed { report: self.report(job, system, chosen, &states), witness, chc })
    }

    fn report(self, job: &Job<'_>, system: &System, chosen: &[usize], states: &[State]) -> Report {
        let Violation { property, run, .. } = &self.violation;
        let (explanation, what) = run_of_system::what(&system.properties[*property]);
        let end = format!("here {what}{}", run_of_system::for_what(system, &self.violation));
        let trace = run_of_system::shown(system, run, states, end);
        let seconds = job.seconds();
        let listed = |&position: &usize| {
            let is_it = position == *property;
            let reason = match is_it {
                true => view::reason(explanation, &what, None),
                false => view::reason(
                    &codes::STOPPED_AT_FIRST,
                    "the search stopped at the first violation",
                    Some(if job.stops_at_first { "leave out --first" } else { "use --property" }),
                ),
            };
            Property {
                name: view::name(&system.properties[position]),
                verdict: if is_it { Verdict::Unsafe } else { Verdict::Unknown },
                engine: self.engine,
                seconds,
                reason: Some(reason),
                failure: None,
                location: Some(job.input.text().locate(system.properties[position].source)),
                trace: is_it.then(|| trace.clone()),
            }
        };
        let mut properties: Vec<Property> = chosen.iter().map(listed).collect();
        properties.sort_by_key(|property| property.verdict != Verdict::Unsafe);
        Report {
            file: job.input.text().file.to_string(),
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

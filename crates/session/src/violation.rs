//! Runs over data without bound: replayed first, then reported, or there is no verdict.

use crate::answer::NoAnswer;
use crate::job::Job;
use crate::question::WitnessFormat;
use crate::{details, judge, machine};
use tenet_engine::Statistics as Work;
use tenet_report::number::counted;
use tenet_report::view::{Property, Report, Statistics, Verdict};
use tenet_report::{codes, run_of_system, vcd, waves};
use tenet_system::System;
use tenet_system::run::{State, Violation, replay_violation};

/// A violation that an engine claims, with what it took.
pub(crate) struct Found<'a> {
    pub violation: &'a Violation,
    pub statistics: &'a Work,
    pub engine: &'static str,
}

/// A run that was replayed.
pub(crate) struct Replayed {
    /// What it shows.
    pub report: Report,
    /// The same in the format of circuits that is wanted, or why it cannot be written so.
    pub witness: Option<Result<String, String>>,
    /// The same as a derivation from Horn clauses, if that is wanted.
    pub chc: Option<String>,
}

impl Found<'_> {
    /// Replays the run, in the system and in the language's own semantics if that is another one, and reports it.
    pub fn replayed(
        &self,
        job: &Job<'_>,
        system: &mut System,
        chosen: &[usize],
    ) -> Result<Replayed, NoAnswer> {
        let states = replay_violation(system, self.violation)
            .map_err(|error| NoAnswer::not_replayed(&format!(": {error}")))?;
        let model = job.model();
        model.replay(system, self.violation).map_err(|why| NoAnswer::not_replayed(&format!(": {why}")))?;
        // The run that is wanted is the first.
        let format = job.question.witness.filter(|_| job.violated.is_empty());
        let witness = format.and_then(|format| match format {
            WitnessFormat::Vcd => Some(Ok(self.value_changes(job, system, &states))),
            WitnessFormat::Native => model.witness(system, self.violation),
        });
        let text = &job.problem.source().content;
        let chc = job.question.wants_chc.then(|| model.derivation(system, &self.violation.run, text));
        Ok(Replayed { report: self.report(job, system, chosen, &states), witness, chc: chc.flatten() })
    }

    fn value_changes(&self, job: &Job<'_>, system: &System, states: &[State]) -> String {
        let property = &system.properties[self.violation.property].name;
        let title = format!("{}: \"{property}\" is violated", job.problem.source().name);
        vcd::vcd(&waves::signals(system, self.violation, states), &title)
    }

    fn report(&self, job: &Job<'_>, system: &System, chosen: &[usize], states: &[State]) -> Report {
        let Violation { property, run, .. } = self.violation;
        let (explanation, what) = run_of_system::what(&system.properties[*property]);
        let end = format!("here {what}{}", run_of_system::for_what(system, self.violation));
        let trace = run_of_system::shown(system, run, states, end);
        let (text, seconds) = (job.problem.text(), job.seconds());
        let listed = |&position: &usize| {
            let is_it = position == *property;
            let reason = match is_it {
                true => judge::reason(explanation, &what, None),
                false => judge::reason(
                    &codes::STOPPED_AT_FIRST,
                    "the search stopped at the first violation",
                    Some(if job.question.stops_at_first { "leave out --first" } else { "use --property" }),
                ),
            };
            Property {
                name: judge::name(&system.properties[position]),
                verdict: if is_it { Verdict::Unsafe } else { Verdict::Unknown },
                engine: self.engine,
                seconds,
                reason: Some(reason),
                failure: None,
                location: Some(text.locate(system.properties[position].source)),
                trace: is_it.then(|| trace.clone()),
                written: None,
            }
        };
        let mut properties: Vec<Property> = chosen.iter().map(listed).collect();
        properties.sort_by_key(|property| property.verdict != Verdict::Unsafe);
        Report {
            file: text.file.to_string(),
            verdict: Verdict::Unsafe,
            headline: format!("{what}, after {}", counted(run.rules.len() as u64, "step")),
            instance: job.instance(),
            checked: String::new(),
            properties,
            abstraction: None,
            refinement: details::refinement(system, &self.statistics.details),
            hybrid: details::hybrid(system, &self.statistics.details),
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

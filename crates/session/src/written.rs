//! What a model says with its own numbers, where a violation was found with others.
//!
//! A model for two processes is read for every number of them, and a run with three says nothing about the two that its author
//! meant. So the instance as written is searched, too, as far as a fixed amount of work goes.

use crate::instances::{Allowance, Looked, look};
use crate::job::Job;
use crate::problem::instance;
use tenet_report::view::{Instance, Property, Report, Verdict, Written};

/// Adds to each violation what the model as it is written says of the property.
pub(crate) fn add(job: &Job<'_>, report: &mut Report) {
    let found = report.instance.clone();
    for property in &mut report.properties {
        if property.verdict == Verdict::Unsafe && property.written.is_none() {
            property.written = as_written(job, &found, property);
        }
    }
}

fn as_written(job: &Job<'_>, found: &Instance, violated: &Property) -> Option<Written> {
    let (model, reading) = (job.model(), job.problem.reading());
    let written = instance(model, reading);
    if !model.has_instances() || is_same(job, &written, found) {
        return None;
    }
    let (program, _) = model.finite().ok()?;
    let position = program.properties.iter().position(|property| property.name == violated.name);
    let Looked { outcome, .. } =
        look(job, &program, position.map(|position| vec![position]), Allowance::WRITTEN);
    let verdict = match outcome.end {
        _ if outcome.traces.iter().any(|trace| !trace.finding.is_limit(&program)) => Verdict::Unsafe,
        tenet_system::finite::explore::End::Complete if outcome.traces.is_empty() => Verdict::Safe,
        _ => Verdict::Unknown,
    };
    let hint = (verdict == Verdict::Safe).then(|| keep(&written, found)).flatten();
    Some(Written { instance: written, verdict, states: outcome.statistics.states, hint })
}

/// How to keep the sizes of the model where the run has others.
fn keep(written: &Instance, found: &Instance) -> Option<String> {
    let is_other =
        |size: &&(String, u64)| found.sizes.iter().any(|known| known.0 == size.0 && known.1 != size.1);
    let sizes = written.sizes.iter().filter(is_other).map(|(name, size)| format!("--size {name}={size}"));
    let sizes: Vec<String> = sizes.collect();
    (!sizes.is_empty()).then(|| format!("{} keeps the model as written", sizes.join(" ")))
}

/// Has the run the model's own numbers?
fn is_same(job: &Job<'_>, written: &Instance, found: &Instance) -> bool {
    let consts = job.model().written_consts();
    let is_own = |(name, value): &(String, String)| {
        written.consts.iter().any(|known| known == &(name.clone(), value.clone()))
            || consts.iter().any(|(known, own)| known == name && own == value)
    };
    written.sizes == found.sizes && found.consts.iter().all(is_own)
}

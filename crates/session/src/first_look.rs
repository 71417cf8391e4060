//! The first second belongs to small instances: most mistakes of a model show there within milliseconds.
//!
//! The instance as written comes before the model is even read for every size. What `reach` has to show is its abstraction, and who
//! names an engine wants to see it, so nothing comes before these.

use crate::answer::{Answer, Certificates, NoAnswer};
use crate::instances::{self, Allowance, Extent, Instances, of_instance, search_instances};
use crate::job::Job;
use tenet_engine::{Engine, InstanceSearch};
use tenet_report::view::{Report, Verdict};
use tenet_system::finite::program::{FaultKind, PropertyKind, Site};

/// The answer, if the model as it is written is wrong and nothing else is asked.
pub(crate) fn as_written(job: &Job<'_>) -> Option<Result<Answer, NoAnswer>> {
    let (question, model) = (job.question, job.model());
    let is_usual = question.engine.is_none() && !question.wants_chc && question.choices.methods.is_none();
    if !is_usual || !job.reading.unbounded.is_empty() || !model.has_instances() {
        return None;
    }
    // Predicates are there to be used, and of definitions each reading has its own view.
    let is_plain = |(what, names): &(&str, Vec<String>)| {
        names.is_empty() || !["predicates", "definitions", "axioms"].contains(what)
    };
    let (program, _) = model.finite().ok()?;
    let invariants = program.properties.iter().filter(|known| known.kind == PropertyKind::Invariant);
    let is_assertion = |site: &Site| matches!(site.kind, FaultKind::Assertion | FaultKind::Error);
    let is_alone = invariants.count() == 1 && !program.sites.iter().any(is_assertion);
    let is_enough = question.properties.len() == 1 || is_alone || question.stops_at_first;
    if !is_enough || !model.contents().iter().all(is_plain) {
        return None;
    }
    let found = of_instance(job, job.reading, Allowance::MINIMAL).filter(|found| found.is_run())?;
    let is_of_property = found.property().is_some();
    Some(found.report(job).map(|report| answer(report, is_of_property)))
}

/// Nothing else was asked, so nothing else is unknown; but a fault says nothing of the property.
fn answer(mut report: Report, is_of_property: bool) -> Answer {
    report.properties.retain(|property| !is_of_property || property.verdict == Verdict::Unsafe);
    let (warnings, certificates) = (Vec::new(), Certificates::default());
    Answer { report, warnings, certificates, chc: None, witness: None, is_interrupted: false }
}

/// What small instances say before an engine is run.
pub(crate) fn of_round(job: &Job<'_>, engine: &dyn Engine) -> Option<Instances> {
    let is_first = job.question.engine.is_none()
        && matches!(engine.instance_search(), InstanceSearch::Beside | InstanceSearch::After);
    let is_possible = is_first && !job.is_larger && job.model().has_instances();
    is_possible.then(|| search_instances(job, 1, instances::LARGEST, Extent::Minimal))
}

//! The first second belongs to small instances: most mistakes of a model show there within milliseconds.
//!
//! The instance as written comes before the model is even read for every size. What `reach` has to show is its abstraction, and a
//! published method is shown as it is, so nothing comes before these.

use crate::answer::{Answer, Certificates, NoAnswer};
use crate::instances::{self, Allowance, Extent, Instances, of_instance, search_instances};
use crate::job::Job;
use tenet_engine::{Engine, InstanceSearch};
use tenet_system::finite::program::PropertyKind;

/// The answer, if the model as it is written is wrong and nothing else is asked.
pub(crate) fn as_written(job: &Job<'_>) -> Option<Result<Answer, NoAnswer>> {
    let (question, model) = (job.question, job.model());
    let is_usual = question.engine.is_none() && !question.wants_chc && question.choices.methods.is_none();
    if !is_usual || !job.reading.unbounded.is_empty() || !model.has_instances() {
        return None;
    }
    let (program, _) = model.finite().ok()?;
    let invariants = program.properties.iter().filter(|known| known.kind == PropertyKind::Invariant);
    if question.properties.len() != 1 && invariants.count() != 1 {
        return None;
    }
    let found = of_instance(job, job.reading, Allowance::MINIMAL).filter(|found| found.is_run())?;
    Some(found.report(job).map(|report| Answer {
        report,
        warnings: Vec::new(),
        certificates: Certificates::default(),
        chc: None,
        witness: None,
        is_interrupted: false,
    }))
}

/// What small instances say before an engine is run.
pub(crate) fn of_round(job: &Job<'_>, engine: &dyn Engine) -> Option<Instances> {
    let is_first = matches!(engine.instance_search(), InstanceSearch::Beside | InstanceSearch::After);
    let is_possible = is_first && !job.is_larger && job.model().has_instances();
    is_possible.then(|| search_instances(job, 1, instances::LARGEST, Extent::Minimal))
}

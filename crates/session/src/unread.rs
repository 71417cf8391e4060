//! A model that has no reading for every size: only its instances can be asked.
//!
//! A run of an instance is a violation all the same. Without one the answer is `unknown`, says what was searched, and shows the
//! constructs that stand in the way of a proof.

use crate::answer::{Answer, Certificates, NoAnswer};
use crate::instances::{self, Allowance, Extent, Instances, look, search_instances};
use crate::job::Job;
use crate::problem::instance;
use crate::rounds::Round;
use crate::{machine, written};
use tenet_lang::codes::unbounded;
use tenet_lang::diagnostic::{Diagnostic, Severity};
use tenet_report::codes;
use tenet_report::number::counted;
use tenet_report::view::{Property, Reason, Report, Statistics, Verdict};
use tenet_system::System;
use tenet_system::finite::explore::End;
use tenet_system::finite::program::{Program, PropertyKind};

/// What can be said without a reading for every size; `refused` says why there is none. Nothing, if there are no instances either, or
/// if it is the question that is wrong.
pub(crate) fn run(job: &Job<'_>, refused: &[Diagnostic]) -> Option<Result<Answer, NoAnswer>> {
    let is_construct = |found: &Diagnostic| !found.is_error() || unbounded::is_construct(found.explanation);
    let is_usual =
        job.question.engine.is_none() && !job.question.wants_chc && job.reading.unbounded.is_empty();
    let is_fitting = is_usual && job.model().has_instances();
    if !is_fitting || !refused.iter().all(is_construct) {
        return None;
    }
    let (program, _) = job.model().finite().ok()?;
    Some(answer(job, &program, refused))
}

fn answer(job: &Job<'_>, program: &Program, refused: &[Diagnostic]) -> Result<Answer, NoAnswer> {
    let (found, searched) = search(job, program);
    let report = match found {
        Some(found) => {
            let Round::Violation { run, .. } = Round::of_instance(*found, job, &System::default(), &[])?
            else {
                unreachable!("a run of an instance is a violation")
            };
            let mut report = run.report;
            written::add(job, &mut report);
            report
        }
        None => unknown(job, program, &searched),
    };
    let soften = |found: &Diagnostic| Diagnostic { severity: Severity::Warning, ..found.clone() };
    let warnings = match report.verdict {
        Verdict::Unsafe => Vec::new(),
        _ => first_of_each(refused).map(soften).collect(),
    };
    let is_interrupted = job.budget.is_cancelled();
    let (certificates, chc, witness) = (Certificates::default(), None, None);
    Ok(Answer { report, warnings, certificates, chc, witness, is_interrupted })
}

/// The first refusal with each code: one loop that is not independent is mostly followed by many.
fn first_of_each(refused: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    let is_first = |(position, found): &(usize, &Diagnostic)| {
        !refused[..*position].iter().any(|known| known.explanation.code == found.explanation.code)
    };
    refused.iter().enumerate().filter(is_first).map(|(_, found)| found)
}

/// The model as it is written first, which is what can be decided; then other sizes.
fn search(job: &Job<'_>, program: &Program) -> (Option<Box<instances::Found>>, String) {
    let small = search_instances(job, 1, instances::LARGEST, Extent::Minimal);
    if let Instances::Found(found) = small {
        return (Some(found), String::new());
    }
    let reading = job.problem.reading();
    let written = instance(job.model(), reading).describe();
    let own = look(job, program, None, Allowance::LARGE);
    let states = counted(own.outcome.statistics.states, "state");
    let mut searched = match own.outcome.end {
        End::Complete if own.outcome.traces.is_empty() => {
            format!("as written ({written}) there is no violation in any of the {states}")
        }
        _ => format!("as written ({written}) there is no violation in the first {states}"),
    };
    if written == "as written" {
        searched = searched.replace(" (as written)", "");
    }
    if !own.outcome.traces.is_empty()
        && let Some(found) = instances::of_instance(job, reading, Allowance::LARGE)
    {
        return (Some(found), String::new());
    }
    match search_instances(job, 1, instances::LARGEST, Extent::Brief) {
        Instances::Found(found) => (Some(found), String::new()),
        Instances::Open { clean, .. } => (
            None,
            match clean {
                Some(clean) => format!("{searched}; {}", instances::describe(Some(&clean))),
                None => searched,
            },
        ),
    }
}

fn unknown(job: &Job<'_>, program: &Program, searched: &str) -> Report {
    let reason = Reason {
        explanation: &codes::ONLY_INSTANCES,
        text: format!("the model has no reading for every size; {searched}"),
        hint: Some("see the warnings".to_string()),
    };
    let seconds = job.seconds();
    let asked = &job.question.properties;
    let invariants = program.properties.iter().filter(|known| known.kind == PropertyKind::Invariant);
    let chosen = invariants.filter(|known| asked.is_empty() || asked.contains(&known.name));
    let text = job.problem.text();
    let properties: Vec<Property> = chosen
        .map(|known| Property {
            name: known.name.clone(),
            verdict: Verdict::Unknown,
            engine: "explore",
            seconds,
            reason: Some(reason.clone()),
            failure: None,
            location: Some(text.locate(known.source)),
            trace: None,
            written: None,
        })
        .collect();
    Report {
        file: text.file.to_string(),
        verdict: Verdict::Unknown,
        headline: reason.text.clone(),
        instance: job.instance(),
        checked: String::new(),
        reason: properties.is_empty().then_some(reason),
        properties,
        abstraction: None,
        refinement: Vec::new(),
        hybrid: Vec::new(),
        recursive: None,
        statistics: Statistics {
            seconds,
            peak_memory_mb: machine::peak_memory_mb(),
            ..Statistics::default()
        },
        proved_axioms: Vec::new(),
        trust: None,
        assumptions: Vec::new(),
        certificate: None,
        notes: Vec::new(),
    }
}

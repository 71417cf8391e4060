//! Every property has its own verdict: what is violated is put aside with its run, and the rest is asked about again.
//!
//! A property that is known to be violated is not assumed by anything that is proved afterwards. A fault, such as an index out of bounds, ends
//! the search: it may happen before anything else can be seen.

use super::answer::{Answer, Certificates, NoAnswer};
use super::attempt::Method;
use super::job::Job;
use super::{chosen, round, small, view, violation};
use crate::chc;
use crate::model::Model;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::codes;
use tenet_report::view::{Property, Report, Verdict};
use tenet_system::{Lemma, System};

/// What a round gave.
pub(super) enum Round {
    /// Something is wrong.
    Violation {
        /// What is wrong, with its run.
        run: Box<violation::Replayed>,
        /// The property, if it is one of those that were asked about.
        property: Option<usize>,
    },
    /// Nothing is wrong, as far as is known.
    Judged(Box<Judged>),
}

/// What is known where nothing is wrong.
pub(super) struct Judged {
    /// What is known.
    pub report: Report,
    /// The invariant that shows it.
    pub invariant: Vec<Lemma>,
    /// What can be checked by others.
    pub certificates: Certificates,
    /// What makes it say less than it seems to.
    pub warnings: Vec<Diagnostic>,
    /// Whether the user stopped the work.
    pub is_interrupted: bool,
}

impl Round {
    /// A run of an instance.
    pub(super) fn of_instance(
        found: small::Found,
        job: &Job<'_>,
        system: &System,
        chosen: &[usize],
    ) -> Result<Round, NoAnswer> {
        let is_it = |&&position: &&usize| found.property() == Some(system.properties[position].name.as_str());
        let property = chosen.iter().find(is_it).copied();
        let report = found.report(job)?;
        Ok(Round::Violation {
            run: Box::new(violation::Replayed { report, witness: None, chc: None }),
            property,
        })
    }

    /// A run of the system.
    pub(super) fn of_system(
        found: violation::Found,
        job: &Job<'_>,
        system: &mut System,
        chosen: &[usize],
    ) -> Result<Round, NoAnswer> {
        let property = Some(found.violation.property);
        Ok(Round::Violation { run: Box::new(found.replayed(job, system, chosen)?), property })
    }
}

/// Proves or refutes each property.
pub fn run(job: &Job<'_>, system: &mut System, method: &Method) -> Result<Answer, NoAnswer> {
    let mut left = chosen(&job.proof.properties, system).map_err(NoAnswer::Refused)?;
    let names: Vec<String> = left.iter().map(|&property| view::name(&system.properties[property])).collect();
    job.observer.begins(method.engine(), &names);
    let mut violated: Vec<Report> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let (mut witness, mut derivation) = (None, None);
    let rest = loop {
        let again = Job { violated: &names, ..*job };
        match round(&again, system, &left, method)? {
            Round::Judged(judged) => break Some(*judged),
            Round::Violation { run, property } => {
                if violated.is_empty() {
                    (witness, derivation) = (run.witness, run.chc);
                }
                violated.push(run.report);
                let goes_on = !job.stops_at_first && !job.is_chc;
                let Some(property) = property.filter(|_| goes_on) else { break None };
                names.push(system.properties[property].name.clone());
                left.retain(|&position| position != property);
                if left.is_empty() {
                    // Nothing else was asked, so nothing else is unknown.
                    for report in &mut violated {
                        report.properties.retain(|property| property.verdict == Verdict::Unsafe);
                    }
                    break None;
                }
                job.observer.violated(&cut_short(together(violated.clone(), None, job)));
            }
        }
    };
    let chc = match (job.model, &rest) {
        _ if !job.is_chc => None,
        (Model::Horn(horn), Some(rest)) if rest.report.verdict == Verdict::Safe => {
            Some(chc::sat(system, horn, &rest.invariant))
        }
        _ => Some(derivation.unwrap_or_else(|| chc::UNKNOWN.to_string())),
    };
    let (report, certificates, warnings, is_interrupted) = match rest {
        Some(rest) => (Some(rest.report), rest.certificates, rest.warnings, rest.is_interrupted),
        None => (None, Certificates::default(), Vec::new(), false),
    };
    let report = match report {
        Some(report) if violated.is_empty() => report,
        rest => together(violated, rest, job),
    };
    Ok(Answer { report, warnings, certificates, chc, witness, is_interrupted })
}

/// One report of what is violated, each with its run, and of the rest. Without one of the rest, the last violation says what was not
/// looked at any more.
fn together(mut violated: Vec<Report>, rest: Option<Report>, job: &Job<'_>) -> Report {
    let is_only = violated.len() == 1;
    if !is_only {
        for report in &mut violated {
            let instance = report.instance.describe();
            let is_instance = report.instance != job.instance();
            for reason in violations_mut(report).filter_map(|property| property.reason.as_mut()) {
                if is_instance {
                    reason.text = format!("{} ({instance})", reason.text);
                }
            }
        }
    }
    let shown: Vec<Property> = violated.iter().flat_map(violations).cloned().collect();
    let is_shown = |property: &Property| shown.iter().any(|known| known.name == property.name);
    let last = rest.as_ref().or(violated.last());
    let others = last.into_iter().flat_map(|report| &report.properties);
    let others: Vec<Property> = others
        .filter(|property| property.verdict != Verdict::Unsafe && !is_shown(property))
        .cloned()
        .collect();
    let mut assumptions: Vec<String> = Vec::new();
    for assumption in violated.iter().chain(&rest).flat_map(|report| &report.assumptions) {
        if !assumptions.contains(assumption) {
            assumptions.push(assumption.clone());
        }
    }
    let all = shown.len() + others.len();
    let smt_calls = violated.iter().chain(&rest).map(|report| report.statistics.smt_calls).sum();
    let smt_seconds = violated.iter().chain(&rest).map(|report| report.statistics.smt_seconds).sum();
    let hybrid = violated.iter().chain(&rest).flat_map(|report| report.hybrid.clone()).collect();
    let mut report = violated.swap_remove(0);
    if !is_only {
        report.headline = format!("{} of {all} properties are violated", shown.len());
        report.instance = job.instance();
        report.statistics.search = None;
    }
    report.statistics.smt_calls = smt_calls;
    report.statistics.smt_seconds = smt_seconds;
    report.statistics.seconds = job.seconds();
    report.assumptions = assumptions;
    report.hybrid = hybrid;
    report.properties = shown.into_iter().chain(others).collect();
    if let Some(rest) = rest {
        // What was searched for the run says little beside a proof.
        report.statistics.search = None;
        report.checked = match rest.verdict {
            Verdict::Safe => rest.headline,
            _ => {
                let safe = rest.properties.iter().filter(|property| property.verdict == Verdict::Safe);
                safe.map(|property| property.name.as_str()).collect::<Vec<&str>>().join(", ")
            }
        };
        report.abstraction = rest.abstraction;
        report.certificate = rest.certificate;
        report.proved_axioms = rest.proved_axioms;
    }
    report
}

/// The same report, if a limit keeps the others from being looked at.
fn cut_short(mut report: Report) -> Report {
    for property in report.properties.iter_mut().filter(|property| property.verdict == Verdict::Unknown) {
        let what = "a limit was reached before more was known";
        property.reason = Some(view::reason(&codes::LIMIT, what, "raise --timeout or --memory"));
    }
    report
}

fn violations(report: &Report) -> impl Iterator<Item = &Property> {
    report.properties.iter().filter(|property| property.verdict == Verdict::Unsafe)
}

fn violations_mut(report: &mut Report) -> impl Iterator<Item = &mut Property> {
    report.properties.iter_mut().filter(|property| property.verdict == Verdict::Unsafe)
}

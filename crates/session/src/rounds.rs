//! Every property has its own verdict: what is violated is put aside with its run, and the rest is asked about again.
//!
//! A property that is known to be violated is not assumed by anything that is proved afterwards. A fault, such as an index out of bounds, ends
//! the search: it may happen before anything else can be seen.

use crate::answer::{Answer, Certificates, NO_CHC_ANSWER, NoAnswer};
use crate::explore::unknown_property;
use crate::instances;
use crate::job::Job;
use crate::judge;
use crate::round::round;
use crate::{violation, written};
use tenet_engine::Engine;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::codes;
use tenet_report::view::{Property, Report, Verdict};
use tenet_system::{Lemma, PropertyKind, System};

/// What a round gave.
pub(crate) enum Round {
    /// Something is wrong.
    Violation {
        /// What is wrong, with its run.
        run: Box<violation::Replayed>,
        /// The property, if it is one of those that were asked about.
        property: Option<usize>,
        /// Whether it was found beside an engine whose work was given up for it.
        is_beside: bool,
    },
    /// Nothing is wrong, as far as is known.
    Judged(Box<Judged>),
}

/// What is known where nothing is wrong.
pub(crate) struct Judged {
    /// What is known.
    pub report: Report,
    /// The lemmas that show it.
    pub lemmas: Vec<Lemma>,
    /// What can be checked by others.
    pub certificates: Certificates,
    /// What makes it say less than it seems to.
    pub warnings: Vec<Diagnostic>,
    /// Whether the user stopped the work.
    pub is_interrupted: bool,
}

impl Round {
    /// A run of an instance.
    pub(crate) fn of_instance(
        found: instances::Found,
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
            is_beside: false,
        })
    }

    /// A run of the system.
    pub(crate) fn of_system(
        found: &violation::Found<'_>,
        job: &Job<'_>,
        system: &mut System,
        chosen: &[usize],
    ) -> Result<Round, NoAnswer> {
        let property = Some(found.violation.property);
        let run = Box::new(found.replayed(job, system, chosen)?);
        Ok(Round::Violation { run, property, is_beside: false })
    }
}

/// Proves or refutes each property.
pub(crate) fn run(job: &Job<'_>, system: &mut System, engine: &dyn Engine) -> Result<Answer, NoAnswer> {
    let mut left = chosen(&job.question.properties, system).map_err(NoAnswer::Refused)?;
    let names: Vec<String> = left.iter().map(|&property| judge::name(&system.properties[property])).collect();
    job.observer.begins(engine.name(), &names);
    let mut violated: Vec<Report> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let (mut witness, mut derivation) = (None, None);
    let rest = loop {
        let again = Job { violated: &names, ..*job };
        match round(&again, system, &left, engine)? {
            Round::Judged(judged) => break Some(*judged),
            Round::Violation { mut run, property, is_beside } => {
                written::add(job, &mut run.report);
                if violated.is_empty() {
                    (witness, derivation) = (run.witness, run.chc);
                }
                violated.push(run.report);
                // What is left is not worth the work again if nobody has asked for it.
                let is_asked = |&position: &usize| {
                    Some(position) != property && system.properties[position].kind == PropertyKind::Invariant
                };
                let is_over = is_beside && !left.iter().any(is_asked);
                let goes_on = !job.question.stops_at_first && !job.question.wants_chc && !is_over;
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
    let chc = job.question.wants_chc.then(|| {
        let proof = rest.as_ref().filter(|rest| rest.report.verdict == Verdict::Safe);
        let proof = proof.and_then(|rest| job.model().interpretation(system, &rest.lemmas));
        proof.or(derivation).unwrap_or_else(|| NO_CHC_ANSWER.to_string())
    });
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
        property.reason = Some(judge::reason(&codes::LIMIT, what, "raise --timeout or --memory"));
    }
    report
}

fn violations(report: &Report) -> impl Iterator<Item = &Property> {
    report.properties.iter().filter(|property| property.verdict == Verdict::Unsafe)
}

fn violations_mut(report: &mut Report) -> impl Iterator<Item = &mut Property> {
    report.properties.iter_mut().filter(|property| property.verdict == Verdict::Unsafe)
}

/// The properties to prove, by position: all, or those that `--property` names.
fn chosen(names: &[String], system: &System) -> Result<Vec<usize>, Vec<Diagnostic>> {
    if names.is_empty() {
        return Ok((0..system.properties.len()).collect());
    }
    let invariants = system.properties.iter().enumerate().filter(|(_, p)| p.kind == PropertyKind::Invariant);
    let invariants: Vec<(usize, &str)> =
        invariants.map(|(position, property)| (position, property.name.as_str())).collect();
    let (mut chosen, mut unknown) = (Vec::new(), Vec::new());
    for name in names {
        if !invariants.iter().any(|(_, known)| known == name) {
            unknown.push(unknown_property(name, &invariants));
        }
        // What the language demands of an invariant's own formula is called `name: …`, and another one of the same name `name#7`.
        let prefixes = [format!("{name}: "), format!("{name}#")];
        let is_part =
            |known: &str| known == name || prefixes.iter().any(|prefix| known.starts_with(prefix.as_str()));
        chosen.extend(invariants.iter().filter(|(_, known)| is_part(known)).map(|(position, _)| *position));
    }
    chosen.sort_unstable();
    chosen.dedup();
    if unknown.is_empty() { Ok(chosen) } else { Err(unknown) }
}

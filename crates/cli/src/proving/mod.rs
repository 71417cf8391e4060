//! From a question to an answer: engines claim, certificates and replays confirm, and one place judges.
//!
//! In this order: an engine is run (`attempt`), what it claims is confirmed by a certificate (`confirm`), a property that is not
//! proved sends us looking for a run that breaks it (`small`), and only then is anything called safe (`view`). What is violated is put
//! aside, and the rest is asked about again (`rounds`). Nothing here prints, reads files or ends the process.

mod answer;
mod attempt;
mod axioms;
mod confirm;
mod contradiction;
mod hybrid;
mod job;
mod methods;
mod program;
mod reads;
pub mod recursive;
mod rounds;
mod small;
#[cfg(test)]
mod tests;
mod trust;
mod vacuous;
mod view;
mod violation;
mod warnings;
mod watcher;

use crate::args::ProofArgs;
use crate::exploring::unknown_property;
use crate::machine;
use crate::model::Model;
pub use answer::{Answer, Certificates, NoAnswer};
pub use attempt::Method;
use attempt::{Attempt, attempt, attempt_beside_search};
use axioms::Axioms;
use confirm::Confirmation;
pub use confirm::solver_name;
use contradiction::{Opinion, opinion};
pub use job::Job;
use reads::Definedness;
pub use rounds::run;
use rounds::{Judged, Round};
use small::{Reach, Small, search_small};
use std::sync::Arc;
use tenet_engine::{Stop, reach};
use tenet_lang::diagnostic::Diagnostic;
use tenet_system::{PropertyKind, System};
use view::Facts;

/// States in which an axiom is false that is only believed are looked for in instances up to this size.
const FAULT_SIZE: u64 = 3;

/// Why a run of the system is not shown.
const LOOSE_RUN: &str =
    "there is a run if a constant need not be the size of its type, but none was found in which it is";

/// What stands for a run of a system that need not be one of the model.
enum Instead {
    /// The run is one of the model, or one that reads an undefined value is.
    NotNeeded,
    /// A run of an instance.
    Found(Box<small::Found>),
    /// Nothing was found.
    Nothing,
}

/// A system may have runs that the model has not, because a constant is not tied to the size of its type, or because an undefined
/// value has any value. What is a run of the model is found in an instance.
fn run_of_an_instance(job: &Job<'_>, system: &System) -> Instead {
    let is_loose = system.parameters.iter().any(|parameter| parameter.is_number);
    if !is_loose && !system.may_read_undefined() {
        return Instead::NotNeeded;
    }
    match search_small(job, 1, small::LARGEST, Reach::Long) {
        Small::Found(found) => Instead::Found(found),
        Small::Open { .. } if is_loose => Instead::Nothing,
        Small::Open { .. } => Instead::NotNeeded,
    }
}

/// Proves what can be proved of these properties, until one is seen to be violated.
fn round(job: &Job<'_>, system: &mut System, chosen: &[usize], method: &Method) -> Result<Round, NoAnswer> {
    let (mut tried, searched) = match method {
        Method::Direct(_) => attempt_beside_search(job, system, chosen, method)?,
        _ => (attempt(job, system, chosen, method, &Arc::default())?, None),
    };
    if let Some(mut closed) = tried.drop_open_run(job.model, system) {
        // There may be another run, which shows something. That there is none without the open steps says nothing.
        let again = attempt(job, &mut closed, chosen, method, &Arc::default())?;
        tried.claimed.violation = again.claimed.violation;
    }
    if tried.claimed.violation.is_some() {
        match run_of_an_instance(job, system) {
            Instead::Found(found) => return Round::of_instance(*found, job, system, chosen),
            Instead::Nothing => {
                tried.claimed.violation = None;
                tried.claimed.reason = Some(LOOSE_RUN.to_string());
            }
            Instead::NotNeeded => {}
        }
    }
    if let Some(found) = tried.claimed.violation.take() {
        return Round::of_system(found, job, system, chosen);
    }
    // A run is one, even beside a proof: it may read an undefined value, which a proof takes for any value.
    if let Some(Small::Found(found)) = searched
        && (found.is_run() || !tried.is_proved(chosen))
    {
        return Round::of_instance(*found, job, system, chosen);
    }
    let has_property = !job.violated.is_empty() || !vacuous::is_without_property(system, chosen);
    let warnings = warnings::diagnostics(system, &tried.claimed.outcome.warnings, has_property);
    let (mut definedness, mut axioms) = (Definedness::Visible, Axioms::default());
    match std::mem::replace(&mut tried.confirmation, Confirmation::NotTried) {
        Confirmation::Rejected(rejection) => return Err(rejection.into()),
        Confirmation::Verified(certificate) => {
            match reads::prove(job, method.seed(), &certificate)? {
                reads::Answer::Known(known) => definedness = known,
                reads::Answer::Run(found) => return Round::of_instance(*found, job, system, chosen),
            }
            axioms = axioms::prove(job, system, &certificate)?;
            if let Some(found) = breaks_an_axiom(job, &axioms.believed(system)) {
                return Round::of_instance(*found, job, system, chosen);
            }
            tried.confirmation = Confirmation::Verified(certificate);
        }
        other => tried.confirmation = other,
    }
    let mut nothing_starts = None;
    if tried.is_proved(chosen) {
        match second_opinion(job, system, chosen) {
            Opinion::Agrees => {}
            // Nothing is unbounded, so this is the whole model. A certificate would claim what is vacuous.
            Opinion::Empty(instance) if instance.is_empty() => {
                tried.claimed.outcome.warnings.push(reach::Warning::NoStart);
                tried.confirmation = Confirmation::NotTried;
            }
            Opinion::Empty(instance) => nothing_starts = Some(instance),
            Opinion::Run(found) => return Round::of_instance(*found, job, system, chosen),
            Opinion::Contradicts(what) => return Err(NoAnswer::CheckFailed(what)),
        }
    }
    let (searched, is_interrupted) = match search_if_open(job, &tried, chosen) {
        Some(Small::Found(found)) => return Round::of_instance(*found, job, system, chosen),
        Some(Small::Open { clean, is_interrupted, .. }) => {
            (Some(small::describe(clean.as_ref())), is_interrupted)
        }
        None => (None, false),
    };
    let trust = trust::of_proof(job, system, &tried, chosen)?;
    let facts = Facts {
        text: job.input.text(),
        chosen,
        instance: job.instance(),
        attempt: &tried,
        searched,
        timeout: job.budget.limit(),
        memory: job.budget.memory(),
        trust: trust.map(|trust| trust::with_start(trust, nothing_starts)),
        axioms: &axioms,
        definedness: &definedness,
        seconds: job.seconds(),
        peak_memory_mb: machine::peak_memory_mb(),
    };
    let report = view::report(system, &facts);
    let is_interrupted = is_interrupted || tried.stop == Some(Stop::Interrupt) || job.budget.is_cancelled();
    let certificates = match tried.confirmation {
        Confirmation::Verified(certificate) => Certificates {
            proof: Some(certificate),
            axioms: axioms.certificate,
            reads: definedness.into_certificate(),
        },
        _ => Certificates::default(),
    };
    let invariant = tried.claimed.outcome.invariant;
    Ok(Round::Judged(Box::new(Judged { report, invariant, certificates, warnings, is_interrupted })))
}

/// A proof from an axiom that is false in a reachable state is worth nothing. So such states are looked for if there are axioms about
/// definitions that could not be proved.
fn breaks_an_axiom(job: &Job<'_>, believed: &[String]) -> Option<Box<small::Found>> {
    if believed.is_empty() {
        return None;
    }
    let properties = believed.iter().map(|name| format!("axiom `{name}`")).collect();
    let proof = ProofArgs { properties, ..job.proof.clone() };
    let job = Job { proof: &proof, ..*job };
    match search_small(&job, 1, FAULT_SIZE, Reach::Glance) {
        Small::Found(found) if found.is_run() => Some(found),
        _ => None,
    }
}

/// What the finite reading says about what was proved.
fn second_opinion(job: &Job<'_>, system: &System, chosen: &[usize]) -> Opinion {
    let proved: Vec<String> = chosen.iter().map(|&p| system.properties[p].name.clone()).collect();
    opinion(job, &proved, proved.len() == system.properties.len())
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

/// Looks for a run if something is not proved although nobody stopped the proof: then the property may be false.
fn search_if_open(job: &Job<'_>, attempt: &Attempt, chosen: &[usize]) -> Option<Small> {
    let is_vacuous = view::vacuity(&attempt.claimed.outcome, chosen).is_some();
    let has_instances = !matches!(job.model, Model::Clp(_)) && !attempt.is_published;
    if is_vacuous || attempt.is_proved(chosen) || attempt.stop.is_some() || !has_instances {
        return None;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = job.proof.threads.map_or(cores, usize::from);
    // Without predicates no other way to answer is left.
    let reach = if attempt.engine == "direct" { Reach::Long } else { Reach::Short };
    Some(search_small(job, threads, small::LARGEST, reach))
}

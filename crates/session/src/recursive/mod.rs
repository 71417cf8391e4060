//! Recursive programs: entailments between recursive definitions, and properties of processes.
//!
//! The engine finds derivations, a computation tree and counterexamples. Nothing of that is believed: the proof becomes a
//! certificate, which the checker has to accept against the text that was read, and a counterexample has to be confirmed
//! by derivations of its own (`refutation`). Only then is anything judged (`verdict`).

mod refutation;
#[cfg(test)]
mod tests;
mod verdict;

use crate::answer::{Answer, Certificates, NO_CHC_ANSWER, NoAnswer};
use crate::explore::unknown_property;
use crate::job::Job;
use crate::observer::Unobserved;
use crate::watcher::Watcher;
use refutation::Refutations;
use tenet_engine::{Engine, Evidence, Outcome, Stop, Subject, Watch};
use tenet_lang::diagnostic::Diagnostic;
use tenet_proof::recursive::{Proved, certify, proved};
use tenet_proof::{Certificate, Rejection};
use tenet_system::recursive::tree::{Fate, Tree};
use tenet_system::recursive::{Program, Proof};
use tracing::{info, info_span};

/// How many seconds it may take to confirm counterexamples and runs.
const CONFIRMATION: f64 = 30.0;

/// Proves or refutes what the file asks for.
pub(crate) fn run(job: &Job<'_>, mut program: Program, engine: &dyn Engine) -> Result<Answer, NoAnswer> {
    let chosen = chosen(&job.question.properties, &program).map_err(NoAnswer::Refused)?;
    let names: Vec<String> = chosen.iter().map(|&place| name(&program, place).to_string()).collect();
    job.observer.begins(engine.name(), &names);
    let outcome = {
        let mut watcher = Watcher::start(job.budget, job.observer)?;
        engine.run(Subject::Program(&mut program), &chosen, &mut watcher)
    };
    // What was found in time is not lost because there is no time left to look at it.
    let mut watcher = Watcher::start(&job.budget.anew(CONFIRMATION), &Unobserved::shared())?;
    let found = Found { chosen, engine: engine.name(), outcome };
    conclude(job, &mut program, &found, &mut watcher)
}

/// What the engine says, before anything of it is checked.
struct Found {
    /// What was asked for, by position: entailments, and behind them properties.
    chosen: Vec<usize>,
    engine: &'static str,
    outcome: Outcome,
}

impl Found {
    fn proof(&self) -> Option<&Proof> {
        match &self.outcome.evidence {
            Evidence::Derivations(proof) => Some(proof),
            Evidence::Nothing | Evidence::Invariant { .. } => None,
        }
    }
}

/// What the checker has accepted.
struct Confirmed {
    certificate: Certificate,
    proved: Proved,
}

impl Confirmed {
    /// Is this entailment or property proved?
    fn is_proved(&self, place: usize) -> bool {
        self.proved.obligations.iter().chain(&self.proved.properties).nth(place) == Some(&true)
    }
}

/// Checks everything that the engine claims, and makes the report. There is none if a claim is wrong.
fn conclude(
    job: &Job<'_>,
    program: &mut Program,
    found: &Found,
    watch: &mut dyn Watch,
) -> Result<Answer, NoAnswer> {
    let confirmed = match found.proof() {
        Some(proof) => confirm(job, program, proof, found.engine)?,
        None => None,
    };
    let refutations = Refutations::confirm(program, &found.outcome, watch);
    let is_proved = |place: usize| confirmed.as_ref().is_some_and(|confirmed| confirmed.is_proved(place));
    if found.chosen.iter().any(|&place| refutations.has(place) && is_proved(place)) {
        // Both were checked, so one of the checks is wrong.
        return Err(NoAnswer::CheckFailed("error: the same thing was proved and refuted".to_string()));
    }
    let facts = verdict::Facts { job, found, confirmed: &confirmed, refutations: &refutations };
    let report = facts.report(program);
    let proof = confirmed.map(|confirmed| confirmed.certificate);
    Ok(Answer {
        report,
        warnings: Vec::new(),
        certificates: Certificates { proof, ..Certificates::default() },
        chc: job.question.wants_chc.then(|| NO_CHC_ANSWER.to_string()),
        witness: None,
        is_interrupted: found.outcome.stop == Some(Stop::Interrupt) || job.budget.is_cancelled(),
    })
}

/// Turns the proof into a certificate and has that checked against the text that was read; nothing if nothing is proved.
fn confirm(
    job: &Job<'_>,
    program: &mut Program,
    proof: &Proof,
    engine: &str,
) -> Result<Option<Confirmed>, Rejection> {
    // A tree that is not closed proves nothing, and is no part of a proof.
    let tree = proof.tree.clone().filter(is_closed);
    let proof = Proof { tree, ..proof.clone() };
    let claimed = proved(program, &proof);
    if !claimed.obligations.contains(&true) && !claimed.properties.contains(&true) && !claimed.terminates {
        return Ok(None);
    }
    let origin = job.origin(engine);
    let certificate = info_span!("certify")
        .in_scope(|| certify(program, &proof, &origin))
        .map_err(|rejection| Rejection { reason: rejection.to_string(), line: None })?;
    let checker = job.problem.checker();
    let verified = info_span!("verify")
        .in_scope(|| checker.verify(&certificate.text, &mut |name| job.problem.file(name)))?;
    info!(bytes = certificate.text.len(), "certificate accepted");
    let (entailments, properties) = names(program, &claimed);
    if (verified.entailments, verified.properties) != (entailments, properties) {
        let reason = "the certificate does not prove what the proof claims".to_string();
        return Err(Rejection { reason, line: None });
    }
    Ok(Some(Confirmed { certificate, proved: claimed }))
}

fn is_closed(tree: &Tree) -> bool {
    !tree.nodes.is_empty() && !tree.nodes.iter().any(|node| matches!(node.fate, Fate::Open))
}

/// The names of the entailments and properties that are proved.
fn names(program: &Program, proved: &Proved) -> (Vec<String>, Vec<String>) {
    let obligations = program.obligations.iter().map(|known| &known.name).zip(&proved.obligations);
    let properties = program.process.iter().flat_map(|process| &process.properties);
    let properties = properties.map(|known| &known.name).zip(&proved.properties);
    let only = |(name, is_proved): (&String, &bool)| is_proved.then(|| name.clone());
    (obligations.filter_map(only).collect(), properties.filter_map(only).collect())
}

/// The names of all entailments and properties, by position.
fn all(program: &Program) -> impl Iterator<Item = &str> {
    let obligations = program.obligations.iter().map(|known| known.name.as_str());
    let properties = program.process.iter().flat_map(|process| &process.properties);
    obligations.chain(properties.map(|known| known.name.as_str()))
}

fn name(program: &Program, place: usize) -> &str {
    all(program).nth(place).unwrap_or_default()
}

/// The positions of what is named, or of everything.
fn chosen(names: &[String], program: &Program) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let all: Vec<(usize, &str)> = all(program).enumerate().collect();
    let unknown = names.iter().filter(|name| !all.iter().any(|(_, known)| known == name));
    let unknown: Vec<Diagnostic> = unknown.map(|name| unknown_property(name, &all)).collect();
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    Ok(all.iter().filter(|(_, name)| is_wanted(name)).map(|(place, _)| *place).collect())
}

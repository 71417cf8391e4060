//! `tenet prove` for constraint logic programs: entailments between recursive definitions, and properties of processes.
//!
//! The engine finds derivations, a computation tree and counterexamples. Nothing of that is believed: the proof becomes a
//! certificate, which the checker has to accept against the text that was read, and a counterexample has to be confirmed
//! by derivations of its own (`refutation`). Only then is anything printed (`verdict`).

mod refutation;
#[cfg(test)]
mod tests;
mod verdict;

use super::answer::{Answer, Certificates, NoAnswer};
use super::job::Job;
use super::watcher::{Watcher, unobserved};
use crate::exploring::unknown_property;
use tenet_engine::recursive::{LeftSide, Options, Outcome, recursive};
use tenet_engine::{Stop, Watch};
use tenet_lang::diagnostic::Diagnostic;
use tenet_proof::recursive::{Proved, certify, proved};
use tenet_proof::{Backend, Certificate, Rejection, verify};
use tenet_system::recursive::tree::{Fate, Tree};
use tenet_system::recursive::{Program, Proof};
use tracing::{info, info_span};

/// How many seconds it may take to confirm counterexamples and runs.
const CONFIRMATION: f64 = 30.0;

/// What is asked for, by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Chosen {
    obligations: Vec<usize>,
    properties: Vec<usize>,
}

impl Chosen {
    /// The names, entailments first.
    fn names(&self, program: &Program) -> Vec<String> {
        let obligations = self.obligations.iter().map(|&place| program.obligations[place].name.clone());
        let process = program.process.iter();
        let properties = process
            .flat_map(|process| self.properties.iter().map(|&place| process.properties[place].name.clone()));
        obligations.chain(properties).collect()
    }
}

/// Proves or refutes what the file asks for.
pub fn run(job: &Job<'_>, program: &Program) -> Result<Answer, NoAnswer> {
    let chosen = chosen(&job.proof.properties, program).map_err(NoAnswer::Refused)?;
    job.observer.begins("recursive", &chosen.names(program));
    let mut program = program.clone();
    let outcome = {
        let mut watcher = Watcher::start(job.budget, job.observer)?;
        search(&mut program, &chosen, &mut watcher)
    };
    // What was found in time is not lost because there is no time left to look at it.
    let mut watcher = Watcher::start(&job.budget.anew(CONFIRMATION), &unobserved())?;
    conclude(job, &mut program, &Found { chosen, outcome }, &mut watcher)
}

/// What the engine says, before anybody has looked at it.
struct Found {
    chosen: Chosen,
    outcome: Outcome,
}

/// Checks everything that the engine claims, and makes the report. There is none if a claim is wrong.
fn conclude(
    job: &Job<'_>,
    program: &mut Program,
    found: &Found,
    watch: &mut dyn Watch,
) -> Result<Answer, NoAnswer> {
    let confirmed = confirm(job, program, &found.outcome.proof)?;
    let refutations = refutation::confirm(program, &found.outcome, watch);
    if let Some((_, proved)) = &confirmed
        && refutations.contradict(proved)
    {
        // Both were checked, so one of the checks is wrong.
        return Err(NoAnswer::CheckFailed("error: the same thing was proved and refuted".to_string()));
    }
    let facts = verdict::Facts { job, found, confirmed: &confirmed, refutations: &refutations };
    let report = facts.report(program);
    let proof = confirmed.map(|(certificate, _)| certificate);
    Ok(Answer {
        report,
        warnings: Vec::new(),
        certificates: Certificates { proof, ..Certificates::default() },
        chc: None,
        witness: None,
        is_interrupted: found.outcome.stopped == Some(Stop::Interrupt) || job.budget.is_cancelled(),
    })
}

/// Runs the engine on what is asked for and what may help with it: the entailments before, and for properties all of them.
fn search(program: &mut Program, chosen: &Chosen, watch: &mut dyn Watch) -> Outcome {
    if !chosen.properties.is_empty() {
        return recursive(program, &Options::default(), watch);
    }
    let needed = chosen.obligations.last().map_or(0, |last| last + 1);
    let process = program.process.take();
    let others = program.obligations.split_off(needed);
    let mut outcome = recursive(program, &Options::default(), watch);
    outcome.answers.extend(others.iter().map(|_| tenet_engine::recursive::Answer::Open));
    outcome.left_sides.extend(others.iter().map(|_| LeftSide::Open));
    outcome.proof.obligations.extend(others.iter().map(|_| None));
    program.obligations.extend(others);
    program.process = process;
    outcome
}

/// Turns the proof into a certificate and has that checked against the text that was read; nothing if nothing is proved.
fn confirm(
    job: &Job<'_>,
    program: &mut Program,
    proof: &Proof,
) -> Result<Option<(Certificate, Proved)>, Rejection> {
    // A tree that is not closed proves nothing, and is no part of a proof.
    let tree = proof.tree.clone().filter(is_closed);
    let proof = Proof { tree, ..proof.clone() };
    let claimed = proved(program, &proof);
    if !claimed.obligations.contains(&true) && !claimed.properties.contains(&true) && !claimed.terminates {
        return Ok(None);
    }
    let origin = job.origin("recursive");
    let certificate = info_span!("certify")
        .in_scope(|| certify(program, &proof, &origin))
        .map_err(|rejection| Rejection { reason: rejection.to_string(), line: None })?;
    let verified = info_span!("verify")
        .in_scope(|| verify(&certificate.text, &Backend::Z3, &mut |name| job.input.loaded(name)))?;
    info!(bytes = certificate.text.len(), "certificate accepted");
    let (entailments, properties) = names(program, &claimed);
    if (verified.entailments, verified.properties) != (entailments, properties) {
        let reason = "the certificate does not prove what the proof claims".to_string();
        return Err(Rejection { reason, line: None });
    }
    Ok(Some((certificate, claimed)))
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

/// What is named, or everything.
fn chosen(names: &[String], program: &Program) -> Result<Chosen, Vec<Diagnostic>> {
    let obligations = program.obligations.iter().map(|known| known.name.as_str());
    let properties = program.process.iter().flat_map(|process| &process.properties);
    let obligations: Vec<(usize, &str)> = obligations.enumerate().collect();
    let properties: Vec<(usize, &str)> = properties.map(|known| known.name.as_str()).enumerate().collect();
    let all: Vec<(usize, &str)> = obligations.iter().chain(&properties).copied().collect();
    let unknown = names.iter().filter(|name| !all.iter().any(|(_, known)| known == name));
    let unknown: Vec<Diagnostic> = unknown.map(|name| unknown_property(name, &all)).collect();
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let wanted = |list: &[(usize, &str)]| -> Vec<usize> {
        let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
        list.iter().filter(|(_, name)| is_wanted(name)).map(|(place, _)| *place).collect()
    };
    Ok(Chosen { obligations: wanted(&obligations), properties: wanted(&properties) })
}

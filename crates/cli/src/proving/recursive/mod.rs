//! `tenet prove` for constraint logic programs: entailments between recursive definitions, and properties of processes.
//!
//! The engine finds derivations, a computation tree and counterexamples. Nothing of that is believed: the proof becomes a
//! certificate, which the checker has to accept against the text that was read, and a counterexample has to be confirmed
//! by derivations of its own (`refutation`). Only then is anything printed (`verdict`).

mod refutation;
#[cfg(test)]
mod tests;
mod verdict;

use super::watcher::Watcher;
use super::{Job, no_flag, not_verified, write_certificate};
use crate::clock::{self, Clock};
use crate::commands::explore::{memory_limit, print, unknown_property};
use crate::console::Console;
use crate::exit::Exit;
use crate::files::{self, require_folder};
use crate::input::Input;
use crate::no_verdict::no_verdict;
use crate::progress::Line;
use crate::watchdog;
use anyhow::Context;
use std::path::Path;
use tenet_engine::recursive::{Answer, LeftSide, Options, Outcome, recursive};
use tenet_engine::{Stop, Watch};
use tenet_lang::diagnostic::Diagnostic;
use tenet_proof::recursive::{Proved, certify, proved};
use tenet_proof::{Backend, Certificate, Rejection, verify};
use tenet_report::codes;
use tenet_report::recursive::dot::dot;
use tenet_report::recursive::html::html;
use tenet_report::view::{Report, Verdict};
use tenet_system::recursive::tree::{Fate, Tree};
use tenet_system::recursive::{Program, Proof};

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

/// Proves what the file asks for, prints the report, and gives the exit code.
pub fn run(
    job: &Job<'_>,
    input: &mut Input,
    program: &Program,
    file: Option<&Path>,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    let Some(chosen) = chosen(&job.proof.properties, program, input) else {
        return input.reject(console, job.output.json);
    };
    if let Some(refusal) = file.and_then(|file| no_tree(file, program, &chosen)) {
        input.diagnostics.push(refusal);
        return input.reject(console, job.output.json);
    }
    job.prepare(input, console)?;
    file.map_or(Ok(()), require_folder)?;
    let memory = memory_limit(job.proof.memory);
    watchdog::limit_memory(memory);
    watchdog::expect("recursive", chosen.names(program));
    let line = Line::new(!job.output.quiet);
    let mut watcher = Watcher::start(job.clock, memory, line, no_flag()).context("cannot start a thread")?;
    let mut program = program.clone();
    let outcome = search(&mut program, &chosen, &mut watcher);
    drop(watcher);
    // What was found in time is not lost because there is no time left to look at it.
    let (clock, line) = (Clock::started(Some(CONFIRMATION)), Line::new(false));
    let mut watcher = Watcher::start(clock, memory, line, no_flag()).context("cannot start a thread")?;
    let found = Found { chosen, outcome, memory };
    let Some(report) = conclude(job, input, &mut program, &found, &mut watcher, console)? else {
        return Ok(Exit::CheckFailed);
    };
    drop(watcher);
    print(&report, input, job.output, console)?;
    file.map_or(Ok(()), |file| write_report(file, &report))?;
    Ok(exit(&report, found.outcome.stopped))
}

/// What the engine says, before anybody has looked at it.
struct Found {
    chosen: Chosen,
    outcome: Outcome,
    /// The memory limit in bytes.
    memory: usize,
}

/// Checks everything that the engine claims, and makes the report. There is none if a claim is wrong; that has been said then.
fn conclude(
    job: &Job<'_>,
    input: &Input,
    program: &mut Program,
    found: &Found,
    watch: &mut dyn Watch,
    console: &mut Console,
) -> anyhow::Result<Option<Report>> {
    let confirmed = match confirm(job, input, program, &found.outcome.proof) {
        Ok(confirmed) => confirmed,
        Err(rejection) => {
            not_verified(&rejection, input, job.output, console)?;
            return Ok(None);
        }
    };
    let refutations = refutation::confirm(program, &found.outcome, watch);
    if let Some((_, proved)) = &confirmed
        && refutations.contradict(proved)
    {
        // Both were checked, so one of the checks is wrong.
        no_verdict("error: the same thing was proved and refuted", input, job.output, console)?;
        return Ok(None);
    }
    let certificate = confirmed.as_ref().map(|(certificate, _)| certificate);
    let written = write_certificate(job, certificate, console)?;
    let facts =
        verdict::Facts { job, input, found, confirmed: &confirmed, refutations: &refutations, written };
    Ok(Some(facts.report(program)))
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
    outcome.answers.extend(others.iter().map(|_| Answer::Open));
    outcome.left_sides.extend(others.iter().map(|_| LeftSide::Open));
    outcome.proof.obligations.extend(others.iter().map(|_| None));
    program.obligations.extend(others);
    program.process = process;
    outcome
}

/// Turns the proof into a certificate and has that checked against the text that was read; nothing if nothing is proved.
fn confirm(
    job: &Job<'_>,
    input: &Input,
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
    let origin = job.origin(input, "recursive");
    let certificate = certify(program, &proof, &origin)
        .map_err(|rejection| Rejection { reason: rejection.to_string(), line: None })?;
    let verified = verify(&certificate.text, &Backend::Z3, &mut |name| input.loaded(name))?;
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

/// What `--property` names, or everything.
fn chosen(names: &[String], program: &Program, input: &mut Input) -> Option<Chosen> {
    let obligations = program.obligations.iter().map(|known| known.name.as_str());
    let properties = program.process.iter().flat_map(|process| &process.properties);
    let obligations: Vec<(usize, &str)> = obligations.enumerate().collect();
    let properties: Vec<(usize, &str)> = properties.map(|known| known.name.as_str()).enumerate().collect();
    let all: Vec<(usize, &str)> = obligations.iter().chain(&properties).copied().collect();
    let unknown = names.iter().filter(|name| !all.iter().any(|(_, known)| known == name));
    let unknown: Vec<Diagnostic> = unknown.map(|name| unknown_property(name, &all)).collect();
    if !unknown.is_empty() {
        input.diagnostics.extend(unknown);
        return None;
    }
    let wanted = |list: &[(usize, &str)]| -> Vec<usize> {
        let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
        list.iter().filter(|(_, name)| is_wanted(name)).map(|(place, _)| *place).collect()
    };
    Some(Chosen { obligations: wanted(&obligations), properties: wanted(&properties) })
}

/// Why there will be no picture of a tree, if there will be none.
fn no_tree(file: &Path, program: &Program, chosen: &Chosen) -> Option<Diagnostic> {
    let has_tree = program.process.is_some() && !chosen.properties.is_empty();
    (is_dot(file) && !has_tree).then(|| {
        let message = format!("there is no computation tree to write to {}", file.display());
        Diagnostic::global(&codes::NO_REPORT, message)
            .help("a tree needs a transition system and a property; `--report OUT.html` shows derivations")
    })
}

fn is_dot(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("dot"))
}

fn write_report(file: &Path, report: &Report) -> anyhow::Result<()> {
    let Some(recursive) = &report.recursive else { return Ok(()) };
    let text = match &recursive.tree {
        Some(tree) if is_dot(file) => dot(&format!("{}: {}", report.file, report.headline), tree),
        _ => html(report, recursive),
    };
    files::write(file, &text)
}

fn exit(report: &Report, stop: Option<Stop>) -> Exit {
    let is_cut_short = stop == Some(Stop::Interrupt) || clock::is_interrupted();
    match report.verdict {
        Verdict::Unknown if is_cut_short => Exit::Interrupted,
        verdict => verdict.into(),
    }
}

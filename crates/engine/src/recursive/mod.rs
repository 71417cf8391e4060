//! Recursive definitions: entailments between goals by coinduction, and computation trees of processes (SPEC 3).
//!
//! J. Jaffar, A. E. Santosa, "Recursive Abstractions for Parameterized Systems", 2009. The printed rules are unsound without a condition
//! on what a hypothesis may be used for (SPEC RA-T1). Whatever is found here is a derivation that is checked by others.

mod abstraction;
mod attempt;
mod equations;
mod mining;
mod oracle;
mod outcome;
mod prover;
mod publish;
mod refute;
mod run;
mod sequent;
mod shape;
mod tactics;
mod termination;
mod tree;

pub use outcome::{Answer, Options, Outcome, Report, Run, Verdict};
pub use refute::Counterexample;

use crate::Watch;
use prover::Prover;
use std::time::{Duration, Instant};
use tenet_system::recursive::tree::Tree;
use tenet_system::recursive::{Process, Program, Proof, Step};
use tree::{Builder, Choice, MAX_NODES};

/// How long an obligation is tried before a counterexample is looked for.
const FIRST_TRY: Duration = Duration::from_secs(5);
/// And after that.
const SECOND_TRY: Duration = Duration::from_secs(60);
/// How long a counterexample to one obligation is looked for.
const REFUTATION: Duration = Duration::from_secs(4);
/// How many sequences of transitions are looked at for a run that violates a property before there is a tree.
const FIRST_PATHS: usize = 60;
/// And if the tree does not show the property.
const SECOND_PATHS: usize = 2000;
/// How long a run is looked for.
const RUN: Duration = Duration::from_secs(20);
/// How long a tree is built.
const TREE: Duration = Duration::from_secs(120);
/// And without an abstraction: such trees mostly grow for ever.
const PLAIN_TREE: Duration = Duration::from_secs(20);
/// A limit for the same reason.
const FEW_NODES: usize = 6;

/// Proves what the program asks for, as far as that is found. Adds terms to its store and changes nothing else.
pub fn recursive(program: &mut Program, options: &Options, watch: &mut dyn Watch) -> Outcome {
    let mut prover = Prover::new(program, watch);
    let start = Instant::now();
    let runs = first_runs(&mut prover);
    let first = start.elapsed();
    prover.mine();
    let Obligations { proofs, answers, times } = prove_obligations(&mut prover, options);
    let start = Instant::now();
    let (tree, properties) = match prover.program.process.clone() {
        Some(process) => explore(&mut prover, &process, runs),
        None => (None, Vec::new()),
    };
    let report = Report {
        solver_calls: prover.oracle.calls(),
        visited: prover.visited,
        obligations: times,
        process: first + start.elapsed(),
    };
    let stopped = prover.stop();
    let lemmas = prover.lemmas;
    Outcome { proof: Proof { lemmas, obligations: proofs, tree }, answers, properties, report, stopped }
}

/// What became of the obligations.
#[derive(Default)]
struct Obligations {
    proofs: Vec<Option<Step>>,
    answers: Vec<Answer>,
    times: Vec<Duration>,
}

/// Proves the obligations one after the other, or finds counterexamples.
fn prove_obligations(prover: &mut Prover, options: &Options) -> Obligations {
    let mut result = Obligations::default();
    for entailment in prover.program.obligations.clone() {
        let start = Instant::now();
        prover.tell("proving an obligation");
        let mut proof = prover.within(FIRST_TRY, |prover| prover.prove(&entailment));
        let mut answer = Answer::Open;
        if proof.is_none() && !options.proofs_only {
            let found = prover.within(REFUTATION, |prover| prover.refute(&entailment));
            answer = found.map_or(Answer::Open, Answer::Refuted);
        }
        if let (None, Answer::Open) = (&proof, &answer)
            && !options.proofs_only
        {
            proof = prover.within(SECOND_TRY, |prover| prover.prove(&entailment));
        }
        if proof.is_some() {
            answer = Answer::Proved;
        }
        result.answers.push(answer);
        result.proofs.push(proof.map(|proof| prover.publish(&entailment, proof)));
        result.times.push(start.elapsed());
    }
    result
}

/// Looks for short runs that violate properties.
fn first_runs(prover: &mut Prover) -> Vec<Option<Run>> {
    let Some(process) = prover.program.process.clone() else { return Vec::new() };
    let properties = 0..process.properties.len();
    properties
        .map(|property| prover.within(RUN, |prover| prover.violating_run(&process, property, FIRST_PATHS)))
        .collect()
}

/// Builds a computation tree, or finds runs that violate properties.
fn explore(prover: &mut Prover, process: &Process, runs: Vec<Option<Run>>) -> (Option<Tree>, Vec<Verdict>) {
    if !runs.is_empty() && runs.iter().all(Option::is_some) {
        return (None, runs.into_iter().flatten().map(Verdict::Violated).collect());
    }
    let mut tree = closed_tree(prover, process, runs.iter().all(Option::is_none));
    let is_closed = tree::is_closed(&tree);
    let holds = tree::proved(&tree, process.properties.len());
    let mut verdicts = Vec::new();
    for (property, (run, holds)) in runs.into_iter().zip(holds).enumerate() {
        let run = run.or_else(|| match is_closed && holds {
            true => None,
            false => prover.within(RUN, |prover| prover.violating_run(process, property, SECOND_PATHS)),
        });
        verdicts.push(match run {
            Some(run) => Verdict::Violated(run),
            None if is_closed && holds => Verdict::Proved,
            None => Verdict::Open,
        });
    }
    if is_closed {
        tree.termination = prover.within(REFUTATION, |prover| prover.termination(process, &tree));
    }
    (Some(tree), verdicts)
}

/// The tree with the abstractions of the program, or with one that is found.
fn closed_tree(prover: &mut Prover, process: &Process, is_promising: bool) -> Tree {
    let abstractions = process.abstractions.iter().enumerate();
    let user: Vec<Choice> = abstractions
        .map(|(number, abstraction)| Choice {
            number: Some(number),
            at: Some(abstraction.at.clone()),
            by: abstraction.by.clone(),
        })
        .collect();
    let shows_all = |tree: &Tree| {
        tree::is_closed(tree) && tree::proved(tree, process.properties.len()).into_iter().all(|holds| holds)
    };
    let found = match user.is_empty() && is_promising {
        true => prover.abstracted_tree(process),
        false => None,
    };
    if found.as_ref().is_some_and(shows_all) {
        return found.expect("invariant: there is one");
    }
    let (limit, patience) = if user.is_empty() { (FEW_NODES, PLAIN_TREE) } else { (MAX_NODES, TREE) };
    let plain = prover.within(patience, |prover| Builder::new(prover, process, user, limit).build());
    match found {
        Some(found) if !shows_all(&plain) => found,
        _ => plain,
    }
}

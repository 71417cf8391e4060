//! Recursive definitions: entailments between goals by coinduction, and computation trees of processes (Jaffar and Santosa).
//!
//! J. Jaffar, A. E. Santosa, "Recursive Abstractions for Parameterized Systems", 2009. The printed rules are unsound without a condition
//! on what a hypothesis may be used for (RA-T1). Whatever is found here is a derivation that is checked by others.
//!
//! The modules: a `sequent` is an obligation while it is proved, with the lineage of its atoms; `tactics` says what
//! is tried, cheapest first; `paper` is the published search in its place; `prover` covers all cases by attempts (`attempt`), which prove the right-hand side
//! backwards and end with a condition; `equations` and `solver` serve both. `shape`, `mining` and `publish` make
//! lemmas; `tree`, `abstraction` and `termination` make the computation tree; `refute`, `walk` and `run` look for
//! counterexamples and runs.
//!
//! The engine respects the condition on hypotheses so that its proofs are accepted; that they are right is what
//! `tenet_proof::recursive` says.

mod abstraction;
mod attempt;
mod engine;
mod equations;
mod mining;
mod outcome;
mod paper;
mod prover;
mod publish;
mod refute;
mod run;
mod sequent;
mod shape;
mod solver;
mod tactics;
mod termination;
mod tree;
mod walk;

pub use engine::{Details, Recursive};
pub use outcome::{Bounds, LeftSide, Options, Refused, Report, Rules, Run};
pub use refute::Counterexample;

use crate::Watch;
use outcome::{Answer, Found, Limit, SafetyAnswer};
use prover::Prover;
use std::time::{Duration, Instant};
use tenet_solve::{Effort, EffortBudget};
use tenet_system::recursive::obligations::emptiness;
use tenet_system::recursive::tree::Tree;
use tenet_system::recursive::{Entailment, Goal, Process, Program, Proof, Step};
use tracing::{debug, info, info_span};
use tree::{Builder, Built, Choice, MAX_NODES};

/// Effort to prove an obligation before a counterexample is looked for.
const FIRST_PROOF_EFFORT: Effort = Effort::secs(5);
/// Effort to prove it if there seems to be no counterexample.
const SECOND_PROOF_EFFORT: Effort = Effort::secs(60);
/// Effort to find a counterexample to one obligation.
const REFUTATION_EFFORT: Effort = Effort::secs(4);
/// Effort to show that the left-hand side of a proved obligation has a member.
const LEFT_SIDE_EFFORT: Effort = Effort::secs(1);
/// Sequences of transitions, and states, that are searched for a violation before there is a tree.
const FIRST_RUN_CANDIDATES: usize = 60;
/// The same if the tree does not show the property.
const SECOND_RUN_CANDIDATES: usize = 2000;
/// Effort to find a run.
const RUN_EFFORT: Effort = Effort::secs(20);
/// Seconds of effort for the first tree, after which a run is looked for once more.
const FIRST_TREE_SECONDS: u64 = 8;
/// The same for the second tree, which is built from its root again.
const SECOND_TREE_SECONDS: u64 = 120;
/// The same for a tree without an abstraction: such trees mostly grow for ever.
const PLAIN_TREE_SECONDS: u64 = 20;
/// Nodes of a tree without an abstraction, for the same reason.
const MAX_PLAIN_NODES: usize = 6;

/// Tries to prove the entailments and properties of the program. Adds terms to its store and changes nothing else.
fn search(program: &mut Program, options: &Options, watch: &mut dyn Watch) -> Found {
    let _span = info_span!("recursive").entered();
    info!(entailments = program.obligations.len(), has_process = program.process.is_some(), "engine begins");
    let mut prover = Prover::new(program, watch);
    (prover.rules, prover.bounds) = (options.rules, options.bounds);
    prover.budget = options.effort.map(|effort| EffortBudget::of(&prover.solver.meter, effort));
    let start = Instant::now();
    let runs = first_runs(&mut prover);
    let first = start.elapsed();
    if options.rules == Rules::Tenet {
        prover.mine();
    }
    // Fixed before the budget can be spent: a tree that is closed later must not count as more than it is.
    let is_vacuous = has_no_start(&mut prover);
    let Obligations { proofs, answers, refused, times } = prove_obligations(&mut prover, options);
    let start = Instant::now();
    let (tree, properties) = match prover.program.process.clone() {
        Some(process) => explore(&mut prover, &process, runs),
        None => (None, Vec::new()),
    };
    let limit = tree.as_ref().and_then(|built| built.limit);
    let tree = tree.map(|built| built.tree);
    let report = Report {
        solver_calls: prover.solver.calls(),
        visited: prover.visited,
        obligations: times,
        process: first + start.elapsed(),
    };
    let stopped = prover.stop();
    let left_sides = left_sides(&mut prover, &answers);
    info!(lemmas = prover.lemmas.len(), solver_calls = report.solver_calls, ?stopped, "engine ends");
    let lemmas = prover.lemmas;
    let proof = Proof { lemmas, obligations: proofs, tree };
    Found { proof, answers, left_sides, refused, limit, properties, is_vacuous, report, stopped }
}

/// Vacuity of what was proved. Lemmas that this takes are not part of the proof.
fn left_sides(prover: &mut Prover, answers: &[Answer]) -> Vec<LeftSide> {
    let proved = prover.lemmas.clone();
    let mut result = Vec::new();
    for (entailment, answer) in prover.program.obligations.clone().iter().zip(answers) {
        let constraint = prover.program.store.mk_bool(false);
        let right = Goal { atoms: Vec::new(), constraint };
        let nothing = Entailment { right, existentials: Vec::new(), ..entailment.clone() };
        result.push(match answer {
            Answer::Refuted(_) => LeftSide::Inhabited,
            Answer::Open => LeftSide::Open,
            Answer::Proved if prover.within(LEFT_SIDE_EFFORT, |prover| prover.refute(&nothing)).is_some() => {
                LeftSide::Inhabited
            }
            Answer::Proved
                if prover.within(LEFT_SIDE_EFFORT, |prover| prover.quickly(&nothing)).is_some() =>
            {
                LeftSide::Empty
            }
            Answer::Proved => LeftSide::Open,
        });
    }
    prover.lemmas = proved;
    result
}

/// Is it easily shown that there is no initial state?
fn has_no_start(prover: &mut Prover) -> bool {
    let Some(process) = prover.program.process.clone() else { return false };
    let nothing = emptiness(&mut prover.program.store, &process.start);
    prover.quickly(&nothing).is_some()
}

#[derive(Default)]
struct Obligations {
    proofs: Vec<Option<Step>>,
    answers: Vec<Answer>,
    refused: Vec<Option<Refused>>,
    times: Vec<Duration>,
}

/// Proves the obligations one after the other, or finds counterexamples.
fn prove_obligations(prover: &mut Prover, options: &Options) -> Obligations {
    let mut result = Obligations::default();
    for entailment in prover.program.obligations.clone() {
        let start = Instant::now();
        let _span = info_span!("entailment", name = entailment.name.as_str()).entered();
        debug!("proof begins");
        prover.report_progress("proving an obligation");
        let mut proof = prover.within(FIRST_PROOF_EFFORT, |prover| prover.prove(&entailment));
        let mut answer = Answer::Open;
        if proof.is_none() && !options.proofs_only {
            let found = prover.within(REFUTATION_EFFORT, |prover| prover.refute(&entailment));
            answer = found.map_or(Answer::Open, Answer::Refuted);
        }
        if let (None, Answer::Open) = (&proof, &answer)
            && !options.proofs_only
        {
            proof = prover.within(SECOND_PROOF_EFFORT, |prover| prover.prove(&entailment));
        }
        if proof.is_some() {
            answer = Answer::Proved;
        }
        let is_refuted = matches!(answer, Answer::Refuted(_));
        debug!(is_proved = proof.is_some(), is_refuted, "proof ends");
        let is_printed = prover.rules == Rules::Paper && proof.is_none();
        result.refused.push(if is_printed { prover.as_printed(&entailment) } else { None });
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
    properties.map(|property| a_run(prover, &process, property, FIRST_RUN_CANDIDATES)).collect()
}

/// Looks for a run that violates a property, through single states or through sets of them.
fn a_run(prover: &mut Prover, process: &Process, property: usize, effort: usize) -> Option<Run> {
    prover
        .within(RUN_EFFORT, |prover| prover.violating_walk(process, property, effort))
        .or_else(|| prover.within(RUN_EFFORT, |prover| prover.violating_run(process, property, effort)))
}

/// Builds a computation tree, or finds runs that violate properties.
fn explore(
    prover: &mut Prover,
    process: &Process,
    runs: Vec<Option<Run>>,
) -> (Option<Built>, Vec<SafetyAnswer>) {
    if !runs.is_empty() && runs.iter().all(Option::is_some) {
        return (None, runs.into_iter().flatten().map(SafetyAnswer::Violated).collect());
    }
    let mut built = closed_tree(prover, process, runs.iter().all(Option::is_none));
    let mut runs = runs;
    if !shows_all(process, &built.tree) {
        let holds = proved(process, &built.tree);
        for (property, run) in runs.iter_mut().enumerate().filter(|(property, _)| !holds[*property]) {
            *run = run.take().or_else(|| a_run(prover, process, property, SECOND_RUN_CANDIDATES));
        }
        let is_worth_it = matches!(built.limit, Some(Limit::Work(_))) && prover.bounds.tree_seconds.is_none();
        if is_worth_it && !process.abstractions.is_empty() && runs.iter().any(Option::is_none) {
            built = plain_tree(prover, process, SECOND_TREE_SECONDS);
        }
    }
    let verdict = |(run, holds): (Option<Run>, bool)| match run {
        Some(run) => SafetyAnswer::Violated(run),
        None if holds => SafetyAnswer::Proved,
        None => SafetyAnswer::Open,
    };
    let verdicts = runs.into_iter().zip(proved(process, &built.tree)).map(verdict).collect();
    if tree::is_closed(&built.tree) {
        built.tree.termination =
            prover.within(REFUTATION_EFFORT, |prover| prover.termination(process, &built.tree));
    }
    (Some(built), verdicts)
}

/// Which properties does a tree show?
fn proved(process: &Process, tree: &Tree) -> Vec<bool> {
    let is_closed = tree::is_closed(tree);
    tree::proved(tree, process.properties.len()).into_iter().map(|holds| holds && is_closed).collect()
}

fn shows_all(process: &Process, tree: &Tree) -> bool {
    tree::is_closed(tree) && !proved(process, tree).contains(&false)
}

/// The tree with the abstractions of the program, or with one that is found.
fn closed_tree(prover: &mut Prover, process: &Process, is_promising: bool) -> Built {
    if !process.abstractions.is_empty() {
        return plain_tree(prover, process, FIRST_TREE_SECONDS);
    }
    let is_found = is_promising && prover.rules == Rules::Tenet;
    let found = if is_found { prover.abstracted_tree(process) } else { None };
    match found {
        Some(found) if shows_all(process, &found) => Built { tree: found, limit: None },
        Some(found) => {
            let plain = plain_tree(prover, process, PLAIN_TREE_SECONDS);
            if shows_all(process, &plain.tree) { plain } else { Built { tree: found, limit: None } }
        }
        None => plain_tree(prover, process, PLAIN_TREE_SECONDS),
    }
}

/// The tree with the abstractions of the program, if it has any.
fn plain_tree(prover: &mut Prover, process: &Process, seconds: u64) -> Built {
    let abstractions = process.abstractions.iter().enumerate();
    let choices: Vec<Choice> = abstractions
        .map(|(number, abstraction)| Choice {
            number: Some(number),
            at: Some(abstraction.at.clone()),
            by: abstraction.by.clone(),
        })
        .collect();
    let usual = if choices.is_empty() { MAX_PLAIN_NODES } else { MAX_NODES };
    let limit = prover.bounds.nodes.unwrap_or(usual);
    let seconds = prover.bounds.tree_seconds.unwrap_or(seconds);
    let _span = info_span!("tree").entered();
    let mut built = prover.within(Effort::secs(seconds), |prover| {
        let built = Builder::new(prover, process, choices, limit).build();
        let is_spent = built.limit.is_none() && !tree::is_closed(&built.tree);
        Built { limit: if is_spent { Some(Limit::Work(seconds)) } else { built.limit }, ..built }
    });
    // A proof that stopped early may have left nothing open.
    built.limit = built.limit.filter(|_| !tree::is_closed(&built.tree));
    let is_closed = tree::is_closed(&built.tree);
    debug!(nodes = built.tree.nodes.len(), is_closed, limit = ?built.limit, "computation tree built");
    built
}

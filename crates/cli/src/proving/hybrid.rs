//! What the engine `hybrid` says of circuits, in the form that everything behind the engines reads.

use super::view;
use tenet_engine::hybrid::{self, Means, Outcome, Reason, Work};
use tenet_engine::refine;
use tenet_report::hybrid::{Hybrid, HybridRefinement};
use tenet_system::System;

/// What was done, for the report.
pub fn work(system: &System, outcome: &Outcome) -> Vec<Hybrid> {
    outcome.work.iter().map(|work| shown(system, work)).collect()
}

fn shown(system: &System, work: &Work) -> Hybrid {
    let refinements = work.refinements.iter().map(|one| HybridRefinement {
        length: one.length,
        added: one.added,
        means: match one.means {
            Means::Candidates => "candidates",
            Means::Preconditions => "preconditions",
            Means::Split => "split",
        },
        one_by_one: one.one_by_one,
    });
    Hybrid {
        property: view::name(&system.properties[work.property]),
        registers: work.registers,
        iterations: work.iterations,
        rebuilds: work.rebuilds,
        bits: work.bits,
        predicates: work.predicates.clone(),
        clusters: work.clusters.clone(),
        kept: work.kept.clone(),
        branches: work.branches.clone(),
        invariants: work.invariants.clone(),
        correlations: work.correlations,
        refinements: refinements.collect(),
        seconds: work.seconds,
    }
}

/// The outcome as one of a search for lemmas or runs. A run that could not be replayed is handed on as one: it is replayed
/// again before it is shown, and that is where it ends without a verdict.
pub fn as_refined(outcome: Outcome) -> refine::Outcome {
    let predicates = outcome.work.iter().map(|work| work.predicates.len()).sum();
    let refinements = outcome.work.iter().map(|work| work.refinements.len()).sum();
    let result = match outcome.result {
        Ok(hybrid::Found::Proof(lemmas)) => Ok(refine::Found::Proof(lemmas)),
        Ok(hybrid::Found::Run(violation)) => Ok(refine::Found::Run(violation)),
        Err(Reason::NotReplayed(violation)) => Ok(refine::Found::Run(*violation)),
        Err(Reason::Stopped(stop)) => Err(refine::Reason::Stopped(stop)),
        Err(reason) => Err(refine::Reason::GivenUp(why_no_answer(&reason))),
    };
    refine::Outcome {
        result,
        warnings: Vec::new(),
        predicates,
        refinements,
        solver_calls: outcome.solver_calls,
        solver_seconds: outcome.solver_seconds,
    }
}

/// Why there is no answer, for people.
pub fn why_no_answer(reason: &Reason) -> String {
    match reason {
        Reason::Stopped(_) => "it was stopped".to_string(),
        Reason::NotACircuit => "the engine `hybrid` is for circuits".to_string(),
        Reason::Inconclusive(why) => format!("the solver does not know whether a run is possible: {why}"),
        Reason::NotReplayed(_) => "a run was found that cannot be repeated".to_string(),
        Reason::Stuck => "nothing was found that excludes a run which is not possible".to_string(),
    }
}

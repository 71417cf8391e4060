//! The engine `hybrid`: circuits, by predicates and kept registers together (Clarke, Grumberg, Talupur and Wang, 2003).
//!
//! An abstract model observes the predicates of the property. Where a cluster of predicates has become as large as the
//! registers it speaks of, the registers are kept instead. The model is checked with decision diagrams; a counterexample
//! that is not real is excluded by branch conditions of the design if these suffice (lazily, by proofs), and by new
//! predicates if not. Everything that is claimed is checked elsewhere: lemmas by a certificate, runs by being replayed.
//!
//! The modules: `concrete` is the circuit of one property and `observe` finds what can be a predicate; `shape` and
//! `view` say which registers are kept and what an abstract model sees of a term; a `fact` is a clause over
//! predicates that holds of the circuit, from `implicit` (with steps that were tried, `pool` and `columns`) or
//! `exact`; `model`, `order`, `schedule` and `rings` are the abstract model as decision diagrams; `unroll` asks
//! whether a counterexample is real; `questions`, `lazy` and `traditional` refine; `lemmas` is the proof. `search` is
//! the CEGAR loop.
//!
//! A fact is about the circuit, never about an abstraction of it, so facts, predicates and kept registers are only ever added.

mod columns;
mod concrete;
mod engine;
mod exact;
mod fact;
mod implicit;
mod lazy;
mod lemmas;
mod model;
mod observe;
mod options;
mod order;
mod outcome;
mod pool;
mod questions;
mod rings;
mod schedule;
mod search;
mod shape;
mod traditional;
mod unroll;
mod view;

#[cfg(test)]
pub(crate) mod tests;

pub use engine::Hybrid;
pub use options::{Images, Method, Options};
pub use outcome::{Found, Means, Outcome, Reason, Refinement, Work};

use crate::common::watch::Watch;
use search::Search;
use tenet_solve::{BitSolver, Solver, Z3Solver};
use tenet_system::run::{Violation, replay_violation};
use tenet_system::{Circuit, System};
use tenet_term::Sort;
use tracing::{info, info_span};

type Maker<'a> = &'a dyn Fn() -> Box<dyn Solver>;

/// Searches for an invariant that implies these properties, one after the other, or for a run that violates one.
pub fn hybrid(
    system: &mut System,
    properties: &[usize],
    options: &Options,
    watch: &mut dyn Watch,
) -> Outcome {
    let Some(circuit) = Circuit::of(system) else { return Outcome::without(Reason::NotACircuit) };
    let _span = info_span!("hybrid").entered();
    info!(registers = circuit.next.len(), properties = properties.len(), "engine begins");
    let terms = circuit.next.iter().chain(&circuit.initial).chain(&circuit.bad);
    let mut terms = terms.chain([&circuit.start, &circuit.constraint]);
    let are_bits = terms.all(|&term| BitSolver::understands(&system.store, term));
    let solvers: Maker<'_> = match are_bits {
        true => &|| Box::new(BitSolver::new()),
        false => &|| Box::new(Z3Solver::new()),
    };
    let mut lemmas = Vec::new();
    let mut outcome =
        Outcome { result: Ok(Found::Proof(Vec::new())), ..Outcome::without(Reason::NotACircuit) };
    for &property in properties {
        let mut search = Search::new(system, &circuit, property, options, solvers, watch);
        let result = search.run();
        let (work, statistics) = search.finish();
        let (solver_calls, refinements) = (statistics.calls, work.refinements.len());
        match &result {
            Ok(Found::Proof(_)) => info!(solver_calls, refinements, "engine ends with a proof"),
            Ok(Found::Run(_)) => info!(solver_calls, refinements, "engine ends with a run"),
            Err(reason) => info!(solver_calls, refinements, ?reason, "engine ends without an answer"),
        }
        outcome.work.push(work);
        outcome.solver_calls += statistics.calls;
        outcome.solver_seconds += statistics.seconds;
        match result {
            Ok(Found::Proof(found)) => lemmas.extend(found),
            Ok(Found::Run(violation)) => {
                // A run that fails to replay is an internal error, and never a verdict (HL-A10).
                outcome.result = match replay_violation(system, &violation) {
                    Ok(_) => Ok(Found::Run(violation)),
                    // A model of an array that is no table is not read exactly, and the run then says nothing about the engine.
                    Err(_) if has_arrays(system, &violation) => {
                        Err(Reason::Inconclusive("its arrays cannot be read".to_owned()))
                    }
                    Err(_) => Err(Reason::NotReplayed(Box::new(violation))),
                };
                return outcome;
            }
            Err(reason) => {
                outcome.result = Err(reason);
                return outcome;
            }
        }
    }
    lemmas.dedup_by_key(|lemma: &mut tenet_system::Lemma| lemma.body);
    outcome.result = Ok(Found::Proof(lemmas));
    outcome
}

/// Does a run choose the content of arrays?
fn has_arrays(system: &System, violation: &Violation) -> bool {
    let taken = std::iter::once(&violation.run.start).chain(&violation.run.rules);
    let mut chosen =
        taken.flat_map(|taken| &taken.params).map(|(symbol, _)| system.store.symbol(*symbol).sort);
    chosen.any(|sort| matches!(system.store.sort(sort), Sort::Function { .. }))
}

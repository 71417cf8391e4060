//! The engine `hybrid`: circuits, by predicates and kept registers together (SPEC 4, after Clarke, Grumberg, Talupur and Wang).
//!
//! An abstract model observes the predicates of the property. Where a cluster of predicates has become as large as the
//! registers it speaks of, the registers are kept instead. The model is checked with decision diagrams; a counterexample
//! that is not real is excluded by branch conditions of the design if these suffice (lazily, by proofs), and by new
//! predicates if not. Everything that is claimed is checked elsewhere: lemmas by a certificate, runs by being replayed.

mod columns;
mod concrete;
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

pub use options::{Images, Method, Options};
pub use outcome::{Found, Means, Outcome, Reason, Refinement, Work};

use crate::watch::Watch;
use search::Search;
use tenet_solve::{BitSolver, Solver, Z3Solver};
use tenet_system::run::{Violation, replay_violation};
use tenet_system::{Circuit, System};
use tenet_term::Sort;

/// Makes solvers.
type Maker<'a> = &'a dyn Fn() -> Box<dyn Solver>;

/// Searches for an invariant that implies these properties, one after the other, or for a run that violates one.
pub fn hybrid(
    system: &mut System,
    properties: &[usize],
    options: &Options,
    watch: &mut dyn Watch,
) -> Outcome {
    let Some(circuit) = Circuit::of(system) else { return Outcome::without(Reason::NotACircuit) };
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
        outcome.work.push(work);
        outcome.solver_calls += statistics.calls;
        outcome.solver_seconds += statistics.seconds;
        match result {
            Ok(Found::Proof(found)) => lemmas.extend(found),
            Ok(Found::Run(violation)) => {
                // A run that does not happen is a mistake of ours, and never a verdict (SPEC HL-A10).
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

//! What an engine does not know about a proof that would say nothing: that the model asks for nothing, that none of its clauses
//! is a fact, or that what is assumed of a circuit ends all of its runs.

use crate::job::Job;
use tenet_engine::circuit::vacuity;
use tenet_engine::{Evidence, Outcome, Warning, Watch};
use tenet_lang::horn::Horn;
use tenet_solve::{Answer, Solver, Z3Solver};
use tenet_system::{Circuit, PropertyKind, System};

/// Units of the solver's own counter for the question whether a fact can hold.
const UNITS: u32 = 200_000;

/// Adds what makes a finished proof vacuous. What is not proved may still be false, and is left alone.
pub(crate) fn add_warnings(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    outcome: &mut Outcome,
    watch: &dyn Watch,
) {
    // What the language demands is all that is asked about reads, and may be all that is left to be asked.
    let is_whole = !job.is_about_reads && job.violated.is_empty();
    if !is_whole || !matches!(outcome.evidence, Evidence::Invariant { .. }) {
        return;
    }
    let model = job.model();
    if model.circuit().is_some()
        && outcome.warnings.is_empty()
        && let Some(circuit) = Circuit::of(system)
    {
        outcome.warnings.extend(vacuity(system, &circuit, watch));
    }
    if is_without_property(system, chosen) {
        outcome.warnings.push(Warning::NoProperty);
    }
    if let Some(horn) = model.clauses()
        && !outcome.warnings.contains(&Warning::NoStart)
        && is_without_facts(horn)
    {
        outcome.warnings.push(Warning::NoStart);
    }
}

/// Is there nothing among the properties that the author wrote?
pub(crate) fn is_without_property(system: &System, chosen: &[usize]) -> bool {
    let is_demand = |&position: &usize| {
        let kind = system.properties[position].kind;
        matches!(kind, PropertyKind::Implicit { .. } | PropertyKind::Start { .. })
    };
    chosen.iter().all(is_demand)
}

/// Can nothing be derived from the clauses of the file, because none of them is a fact whose constraint can be satisfied? A query
/// without relations asks about its constraint alone and needs no facts.
fn is_without_facts(horn: &Horn) -> bool {
    if horn.clauses.iter().any(|clause| clause.body.is_empty() && clause.head.is_none()) {
        return false;
    }
    let store = &horn.system().store;
    let mut facts = horn.clauses.iter().filter(|clause| clause.body.is_empty());
    facts.all(|fact| {
        let mut solver = Z3Solver::new().within(UNITS);
        solver.assert(store, fact.constraint);
        solver.check(store, &[]) == Answer::Unsat
    })
}

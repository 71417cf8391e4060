//! The engine `refine`: programs, that is, systems with control locations and scalar data.
//!
//! The modules: `program` makes control locations and transitions of a system, where starting and violating a
//! property are transitions too. Then `search/portfolio` runs the methods in slices: `facts` (inductive equations,
//! bounds, remainders, ranges of bit-vectors), the property-directed `search` over `predicates` of each location with
//! one incremental query for each transition (`steps`), runs (`walk`, `bounded`, `accelerate`), and Z3's own solver
//! for Horn clauses (`spacer`). `path` says whether an abstract path is feasible; if it is not, `implicant`,
//! `interpolate` and `linear` say which predicates exclude it. `minimise` keeps the lemmas that a proof needs. The
//! published methods are in `methods`.
//!
//! A run is replayed by the evaluator of terms before the engine claims it, and lemmas count when their certificate
//! does. So facts, acceleration, Spacer's answers and predicates may all be wrong.

mod accelerate;
mod bounded;
mod engine;
mod facts;
mod implicant;
mod interpolate;
pub mod methods;
mod minimise;
mod path;
mod predicates;
pub(crate) mod program;
mod search;
mod spacer;
mod steps;
mod walk;

pub use engine::Refine;
pub use program::{Origin, Program};

use crate::common::search::{self as searches, Ended, Found};
use crate::common::vacuity;
use crate::common::watch::Watch;
use crate::interface::{Outcome, Unfit};
use search::Search;
use tenet_system::System;
use tenet_term::{Role, Sort, SymbolId, TermId};
use tracing::{info, info_span};

/// Searches for an invariant that implies these properties, or for a run that violates one.
pub fn refine(system: &mut System, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
    let _span = info_span!("refine").entered();
    let program = match Program::new(system, properties) {
        Ok(program) => program,
        Err(refusal) => return Outcome::unfit(properties, unreadable(refusal)),
    };
    let (locations, transitions) = (program.locations.len(), program.transitions.len());
    info!(locations, transitions, properties = properties.len(), "engine begins");
    let facts = program.facts.clone();
    let mut search = Search::new(system, program, watch);
    let result = search.run();
    let statistics = search.statistics();
    let (predicates, refinements) = search.effort();
    let warnings = match result {
        // That nothing can start makes no proof vacuous: of clauses it says that they are satisfied, and startstates are always
        // possible (X-T2).
        Ok(Found::Proof(_)) => vacuity::of_constants(&system.store, &facts, watch),
        _ => Vec::new(),
    };
    Ended { result, warnings, predicates, refinements, statistics }.outcome(properties)
}

fn unreadable(why: program::Refusal) -> Unfit {
    searches::unreadable("refine", why)
}

/// Is it a program over numbers or bit-vectors, without arrays, types of any size and axioms about the state?
pub fn is_program(system: &System) -> bool {
    let store = &system.store;
    let is_wide = |sort: &Sort| matches!(sort, Sort::Int | Sort::Real | Sort::BitVec(_));
    let is_wide = |symbol: &SymbolId| is_wide(store.sort(store.symbol(*symbol).sort));
    let is_state = |symbol: SymbolId| store.symbol(symbol).role == Role::State;
    let about_state = |term: TermId| store.symbols_in(term).into_iter().any(is_state);
    program::require_scalars(system).is_ok()
        && system.state.iter().any(|var| is_wide(&var.symbol))
        && !system.axioms.iter().any(|axiom| about_state(axiom.formula))
}

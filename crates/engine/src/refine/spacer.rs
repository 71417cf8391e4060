//! The program as constrained Horn clauses for Z3's Spacer.
//!
//! Each location is a relation of its variables. What Spacer finds is an invariant for each location, which is
//! confirmed like our own. That the clauses are unsatisfiable is only a hint that there are runs.

use super::program::Program;
use tenet_solve::{Limits, Opinion, Statistics, z3_spacer};
use tenet_term::{Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

/// The answer of Spacer within its limits.
pub enum SpacerAnswer {
    /// Invariants of the locations that exclude the error.
    Proof(Vec<Vec<TermId>>),
    /// The error is reachable, but Spacer does not say how.
    Reachable,
    Unknown,
}

pub fn spacer(
    store: &mut TermStore,
    program: &Program,
    consts: &[SymbolId],
    limits: &Limits,
) -> (SpacerAnswer, Statistics) {
    if !is_readable(store, program, consts) {
        return (SpacerAnswer::Unknown, Statistics::default());
    }
    let relations: Vec<TermId> = (0..program.error())
        .map(|location| {
            let symbols = arguments(program, consts, location);
            let sorts: Vec<SortId> = symbols.iter().map(|&symbol| store.symbol(symbol).sort).collect();
            let sort = store.function_sort(&sorts, SortId::BOOL);
            let symbol = store.declare(&format!("states at {location}"), sort, Role::Const);
            store.mk_symbol(symbol)
        })
        .collect();
    let clauses: Vec<TermId> =
        (0..program.transitions.len()).map(|step| clause(store, program, consts, &relations, step)).collect();
    let atoms: Vec<TermId> = (0..program.error())
        .map(|location| {
            let terms = symbols(store, &arguments(program, consts, location));
            apply(store, relations[location], &terms)
        })
        .collect();
    let (opinion, statistics) = z3_spacer(store, &clauses, &atoms, limits);
    let second = match opinion {
        Opinion::Satisfied(formulas) => {
            SpacerAnswer::Proof(formulas.into_iter().map(|formula| store.conjuncts(formula)).collect())
        }
        Opinion::Refuted => SpacerAnswer::Reachable,
        Opinion::None => SpacerAnswer::Unknown,
    };
    (second, statistics)
}

/// Only sorts whose values are printed as what they are. A relation without arguments is a truth value, for which there is
/// no function sort.
fn is_readable(store: &TermStore, program: &Program, consts: &[SymbolId]) -> bool {
    let is_plain = |symbol: &SymbolId| {
        matches!(
            store.sort(store.symbol(*symbol).sort),
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_)
        )
    };
    let params = program.transitions.iter().flat_map(|step| &step.params);
    params.chain(consts).all(is_plain)
        && (0..program.error()).all(|location| {
            let arguments = arguments(program, consts, location);
            !arguments.is_empty() && arguments.iter().all(is_plain)
        })
}

fn arguments(program: &Program, consts: &[SymbolId], location: usize) -> Vec<SymbolId> {
    program.locations[location].data.iter().chain(consts).copied().collect()
}

fn symbols(store: &mut TermStore, symbols: &[SymbolId]) -> Vec<TermId> {
    symbols.iter().map(|&symbol| store.mk_symbol(symbol)).collect()
}

fn apply(store: &mut TermStore, relation: TermId, terms: &[TermId]) -> TermId {
    store.mk_apply(relation, terms)
}

/// A transition as a clause about all values.
fn clause(
    store: &mut TermStore,
    program: &Program,
    consts: &[SymbolId],
    relations: &[TermId],
    step: usize,
) -> TermId {
    let transition = &program.transitions[step];
    let mut body = program.facts.clone();
    body.push(transition.guard);
    let mut free: Vec<SymbolId> = transition.params.iter().chain(consts).copied().collect();
    if let Some(source) = transition.source {
        let arguments = arguments(program, consts, source);
        let terms = symbols(store, &arguments);
        body.push(apply(store, relations[source], &terms));
        free.extend(&program.locations[source].data);
    }
    let body = store.mk_and(body);
    let head = if transition.target == program.error() {
        TermId::FALSE
    } else {
        let updates = Substitution::from_pairs(store, transition.updates.iter().copied());
        let arguments = arguments(program, consts, transition.target);
        let terms = symbols(store, &arguments);
        let terms: Vec<TermId> = terms.into_iter().map(|term| store.substitute(term, &updates)).collect();
        apply(store, relations[transition.target], &terms)
    };
    let clause = store.mk_implies(body, head);
    let mut bound = Vec::new();
    let mut renaming = Substitution::new();
    for symbol in free {
        let (name, sort) = (store.symbol(symbol).name.clone(), store.symbol(symbol).sort);
        let new = store.bound_avoiding(&name, sort, &bound);
        bound.push(new);
        let new = store.mk_symbol(new);
        renaming.insert(store, symbol, new);
    }
    let clause = store.substitute(clause, &renaming);
    if bound.is_empty() { clause } else { store.mk_forall(&bound, clause) }
}

//! Which lemmas a proof needs: those that exclude the error, and those that they in turn need to be inductive.

use super::program::{LocationId, Program};
use rustc_hash::FxHashSet;
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_term::{Substitution, TermId, TermStore};

/// The formulas, for each location, that are inductive without the others and exclude the error. `None` if even all
/// of them together are not, or the solver does not know.
pub fn minimise(
    store: &mut TermStore,
    program: &Program,
    formulas: &[Vec<TermId>],
    limits: &Limits,
) -> Option<Vec<Vec<TermId>>> {
    let mut needed: Vec<Vec<TermId>> = vec![Vec::new(); formulas.len()];
    let mut solvers: Vec<Option<Z3Solver>> = (0..program.transitions.len()).map(|_| None).collect();
    let mut known: FxHashSet<(LocationId, TermId)> = FxHashSet::default();
    let mut open = vec![(program.error(), TermId::FALSE)];
    while let Some((location, formula)) = open.pop() {
        for &step in &program.locations[location].incoming {
            let solver = solvers[step].get_or_insert_with(|| asker(store, program, step, limits));
            let transition = &program.transitions[step];
            let updates = Substitution::from_pairs(store, transition.updates.iter().copied());
            let after = store.substitute(formula, &updates);
            let mut assumptions = vec![store.mk_not(after)];
            if let Some(source) = transition.source {
                // Lemmas that are needed anyway are assumed at no cost.
                assumptions.extend(&needed[source]);
                assumptions
                    .extend(formulas[source].iter().filter(|formula| !needed[source].contains(formula)));
            }
            if solver.check(store, &assumptions) != Answer::Unsat {
                return None;
            }
            let Some(source) = transition.source else { continue };
            let core = solver.core();
            for &used in formulas[source].iter().filter(|formula| core.contains(formula)) {
                if known.insert((source, used)) {
                    needed[source].push(used);
                    open.push((source, used));
                }
            }
        }
    }
    Some(needed)
}

fn asker(store: &TermStore, program: &Program, step: usize, limits: &Limits) -> Z3Solver {
    let mut solver = Z3Solver::new();
    solver.set_limits(limits.clone());
    let transition = &program.transitions[step];
    let domains = transition.source.map(|source| &program.locations[source].domains);
    let facts = program.facts.iter().chain(domains.into_iter().flatten()).chain([&transition.guard]);
    facts.for_each(|&fact| solver.assert(store, fact));
    solver
}

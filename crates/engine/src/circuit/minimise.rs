//! Which lemmas a proof needs: those that exclude a violation, and those that they in turn need to be inductive.

use super::netlist::Netlist;
use rustc_hash::FxHashSet;
use tenet_solve::{Answer, Limits};
use tenet_term::{TermId, TermStore};

/// The formulas that are inductive without the others and exclude a violation. `None` if even all of them together
/// are not, or the solver does not know.
pub fn minimise(
    store: &mut TermStore,
    netlist: &Netlist,
    formulas: &[TermId],
    limits: &Limits,
) -> Option<Vec<TermId>> {
    let mut solver = netlist.solver(limits);
    solver.assert(store, netlist.constraint);
    let step = netlist.step(store);
    let mut needed: Vec<TermId> = Vec::new();
    let mut known: FxHashSet<TermId> = FxHashSet::default();
    let mut open = vec![netlist.bad];
    while let Some(violation) = open.pop() {
        // Lemmas that are needed anyway are assumed at no cost.
        let others = formulas.iter().filter(|formula| !known.contains(formula));
        let assumptions: Vec<TermId> = [violation].iter().chain(&needed).chain(others).copied().collect();
        if solver.check(store, &assumptions) != Answer::Unsat {
            return None;
        }
        let core = solver.core();
        for &formula in formulas.iter().filter(|formula| core.contains(formula)) {
            if known.insert(formula) {
                needed.push(formula);
                let after = store.substitute(formula, &step);
                open.push(store.mk_not(after));
            }
        }
    }
    Some(needed)
}

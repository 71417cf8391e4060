//! The exact abstraction of steps (Clarke et al., section 2.2; HL-A2): all pairs of valuations that a step has, by asking a
//! solver for one after the other. For few predicates, and to measure the restricted abstraction against.

use super::Maker;
use super::concrete::Concrete;
use tenet_abstraction::correlation::truths;
use tenet_solve::Answer;
use tenet_term::{TermId, TermStore};

/// Valuations of predicates.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    pub atoms: Vec<TermId>,
    /// Valuations of first states.
    pub first: Vec<Vec<bool>>,
    /// Valuations of states that have a next one, each with that of the next one behind it.
    pub steps: Vec<Vec<bool>>,
}

/// All of them; `None` if the solver does not know.
pub fn pairs(
    store: &mut TermStore,
    concrete: &mut Concrete,
    atoms: &[TermId],
    solvers: Maker<'_>,
) -> Option<Pairs> {
    let first: Vec<TermId> = atoms.iter().map(|&atom| concrete.first(store, atom)).collect();
    let next: Vec<TermId> = atoms.iter().map(|&atom| concrete.next(store, atom)).collect();
    let step: Vec<TermId> = atoms.iter().copied().chain(next).collect();
    Some(Pairs {
        atoms: atoms.to_vec(),
        first: valuations(store, concrete.circuit.start, &first, solvers)?,
        steps: valuations(store, concrete.circuit.constraint, &step, solvers)?,
    })
}

/// The valuations of these formulas where the condition holds.
fn valuations(
    store: &mut TermStore,
    condition: TermId,
    formulas: &[TermId],
    solvers: Maker<'_>,
) -> Option<Vec<Vec<bool>>> {
    let mut solver = solvers();
    solver.assert(store, condition);
    let mut found = Vec::new();
    loop {
        match solver.check(store, &[]) {
            Answer::Sat => {}
            Answer::Unsat => return Some(found),
            Answer::Unknown(_) => return None,
        }
        let values = truths(store, solver.as_mut(), formulas)?;
        let differs = formulas.iter().zip(&values);
        let differs: Vec<TermId> =
            differs.map(|(&formula, &value)| if value { store.mk_not(formula) } else { formula }).collect();
        let differs = store.mk_or(differs);
        solver.assert(store, differs);
        found.push(values);
    }
}

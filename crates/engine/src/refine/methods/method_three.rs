//! Method III: abstract forward fixpoints, and dual backward refinement (Ball, Podelski and Rajamani, section 5).
//!
//! Predicates are the atoms of the iteration that starts with `safe` and applies the dual of `pre`, the weakest liberal
//! precondition. In disjunctive normal form that iteration would grow exponentially, and is not needed: its atoms are the
//! negations of those of the backward iteration.

use super::Attempt;
use super::atom::negated;
use super::method_one::Refinement;
use super::outcome::{Conclusion, Direction, Early};
use tenet_term::{TermId, TermStore};

impl Attempt<'_> {
    pub(super) fn dual(&mut self) -> Result<Conclusion, Early> {
        self.refine(Direction::Forward, Refinement::Dual)
    }
}

/// The negations of atoms, in ascending order. One that is true without variables is no predicate.
pub(super) fn dual(store: &mut TermStore, atoms: Vec<TermId>, is_split: bool) -> Vec<TermId> {
    let mut dual: Vec<TermId> = atoms.into_iter().flat_map(|atom| negated(store, atom, is_split)).collect();
    dual.sort_unstable();
    dual.dedup();
    dual
}

//! The image of a query by recursion over the predicates (Das, Dill and Park, section 2), the alternative to enumerating solutions.
//!
//! There is no solution to tell which instances of the set matter, so all of them are given at once, and all facts.
//! What is known already is excluded here too: the recursion then goes only where something new can be, and is over after one question
//! where there is nothing.

use super::{Interrupted, Query};
use crate::layout::Clause;
use crate::recursion::exact_image;
use crate::set::{Cube, Set, Space, cover};
use tenet_term::{TermId, TermStore};

impl Query {
    /// What is known with everything that the step adds to it, as [`image`](Query::image) finds it.
    pub fn image_by_recursion(
        &mut self,
        store: &mut TermStore,
        clauses: &[Clause],
        known: &Set,
    ) -> Result<Set, Interrupted> {
        self.block(store, known);
        self.facts.give_all(store, &mut *self.solver);
        for clause in clauses {
            for place in 0..self.instances.len() {
                self.give(store, clause, place);
            }
        }
        let space = Space::new(self.layout.predicates());
        self.solver.push();
        let switches: Vec<TermId> =
            clauses.iter().filter_map(|clause| self.switches.get(clause).copied()).collect();
        switches.into_iter().for_each(|switch| self.solver.assert(store, switch));
        let new = exact_image(&space, store, &mut *self.solver, &self.bits);
        self.solver.pop();
        match new {
            Some(new) => Ok(known.union(&self.translated(&new))),
            None if self.is_interrupted() => Err(Interrupted),
            // What the solver cannot exclude counts as reachable (X-T1).
            None => {
                self.unknowns += 1;
                Ok(self.layout.space.full())
            }
        }
    }

    /// A set in which predicate number `m` is variable number `m`, in the layout of the query.
    fn translated(&self, set: &Set) -> Set {
        cover(set, set).into_iter().fold(self.layout.space.empty(), |all, cube| {
            let cube: Cube =
                cube.into_iter().map(|(predicate, value)| (self.layout.var(predicate), value)).collect();
            all.union(&self.layout.space.cube(&cube))
        })
    }
}

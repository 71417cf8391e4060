//! The image of a query by quantifier elimination with diagrams, for comparison with what asks a solver.

use super::{Interrupted, Query};
use crate::elimination::{Elimination, Question};
use crate::layout::Clause;
use crate::set::{Cube, Set};
use tenet_term::{TermId, TermStore};

impl Query {
    /// Encodes the query for [`image_by_elimination`](Query::image_by_elimination), or says what in it has no encoding.
    pub fn encode(&mut self, store: &mut TermStore) -> Result<(), String> {
        let facts = self.facts.formulas().map(|fact| store.lift_ites(fact)).collect::<Vec<TermId>>();
        let question = Question {
            always: self.always.iter().copied().chain(facts).collect(),
            instances: self.instances.clone(),
            posts: self.posts.clone(),
        };
        self.elimination = Some(Elimination::new(store, &question)?);
        Ok(())
    }

    /// Was a diagram of an elimination too large?
    pub fn is_given_up(&self) -> bool {
        self.is_given_up
    }

    /// What is known with everything that the step adds to it, as [`image`](Query::image) finds it.
    pub fn image_by_elimination(&mut self, clauses: &[Clause], known: &Set) -> Result<Set, Interrupted> {
        if self.is_interrupted() {
            return Err(Interrupted);
        }
        let elimination = self.elimination.as_ref();
        let Some(cubes) = elimination.and_then(|known| known.image(clauses, &self.interrupt)) else {
            if self.is_interrupted() {
                return Err(Interrupted);
            }
            // What is not computed counts as reachable (X-T1).
            self.unknowns += 1;
            self.is_given_up = true;
            return Ok(self.layout.space.full());
        };
        let in_layout = |cube: Cube| -> Cube {
            cube.into_iter().map(|(predicate, value)| (self.layout.var(predicate), value)).collect()
        };
        Ok(cubes
            .into_iter()
            .fold(known.clone(), |all, cube| all.union(&self.layout.space.cube(&in_layout(cube)))))
    }
}

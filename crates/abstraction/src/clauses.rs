//! A set as a conjunction of clauses, kept while the set grows.
//!
//! Instances of a set are given to the solver clause by clause. A clause that the larger set still satisfies is kept as it
//! is, so that what the solver has learned from its instances stays useful.

use crate::layout::{Clause, Layout};
use crate::set::{Set, cover};

/// Clauses whose conjunction is a set.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    clauses: Vec<Clause>,
}

impl Clauses {
    pub fn list(&self) -> &[Clause] {
        &self.clauses
    }

    /// Makes the conjunction equal to `set`, which must contain what it was before.
    pub fn update(&mut self, layout: &Layout, set: &Set) {
        let outside = set.complement();
        self.clauses.retain(|clause| layout.excluded(clause).implies(&outside));
        let excluded =
            self.clauses.iter().fold(layout.space.empty(), |all, clause| all.union(&layout.excluded(clause)));
        let missing = outside.minus(&excluded);
        for cube in cover(&missing, &outside) {
            let clause = layout.literals(&cube).into_iter().map(|(predicate, value)| (predicate, !value));
            self.clauses.push(clause.collect());
        }
    }
}

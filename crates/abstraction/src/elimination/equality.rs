//! Equality of values of which nothing else counts, as Booleans that are transitive.
//!
//! The graph of the comparisons is made chordal, and every triangle of it gets its three constraints; values that agree with the
//! Booleans exist exactly then, in any set that is large enough (Bryant and Velev, "Boolean satisfiability with transitivity
//! constraints", 2000).

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

use super::theory::Place;
use crate::set::{Set, Space};

#[derive(Clone, Debug, Default)]
pub struct Equalities {
    vars: IndexMap<(Place, Place), usize, FxBuildHasher>,
}

impl Equalities {
    pub fn same(&mut self, space: &Space, a: Place, b: Place) -> Set {
        let var = *self.vars.entry((a.min(b), a.max(b))).or_insert_with(|| {
            space.add_vars(1);
            space.vars() - 1
        });
        space.literal(var, true)
    }

    /// What makes the Booleans transitive.
    pub fn constraints(&mut self, space: &Space) -> Vec<Set> {
        let mut constraints = Vec::new();
        let mut open: BTreeSet<Place> = self.vars.keys().flat_map(|&(a, b)| [a, b]).collect();
        while let Some(&place) = open.iter().min_by_key(|&&place| self.neighbours(place, &open).len()) {
            open.remove(&place);
            let neighbours = self.neighbours(place, &open);
            for (number, &one) in neighbours.iter().enumerate() {
                for &other in &neighbours[..number] {
                    let sides = [(place, one), (place, other), (one, other)];
                    let [a, b, c] = sides.map(|(one, other)| self.same(space, one, other));
                    for (first, second, third) in [(&a, &b, &c), (&b, &c, &a), (&c, &a, &b)] {
                        constraints.push(first.intersect(second).complement().union(third));
                    }
                }
            }
        }
        constraints
    }

    fn neighbours(&self, place: Place, open: &BTreeSet<Place>) -> Vec<Place> {
        let other = |&(a, b): &(Place, Place)| match (a == place, b == place) {
            (true, _) => Some(b),
            (_, true) => Some(a),
            _ => None,
        };
        self.vars.keys().filter_map(other).filter(|other| open.contains(other)).collect()
    }
}

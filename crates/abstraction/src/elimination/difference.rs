//! Comparisons of integers up to constants, as Booleans that are consistent with each other.
//!
//! A Boolean says that one value exceeds another by at most some number; its negation is such a statement, too. Values are
//! eliminated one after the other: what is above one and what is below it has to fit together, which may need Booleans for
//! comparisons that nothing mentions (Strichman, Seshia and Bryant, "Deciding separation formulas with SAT", 2002). Integers
//! that agree with the Booleans exist exactly if no such constraint is violated.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

use super::theory::Place;
use crate::set::{Set, Space};

/// Booleans beyond which the comparisons are given up: each elimination may square their number.
const MAX_COMPARISONS: usize = 600;

/// Constants beyond which they are given up, far from where sums of two are no numbers any more.
const MAX_BOUND: i64 = 1 << 60;

/// The Booleans by what they say: the first, which has the smaller number, exceeds the second by at most the last.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    vars: IndexMap<(Place, Place, i64), usize, FxBuildHasher>,
}

/// That `above` exceeds `below` by at most `bound` where the set holds.
struct Edge {
    above: Place,
    below: Place,
    bound: i64,
    holds: Set,
}

impl Differences {
    pub fn at_most(&mut self, space: &Space, a: Place, b: Place, bound: i64) -> Set {
        if a == b {
            return if bound >= 0 { space.full() } else { space.empty() };
        }
        // Over the integers the negation of `a - b <= n` is `b - a <= -n - 1`.
        let (key, value) = if a < b { ((a, b, bound), true) } else { ((b, a, -bound - 1), false) };
        let var = *self.vars.entry(key).or_insert_with(|| {
            space.add_vars(1);
            space.vars() - 1
        });
        space.literal(var, value)
    }

    /// What makes the Booleans consistent; `None` if that takes too many.
    pub fn constraints(&mut self, space: &Space) -> Option<Vec<Set>> {
        let mut constraints = Vec::new();
        let mut open: BTreeSet<Place> = self.vars.keys().flat_map(|&(a, b, _)| [a, b]).collect();
        while let Some(&place) = open.iter().min_by_key(|&&place| self.degree(place, &open)) {
            open.remove(&place);
            let (above, below) = self.edges(space, place, &open);
            for one in &above {
                for other in &below {
                    let bound = one.bound + other.bound;
                    if one.above == other.below && bound >= 0 {
                        continue;
                    }
                    if self.vars.len() > MAX_COMPARISONS || bound.abs() > MAX_BOUND {
                        return None;
                    }
                    let both = one.holds.intersect(&other.holds);
                    let sum = self.at_most(space, one.above, other.below, bound);
                    constraints.push(both.complement().union(&sum));
                }
            }
        }
        constraints.retain(|constraint| !constraint.is_full());
        Some(constraints)
    }

    fn degree(&self, place: Place, open: &BTreeSet<Place>) -> usize {
        let is_there = |&&(a, b, _): &&(Place, Place, i64)| {
            (a == place && open.contains(&b)) || (b == place && open.contains(&a))
        };
        self.vars.keys().filter(is_there).count()
    }

    /// What exceeds a place, and what it exceeds, of the places that are left.
    fn edges(&self, space: &Space, place: Place, open: &BTreeSet<Place>) -> (Vec<Edge>, Vec<Edge>) {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for (&(a, b, bound), &var) in &self.vars {
            let other = if a == place { b } else { a };
            if (a != place && b != place) || !open.contains(&other) {
                continue;
            }
            let yes = Edge { above: a, below: b, bound, holds: space.literal(var, true) };
            let no = Edge { above: b, below: a, bound: -bound - 1, holds: space.literal(var, false) };
            for edge in [yes, no] {
                if edge.below == place { above.push(edge) } else { below.push(edge) }
            }
        }
        (above, below)
    }
}

//! Existential quantification of a conjunction of diagrams, variable by variable (bucket elimination).
//!
//! The next variable is one that connects the fewest others, and only the conjuncts that mention it are combined for it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::set::{Set, Space};

/// Nodes of one diagram beyond which an image is given up.
const MAX_NODES: usize = 1 << 14;

pub fn is_small(set: &Set) -> bool {
    set.nodes() <= MAX_NODES
}

/// What a conjunction says of some variables; `None` if a diagram gets too large, or if it is to stop.
pub fn project(space: &Space, conjuncts: Vec<Set>, keep: &[usize], stop: &AtomicBool) -> Option<Set> {
    let mut open = Open::default();
    conjuncts.into_iter().for_each(|conjunct| open.add(conjunct, keep));
    while let Some(var) = open.cheapest() {
        (!stop.load(Ordering::Relaxed)).then_some(())?;
        let mut sets = open.take(var);
        sets.sort_by_key(Set::nodes);
        let last = sets.pop().unwrap_or_else(|| space.full());
        let all = conjunction(space, sets)?;
        let result = last.intersect_exists(&all, &[var]);
        is_small(&result).then_some(())?;
        open.add(result, keep);
    }
    conjunction(space, open.conjuncts.into_iter().flatten().map(|(set, _)| set).collect())
}

fn conjunction(space: &Space, sets: Vec<Set>) -> Option<Set> {
    let mut all = space.full();
    for set in sets {
        all = all.intersect(&set);
        is_small(&all).then_some(())?;
    }
    Some(all)
}

/// The conjuncts that are left, with their variables.
#[derive(Default)]
struct Open {
    conjuncts: Vec<Option<(Set, Vec<usize>)>>,
    /// For each variable that is to be eliminated the conjuncts that mention it, and how many other variables these mention; `None` if
    /// that has to be counted again.
    occurrences: IndexMap<usize, (BTreeSet<usize>, Option<usize>), FxBuildHasher>,
}

impl Open {
    fn add(&mut self, conjunct: Set, keep: &[usize]) {
        if conjunct.is_full() {
            return;
        }
        let support = conjunct.support();
        for var in support.iter().filter(|var| !keep.contains(var)) {
            let (places, cost) = self.occurrences.entry(*var).or_default();
            places.insert(self.conjuncts.len());
            *cost = None;
        }
        self.conjuncts.push(Some((conjunct, support)));
    }

    /// Removes a variable and the conjuncts that mention it.
    fn take(&mut self, var: usize) -> Vec<Set> {
        let Some((places, _)) = self.occurrences.swap_remove(&var) else { return Vec::new() };
        let mut sets = Vec::new();
        for place in places {
            let Some((set, support)) = self.conjuncts[place].take() else { continue };
            for other in support {
                if let Some((places, cost)) = self.occurrences.get_mut(&other) {
                    places.remove(&place);
                    *cost = None;
                }
            }
            sets.push(set);
        }
        sets
    }

    fn cheapest(&mut self) -> Option<usize> {
        for (places, cost) in self.occurrences.values_mut().filter(|(_, cost)| cost.is_none()) {
            let supports = places.iter().filter_map(|&place| self.conjuncts[place].as_ref());
            let neighbours: BTreeSet<usize> =
                supports.flat_map(|(_, support)| support.iter().copied()).collect();
            *cost = Some(neighbours.len());
        }
        let cheapest = self.occurrences.iter().min_by_key(|&(&var, &(_, cost))| (cost, var));
        cheapest.map(|(&var, _)| var)
    }
}

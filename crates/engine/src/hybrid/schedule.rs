//! In which order the parts of a relation are conjoined with a set, and when variables are quantified.
//!
//! The relation is a conjunction that is never built. Each part is conjoined with the set of states when its turn comes, and
//! a variable is quantified as soon as no part behind mentions it. The order is greedy: next is the part after which most
//! variables can go and which brings the fewest new ones. Inputs that few parts share are quantified once for all.

use rustc_hash::{FxHashMap, FxHashSet};
use tenet_abstraction::set::Set;

/// Nodes of a part that is conjoined from several so that an input can be quantified early.
const MAX_PART_NODES: usize = 4000;

/// Parts in order, each with the variables that are quantified with it.
pub struct Schedule {
    /// Variables that no part mentions.
    free: Vec<usize>,
    steps: Vec<(Set, Vec<usize>)>,
}

impl Schedule {
    /// An order for the quantification of these variables.
    pub fn new(parts: &[Set], gone: &[usize]) -> Schedule {
        let mut left: Vec<(&Set, Vec<usize>, usize)> =
            parts.iter().map(|part| (part, part.support(), part.nodes())).collect();
        let mut open: FxHashSet<usize> = gone.iter().copied().collect();
        // How many of the parts that are left mention a variable.
        let mut mentions: FxHashMap<usize, usize> = FxHashMap::default();
        left.iter()
            .flat_map(|(_, support, _)| support)
            .for_each(|&var| *mentions.entry(var).or_default() += 1);
        let free: Vec<usize> = gone.iter().copied().filter(|var| !mentions.contains_key(var)).collect();
        let mut brought: FxHashSet<usize> = FxHashSet::default();
        let mut steps = Vec::new();
        while !left.is_empty() {
            let price = |position: usize| {
                let (_, support, nodes) = &left[position];
                let going = support.iter().filter(|var| open.contains(var) && mentions[var] == 1).count();
                let new = support.iter().filter(|var| !open.contains(var) && !brought.contains(var)).count();
                (new as isize - going as isize, *nodes, position)
            };
            let best = (0..left.len()).min_by_key(|&position| price(position));
            let (part, support, _) = left.remove(best.expect("invariant: there is a part left"));
            for var in &support {
                *mentions.get_mut(var).expect("invariant: every variable is counted") -= 1;
            }
            let going: Vec<usize> =
                support.iter().copied().filter(|var| open.contains(var) && mentions[var] == 0).collect();
            open.retain(|var| !going.contains(var));
            brought.extend(support);
            steps.push((part.clone(), going));
        }
        Schedule { free, steps }
    }

    /// The set, conjoined with all parts, without the variables.
    pub fn apply(&self, set: &Set) -> Set {
        let start = set.exists(&self.free);
        self.steps.iter().fold(start, |all, (part, going)| all.intersect_exists(part, going))
    }
}

/// The parts without those of these variables that can be quantified in parts that stay small.
pub fn without(parts: Vec<Set>, inputs: &[usize]) -> Vec<Set> {
    let mut parts: Vec<(Set, Vec<usize>)> = parts.into_iter().map(with_support).collect();
    let mut inputs: Vec<usize> = inputs.to_vec();
    let mentions = |parts: &[(Set, Vec<usize>)], var: usize| {
        parts.iter().filter(|(_, support)| support.binary_search(&var).is_ok()).count()
    };
    inputs.sort_by_key(|&var| mentions(&parts, var));
    for input in inputs {
        let (with, others): (Vec<_>, Vec<_>) =
            parts.iter().cloned().partition(|(_, support)| support.binary_search(&input).is_ok());
        let Some(((first, _), rest)) = with.split_first() else { continue };
        let mut all = first.clone();
        for (part, _) in rest {
            all = all.intersect(part);
            if all.nodes() > MAX_PART_NODES {
                break;
            }
        }
        if all.nodes() <= MAX_PART_NODES {
            parts = others;
            parts.push(with_support(all.exists(&[input])));
        }
    }
    parts.into_iter().map(|(set, _)| set).filter(|set| !set.is_full()).collect()
}

fn with_support(set: Set) -> (Set, Vec<usize>) {
    let support = set.support();
    (set, support)
}

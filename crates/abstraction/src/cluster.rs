//! Clusters of predicates that speak of the same variables (Clarke et al., section 3.1).
//!
//! Predicates over a few shared variables tend to become as many as there are bits in these variables, and then it is
//! better to keep the variables. Two clusters are merged while the overlap of their supports is large enough: the
//! published method leaves open what that means, so it is the share of common variables here (Jaccard), which does not
//! grow with the supports as an absolute number would, and so does not merge everything in the end.

use std::collections::BTreeSet;
use tenet_term::SymbolId;

/// The share of common variables from which on clusters are merged.
pub const THRESHOLD: f64 = 0.75;

/// Some predicates and the variables they speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The predicates by position, in ascending order.
    pub members: Vec<usize>,
    pub support: BTreeSet<SymbolId>,
}

impl Cluster {
    /// Is the number of predicates comparable to that of the bits in the support, that is, at least this share of it? Then
    /// the variables may as well be kept. `None` for the bits means that the support is not finite.
    pub fn is_control(&self, bits: Option<usize>, share: f64) -> bool {
        bits.is_some_and(|bits| bits > 0 && self.members.len() as f64 >= share * bits as f64)
    }
}

/// Partitions predicates with these supports. Of the pairs that may be merged, the first of those that are most alike is,
/// until there is none, so the result does not depend on anything but the order of the predicates.
pub fn clusters(supports: &[BTreeSet<SymbolId>], threshold: f64) -> Vec<Cluster> {
    let single = |(position, support): (usize, &BTreeSet<SymbolId>)| Cluster {
        members: vec![position],
        support: support.clone(),
    };
    let mut clusters: Vec<Cluster> = supports.iter().enumerate().map(single).collect();
    while let Some((first, second)) = best_pair(&clusters, threshold) {
        let merged = clusters.remove(second);
        let cluster = &mut clusters[first];
        cluster.members.extend(merged.members);
        cluster.members.sort_unstable();
        cluster.support.extend(merged.support);
    }
    clusters
}

fn best_pair(clusters: &[Cluster], threshold: f64) -> Option<(usize, usize)> {
    let mut best: Option<(f64, (usize, usize))> = None;
    for (first, one) in clusters.iter().enumerate() {
        for (second, other) in clusters.iter().enumerate().skip(first + 1) {
            let share = likeness(&one.support, &other.support);
            if share >= threshold && best.is_none_or(|(known, _)| share > known) {
                best = Some((share, (first, second)));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

/// The share of common variables; nothing is common to empty supports.
fn likeness(a: &BTreeSet<SymbolId>, b: &BTreeSet<SymbolId>) -> f64 {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

//! Clusters of predicates.

use std::collections::BTreeSet;
use tenet_abstraction::cluster::clusters;
use tenet_term::{Role, SortId, SymbolId, TermStore};

fn supports(list: &[&str]) -> Vec<BTreeSet<SymbolId>> {
    let mut store = TermStore::new();
    let symbols = |names: &&str| {
        names.chars().map(|name| store.declare(&name.to_string(), SortId::BOOL, Role::State)).collect()
    };
    list.iter().map(symbols).collect()
}

fn members(list: &[&str], threshold: f64) -> Vec<Vec<usize>> {
    clusters(&supports(list), threshold).into_iter().map(|cluster| cluster.members).collect()
}

#[test]
fn clusters_are_merged_by_their_share_of_common_variables() {
    assert_eq!(members(&["xy", "xy", "xyz", "xyw"], 0.75), [vec![0, 1], vec![2], vec![3]]);
    assert_eq!(members(&["xy", "xy", "xyz", "xyw"], 0.5), [vec![0, 1, 2, 3]]);
    assert_eq!(members(&["", "", "x"], 0.1), [vec![0], vec![1], vec![2]]);
}

#[test]
fn a_cluster_that_has_grown_may_be_merged_with_others() {
    // `abc` and `bcd` are not alike, but each is like `abcd`.
    assert_eq!(members(&["abc", "abcd", "bcd"], 0.75), [vec![0, 1, 2]]);
    assert_eq!(members(&["abc", "bcd"], 0.75), [vec![0], vec![1]]);
}

#[test]
fn control_is_a_matter_of_bits() {
    let all = clusters(&supports(&["xy", "xy"]), 0.75);
    let [cluster] = &all[..] else { panic!("one cluster") };
    assert!(cluster.is_control(Some(2), 1.0));
    assert!(!cluster.is_control(Some(3), 1.0));
    assert!(cluster.is_control(Some(4), 0.5));
    assert!(!cluster.is_control(None, 0.5));
}

//! Slicing: which arguments of relations matter.
//!
//! An argument is needed if some clause depends on it: in its constraint, another argument of the same body, or an argument of
//! its head that is needed itself. The others can have any value, so they get no state variable. Relations keep them in clauses
//! and steps, since a derivation has to give values for them.

use super::inline::Place;
use super::resolve::Resolvent;
use std::collections::BTreeMap;
use tenet_term::{SymbolId, TermStore};

/// For each place, which arguments are needed.
pub type Needed = Vec<Vec<bool>>;

/// The least set of needed arguments.
pub fn needed(store: &TermStore, places: &[Place], clauses: &[Resolvent]) -> Needed {
    let mut needed: Needed = places.iter().map(|place| vec![false; place.sorts.len()]).collect();
    let looked_at: Vec<Vec<SymbolId>> =
        clauses.iter().map(|resolvent| store.symbols_in(resolvent.clause.constraint)).collect();
    loop {
        let mut changed = false;
        for (resolvent, looked_at) in clauses.iter().zip(&looked_at) {
            let mut uses: BTreeMap<SymbolId, usize> = BTreeMap::new();
            looked_at.iter().for_each(|&symbol| *uses.entry(symbol).or_default() += 2);
            if let Some(head) = &resolvent.clause.head {
                let args = head.args.iter().zip(&needed[head.relation]).filter(|(_, needed)| **needed);
                for symbol in args.flat_map(|(&arg, _)| store.symbols_in(arg)) {
                    *uses.entry(symbol).or_default() += 2;
                }
            }
            for &arg in resolvent.clause.body.iter().flat_map(|atom| &atom.args) {
                store.symbols_in(arg).into_iter().for_each(|symbol| *uses.entry(symbol).or_default() += 1);
            }
            for atom in &resolvent.clause.body {
                for (&arg, needed) in atom.args.iter().zip(&mut needed[atom.relation]) {
                    let unused = store.as_symbol(arg).is_some_and(|symbol| uses[&symbol] < 2);
                    changed |= !unused && !std::mem::replace(needed, true);
                }
            }
        }
        if !changed {
            return needed;
        }
    }
}

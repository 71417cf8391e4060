//! The operator `pre`: purely syntactic, with raw terms (RC-T1).
//!
//! No question is asked, and nothing is folded but what is true without variables. `l5 & -1 = 0` says that no state at `l5` is
//! a predecessor; it stays because its atoms, and those of *its* predecessors, are what a proof may need. Inputs of a
//! command are existential and are eliminated, never kept across steps (RC-T9).

use super::atom::{normal, strip};
use super::eliminate::eliminate_all;
use super::formula::{Disjunct, is_control, substituted};
use super::outcome::Unsupported;
use super::program::Command;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use tenet_term::{Sort, SymbolId, TermId, TermStore};

/// The states from which the command leads into the disjunct: one disjunct, or several if inputs had to be eliminated.
pub fn pre(
    store: &mut TermStore,
    command: &Command,
    disjunct: &Disjunct,
    is_split: bool,
) -> Result<Vec<Disjunct>, Unsupported> {
    let before = before(store, command, disjunct);
    if command.inputs.is_empty() {
        return Ok(vec![Disjunct::new(store, before, is_split)]);
    }
    let atoms = before.into_iter().flat_map(|literal| normal(store, literal, is_split)).collect();
    let disjuncts = eliminate_all(store, atoms, &command.inputs)?;
    Ok(disjuncts.into_iter().map(|atoms| Disjunct::new(store, atoms, is_split)).collect())
}

/// The guard, and the disjunct with the new values in it: literals over constants, state and inputs.
pub fn before(store: &mut TermStore, command: &Command, disjunct: &Disjunct) -> Vec<TermId> {
    let substitution = command.substitution(store);
    let mut literals = command.guard.clone();
    literals.extend(substituted(store, disjunct.atoms(), &substitution));
    literals
}

/// Does the disjunct contradict itself by what it says about variables of enumerations (RC-T6)?
pub fn clashes(store: &TermStore, disjunct: &Disjunct) -> bool {
    let mut allowed: BTreeMap<SymbolId, BTreeSet<TermId>> = BTreeMap::new();
    let mut excluded: BTreeMap<SymbolId, BTreeSet<TermId>> = BTreeMap::new();
    for &atom in disjunct.atoms().iter().filter(|&&atom| is_control(store, atom)) {
        let (inner, positive) = strip(store, atom);
        let (left, right) = (store.args(inner)[0], store.args(inner)[1]);
        match store.as_symbol(left) {
            // What is true without variables has been dropped, so this is false.
            None => return true,
            Some(_) if !store.is_value(right) => {}
            Some(symbol) if positive => _ = allowed.entry(symbol).or_default().insert(right),
            Some(symbol) => _ = excluded.entry(symbol).or_default().insert(right),
        }
    }
    let is_empty =
        |(symbol, values): (&SymbolId, &BTreeSet<TermId>)| match store.sort(store.symbol(*symbol).sort) {
            Sort::Enum { variants, .. } => values.len() == variants.len(),
            _ => false,
        };
    let is_excluded = |(symbol, values): (&SymbolId, &BTreeSet<TermId>)| {
        values.len() > 1 || excluded.get(symbol).is_some_and(|excluded| !excluded.is_disjoint(values))
    };
    allowed.iter().any(is_excluded) || excluded.iter().any(is_empty)
}

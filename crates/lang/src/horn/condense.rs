//! Redundant premises are dropped.
//!
//! A call of a procedure that was resolved away leaves `P(x, y) and P(x', y')` with `x = x'`, where `y'` occurs nowhere else: the
//! procedure was entered with the arguments of some state, and that of the first premise will do. In general, if substituting the
//! arguments of one premise for those of another gives a clause without new premises or constraints, the two clauses are
//! equivalent: the new one is an instance of the old one, and whatever satisfies the old body satisfies the new one.

use super::clauses::{Atom, Clause};
use std::collections::{BTreeMap, BTreeSet};
use tenet_term::{Op, Substitution, SymbolId, TermId, TermStore};

/// The substitution that makes a premise equal to another one, if the resulting clause is equivalent.
pub fn condense(store: &mut TermStore, clause: &Clause) -> Option<Substitution> {
    let same = Same::new(store, clause);
    let asked: BTreeSet<TermId> =
        store.conjuncts(clause.constraint).into_iter().map(|part| same.of(store, part)).collect();
    for (dropped, other) in clause.body.iter().enumerate() {
        for (kept, atom) in clause.body.iter().enumerate() {
            if kept == dropped || atom.relation != other.relation {
                continue;
            }
            let Some(renaming) = renaming(store, other, atom) else { continue };
            if says_the_same(store, clause, &same, &asked, dropped, &renaming) {
                return Some(renaming);
            }
        }
    }
    None
}

/// The substitution that makes one atom the other, if its arguments are distinct variables.
fn renaming(store: &mut TermStore, from: &Atom, to: &Atom) -> Option<Substitution> {
    let mut renaming = Substitution::new();
    for (&old, &new) in from.args.iter().zip(&to.args) {
        if old == new {
            continue;
        }
        let symbol = store.as_symbol(old)?;
        if renaming.get(symbol).is_some_and(|known| known != new) {
            return None;
        }
        renaming.insert(store, symbol, new);
    }
    Some(renaming)
}

fn says_the_same(
    store: &mut TermStore,
    clause: &Clause,
    same: &Same,
    asked: &BTreeSet<TermId>,
    dropped: usize,
    renaming: &Substitution,
) -> bool {
    let renamed = store.substitute(clause.constraint, renaming);
    for part in store.conjuncts(renamed) {
        let part = same.of(store, part);
        if part != TermId::TRUE && !asked.contains(&part) {
            return false;
        }
    }
    let mut plain = |atom: &Atom, renaming: Option<&Substitution>| -> (usize, Vec<TermId>) {
        let mut args = Vec::new();
        for &arg in &atom.args {
            let arg = renaming.map_or(arg, |renaming| store.substitute(arg, renaming));
            args.push(same.of(store, arg));
        }
        (atom.relation, args)
    };
    let body: Vec<_> = clause.body.iter().map(|atom| plain(atom, None)).collect();
    let others = clause.body.iter().enumerate().filter(|(position, _)| *position != dropped);
    let mut others = others.map(|(_, atom)| atom);
    let is_kept = others.all(|atom| body.contains(&plain(atom, Some(renaming))));
    let heads = clause.head.as_ref().map(|head| (plain(head, None), plain(head, Some(renaming))));
    is_kept && heads.is_none_or(|(before, after)| before == after)
}

/// Variables that the constraint equates, each with a representative.
struct Same {
    first: Substitution,
}

impl Same {
    fn new(store: &mut TermStore, clause: &Clause) -> Same {
        let mut first: BTreeMap<SymbolId, SymbolId> = BTreeMap::new();
        let find = |first: &BTreeMap<SymbolId, SymbolId>, mut symbol: SymbolId| {
            while let Some(&next) = first.get(&symbol) {
                symbol = next;
            }
            symbol
        };
        for part in store.conjuncts(clause.constraint) {
            let (Op::Eq | Op::Iff, [left, right]) = (store.op(part), store.args(part)) else { continue };
            if let (Some(left), Some(right)) = (store.as_symbol(*left), store.as_symbol(*right)) {
                let (left, right) = (find(&first, left), find(&first, right));
                if left != right {
                    first.insert(left.max(right), left.min(right));
                }
            }
        }
        let pairs: Vec<(SymbolId, SymbolId)> =
            first.keys().map(|&symbol| (symbol, find(&first, symbol))).collect();
        let mut substitution = Substitution::new();
        for (symbol, stands) in pairs {
            let stands = store.mk_symbol(stands);
            substitution.insert(store, symbol, stands);
        }
        Same { first: substitution }
    }

    /// The term with representatives in place of variables.
    fn of(&self, store: &mut TermStore, term: TermId) -> TermId {
        store.substitute(term, &self.first)
    }
}

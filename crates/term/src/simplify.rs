//! A bottom-up simplifier: rebuilds with the smart constructors and uses what neighbours know about each other.
//!
//! In a conjunction every literal is a *fact* for the other conjuncts, in a disjunction its negation is; the left side of
//! an implication gives facts for the right. Facts decide literals one level down: the literal itself, its complement,
//! and, for `x = a` with a literal `a`, every other `x = b`. That is linear work and catches what pre-images of
//! protocols are full of; anything deeper is the solver's business. The value never changes.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::id::{SortId, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::term::Op;

impl TermStore {
    /// An equivalent term in normal form, also where the given one is raw, and no larger for the rules used.
    pub fn simplify(&mut self, term: TermId) -> TermId {
        self.rewrite_bottom_up(term, |store, subterm, args| {
            let op = store.op(subterm).clone();
            let built = store.mk(op, args);
            store.simplify_in_context(built)
        })
    }

    fn simplify_in_context(&mut self, term: TermId) -> TermId {
        match self.op(term) {
            Op::And => self.simplify_junction(term, true),
            Op::Or => self.simplify_junction(term, false),
            Op::Implies => self.simplify_implication(term),
            _ => term,
        }
    }

    /// A conjunction (or, dually, a disjunction, whose literals are facts when denied).
    fn simplify_junction(&mut self, term: TermId, conjunction: bool) -> TermId {
        let args = self.args(term).to_vec();
        let mut facts = Facts::default();
        for &arg in args.iter().filter(|&&arg| self.is_context_literal(arg)) {
            if !facts.assume(self, arg, conjunction) {
                return TermId::bool(!conjunction);
            }
        }
        if facts.exhausts_a_sort(self) {
            return TermId::bool(!conjunction);
        }
        let simpler: Vec<TermId> = args.iter().map(|&arg| facts.apply_to_neighbour(self, arg)).collect();
        if simpler == args {
            return term;
        }
        self.mk(if conjunction { Op::And } else { Op::Or }, &simpler)
    }

    fn simplify_implication(&mut self, term: TermId) -> TermId {
        let (left, right) = (self.args(term)[0], self.args(term)[1]);
        let mut facts = Facts::default();
        for conjunct in self.conjuncts(left) {
            if self.is_context_literal(conjunct) && !facts.assume(self, conjunct, true) {
                return TermId::TRUE;
            }
        }
        let simpler = match facts.decide(self, right) {
            Some(value) => TermId::bool(value),
            None => facts.apply_inside(self, right),
        };
        if simpler == right { term } else { self.mk_implies(left, simpler) }
    }

    fn is_context_literal(&self, term: TermId) -> bool {
        let (atom, _) = self.strip_not(term);
        let op = self.op(atom);
        !op.is_connective() && !op.is_binder() && *op != Op::Ite
    }

    /// The subject and the value, if the atom compares something with a literal.
    fn as_value_test(&self, atom: TermId) -> Option<(TermId, TermId)> {
        match (self.op(atom), self.args(atom)) {
            (Op::Eq, &[subject, value]) if self.is_value(value) && !self.is_value(subject) => {
                Some((subject, value))
            }
            _ => None,
        }
    }
}

/// Literals that are known to hold.
#[derive(Default)]
struct Facts {
    literals: FxHashSet<(TermId, bool)>,
    /// Subjects that are known to equal a literal.
    values: FxHashMap<TermId, TermId>,
    /// Values that a subject is known to differ from; counted only.
    excluded: FxHashMap<TermId, FxHashSet<TermId>>,
}

impl Facts {
    /// Adds a fact: the literal or, if denied, its negation. False if it contradicts an earlier one.
    fn assume(&mut self, store: &TermStore, literal: TermId, asserted: bool) -> bool {
        let (atom, negated) = store.strip_not(literal);
        let holds = asserted != negated;
        if self.decide(store, atom) == Some(!holds) {
            return false;
        }
        self.literals.insert((atom, holds));
        if let Some((subject, value)) = store.as_value_test(atom) {
            if holds {
                self.values.insert(subject, value);
                return !self.excluded.get(&subject).is_some_and(|values| values.contains(&value));
            }
            self.excluded.entry(subject).or_default().insert(value);
        }
        true
    }

    /// The truth value that the facts give a literal, if they do.
    fn decide(&self, store: &TermStore, literal: TermId) -> Option<bool> {
        let (atom, negated) = store.strip_not(literal);
        let known = if self.literals.contains(&(atom, true)) {
            true
        } else if self.literals.contains(&(atom, false)) {
            false
        } else {
            let (subject, value) = store.as_value_test(atom)?;
            *self.values.get(&subject)? == value
        };
        Some(known != negated)
    }

    /// Do the facts leave no value for some subject of an enumeration?
    fn exhausts_a_sort(&self, store: &TermStore) -> bool {
        self.excluded.iter().any(|(&subject, values)| {
            variants(store, store.sort_of(subject)).is_some_and(|all| values.len() == all)
        })
    }

    /// Simplifies a neighbour of the facts. A literal is one of the facts itself and stays, unless another fact says
    /// more: `x != b` beside `x = a` goes.
    fn apply_to_neighbour(&self, store: &mut TermStore, term: TermId) -> TermId {
        if !store.is_context_literal(term) {
            return self.apply_inside(store, term);
        }
        let (atom, _) = store.strip_not(term);
        let Some((subject, value)) = store.as_value_test(atom) else { return term };
        match self.values.get(&subject) {
            Some(&known) if known != value => self.known_literal(store, term),
            _ => term,
        }
    }

    fn known_literal(&self, store: &TermStore, term: TermId) -> TermId {
        let (_, negated) = store.strip_not(term);
        TermId::bool(negated)
    }

    /// Replaces the operands that the facts decide in a connective.
    fn apply_inside(&self, store: &mut TermStore, term: TermId) -> TermId {
        if !matches!(store.op(term), Op::And | Op::Or | Op::Implies | Op::Iff | Op::Not | Op::Ite) {
            return term;
        }
        let args = store.args(term).to_vec();
        let decided: Vec<TermId> = args
            .iter()
            .map(|&arg| match store.is_bool(arg).then(|| self.decide(store, arg)).flatten() {
                Some(value) => TermId::bool(value),
                None => arg,
            })
            .collect();
        store.mk_again(term, &decided)
    }
}

/// How many values an enumeration has.
fn variants(store: &TermStore, sort: SortId) -> Option<usize> {
    match store.sort(sort) {
        Sort::Enum { variants, .. } => Some(variants.len()),
        _ => None,
    }
}

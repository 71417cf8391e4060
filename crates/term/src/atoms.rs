//! Atoms and literals of formulas, with their polarity.
//!
//! An atom is a formula that is not made by a propositional connective, a Boolean `?:` or a quantifier. Formulas inside
//! atoms (the condition of an integer `?:`, say) are not looked at; lift them out first.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::id::TermId;
use crate::store::TermStore;
use crate::term::{BvOp, Op};

/// Where an atom occurs: under an even number of negations, an odd number, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Polarity {
    /// Does it occur under an even number of negations?
    pub positive: bool,
    /// Does it occur under an odd number of negations?
    pub negative: bool,
}

/// An atom or its negation, in a form that makes equal atoms equal terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    pub atom: TermId,
    /// Is it asserted, rather than denied?
    pub positive: bool,
}

impl TermStore {
    /// The atoms of a formula, each once, in ascending id order. Below quantifiers they mention bound symbols.
    pub fn atoms(&self, formula: TermId) -> Vec<TermId> {
        let mut atoms: Vec<TermId> = self.polarities(formula).into_iter().map(|(atom, _)| atom).collect();
        atoms.sort_unstable();
        atoms
    }

    /// The atoms of a formula with their polarities, in order of first occurrence. The truth literals are no atoms.
    pub fn polarities(&self, formula: TermId) -> Vec<(TermId, Polarity)> {
        let mut found: IndexMap<TermId, Polarity, FxBuildHasher> = IndexMap::default();
        let mut seen = FxHashSet::default();
        let mut stack = vec![(formula, true)];
        while let Some((current, positive)) = stack.pop() {
            if current.is_bool_literal() || !seen.insert((current, positive)) {
                continue;
            }
            let args = self.args(current);
            match self.op(current) {
                Op::Not => stack.push((args[0], !positive)),
                Op::And | Op::Or | Op::Forall(_) | Op::Exists(_) => {
                    stack.extend(args.iter().rev().map(|&arg| (arg, positive)));
                }
                Op::Implies => stack.extend([(args[1], positive), (args[0], !positive)]),
                Op::Iff => {
                    let both = args.iter().rev().flat_map(|&arg| [(arg, !positive), (arg, positive)]);
                    stack.extend(both);
                }
                Op::Ite => {
                    stack.extend([(args[2], positive), (args[1], positive)]);
                    stack.extend([(args[0], false), (args[0], true)]);
                }
                _ => {
                    let polarity = found.entry(current).or_default();
                    polarity.positive |= positive;
                    polarity.negative |= !positive;
                }
            }
        }
        found.into_iter().collect()
    }

    /// The literal that a formula is: its negations stripped, and `a <= b` read as the denial of `b < a`, so that a
    /// predicate is found whichever way round it was written.
    pub fn literal(&mut self, formula: TermId) -> Literal {
        let (mut atom, mut positive) = (formula, true);
        while let Op::Not = self.op(atom) {
            atom = self.args(atom)[0];
            positive = !positive;
        }
        if let Op::Le | Op::Bv(BvOp::Ule | BvOp::Sle) = self.op(atom) {
            atom = self.mk_not(atom);
            positive = !positive;
        }
        Literal { atom, positive }
    }

    pub fn mk_literal(&mut self, literal: Literal) -> TermId {
        if literal.positive { literal.atom } else { self.mk_not(literal.atom) }
    }

    /// The conjuncts of a formula, looking through nested conjunctions; the formula itself if it is none.
    pub fn conjuncts(&self, formula: TermId) -> Vec<TermId> {
        self.junction_parts(&Op::And, formula)
    }

    /// The disjuncts of a formula, looking through nested disjunctions; the formula itself if it is none.
    pub fn disjuncts(&self, formula: TermId) -> Vec<TermId> {
        self.junction_parts(&Op::Or, formula)
    }

    fn junction_parts(&self, op: &Op, formula: TermId) -> Vec<TermId> {
        let mut parts = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![formula];
        while let Some(current) = stack.pop() {
            if !seen.insert(current) {
                continue;
            }
            if self.op(current) == op {
                stack.extend(self.args(current).iter().rev());
            } else {
                parts.push(current);
            }
        }
        parts
    }
}

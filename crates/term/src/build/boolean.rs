//! Smart propositional connectives.

use crate::id::TermId;
use crate::store::TermStore;
use crate::term::{BvOp, Op};

impl TermStore {
    /// `!a`. Comparisons are turned around instead: `!(a < b)` is `b <= a`.
    pub fn mk_not(&mut self, a: TermId) -> TermId {
        if let Some(op) = turned_around(self.op(a)) {
            let swapped = [self.args(a)[1], self.args(a)[0]];
            return self.raw(op, &swapped);
        }
        match self.op(a) {
            Op::Bool(value) => TermId::bool(!value),
            Op::Not => self.args(a)[0],
            _ => self.raw(Op::Not, &[a]),
        }
    }

    /// The conjunction; `true` if there are no operands.
    pub fn mk_and(&mut self, args: impl IntoIterator<Item = TermId>) -> TermId {
        self.mk_junction(Op::And, args)
    }

    /// The disjunction; `false` if there are no operands.
    pub fn mk_or(&mut self, args: impl IntoIterator<Item = TermId>) -> TermId {
        self.mk_junction(Op::Or, args)
    }

    fn mk_junction(&mut self, op: Op, args: impl IntoIterator<Item = TermId>) -> TermId {
        let unit = TermId::bool(op == Op::And);
        let zero = TermId::bool(op != Op::And);
        let mut flat = self.flatten(&op, args);
        flat.dedup();
        flat.retain(|arg| *arg != unit);
        if flat.contains(&zero) || self.has_complements(&flat) {
            return zero;
        }
        match flat[..] {
            [] => unit,
            [only] => only,
            _ => self.raw(op, &flat),
        }
    }

    /// Does the sorted list hold a term and its complement?
    fn has_complements(&self, sorted: &[TermId]) -> bool {
        sorted.iter().any(|&arg| {
            let complement = match self.op(arg) {
                Op::Not => Some(self.args(arg)[0]),
                op => turned_around(op).and_then(|op| self.find(op, &[self.args(arg)[1], self.args(arg)[0]])),
            };
            complement.is_some_and(|complement| sorted.binary_search(&complement).is_ok())
        })
    }

    /// Is one term the negation of the other, as far as their shape tells?
    pub fn are_complements(&self, a: TermId, b: TermId) -> bool {
        let negates = |x: TermId, y: TermId| *self.op(x) == Op::Not && self.args(x)[0] == y;
        if negates(a, b) || negates(b, a) {
            return true;
        }
        let turned = turned_around(self.op(a)).is_some_and(|op| op == *self.op(b));
        turned && self.args(a)[0] == self.args(b)[1] && self.args(a)[1] == self.args(b)[0]
    }

    pub fn mk_implies(&mut self, a: TermId, b: TermId) -> TermId {
        if a == TermId::FALSE || b == TermId::TRUE || a == b {
            return TermId::TRUE;
        }
        if a == TermId::TRUE || self.are_complements(a, b) {
            return b;
        }
        if b == TermId::FALSE {
            return self.mk_not(a);
        }
        self.raw(Op::Implies, &[a, b])
    }

    /// `a <-> b`. Negations move outside, where they can cancel.
    pub fn mk_iff(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return TermId::TRUE;
        }
        if self.are_complements(a, b) {
            return TermId::FALSE;
        }
        for (constant, other) in [(a, b), (b, a)] {
            match constant {
                TermId::TRUE => return other,
                TermId::FALSE => return self.mk_not(other),
                _ => {}
            }
        }
        let (a, a_negated) = self.strip_not(a);
        let (b, b_negated) = self.strip_not(b);
        let plain = self.raw(Op::Iff, &[a.min(b), a.max(b)]);
        if a_negated != b_negated { self.mk_not(plain) } else { plain }
    }

    pub fn mk_xor(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.mk_iff(a, b);
        self.mk_not(same)
    }

    /// The term without its outermost negation, and whether there was one.
    pub(crate) fn strip_not(&self, a: TermId) -> (TermId, bool) {
        match self.op(a) {
            Op::Not => (self.args(a)[0], true),
            _ => (a, false),
        }
    }
}

/// The comparison that, on swapped operands, is the negation of this one.
fn turned_around(op: &Op) -> Option<Op> {
    Some(match op {
        Op::Lt => Op::Le,
        Op::Le => Op::Lt,
        Op::Bv(BvOp::Ult) => Op::Bv(BvOp::Ule),
        Op::Bv(BvOp::Ule) => Op::Bv(BvOp::Ult),
        Op::Bv(BvOp::Slt) => Op::Bv(BvOp::Sle),
        Op::Bv(BvOp::Sle) => Op::Bv(BvOp::Slt),
        _ => return None,
    })
}

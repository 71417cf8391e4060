//! Smart bit-vector operators: constant folding and the usual identities.

use num_bigint::BigInt;

use crate::bitvec::{self, BitVec, BvResult};
use crate::id::TermId;
use crate::sort::Sort;
use crate::store::TermStore;
use crate::term::{BvOp, Op};

impl TermStore {
    /// A bit-vector operator on its operands.
    pub fn mk_bv(&mut self, op: BvOp, args: &[TermId]) -> TermId {
        if let Some(simpler) = self.simple_bv(op, args).or_else(|| self.fold_choice(op, args)) {
            return simpler;
        }
        match args {
            [a, b] if op.is_commutative() => self.raw(Op::Bv(op), &[*a.min(b), *a.max(b)]),
            _ => self.raw(Op::Bv(op), args),
        }
    }

    /// What an operator gives if its operands say so already.
    pub(super) fn simple_bv(&mut self, op: BvOp, args: &[TermId]) -> Option<TermId> {
        self.fold_bv(op, args).or_else(|| match args {
            [a] => self.identity_unary(op, *a),
            [a, b] => self.identity_binary(op, *a, *b),
            _ => None,
        })
    }

    /// The width, if the term is a bit-vector.
    pub fn width(&self, term: TermId) -> Option<u32> {
        match self.sort(self.sort_of(term)) {
            Sort::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// The value, if the term is a bit-vector literal.
    pub fn as_bitvec(&self, term: TermId) -> Option<&BitVec> {
        match self.op(term) {
            Op::BitVec(value) => Some(value),
            _ => None,
        }
    }

    fn fold_bv(&mut self, op: BvOp, args: &[TermId]) -> Option<TermId> {
        if let BvOp::FromInt(width) = op {
            let value: BigInt = self.as_int(args[0])?.clone();
            return Some(self.mk_bitvec_value(BitVec::from_signed(width, &value)));
        }
        let values: Vec<&BitVec> = args.iter().map(|&arg| self.as_bitvec(arg)).collect::<Option<_>>()?;
        Some(match bitvec::apply(op, &values) {
            BvResult::Bits(value) => self.mk_bitvec_value(value),
            BvResult::Bool(value) => TermId::bool(value),
            BvResult::Int(value) => self.mk_int(value),
        })
    }

    fn identity_unary(&mut self, op: BvOp, a: TermId) -> Option<TermId> {
        let whole = self.width(a).is_some_and(|width| op == BvOp::Extract { hi: width - 1, lo: 0 });
        if whole || matches!(op, BvOp::ZeroExtend(0) | BvOp::SignExtend(0)) {
            return Some(a);
        }
        let Op::Bv(inner) = *self.op(a) else { return None };
        let below = self.args(a)[0];
        match (op, inner) {
            (BvOp::Not, BvOp::Not) | (BvOp::Neg, BvOp::Neg) => Some(below),
            (BvOp::Extract { hi, lo }, BvOp::Extract { lo: offset, .. }) => {
                Some(self.mk_bv(BvOp::Extract { hi: hi + offset, lo: lo + offset }, &[below]))
            }
            _ => None,
        }
    }

    fn identity_binary(&mut self, op: BvOp, a: TermId, b: TermId) -> Option<TermId> {
        if a == b {
            return self.identity_same(op, a);
        }
        let known = |term| self.as_bitvec(term).map(|value| (value.is_zero(), value.is_ones()));
        let (left, right) = (known(a), known(b));
        let zero_left = left.is_some_and(|(zero, _)| zero);
        let zero_right = right.is_some_and(|(zero, _)| zero);
        let ones_left = left.is_some_and(|(_, ones)| ones);
        let ones_right = right.is_some_and(|(_, ones)| ones);
        match op {
            BvOp::And if zero_left || ones_right => Some(a),
            BvOp::And if zero_right || ones_left => Some(b),
            BvOp::Or if zero_left || ones_right => Some(b),
            BvOp::Or if zero_right || ones_left => Some(a),
            BvOp::Xor | BvOp::Add if zero_left => Some(b),
            BvOp::Xor | BvOp::Add | BvOp::Sub if zero_right => Some(a),
            BvOp::Mul if zero_left => Some(a),
            BvOp::Mul if zero_right => Some(b),
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr if zero_right || zero_left => Some(a),
            BvOp::Ult if zero_right || ones_left => Some(TermId::FALSE),
            BvOp::Ule if zero_left || ones_right => Some(TermId::TRUE),
            _ => None,
        }
    }

    fn identity_same(&mut self, op: BvOp, a: TermId) -> Option<TermId> {
        match op {
            BvOp::And | BvOp::Or => Some(a),
            BvOp::Xor | BvOp::Sub => {
                let width = self.width(a)?;
                Some(self.mk_bitvec_value(BitVec::zero(width)))
            }
            BvOp::Ult | BvOp::Slt => Some(TermId::FALSE),
            BvOp::Ule | BvOp::Sle => Some(TermId::TRUE),
            _ => None,
        }
    }
}

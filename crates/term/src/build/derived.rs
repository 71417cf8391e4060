//! Bit-vector operators that BTOR2 and Verilog have and SMT-LIB derives: reductions, rotations, overflow tests.
//!
//! They are built from the basic ones, so that nothing downstream needs to know them.

use crate::bitvec::BitVec;
use crate::id::TermId;
use crate::store::TermStore;
use crate::term::BvOp;

impl TermStore {
    /// A truth value as a bit.
    pub fn mk_bool_to_bit(&mut self, a: TermId) -> TermId {
        let (one, zero) = (self.mk_bitvec(1, 1u32), self.mk_bitvec(1, 0u32));
        self.mk_ite(a, one, zero)
    }

    /// A bit as a truth value.
    pub fn mk_bit_to_bool(&mut self, a: TermId) -> TermId {
        let one = self.mk_bitvec(1, 1u32);
        self.mk_eq(a, one)
    }

    pub fn mk_bv_any(&mut self, a: TermId) -> TermId {
        let zero = self.mk_bitvec_value(BitVec::zero(self.bits(a)));
        self.mk_ne(a, zero)
    }

    pub fn mk_bv_all(&mut self, a: TermId) -> TermId {
        let ones = self.mk_bitvec_value(BitVec::ones(self.bits(a)));
        self.mk_eq(a, ones)
    }

    /// The parity of the bits, as a bit.
    pub fn mk_bv_parity(&mut self, a: TermId) -> TermId {
        let mut parity = self.mk_bv(BvOp::Extract { hi: 0, lo: 0 }, &[a]);
        for bit in 1..self.bits(a) {
            let next = self.mk_bv(BvOp::Extract { hi: bit, lo: bit }, &[a]);
            parity = self.mk_bv(BvOp::Xor, &[parity, next]);
        }
        parity
    }

    /// Rotation to the left by an amount of the same width, modulo the width.
    pub fn mk_bv_rotate_left(&mut self, a: TermId, by: TermId) -> TermId {
        self.mk_rotation(a, by, BvOp::Shl, BvOp::Lshr)
    }

    /// Rotation to the right by an amount of the same width, modulo the width.
    pub fn mk_bv_rotate_right(&mut self, a: TermId, by: TermId) -> TermId {
        self.mk_rotation(a, by, BvOp::Lshr, BvOp::Shl)
    }

    fn mk_rotation(&mut self, a: TermId, by: TermId, there: BvOp, back: BvOp) -> TermId {
        let bits = self.bits(a);
        if bits == 1 {
            return a;
        }
        // The width itself fits in its own number of bits, as soon as there are two of them.
        let width = self.mk_bitvec(bits, bits);
        let by = self.mk_bv(BvOp::Urem, &[by, width]);
        let rest = self.mk_bv(BvOp::Sub, &[width, by]);
        let high = self.mk_bv(there, &[a, by]);
        let low = self.mk_bv(back, &[a, rest]);
        self.mk_bv(BvOp::Or, &[high, low])
    }

    /// Does the operation, done on numbers of any size, leave the signed or unsigned range of the operands' width?
    /// Meant for `Add`, `Sub`, `Mul` and signed `Sdiv`.
    pub fn mk_bv_overflow(&mut self, op: BvOp, signed: bool, a: TermId, b: TermId) -> TermId {
        let bits = self.bits(a);
        // Twice the width, and one bit for the sign of an unsigned difference, holds every result exactly.
        let extend = if signed { BvOp::SignExtend(bits + 1) } else { BvOp::ZeroExtend(bits + 1) };
        let (wide_a, wide_b) = (self.mk_bv(extend, &[a]), self.mk_bv(extend, &[b]));
        let exact = self.mk_bv(op, &[wide_a, wide_b]);
        let cut = self.mk_bv(BvOp::Extract { hi: bits - 1, lo: 0 }, &[exact]);
        let back = self.mk_bv(extend, &[cut]);
        let overflow = self.mk_ne(exact, back);
        if op != BvOp::Sdiv {
            return overflow;
        }
        // A quotient by zero is no overflow, whatever value it is given.
        let divides = self.mk_bv_any(b);
        self.mk_and([divides, overflow])
    }

    fn bits(&self, a: TermId) -> u32 {
        self.width(a).expect("invariant: the operand is a bit-vector")
    }
}

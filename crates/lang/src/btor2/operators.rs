//! Operators as terms.
//!
//! One bit is a truth value, so that conditions and invariants read as such; wider vectors are bit-vectors. On single bits
//! every operator is a connective: a difference is an exclusive or, a shift by one leaves nothing. So one-bit vectors
//! occur only between a wider vector and its bits.

use super::document::Sort;
use super::op::{Op, Plain};
use num_bigint::BigUint;
use num_traits::One;
use tenet_term::{BvOp, Op as TermOp, SortId, TermId, TermStore};

pub fn sort(store: &mut TermStore, sort: Sort) -> SortId {
    match sort {
        Sort::Bits(1) => SortId::BOOL,
        Sort::Bits(width) => store.bitvec_sort(width),
        Sort::Array { index, element } => {
            let (index, element) = (word_sort(store, index), word_sort(store, element));
            store.function_sort(&[index], element)
        }
    }
}

fn word_sort(store: &mut TermStore, width: u32) -> SortId {
    sort(store, Sort::Bits(width))
}

/// The constant array of a value.
pub fn constant_array(store: &mut TermStore, index: u32, value: TermId) -> TermId {
    let index = word_sort(store, index);
    let avoid = store.free_bound(value).to_vec();
    let place = store.bound_avoiding("u", index, &avoid);
    store.mk_lambda(&[place], value)
}

/// The bitwise complement.
pub fn complement(store: &mut TermStore, a: TermId) -> TermId {
    if store.is_bool(a) { store.mk_not(a) } else { store.mk_bv(BvOp::Not, &[a]) }
}

/// The term of an operator with operands, or of a constant.
pub fn build(store: &mut TermStore, op: &Op, sort: Sort, args: &[TermId]) -> TermId {
    match (op, args) {
        (Op::Constant(constant), _) => literal(store, sort, &constant.value),
        (Op::Slice(hi, lo), &[a]) => slice(store, *hi, *lo, a),
        (Op::Uext(by), &[a]) => extend(store, *by, false, a),
        (Op::Sext(by), &[a]) => extend(store, *by, true, a),
        (Op::Plain(plain), &[a]) => unary(store, *plain, a),
        (Op::Plain(Plain::Read), &[array, index]) => store.mk_apply(array, &[index]),
        (Op::Plain(Plain::Write), &[array, index, value]) => store.mk_store(array, &[index], value),
        (Op::Plain(Plain::Ite), &[condition, yes, no]) => store.mk_ite(condition, yes, no),
        (Op::Plain(plain), &[a, b]) => binary(store, *plain, a, b),
        _ => panic!("invariant: the parser counts operands, and inputs and states have symbols"),
    }
}

fn literal(store: &mut TermStore, sort: Sort, value: &BigUint) -> TermId {
    match sort {
        Sort::Bits(1) => TermId::bool(value.is_one()),
        Sort::Bits(width) => store.mk_bitvec(width, value.clone()),
        Sort::Array { .. } => panic!("invariant: constants are bit-vectors"),
    }
}

/// The term as a bit-vector, even if it is one bit wide.
fn vector(store: &mut TermStore, a: TermId) -> TermId {
    if !store.is_bool(a) {
        return a;
    }
    // A bit that was extracted from a vector is that extraction.
    if *store.op(a) == TermOp::Eq {
        let (left, right) = (store.args(a)[0], store.args(a)[1]);
        let is_one = store.as_bitvec(right).is_some_and(|bits| bits.width() == 1 && bits.is_ones());
        if is_one {
            return left;
        }
    }
    store.mk_bool_to_bit(a)
}

fn slice(store: &mut TermStore, hi: u32, lo: u32, a: TermId) -> TermId {
    if store.is_bool(a) {
        return a;
    }
    let bits = store.mk_bv(BvOp::Extract { hi, lo }, &[a]);
    if hi == lo { store.mk_bit_to_bool(bits) } else { bits }
}

fn extend(store: &mut TermStore, by: u32, signed: bool, a: TermId) -> TermId {
    if by == 0 {
        return a;
    }
    if !store.is_bool(a) {
        return store.mk_bv(if signed { BvOp::SignExtend(by) } else { BvOp::ZeroExtend(by) }, &[a]);
    }
    let one = if signed { (BigUint::one() << (by + 1)) - 1u32 } else { BigUint::one() };
    let (yes, no) = (store.mk_bitvec(by + 1, one), store.mk_bitvec(by + 1, 0u32));
    store.mk_ite(a, yes, no)
}

fn unary(store: &mut TermStore, op: Plain, a: TermId) -> TermId {
    if store.is_bool(a) {
        return match op {
            Plain::Not | Plain::Inc | Plain::Dec => store.mk_not(a),
            _ => a,
        };
    }
    let width = store.width(a).expect("invariant: the operand is a bit-vector");
    match op {
        Plain::Not => store.mk_bv(BvOp::Not, &[a]),
        Plain::Neg => store.mk_bv(BvOp::Neg, &[a]),
        Plain::Inc | Plain::Dec => {
            let one = store.mk_bitvec(width, 1u32);
            store.mk_bv(if op == Plain::Inc { BvOp::Add } else { BvOp::Sub }, &[a, one])
        }
        Plain::Redand => store.mk_bv_all(a),
        Plain::Redor => store.mk_bv_any(a),
        _ => {
            let parity = store.mk_bv_parity(a);
            store.mk_bit_to_bool(parity)
        }
    }
}

fn binary(store: &mut TermStore, op: Plain, a: TermId, b: TermId) -> TermId {
    match op {
        Plain::Eq | Plain::Iff => store.mk_eq(a, b),
        Plain::Neq => store.mk_ne(a, b),
        Plain::Implies => store.mk_implies(a, b),
        Plain::Concat => {
            let (a, b) = (vector(store, a), vector(store, b));
            store.mk_bv(BvOp::Concat, &[a, b])
        }
        _ if store.is_bool(a) => on_bits(store, op, a, b),
        _ => on_vectors(store, op, a, b),
    }
}

/// The operators on single bits; as a signed number, 1 is -1.
fn on_bits(store: &mut TermStore, op: Plain, a: TermId, b: TermId) -> TermId {
    let (not_a, not_b) = (store.mk_not(a), store.mk_not(b));
    match op {
        Plain::And | Plain::Mul | Plain::Saddo | Plain::Uaddo | Plain::Smulo | Plain::Sdivo => {
            store.mk_and([a, b])
        }
        Plain::Or => store.mk_or([a, b]),
        Plain::Nand => store.mk_or([not_a, not_b]),
        Plain::Nor => store.mk_and([not_a, not_b]),
        Plain::Xor | Plain::Add | Plain::Sub => store.mk_xor(a, b),
        Plain::Xnor => store.mk_iff(a, b),
        Plain::Ult | Plain::Sgt | Plain::Usubo | Plain::Ssubo => store.mk_and([not_a, b]),
        Plain::Ulte | Plain::Sgte => store.mk_or([not_a, b]),
        // Division by zero gives all ones for a non-negative dividend and one otherwise: the same bit.
        Plain::Ugte | Plain::Slte | Plain::Udiv | Plain::Sdiv => store.mk_or([a, not_b]),
        Plain::Ugt | Plain::Slt | Plain::Sll | Plain::Srl | Plain::Urem | Plain::Srem | Plain::Smod => {
            store.mk_and([a, not_b])
        }
        Plain::Umulo => TermId::FALSE,
        // Rotating one bit changes nothing, and neither does shifting it by its sign.
        _ => a,
    }
}

fn on_vectors(store: &mut TermStore, op: Plain, a: TermId, b: TermId) -> TermId {
    let overflow = |signed, op| (signed, op);
    let (signed, of) = match op {
        Plain::Rol => return store.mk_bv_rotate_left(a, b),
        Plain::Ror => return store.mk_bv_rotate_right(a, b),
        Plain::Saddo => overflow(true, BvOp::Add),
        Plain::Uaddo => overflow(false, BvOp::Add),
        Plain::Ssubo => overflow(true, BvOp::Sub),
        Plain::Usubo => overflow(false, BvOp::Sub),
        Plain::Smulo => overflow(true, BvOp::Mul),
        Plain::Umulo => overflow(false, BvOp::Mul),
        Plain::Sdivo => overflow(true, BvOp::Sdiv),
        _ => return basic(store, op, a, b),
    };
    store.mk_bv_overflow(of, signed, a, b)
}

/// Operators that terms have too, perhaps with the operands swapped or the result negated.
fn basic(store: &mut TermStore, op: Plain, a: TermId, b: TermId) -> TermId {
    let (of, is_swapped, is_negated) = match op {
        Plain::And => (BvOp::And, false, false),
        Plain::Nand => (BvOp::And, false, true),
        Plain::Or => (BvOp::Or, false, false),
        Plain::Nor => (BvOp::Or, false, true),
        Plain::Xor => (BvOp::Xor, false, false),
        Plain::Xnor => (BvOp::Xor, false, true),
        Plain::Add => (BvOp::Add, false, false),
        Plain::Sub => (BvOp::Sub, false, false),
        Plain::Mul => (BvOp::Mul, false, false),
        Plain::Udiv => (BvOp::Udiv, false, false),
        Plain::Urem => (BvOp::Urem, false, false),
        Plain::Sdiv => (BvOp::Sdiv, false, false),
        Plain::Srem => (BvOp::Srem, false, false),
        Plain::Smod => (BvOp::Smod, false, false),
        Plain::Sll => (BvOp::Shl, false, false),
        Plain::Srl => (BvOp::Lshr, false, false),
        Plain::Sra => (BvOp::Ashr, false, false),
        Plain::Ult => (BvOp::Ult, false, false),
        Plain::Ulte => (BvOp::Ule, false, false),
        Plain::Slt => (BvOp::Slt, false, false),
        Plain::Slte => (BvOp::Sle, false, false),
        Plain::Ugt => (BvOp::Ult, true, false),
        Plain::Ugte => (BvOp::Ule, true, false),
        Plain::Sgt => (BvOp::Slt, true, false),
        Plain::Sgte => (BvOp::Sle, true, false),
        _ => panic!("invariant: the other operators are handled by the callers"),
    };
    let result = store.mk_bv(of, &if is_swapped { [b, a] } else { [a, b] });
    if is_negated { store.mk_bv(BvOp::Not, &[result]) } else { result }
}

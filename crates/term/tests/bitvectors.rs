//! Bit-vector operators against machine arithmetic, for all operands of four bits.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use tenet_term::bitvec::{BvResult, apply};
use tenet_term::{BitVec, BvOp, Op, TermId, TermStore};

const WIDTH: u32 = 4;
const ALL: u64 = 1 << WIDTH;

fn signed(value: u64) -> i64 {
    if value >= ALL / 2 { value as i64 - ALL as i64 } else { value as i64 }
}

fn wrap(value: i64) -> u64 {
    value.rem_euclid(ALL as i64) as u64
}

fn bits(value: u64) -> BitVec {
    BitVec::new(WIDTH, value.into())
}

fn check(op: BvOp, expected: impl Fn(u64, u64) -> u64) {
    for a in 0..ALL {
        for b in 0..ALL {
            let result = apply(op, &[&bits(a), &bits(b)]);
            assert_eq!(result, BvResult::Bits(bits(expected(a, b))), "{op:?} {a} {b}");
        }
    }
}

fn check_test(op: BvOp, expected: impl Fn(u64, u64) -> bool) {
    for a in 0..ALL {
        for b in 0..ALL {
            assert_eq!(apply(op, &[&bits(a), &bits(b)]), BvResult::Bool(expected(a, b)), "{op:?} {a} {b}");
        }
    }
}

#[test]
fn arithmetic() {
    check(BvOp::Add, |a, b| (a + b) % ALL);
    check(BvOp::Sub, |a, b| wrap(a as i64 - b as i64));
    check(BvOp::Mul, |a, b| (a * b) % ALL);
    check(BvOp::And, |a, b| a & b);
    check(BvOp::Or, |a, b| a | b);
    check(BvOp::Xor, |a, b| a ^ b);
}

#[test]
fn division() {
    check(BvOp::Udiv, |a, b| a.checked_div(b).unwrap_or(ALL - 1));
    check(BvOp::Urem, |a, b| a.checked_rem(b).unwrap_or(a));
    check(BvOp::Sdiv, |a, b| match signed(b) {
        0 => wrap(if signed(a) < 0 { 1 } else { -1 }),
        divisor => wrap(signed(a) / divisor),
    });
    check(BvOp::Srem, |a, b| if b == 0 { a } else { wrap(signed(a) % signed(b)) });
    check(BvOp::Smod, |a, b| {
        if b == 0 {
            return a;
        }
        let (x, y) = (signed(a), signed(b));
        let remainder = x.rem_euclid(y.abs());
        wrap(if remainder != 0 && y < 0 { remainder + y } else { remainder })
    });
}

#[test]
fn shifts() {
    check(BvOp::Shl, |a, b| (a << b) % ALL);
    check(BvOp::Lshr, |a, b| a >> b);
    check(BvOp::Ashr, |a, b| wrap(signed(a) >> b));
}

#[test]
fn comparisons() {
    check_test(BvOp::Ult, |a, b| a < b);
    check_test(BvOp::Ule, |a, b| a <= b);
    check_test(BvOp::Slt, |a, b| signed(a) < signed(b));
    check_test(BvOp::Sle, |a, b| signed(a) <= signed(b));
}

#[test]
fn unary_operators_and_conversions() {
    for a in 0..ALL {
        let value = bits(a);
        assert_eq!(apply(BvOp::Not, &[&value]), BvResult::Bits(bits(ALL - 1 - a)));
        assert_eq!(apply(BvOp::Neg, &[&value]), BvResult::Bits(bits(wrap(-(a as i64)))));
        assert_eq!(apply(BvOp::ToInt, &[&value]), BvResult::Int(a.into()));
        let wide = BitVec::from_signed(7, &signed(a).into());
        assert_eq!(apply(BvOp::SignExtend(3), &[&value]), BvResult::Bits(wide));
        assert_eq!(apply(BvOp::ZeroExtend(3), &[&value]), BvResult::Bits(BitVec::new(7, a.into())));
        let middle = BitVec::new(2, ((a >> 1) & 3).into());
        assert_eq!(apply(BvOp::Extract { hi: 2, lo: 1 }, &[&value]), BvResult::Bits(middle));
    }
    let joined = apply(BvOp::Concat, &[&bits(0b1010), &bits(0b0011)]);
    assert_eq!(joined, BvResult::Bits(BitVec::new(8, 0b1010_0011u32.into())));
}

/// Builds from two literals, expects a literal.
fn check_derived(
    build: impl Fn(&mut TermStore, TermId, TermId) -> TermId,
    expected: impl Fn(u64, u64) -> u64,
) {
    let mut store = TermStore::new();
    for a in 0..ALL {
        for b in 0..ALL {
            let (x, y) = (store.mk_bitvec(WIDTH, a), store.mk_bitvec(WIDTH, b));
            let result = build(&mut store, x, y);
            let value = match store.op(result) {
                Op::Bool(value) => u64::from(*value),
                Op::BitVec(value) => value.unsigned().try_into().unwrap(),
                other => panic!("not folded: {other:?}"),
            };
            assert_eq!(value, expected(a, b), "{a} {b}");
        }
    }
}

#[test]
fn derived_operators() {
    check_derived(TermStore::mk_bv_rotate_left, |a, b| {
        let by = b % u64::from(WIDTH);
        ((a << by) | (a >> (u64::from(WIDTH) - by))) % ALL
    });
    check_derived(TermStore::mk_bv_rotate_right, |a, b| {
        let by = b % u64::from(WIDTH);
        ((a >> by) | (a << (u64::from(WIDTH) - by))) % ALL
    });
    check_derived(|store, a, _| store.mk_bv_parity(a), |a, _| u64::from(a.count_ones() % 2));
    check_derived(|store, a, _| store.mk_bv_any(a), |a, _| u64::from(a != 0));
    check_derived(|store, a, _| store.mk_bv_all(a), |a, _| u64::from(a == ALL - 1));
}

#[test]
fn overflow_tests() {
    type Exact = fn(i64, i64) -> i64;
    let operations: [(BvOp, Exact); 3] =
        [(BvOp::Add, |a, b| a + b), (BvOp::Sub, |a, b| a - b), (BvOp::Mul, |a, b| a * b)];
    for (op, exact) in operations {
        check_derived(
            |store, a, b| store.mk_bv_overflow(op, false, a, b),
            |a, b| u64::from(!(0..ALL as i64).contains(&exact(a as i64, b as i64))),
        );
        check_derived(
            |store, a, b| store.mk_bv_overflow(op, true, a, b),
            |a, b| u64::from(!(-8..8).contains(&exact(signed(a), signed(b)))),
        );
    }
    check_derived(
        |store, a, b| store.mk_bv_overflow(BvOp::Sdiv, true, a, b),
        |a, b| u64::from(signed(a) == -8 && signed(b) == -1),
    );
}

#[test]
fn wide_vectors_keep_every_bit() {
    let ones = BitVec::ones(1000);
    let BvResult::Bits(sum) = apply(BvOp::Add, &[&ones, &ones]) else { panic!("a sum is a vector") };
    assert_eq!(sum.signed(), (-2).into());
    assert_eq!(sum.width(), 1000);
}

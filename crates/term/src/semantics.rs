//! The meaning of integer and real division, shared by constant folding and the evaluator.
//!
//! Murphi rounds toward zero, SMT-LIB keeps the remainder nonnegative: `-7 / 2` is -3 in the one and -4 in the other.
//! They are different operators here, and neither is derived from the other at a distance. All are total: a quotient
//! by zero is zero, a remainder by zero is the dividend. Front ends report a division by zero themselves.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Euclid, Zero};

use crate::term::Op;

/// The value of an integer division operator.
pub(crate) fn divide_int(op: &Op, a: &BigInt, b: &BigInt) -> BigInt {
    match (op, b.is_zero()) {
        (Op::DivEuclid | Op::DivTrunc, true) => BigInt::zero(),
        (_, true) => a.clone(),
        (Op::DivEuclid, false) => Euclid::div_euclid(a, b),
        (Op::ModEuclid, false) => Euclid::rem_euclid(a, b),
        (Op::DivTrunc, false) => a / b,
        (_, false) => a % b,
    }
}

/// The quotient of two reals.
pub(crate) fn divide_real(a: &BigRational, b: &BigRational) -> BigRational {
    if b.is_zero() { BigRational::zero() } else { a / b }
}

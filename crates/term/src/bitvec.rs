//! Bit-vector values of any width and their arithmetic, with the meaning SMT-LIB gives it.
//!
//! The single source of truth for bit-vector operators: constant folding and the evaluator both call it, so they
//! cannot disagree. Values are unsigned `BigUint`s below `2^width`; signed operators convert at the edges.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::term::BvOp;

/// A bit-vector value: `value < 2^width`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitVec {
    width: u32,
    value: BigUint,
}

impl BitVec {
    /// The low `width` bits of `value`.
    pub fn new(width: u32, value: BigUint) -> BitVec {
        if value.bits() <= u64::from(width) {
            return BitVec { width, value };
        }
        BitVec { width, value: value & mask(width) }
    }

    /// The two's complement of `value` in `width` bits.
    pub fn from_signed(width: u32, value: &BigInt) -> BitVec {
        let modulus = BigInt::one() << width;
        let (_, magnitude) = value.mod_floor(&modulus).into_parts();
        BitVec { width, value: magnitude }
    }

    pub fn zero(width: u32) -> BitVec {
        BitVec { width, value: BigUint::zero() }
    }

    pub fn ones(width: u32) -> BitVec {
        BitVec { width, value: mask(width) }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value, read as unsigned.
    pub fn unsigned(&self) -> &BigUint {
        &self.value
    }

    /// The value, read as two's complement.
    pub fn signed(&self) -> BigInt {
        let value = BigInt::from_biguint(Sign::Plus, self.value.clone());
        if self.sign_bit() { value - (BigInt::one() << self.width) } else { value }
    }

    pub fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    pub fn is_ones(&self) -> bool {
        self.value == mask(self.width)
    }

    /// The most significant bit.
    pub fn sign_bit(&self) -> bool {
        self.value.bit(u64::from(self.width) - 1)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BvResult {
    Bits(BitVec),
    /// A truth value, for comparisons.
    Bool(bool),
    /// An integer, for [`BvOp::ToInt`].
    Int(BigInt),
}

/// The value of a bit-vector operator whose operands are bit-vectors of fitting widths ([`BvOp::FromInt`], whose
/// operand is an integer, is [`BitVec::from_signed`]).
pub fn apply(op: BvOp, args: &[&BitVec]) -> BvResult {
    let first = args[0];
    if let Some(result) = apply_unary(op, first) {
        return result;
    }
    let second = args[1];
    match op {
        BvOp::Ult => BvResult::Bool(first.value < second.value),
        BvOp::Ule => BvResult::Bool(first.value <= second.value),
        BvOp::Slt => BvResult::Bool(first.signed() < second.signed()),
        BvOp::Sle => BvResult::Bool(first.signed() <= second.signed()),
        BvOp::Concat => BvResult::Bits(BitVec {
            width: first.width + second.width,
            value: (&first.value << second.width) | &second.value,
        }),
        _ => BvResult::Bits(apply_binary(op, first, second)),
    }
}

fn apply_unary(op: BvOp, arg: &BitVec) -> Option<BvResult> {
    let width = arg.width;
    let bits = match op {
        BvOp::Not => BitVec { width, value: mask(width) ^ &arg.value },
        BvOp::Neg => BitVec::new(width, (BigUint::one() << width) - &arg.value),
        BvOp::Extract { hi, lo } => BitVec::new(hi - lo + 1, &arg.value >> lo),
        BvOp::ZeroExtend(by) => BitVec { width: width + by, value: arg.value.clone() },
        BvOp::SignExtend(by) => BitVec::from_signed(width + by, &arg.signed()),
        BvOp::ToInt => return Some(BvResult::Int(BigInt::from(arg.value.clone()))),
        _ => return None,
    };
    Some(BvResult::Bits(bits))
}

fn apply_binary(op: BvOp, a: &BitVec, b: &BitVec) -> BitVec {
    let width = a.width;
    let (x, y) = (&a.value, &b.value);
    match op {
        BvOp::And => BitVec { width, value: x & y },
        BvOp::Or => BitVec { width, value: x | y },
        BvOp::Xor => BitVec { width, value: x ^ y },
        BvOp::Add => BitVec::new(width, x + y),
        BvOp::Sub => BitVec::new(width, (BigUint::one() << width) + x - y),
        BvOp::Mul => BitVec::new(width, x * y),
        // Division by zero: all ones, remainder the dividend (SMT-LIB, BTOR2).
        BvOp::Udiv if b.is_zero() => BitVec::ones(width),
        BvOp::Udiv => BitVec { width, value: x / y },
        BvOp::Urem if b.is_zero() => a.clone(),
        BvOp::Urem => BitVec { width, value: x % y },
        BvOp::Sdiv | BvOp::Srem | BvOp::Smod => signed_division(op, a, b),
        BvOp::Shl | BvOp::Lshr | BvOp::Ashr => shift(op, a, b),
        _ => unreachable!("unary operators and comparisons are handled by the caller"),
    }
}

fn signed_division(op: BvOp, a: &BitVec, b: &BitVec) -> BitVec {
    let width = a.width;
    let (x, y) = (a.signed(), b.signed());
    if y.is_zero() {
        let quotient = if x.is_negative() { BigInt::one() } else { -BigInt::one() };
        return BitVec::from_signed(width, if op == BvOp::Sdiv { &quotient } else { &x });
    }
    let result = match op {
        BvOp::Sdiv => &x / &y,
        BvOp::Srem => &x % &y,
        // Sign of the divisor.
        _ => x.mod_floor(&y),
    };
    BitVec::from_signed(width, &result)
}

fn shift(op: BvOp, a: &BitVec, b: &BitVec) -> BitVec {
    let width = a.width;
    let by = b.value.to_u32().filter(|&by| by < width);
    match (op, by) {
        (BvOp::Shl, Some(by)) => BitVec::new(width, &a.value << by),
        (BvOp::Lshr, Some(by)) => BitVec { width, value: &a.value >> by },
        (BvOp::Ashr, by) => BitVec::from_signed(width, &(a.signed() >> by.unwrap_or(width - 1))),
        _ => BitVec::zero(width),
    }
}

fn mask(width: u32) -> BigUint {
    (BigUint::one() << width) - BigUint::one()
}

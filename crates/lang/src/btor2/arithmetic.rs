//! The semantics of the operators, for the simulator.
//!
//! Written from the format's own definitions, on unbounded integers, and not shared with anything that proves: a mistake in
//! either shows as a run that does not replay.

use super::document::Sort;
use super::op::{Op, Plain};
use super::value::Value;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The value of an operator on operands of these sorts. Inputs and states are not operators here.
pub fn apply(op: &Op, args: &[(&Value, Sort)]) -> Value {
    match (op, args) {
        (Op::Constant(constant), _) => Value::Word(constant.value.clone()),
        (Op::Slice(hi, lo), [a]) => Value::Word(cut(a.0.word() >> *lo, hi - lo + 1)),
        (Op::Uext(_), [a]) => a.0.clone(),
        (Op::Sext(by), [a]) => Value::Word(bits(&signed(a.0.word(), width(a.1)), width(a.1) + by)),
        (Op::Plain(Plain::Ite), [c, a, b]) => if c.0.word().is_zero() { b.0 } else { a.0 }.clone(),
        (Op::Plain(Plain::Read), [memory, index]) => {
            Value::Word(memory.0.memory().read(index.0.word()).clone())
        }
        (Op::Plain(Plain::Write), [memory, index, value]) => {
            Value::Memory(memory.0.memory().write(index.0.word(), value.0.word()))
        }
        (Op::Plain(op @ (Plain::Eq | Plain::Neq)), [a, b]) => {
            truth((*op == Plain::Eq) == same(a.0, b.0, a.1))
        }
        (Op::Plain(op), [a]) => Value::Word(unary(*op, a.0.word(), width(a.1))),
        (Op::Plain(op), [a, b]) => binary(*op, a.0.word(), b.0.word(), width(a.1), width(b.1)),
        _ => panic!("invariant: the parser counts operands, and inputs and states have none"),
    }
}

/// The bitwise complement.
pub fn complement(value: &BigUint, width: u32) -> BigUint {
    all_ones(width) - value
}

fn width(sort: Sort) -> u32 {
    match sort {
        Sort::Bits(width) => width,
        Sort::Array { .. } => panic!("invariant: the parser tells arrays and bit-vectors apart"),
    }
}

fn truth(value: bool) -> Value {
    Value::Word(BigUint::from(u32::from(value)))
}

fn all_ones(width: u32) -> BigUint {
    (BigUint::one() << width) - 1u32
}

fn cut(value: BigUint, width: u32) -> BigUint {
    value % (BigUint::one() << width)
}

/// The value as a number in two's complement.
fn signed(value: &BigUint, width: u32) -> BigInt {
    let number = BigInt::from(value.clone());
    if value.bit(u64::from(width) - 1) { number - (BigInt::one() << width) } else { number }
}

/// A number in two's complement, truncated to the width.
fn bits(number: &BigInt, width: u32) -> BigUint {
    number
        .mod_floor(&(BigInt::one() << width))
        .to_biguint()
        .expect("invariant: a floored remainder is not negative")
}

fn same(a: &Value, b: &Value, sort: Sort) -> bool {
    match (a, b, sort) {
        (Value::Memory(a), Value::Memory(b), Sort::Array { index, .. }) => a.equals(b, index),
        _ => a == b,
    }
}

fn unary(op: Plain, a: &BigUint, width: u32) -> BigUint {
    let bit = |value: bool| BigUint::from(u32::from(value));
    match op {
        Plain::Not => complement(a, width),
        Plain::Inc => cut(a + 1u32, width),
        Plain::Dec => bits(&(BigInt::from(a.clone()) - 1), width),
        Plain::Neg => bits(&-BigInt::from(a.clone()), width),
        Plain::Redand => bit(a.count_ones() == u64::from(width)),
        Plain::Redor => bit(a.count_ones() > 0),
        Plain::Redxor => bit(a.count_ones() % 2 == 1),
        _ => panic!("invariant: the parser counts operands"),
    }
}

fn binary(op: Plain, a: &BigUint, b: &BigUint, width: u32, width_b: u32) -> Value {
    let (x, y) = (signed(a, width), signed(b, width_b));
    let (m, n) = (BigInt::from(a.clone()), BigInt::from(b.clone()));
    let minimum = -(BigInt::one() << (width - 1));
    let leaves_signed = |number: BigInt| truth(number < minimum || number >= -&minimum);
    let leaves_unsigned = |number: BigInt| truth(number.is_negative() || number >= BigInt::one() << width);
    let flip = |value: BigUint| Value::Word(complement(&value, width));
    Value::Word(match op {
        Plain::Iff => return truth(a == b),
        Plain::Implies => return truth(a.is_zero() || b.is_one()),
        Plain::Sgt => return truth(x > y),
        Plain::Ugt => return truth(a > b),
        Plain::Sgte => return truth(x >= y),
        Plain::Ugte => return truth(a >= b),
        Plain::Slt => return truth(x < y),
        Plain::Ult => return truth(a < b),
        Plain::Slte => return truth(x <= y),
        Plain::Ulte => return truth(a <= b),
        Plain::Nand => return flip(a & b),
        Plain::Nor => return flip(a | b),
        Plain::Xnor => return flip(a ^ b),
        Plain::Saddo => return leaves_signed(x + y),
        Plain::Uaddo => return leaves_unsigned(m + n),
        Plain::Ssubo => return leaves_signed(x - y),
        Plain::Usubo => return leaves_unsigned(m - n),
        Plain::Smulo => return leaves_signed(x * y),
        Plain::Umulo => return leaves_unsigned(m * n),
        Plain::Sdivo => return truth(x == minimum && y == -BigInt::one()),
        Plain::And => a & b,
        Plain::Or => a | b,
        Plain::Xor => a ^ b,
        Plain::Add => cut(a + b, width),
        Plain::Sub => bits(&(m - n), width),
        Plain::Mul => cut(a * b, width),
        Plain::Concat => (a << width_b) | b,
        Plain::Rol | Plain::Ror => rotated(op, a, b, width),
        Plain::Sll | Plain::Srl | Plain::Sra => shifted(op, a, b, width),
        Plain::Udiv if b.is_zero() => all_ones(width),
        Plain::Udiv => a / b,
        Plain::Urem if b.is_zero() => a.clone(),
        Plain::Urem => a % b,
        Plain::Sdiv | Plain::Srem | Plain::Smod => bits(&divided(op, &x, &y), width),
        _ => panic!("invariant: the other operators are handled by the caller"),
    })
}

fn rotated(op: Plain, a: &BigUint, by: &BigUint, width: u32) -> BigUint {
    let by = (by % width).to_u32().expect("invariant: a remainder is below its divisor");
    let to_left = if op == Plain::Rol { by } else { (width - by) % width };
    let digits: Vec<bool> = (0..width).map(|bit| a.bit(u64::from((bit + width - to_left) % width))).collect();
    let mut value = BigUint::zero();
    for (bit, _) in digits.iter().enumerate().filter(|(_, is_one)| **is_one) {
        value.set_bit(bit as u64, true);
    }
    value
}

fn shifted(op: Plain, a: &BigUint, by: &BigUint, width: u32) -> BigUint {
    let by = by.to_u32().map_or(width, |by| by.min(width));
    match op {
        Plain::Sll => cut(a << by, width),
        Plain::Srl => a >> by,
        _ => bits(&(signed(a, width) >> by), width),
    }
}

/// Division as SMT-LIB has it: a quotient by zero is -1 for what is not negative and 1 otherwise, a remainder by zero the
/// dividend.
fn divided(op: Plain, x: &BigInt, y: &BigInt) -> BigInt {
    match op {
        Plain::Sdiv if y.is_zero() => {
            if x.is_negative() {
                BigInt::one()
            } else {
                -BigInt::one()
            }
        }
        Plain::Sdiv => {
            let size = x.abs() / y.abs();
            if x.is_negative() == y.is_negative() { size } else { -size }
        }
        _ if y.is_zero() => x.clone(),
        Plain::Srem => {
            let size = x.abs() % y.abs();
            if x.is_negative() { -size } else { size }
        }
        _ => x.mod_floor(y),
    }
}

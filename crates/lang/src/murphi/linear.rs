//! Constant expressions as linear forms: `2 * N - 1`.
//!
//! The caller says which constants stay symbolic; the others are replaced by their values. Other expressions have no
//! linear form.

use super::hir::{BinaryOp, ConstId, Expr, ExprKind, Model, UnaryOp};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use std::collections::BTreeMap;
use std::ops::Sub;

/// A linear combination of constants, and a number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Linear {
    /// Coefficients; never zero.
    parts: BTreeMap<ConstId, BigInt>,
    rest: BigInt,
}

/// The condition under which a linear form is nonnegative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Natural {
    Always,
    /// It is negative for all sufficiently large values of some constant.
    No,
    /// This constant is at least this number.
    From(ConstId, BigInt),
}

impl Linear {
    /// The linear form of an expression in the constants for which `is_open` holds.
    pub fn of(model: &Model, expr: &Expr, is_open: &dyn Fn(ConstId) -> bool) -> Option<Linear> {
        let of = |expr: &Expr| Linear::of(model, expr, is_open);
        match &expr.kind {
            ExprKind::Int(value) => Some(Linear::number(value.clone())),
            ExprKind::ConstRef(id) if is_open(*id) => {
                Some(Linear { parts: BTreeMap::from([(*id, BigInt::from(1))]), rest: BigInt::ZERO })
            }
            ExprKind::ConstRef(id) => {
                let constant = &model.consts[id.0 as usize];
                match &constant.definition {
                    Some(definition) => of(definition),
                    None => (!constant.unknown).then(|| Linear::number(constant.value.clone())),
                }
            }
            ExprKind::Unary(UnaryOp::Neg, operand) => Some(of(operand)?.times(&BigInt::from(-1))),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (of(left)?, of(right)?);
                match op {
                    BinaryOp::Add => Some(&left - &right.times(&BigInt::from(-1))),
                    BinaryOp::Sub => Some(&left - &right),
                    BinaryOp::Mul => match (left.as_number(), right.as_number()) {
                        (Some(factor), _) => Some(right.times(factor)),
                        (_, Some(factor)) => Some(left.times(factor)),
                        _ => None,
                    },
                    BinaryOp::Div | BinaryOp::Mod => {
                        let (dividend, divisor) = (left.as_number()?, right.as_number()?);
                        let (quotient, remainder) = (divisor.sign() != Sign::NoSign)
                            .then(|| (dividend / divisor, dividend % divisor))?;
                        Some(Linear::number(if *op == BinaryOp::Div { quotient } else { remainder }))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub fn number(rest: BigInt) -> Linear {
        Linear { parts: BTreeMap::new(), rest }
    }

    /// The number, if there is no constant.
    pub fn as_number(&self) -> Option<&BigInt> {
        self.parts.is_empty().then_some(&self.rest)
    }

    /// The number, without the constants.
    pub fn rest(&self) -> &BigInt {
        &self.rest
    }

    /// The constants with their coefficients.
    pub fn parts(&self) -> &BTreeMap<ConstId, BigInt> {
        &self.parts
    }

    /// The value of the form for the values of the constants.
    pub fn value(&self, model: &Model) -> BigInt {
        let parts = self.parts.iter().map(|(id, factor)| &model.consts[id.0 as usize].value * factor);
        parts.sum::<BigInt>() + &self.rest
    }

    /// The least value, given a lower bound of each constant.
    pub fn least(&self, at_least: &BTreeMap<ConstId, BigInt>) -> Option<BigInt> {
        let mut least = self.rest.clone();
        for (id, factor) in &self.parts {
            if factor.sign() == Sign::Minus {
                return None;
            }
            least += at_least.get(id)? * factor;
        }
        Some(least)
    }

    /// The condition under which it is nonnegative.
    pub fn natural(&self) -> Natural {
        let mut parts = self.parts.iter();
        match (parts.next(), parts.next()) {
            (None, _) if self.rest.sign() == Sign::Minus => Natural::No,
            (None, _) => Natural::Always,
            (Some((id, factor)), None) if factor.sign() == Sign::Plus => {
                Natural::From(*id, (-&self.rest).div_ceil(factor))
            }
            _ => Natural::No,
        }
    }

    /// The value of its only constant for which the form equals this number.
    pub fn solve(&self, number: &BigInt) -> Option<(ConstId, BigInt)> {
        let mut parts = self.parts.iter();
        let (Some((id, factor)), None) = (parts.next(), parts.next()) else { return None };
        let (quotient, remainder) = (number - &self.rest).div_rem(factor);
        (remainder.sign() == Sign::NoSign).then_some((*id, quotient))
    }

    /// As part of a name: `N`, `N_minus_1`, `3`.
    pub fn name(&self, model: &Model) -> String {
        let mut text = String::new();
        for (id, factor) in &self.parts {
            let name = &model.consts[id.0 as usize].name;
            let separator = if text.is_empty() { "" } else { "_plus_" };
            match *factor == BigInt::from(1) {
                true => text.push_str(&format!("{separator}{name}")),
                false => text.push_str(&format!("{separator}{factor}_times_{name}").replace('-', "minus_")),
            }
        }
        match (text.is_empty(), self.rest.sign()) {
            (true, _) => self.rest.to_string(),
            (false, Sign::NoSign) => text,
            (false, Sign::Plus) => format!("{text}_plus_{}", self.rest),
            (false, Sign::Minus) => format!("{text}_minus_{}", self.rest.magnitude()),
        }
    }

    fn times(&self, factor: &BigInt) -> Linear {
        if factor.sign() == Sign::NoSign {
            return Linear::number(BigInt::ZERO);
        }
        let parts = self.parts.iter().map(|(id, own)| (*id, own * factor)).collect();
        Linear { parts, rest: &self.rest * factor }
    }
}

impl Sub for &Linear {
    type Output = Linear;

    fn sub(self, other: &Linear) -> Linear {
        let mut parts = self.parts.clone();
        for (id, factor) in &other.parts {
            *parts.entry(*id).or_default() -= factor;
        }
        parts.retain(|_, factor| factor.sign() != Sign::NoSign);
        Linear { parts, rest: &self.rest - &other.rest }
    }
}

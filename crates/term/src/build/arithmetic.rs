//! Smart arithmetic: sums are kept as linear combinations.
//!
//! A summand is a numeral, `x`, `-x` or `k * x`; equal `x` are collected, so `x + 1 - x` is `1` and `z - 1 = 0` is
//! `z = 1` (RC-T4). Atoms are not normalised further: which linear form of a predicate is *the* form is a decision
//! of the abstraction that uses it.

use indexmap::IndexMap;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxBuildHasher;

use super::FLATTEN_LIMIT;
use crate::id::{SortId, TermId};
use crate::semantics::{divide_int, divide_real};
use crate::store::TermStore;
use crate::term::Op;

/// A sum of multiples and a constant.
#[derive(Default)]
struct Linear {
    multiples: IndexMap<TermId, BigRational, FxBuildHasher>,
    constant: BigRational,
}

impl TermStore {
    /// The sum; zero (of sort `Int`) if there are no operands.
    pub fn mk_add(&mut self, args: impl IntoIterator<Item = TermId>) -> TermId {
        let mut sum = Linear::default();
        let mut sort = SortId::INT;
        for arg in args {
            sort = self.number_sort(arg);
            self.add_multiple(&mut sum, arg, &BigRational::one());
        }
        self.mk_linear(sum, sort)
    }

    pub fn mk_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let mut sum = Linear::default();
        self.add_multiple(&mut sum, a, &BigRational::one());
        self.add_multiple(&mut sum, b, &-BigRational::one());
        let sort = self.number_sort(a);
        self.mk_linear(sum, sort)
    }

    pub fn mk_neg(&mut self, a: TermId) -> TermId {
        self.mk_scaled(a, &-BigRational::one())
    }

    pub fn mk_mul(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(factor) = self.number(a) {
            return self.mk_scaled(b, &factor);
        }
        if let Some(factor) = self.number(b) {
            return self.mk_scaled(a, &factor);
        }
        self.raw(Op::Mul, &[a.min(b), a.max(b)])
    }

    /// One of the division operators. Literals are folded unless the divisor is zero.
    pub(crate) fn mk_division(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let Some(divisor) = self.number(b).filter(|divisor| !divisor.is_zero()) else {
            return self.raw(op, &[a, b]);
        };
        if divisor.is_one() {
            let remainder = matches!(op, Op::ModEuclid | Op::RemTrunc);
            return if remainder { self.mk_int(0) } else { a };
        }
        let Some(dividend) = self.number(a) else { return self.raw(op, &[a, b]) };
        if op == Op::DivReal {
            return self.mk_rational(divide_real(&dividend, &divisor));
        }
        self.mk_int(divide_int(&op, &dividend.to_integer(), &divisor.to_integer()))
    }

    pub fn mk_div_real(&mut self, a: TermId, b: TermId) -> TermId {
        self.mk_division(Op::DivReal, a, b)
    }

    /// The quotient as SMT-LIB has it: the remainder is never negative.
    pub fn mk_div_euclid(&mut self, a: TermId, b: TermId) -> TermId {
        self.mk_division(Op::DivEuclid, a, b)
    }

    /// The remainder as SMT-LIB has it: never negative.
    pub fn mk_mod_euclid(&mut self, a: TermId, b: TermId) -> TermId {
        self.mk_division(Op::ModEuclid, a, b)
    }

    /// The quotient as Murphi has it: rounded toward zero.
    pub fn mk_div_trunc(&mut self, a: TermId, b: TermId) -> TermId {
        self.mk_division(Op::DivTrunc, a, b)
    }

    /// The remainder as Murphi has it: with the sign of the dividend.
    pub fn mk_rem_trunc(&mut self, a: TermId, b: TermId) -> TermId {
        self.mk_division(Op::RemTrunc, a, b)
    }

    pub fn mk_to_real(&mut self, a: TermId) -> TermId {
        match self.number(a) {
            Some(value) => self.mk_rational(value),
            None => self.raw(Op::ToReal, &[a]),
        }
    }

    /// The greatest integer that is at most the real.
    pub fn mk_to_int(&mut self, a: TermId) -> TermId {
        if *self.op(a) == Op::ToReal {
            return self.args(a)[0];
        }
        match self.number(a) {
            Some(value) => self.mk_int(value.floor().to_integer()),
            None => self.raw(Op::ToInt, &[a]),
        }
    }

    pub fn mk_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.mk_comparison(Op::Lt, a, b)
    }

    pub fn mk_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.mk_comparison(Op::Le, a, b)
    }

    /// `a > b`, kept as `b < a`.
    pub fn mk_gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.mk_lt(b, a)
    }

    /// `a >= b`, kept as `b <= a`.
    pub fn mk_ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.mk_le(b, a)
    }

    fn mk_comparison(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        if a == b {
            return TermId::bool(op == Op::Le);
        }
        let (a, b) = self.shift_constant(a, b);
        let (b, a) = self.shift_constant(b, a);
        match (self.number(a), self.number(b)) {
            (Some(left), Some(right)) if op == Op::Lt => TermId::bool(left < right),
            (Some(left), Some(right)) => TermId::bool(left <= right),
            _ => self.raw(op, &[a, b]),
        }
    }

    /// If `b` is a numeral, moves the constant summand of `a` over to it.
    pub(crate) fn shift_constant(&mut self, a: TermId, b: TermId) -> (TermId, TermId) {
        let Some(right) = self.number(b) else { return (a, b) };
        if *self.op(a) != Op::Add {
            return (a, b);
        }
        let (sort, mut left) = (self.number_sort(a), Linear::default());
        self.add_multiple(&mut left, a, &BigRational::one());
        let moved = right - std::mem::take(&mut left.constant);
        (self.mk_linear(left, sort), self.mk_number(moved, sort))
    }

    fn mk_scaled(&mut self, a: TermId, factor: &BigRational) -> TermId {
        let mut sum = Linear::default();
        self.add_multiple(&mut sum, a, factor);
        let sort = self.number_sort(a);
        self.mk_linear(sum, sort)
    }

    /// Adds `factor * term` to the sum, looking through one level of `+`.
    fn add_multiple(&self, sum: &mut Linear, term: TermId, factor: &BigRational) {
        let args = self.args(term);
        if *self.op(term) == Op::Add && args.len() <= FLATTEN_LIMIT {
            for &arg in args {
                self.add_monomial(sum, arg, factor);
            }
        } else {
            self.add_monomial(sum, term, factor);
        }
    }

    fn add_monomial(&self, sum: &mut Linear, term: TermId, factor: &BigRational) {
        if let Some(value) = self.number(term) {
            sum.constant += value * factor;
            return;
        }
        let (base, factor) = match (self.op(term), self.args(term)) {
            (Op::Neg, &[base]) => (base, -factor),
            (Op::Mul, &[left, right]) => match self.number(left) {
                Some(value) => (right, value * factor),
                None => (term, factor.clone()),
            },
            _ => (term, factor.clone()),
        };
        *sum.multiples.entry(base).or_default() += factor;
    }

    fn mk_linear(&mut self, sum: Linear, sort: SortId) -> TermId {
        let mut multiples: Vec<_> =
            sum.multiples.into_iter().filter(|(_, factor)| !factor.is_zero()).collect();
        multiples.sort_unstable_by_key(|(term, _)| *term);
        let mut summands = Vec::with_capacity(multiples.len() + 1);
        for (term, factor) in multiples {
            summands.push(self.mk_monomial(term, factor, sort));
        }
        if !sum.constant.is_zero() || summands.is_empty() {
            summands.push(self.mk_number(sum.constant, sort));
        }
        match summands[..] {
            [only] => only,
            _ => self.raw_args(Op::Add, summands.into()),
        }
    }

    fn mk_monomial(&mut self, term: TermId, factor: BigRational, sort: SortId) -> TermId {
        if factor.is_one() {
            return term;
        }
        if factor.is_negative() && factor.abs().is_one() {
            return self.raw(Op::Neg, &[term]);
        }
        let factor = self.mk_number(factor, sort);
        self.raw(Op::Mul, &[factor, term])
    }

    fn mk_number(&mut self, value: BigRational, sort: SortId) -> TermId {
        if sort == SortId::REAL { self.mk_rational(value) } else { self.mk_int(value.to_integer()) }
    }

    /// The value of a numeral of either sort.
    pub(crate) fn number(&self, term: TermId) -> Option<BigRational> {
        match self.op(term) {
            Op::Int(value) => Some(BigRational::from_integer(BigInt::clone(value))),
            Op::Rational(value) => Some(BigRational::clone(value)),
            _ => None,
        }
    }

    fn number_sort(&self, term: TermId) -> SortId {
        if self.sort_of(term) == SortId::REAL { SortId::REAL } else { SortId::INT }
    }
}

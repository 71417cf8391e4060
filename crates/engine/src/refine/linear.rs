//! Linear forms: sums of multiples of terms, and comparisons of such a sum with zero.
//!
//! What is not linear (a remainder, a product of variables) is a term like a variable, about which nothing is known.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use tenet_term::{Op, SortId, TermId, TermStore};

/// A sum of multiples of terms, and a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear<K: Ord> {
    /// The factor of each term; never zero.
    pub factors: BTreeMap<K, BigRational>,
    /// The constant.
    pub constant: BigRational,
}

/// How a sum compares with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// It is at most zero.
    AtMost,
    /// It is below zero.
    Below,
    /// It is zero.
    Zero,
}

impl<K: Ord> Default for Linear<K> {
    fn default() -> Linear<K> {
        Linear { factors: BTreeMap::new(), constant: BigRational::zero() }
    }
}

impl<K: Ord + Clone> Linear<K> {
    /// Adds a multiple of another sum.
    pub fn add(&mut self, other: &Linear<K>, factor: &BigRational) {
        for (key, known) in &other.factors {
            self.add_term(key.clone(), known * factor);
        }
        self.constant += &other.constant * factor;
    }

    /// Adds a multiple of a term.
    pub fn add_term(&mut self, key: K, factor: BigRational) {
        let sum = self.factors.entry(key.clone()).or_default();
        *sum += factor;
        if sum.is_zero() {
            self.factors.remove(&key);
        }
    }

    /// The same sum times a factor.
    pub fn scale(&mut self, factor: &BigRational) {
        self.factors.values_mut().for_each(|known| *known *= factor);
        self.constant *= factor;
    }

    /// Multiplied so that the factors are integers without a common divisor. The constant may stay a fraction.
    pub fn normalise(&mut self) {
        let denominator = self.factors.values().fold(BigInt::one(), |all, factor| all.lcm(factor.denom()));
        self.scale(&BigRational::from(denominator));
        let divisor = self.factors.values().fold(BigInt::zero(), |all, factor| all.gcd(factor.numer()));
        if !divisor.is_zero() {
            self.scale(&BigRational::new(BigInt::one(), divisor));
        }
    }
}

impl Linear<TermId> {
    /// The linear form of a number.
    pub fn of(store: &TermStore, term: TermId) -> Linear<TermId> {
        let mut sum = Linear::default();
        let mut open = vec![(term, BigRational::one())];
        while let Some((term, factor)) = open.pop() {
            let args = store.args(term);
            match store.op(term) {
                Op::Int(value) => sum.constant += BigRational::from(value.clone()) * factor,
                Op::Rational(value) => sum.constant += (**value).clone() * factor,
                Op::Add => open.extend(args.iter().map(|&arg| (arg, factor.clone()))),
                Op::Neg => open.push((args[0], -factor)),
                Op::ToReal => open.push((args[0], factor)),
                Op::Mul => match (number(store, args[0]), number(store, args[1])) {
                    (Some(known), _) => open.push((args[1], factor * known)),
                    (_, Some(known)) => open.push((args[0], factor * known)),
                    _ => sum.add_term(term, factor),
                },
                _ => sum.add_term(term, factor),
            }
        }
        sum
    }

    /// The literal as a comparison with zero, unless it is none, or says that something is not zero.
    pub fn comparison(store: &TermStore, literal: TermId) -> Option<(Linear<TermId>, Relation)> {
        let (atom, positive) = match store.op(literal) {
            Op::Not => (store.args(literal)[0], false),
            _ => (literal, true),
        };
        let args = store.args(atom);
        let is_number = args.len() == 2 && store.sort(store.sort_of(args[0])).is_numeric();
        if !is_number {
            return None;
        }
        let (left, right, relation) = match (store.op(atom), positive) {
            (Op::Lt, true) => (args[0], args[1], Relation::Below),
            (Op::Lt, false) => (args[1], args[0], Relation::AtMost),
            (Op::Le, true) => (args[0], args[1], Relation::AtMost),
            (Op::Le, false) => (args[1], args[0], Relation::Below),
            (Op::Eq, true) => (args[0], args[1], Relation::Zero),
            _ => return None,
        };
        let mut sum = Linear::of(store, left);
        sum.add(&Linear::of(store, right), &-BigRational::one());
        Some((sum, relation))
    }

    /// Is it a sum of integers, with integer factors?
    pub fn is_integral(&self, store: &TermStore) -> bool {
        let is_integer = |(term, factor): (&TermId, &BigRational)| {
            factor.is_integer() && store.sort(store.sort_of(*term)).is_integer()
        };
        self.factors.iter().all(is_integer)
    }

    /// The formula that compares it with zero, in a normal form: factors without a common divisor, terms with negative
    /// ones on the other side, and among integers nothing strict.
    pub fn formula(mut self, store: &mut TermStore, mut relation: Relation) -> TermId {
        self.normalise();
        if self.is_integral(store) {
            match relation {
                Relation::Below => {
                    // sum < 0 is sum + 1 <= 0 once the constant is an integer, and rounded up it is one.
                    self.constant = self.constant.floor() + BigRational::one();
                    relation = Relation::AtMost;
                }
                Relation::AtMost => self.constant = self.constant.ceil(),
                Relation::Zero if !self.constant.is_integer() => return TermId::FALSE,
                Relation::Zero => {}
            }
        }
        let (left, right) = self.sides(store);
        match relation {
            Relation::AtMost => store.mk_le(left, right),
            Relation::Below => store.mk_lt(left, right),
            Relation::Zero => store.mk_eq(left, right),
        }
    }

    /// Two terms whose difference it is, without negative factors.
    fn sides(&self, store: &mut TermStore) -> (TermId, TermId) {
        let is_real = self.factors.keys().any(|&term| store.sort_of(term) == SortId::REAL);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (&term, factor) in &self.factors {
            let size = constant(store, &factor.abs(), is_real);
            let term =
                if is_real && store.sort_of(term) != SortId::REAL { store.mk_to_real(term) } else { term };
            let product = store.mk_mul(size, term);
            if factor.is_positive() { left.push(product) } else { right.push(product) }
        }
        if !self.constant.is_zero() || right.is_empty() {
            right.push(constant(store, &-self.constant.clone(), is_real));
        }
        if left.is_empty() {
            left.push(constant(store, &BigRational::zero(), is_real));
        }
        (store.mk_add(left), store.mk_add(right))
    }
}

/// A numeral.
fn constant(store: &mut TermStore, value: &BigRational, is_real: bool) -> TermId {
    if is_real { store.mk_rational(value.clone()) } else { store.mk_int(value.to_integer()) }
}

/// The number that a numeral is.
pub fn number(store: &TermStore, term: TermId) -> Option<BigRational> {
    match store.op(term) {
        Op::Int(value) => Some(BigRational::from(value.clone())),
        Op::Rational(value) => Some((**value).clone()),
        _ => None,
    }
}

//! Linear forms: sums of multiples of terms, and comparisons of such a sum with zero.
//!
//! The terms of a sum, its *bases*, are variables, and whatever else is no sum or multiple (a remainder, a product of
//! variables): black boxes, about which nothing is known. Factors are rational and of any size (X-T3).

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use tenet_term::{Model, Op, SortId, SymbolId, TermId, TermStore, Value};

/// A sum of multiples of bases, and a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear<K: Ord = TermId> {
    /// The factor of each base; never zero.
    pub factors: BTreeMap<K, BigRational>,
    pub constant: BigRational,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    AtMost,
    Below,
    Zero,
}

impl<K: Ord> Default for Linear<K> {
    fn default() -> Linear<K> {
        Linear { factors: BTreeMap::new(), constant: BigRational::zero() }
    }
}

impl<K: Ord + Clone> Linear<K> {
    pub fn add(&mut self, other: &Linear<K>, factor: &BigRational) {
        for (base, known) in &other.factors {
            self.add_term(base.clone(), known * factor);
        }
        self.constant += &other.constant * factor;
    }

    pub fn add_term(&mut self, base: K, factor: BigRational) {
        let sum = self.factors.entry(base.clone()).or_default();
        *sum += factor;
        if sum.is_zero() {
            self.factors.remove(&base);
        }
    }

    pub fn scale(&mut self, factor: &BigRational) {
        if factor.is_zero() {
            self.factors.clear();
        }
        self.factors.values_mut().for_each(|known| *known *= factor);
        self.constant *= factor;
    }

    /// The sum with a multiple of another one added.
    pub fn plus(mut self, other: &Linear<K>, factor: &BigRational) -> Linear<K> {
        self.add(other, factor);
        self
    }

    pub fn scaled(mut self, factor: &BigRational) -> Linear<K> {
        self.scale(factor);
        self
    }

    pub fn without(mut self, base: &K) -> Linear<K> {
        self.factors.remove(base);
        self
    }

    pub fn is_constant(&self) -> bool {
        self.factors.is_empty()
    }

    /// The factor of a base; zero if it does not occur.
    pub fn factor(&self, base: &K) -> BigRational {
        self.factors.get(base).cloned().unwrap_or_default()
    }

    /// The greatest number that divides all factors, which are whole numbers; zero if there are none.
    pub fn content(&self) -> BigInt {
        self.factors.values().fold(BigInt::zero(), |all, factor| all.gcd(factor.numer()))
    }

    /// The least number that makes all factors whole.
    fn denominator(&self) -> BigInt {
        self.factors.values().fold(BigInt::one(), |all, factor| all.lcm(factor.denom()))
    }

    /// Multiplied so that the factors and the constant are integers.
    pub fn whole(self) -> Linear<K> {
        let denominator = self.denominator().lcm(self.constant.denom());
        self.scaled(&BigRational::from(denominator))
    }

    /// Multiplied so that the factors are integers without a common divisor. The constant may stay a fraction.
    fn normalise(&mut self) {
        self.scale(&BigRational::from(self.denominator()));
        let divisor = self.content();
        if !divisor.is_zero() {
            self.scale(&BigRational::new(BigInt::one(), divisor));
        }
    }

    /// The part with positive factors, and the part with negative ones negated; neither has a constant.
    pub fn sides(&self) -> (Linear<K>, Linear<K>) {
        let (left, right): (BTreeMap<_, _>, BTreeMap<_, _>) =
            self.factors.clone().into_iter().partition(|(_, factor)| factor.is_positive());
        let side = |factors| Linear { factors, constant: BigRational::zero() };
        (side(left), side(right).scaled(&-BigRational::one()))
    }
}

impl Linear {
    /// The sum that a number is. An integer that is read as a real is a base as the integer that it is.
    pub fn of(store: &TermStore, term: TermId) -> Linear {
        Linear::read(store, term, true)
    }

    /// The same with bases of the sort of the sum only: an integer that is read as a real is a black box, because what
    /// eliminates reals must not eliminate it.
    pub fn of_one_sort(store: &TermStore, term: TermId) -> Linear {
        Linear::read(store, term, false)
    }

    fn read(store: &TermStore, term: TermId, is_mixed: bool) -> Linear {
        let mut sum = Linear::default();
        let mut open = vec![(term, BigRational::one())];
        while let Some((term, factor)) = open.pop() {
            let args = store.args(term);
            match store.op(term) {
                Op::Int(value) => sum.constant += BigRational::from(value.clone()) * factor,
                Op::Rational(value) => sum.constant += BigRational::clone(value) * factor,
                Op::Add => open.extend(args.iter().map(|&arg| (arg, factor.clone()))),
                Op::Neg => open.push((args[0], -factor)),
                Op::ToReal if is_mixed => open.push((args[0], factor)),
                Op::Mul => match (number(store, args[0]), number(store, args[1])) {
                    (Some(known), _) => open.push((args[1], factor * known)),
                    (_, Some(known)) => open.push((args[0], factor * known)),
                    _ => sum.add_other(store, term, factor),
                },
                _ => sum.add_other(store, term, factor),
            }
        }
        sum
    }

    /// Adds a multiple of a base, or of a number if there are no variables in it.
    fn add_other(&mut self, store: &TermStore, term: TermId, factor: BigRational) {
        let is_constant = !matches!(store.op(term), Op::Symbol(_)) && store.free_symbols(term).is_empty();
        match is_constant.then(|| Model::new().evaluate(store, term)) {
            Some(Ok(Value::Int(value))) => self.constant += BigRational::from(value) * factor,
            Some(Ok(Value::Real(value))) => self.constant += value * factor,
            _ => self.add_term(term, factor),
        }
    }

    /// The literal as a comparison with zero, unless it is none, or says that something is not zero.
    pub fn comparison(store: &TermStore, literal: TermId) -> Option<(Linear, Relation)> {
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
        let is_real = self.factors.keys().any(|&base| store.sort_of(base) == SortId::REAL);
        let sort = if is_real { SortId::REAL } else { SortId::INT };
        let (left, mut right) = self.sides();
        right.constant = -self.constant;
        let (left, right) = (left.term(store, sort), right.term(store, sort));
        match relation {
            Relation::AtMost => store.mk_le(left, right),
            Relation::Below => store.mk_lt(left, right),
            Relation::Zero => store.mk_eq(left, right),
        }
    }

    /// Does the symbol occur inside a base, rather than as one?
    pub fn hides(&self, store: &TermStore, symbol: SymbolId) -> bool {
        let hidden = |base: &TermId| {
            store.as_symbol(*base) != Some(symbol) && store.free_symbols(*base).contains(&symbol)
        };
        self.factors.keys().any(hidden)
    }

    /// The sum as a term of this sort (`Int` or `Real`), bases in ascending order and the constant last.
    pub fn term(&self, store: &mut TermStore, sort: SortId) -> TermId {
        let mut summands = Vec::new();
        for (&base, factor) in &self.factors {
            let is_read_as_real = sort == SortId::REAL && store.sort_of(base) != SortId::REAL;
            let base = if is_read_as_real { store.mk_to_real(base) } else { base };
            summands.push(match factor {
                factor if factor.is_one() => base,
                factor if (-factor).is_one() => store.raw(Op::Neg, &[base]),
                factor => {
                    let factor = literal(store, factor, sort);
                    store.raw(Op::Mul, &[factor, base])
                }
            });
        }
        if !self.constant.is_zero() || summands.is_empty() {
            summands.push(literal(store, &self.constant, sort));
        }
        match summands[..] {
            [only] => only,
            _ => store.raw_add(&summands),
        }
    }
}

pub fn literal(store: &mut TermStore, value: &BigRational, sort: SortId) -> TermId {
    if sort == SortId::REAL { store.mk_rational(value.clone()) } else { store.mk_int(value.to_integer()) }
}

fn number(store: &TermStore, term: TermId) -> Option<BigRational> {
    match store.op(term) {
        Op::Int(value) => Some(BigRational::from(value.clone())),
        Op::Rational(value) => Some(BigRational::clone(value)),
        _ => None,
    }
}

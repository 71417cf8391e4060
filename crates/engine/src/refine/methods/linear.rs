//! Linear sums: what the normal form of atoms and the elimination of variables compute with.
//!
//! A sum maps *bases* to factors. A base is a variable, or any other term that is not itself a sum or a multiple (a
//! product of variables, a remainder), which is then a black box. Factors are rational and of any size (SPEC X-T3).

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;
use tenet_term::{Model, Op, SortId, SymbolId, TermId, TermStore, Value};

/// A sum of multiples and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// The bases with their factors, none of which is zero.
    pub multiples: BTreeMap<TermId, BigRational>,
    /// The constant.
    pub constant: BigRational,
}

impl Linear {
    /// The sum that a number is.
    pub fn of(store: &TermStore, term: TermId) -> Linear {
        let mut sum = Linear::default();
        let mut stack = vec![(term, BigRational::one())];
        while let Some((term, factor)) = stack.pop() {
            let args = store.args(term);
            match store.op(term) {
                Op::Int(value) => sum.constant += BigRational::from_integer(value.clone()) * factor,
                Op::Rational(value) => sum.constant += BigRational::clone(value) * factor,
                Op::Add => stack.extend(args.iter().map(|&arg| (arg, factor.clone()))),
                Op::Neg => stack.push((args[0], -factor)),
                Op::Mul => match (number(store, args[0]), number(store, args[1])) {
                    (Some(value), _) => stack.push((args[1], value * factor)),
                    (_, Some(value)) => stack.push((args[0], value * factor)),
                    _ => sum.add_other(store, term, factor),
                },
                _ => sum.add_other(store, term, factor),
            }
        }
        sum
    }

    /// A base, unless it has no variables: then it is a number.
    fn add_other(&mut self, store: &TermStore, term: TermId, factor: BigRational) {
        let is_constant = !matches!(store.op(term), Op::Symbol(_)) && store.free_symbols(term).is_empty();
        match is_constant.then(|| Model::new().evaluate(store, term)) {
            Some(Ok(Value::Int(value))) => self.constant += BigRational::from_integer(value) * factor,
            Some(Ok(Value::Real(value))) => self.constant += value * factor,
            _ => self.add_multiple(term, factor),
        }
    }

    fn add_multiple(&mut self, base: TermId, factor: BigRational) {
        let entry = self.multiples.entry(base).or_default();
        *entry += factor;
        if entry.is_zero() {
            self.multiples.remove(&base);
        }
    }

    /// This sum with `factor` times another one added.
    pub fn plus(mut self, factor: &BigRational, other: &Linear) -> Linear {
        for (&base, multiple) in &other.multiples {
            self.add_multiple(base, multiple * factor);
        }
        self.constant += &other.constant * factor;
        self
    }

    /// The sum times a number.
    pub fn scaled(&self, factor: &BigRational) -> Linear {
        Linear::default().plus(factor, self)
    }

    /// Has it no bases?
    pub fn is_constant(&self) -> bool {
        self.multiples.is_empty()
    }

    /// The factor of a base; zero if it does not occur.
    pub fn factor(&self, base: TermId) -> BigRational {
        self.multiples.get(&base).cloned().unwrap_or_default()
    }

    /// Does the symbol occur inside a base, rather than as one?
    pub fn hides(&self, store: &TermStore, symbol: SymbolId) -> bool {
        let hidden = |base: &TermId| {
            store.as_symbol(*base) != Some(symbol) && store.free_symbols(*base).contains(&symbol)
        };
        self.multiples.keys().any(hidden)
    }

    /// The sum without one of its bases.
    pub fn without(&self, base: TermId) -> Linear {
        let mut rest = self.clone();
        rest.multiples.remove(&base);
        rest
    }

    /// The greatest number that divides all factors, which are whole numbers; zero if there are none.
    pub fn content(&self) -> BigInt {
        self.multiples.values().fold(BigInt::zero(), |gcd, factor| gcd.gcd(&factor.to_integer()))
    }

    /// The least number that makes all factors and the constant whole.
    pub fn denominator(&self) -> BigInt {
        let all = self.multiples.values().chain([&self.constant]);
        all.fold(BigInt::one(), |lcm, factor| lcm.lcm(factor.denom()))
    }

    /// The part with positive factors, and the part with negative ones negated; neither has a constant.
    pub fn sides(&self) -> (Linear, Linear) {
        let (left, right): (BTreeMap<_, _>, BTreeMap<_, _>) =
            self.multiples.clone().into_iter().partition(|(_, factor)| factor.is_positive());
        let side = |multiples| Linear { multiples, constant: BigRational::zero() };
        (side(left), side(right).scaled(&-BigRational::one()))
    }

    /// The sum as a term of this sort (`Int` or `Real`), bases in ascending order and the constant last.
    pub fn term(&self, store: &mut TermStore, sort: SortId) -> TermId {
        let mut summands = Vec::new();
        for (&base, factor) in &self.multiples {
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

/// The literal of a sort for a number.
pub fn literal(store: &mut TermStore, value: &BigRational, sort: SortId) -> TermId {
    if sort == SortId::REAL { store.mk_rational(value.clone()) } else { store.mk_int(value.to_integer()) }
}

fn number(store: &TermStore, term: TermId) -> Option<BigRational> {
    match store.op(term) {
        Op::Int(value) => Some(BigRational::from_integer(value.clone())),
        Op::Rational(value) => Some(BigRational::clone(value)),
        _ => None,
    }
}

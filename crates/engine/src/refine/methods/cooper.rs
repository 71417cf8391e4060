//! Elimination of an integer where bounds alone do not suffice: it has factors other than 1 on both sides, or a remainder
//! of it is spoken of (Cooper's method).
//!
//! All factors are made equal, and the multiple becomes the variable, which then has to be divisible. If there is a value at
//! all, there is one within a period above a lower bound, or above an excluded value; without lower bounds there is one
//! far below everything, where only divisibility counts. Each candidate gives a disjunct. That `m` divides a sum is
//! written `sum mod m = 0`, with factors and constant between 0 and `m - 1` and no divisor in common with `m`.

use super::atom::{Comparison, Relation, comparison, normal};
use crate::common::linear::Linear;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use tenet_term::{Op, SortId, SymbolId, TermId, TermStore};

/// The period is the number of disjuncts; longer ones would make formulas too large.
const MAX_PERIOD: u32 = 64;

/// What an atom says about the variable.
enum Fact {
    /// `sum R 0`.
    Compare(Linear, Relation),
    /// The number divides the sum, or does not.
    Divides(BigInt, Linear, bool),
}

/// The disjuncts of `exists var. atoms`, all of which mention the variable; nothing if the method does not apply.
pub fn eliminate(store: &mut TermStore, atoms: &[TermId], var: SymbolId) -> Option<Vec<Vec<TermId>>> {
    let facts: Vec<Fact> = atoms.iter().map(|&atom| fact(store, atom, var)).collect::<Option<_>>()?;
    let base = store.mk_symbol(var);
    let lcm = facts.iter().fold(BigInt::one(), |lcm, fact| lcm.lcm(&fact.factor(base)));
    let mut facts: Vec<Fact> = facts.into_iter().map(|fact| fact.scaled(base, &lcm)).collect();
    facts.push(Fact::Divides(lcm, Linear::default(), true));
    let period = facts.iter().fold(BigInt::one(), |period, fact| match fact {
        Fact::Divides(modulus, ..) => period.lcm(modulus),
        Fact::Compare(..) => period,
    });
    let period = u32::try_from(period).ok().filter(|&period| period <= MAX_PERIOD)?;
    let disjuncts = match candidates(&facts, period) {
        Some(candidates) => candidates.iter().map(|value| at(store, &facts, value)).collect(),
        None => {
            facts.retain(|fact| matches!(fact, Fact::Divides(..)));
            (0..period).map(|value| at(store, &facts, &number(value))).collect()
        }
    };
    Some(disjuncts)
}

fn number(value: u32) -> Linear {
    Linear { constant: BigRational::from_integer(value.into()), ..Linear::default() }
}

fn fact(store: &TermStore, atom: TermId, var: SymbolId) -> Option<Fact> {
    let Comparison { sum, relation, sort } = comparison(store, atom)?;
    if sort != SortId::INT {
        return None;
    }
    if !sum.hides(store, var) {
        return Some(Fact::Compare(sum, relation));
    }
    let is_equation = match relation {
        Relation::Eq => true,
        Relation::Ne => false,
        _ => return None,
    };
    let (&base, factor) = sum.factors.first_key_value().filter(|_| sum.factors.len() == 1)?;
    let (Op::ModEuclid, &[dividend, divisor]) = (store.op(base), store.args(base)) else { return None };
    let modulus = store.as_int(divisor).filter(|modulus| !modulus.is_zero())?.abs();
    let remainder = -&sum.constant / factor;
    let is_possible = !remainder.is_negative() && remainder < BigRational::from_integer(modulus.clone());
    let mut dividend = Linear::of_one_sort(store, dividend);
    if !is_possible || !remainder.is_integer() || dividend.hides(store, var) {
        return None;
    }
    dividend.constant -= remainder;
    Some(Fact::Divides(modulus, dividend, is_equation))
}

impl Fact {
    /// The factor of the variable, without its sign.
    fn factor(&self, base: TermId) -> BigInt {
        let (Fact::Compare(sum, _) | Fact::Divides(_, sum, _)) = self;
        sum.factor(&base).to_integer().abs()
    }

    /// The fact about the variable times `lcm`, with that multiple left out: its factor is 1.
    fn scaled(self, base: TermId, lcm: &BigInt) -> Fact {
        let times = BigRational::from_integer(lcm / self.factor(base));
        match self {
            Fact::Compare(sum, relation) if sum.factor(&base).is_negative() => {
                Fact::Compare(sum.without(&base).scaled(&-times), relation.mirrored())
            }
            Fact::Compare(sum, relation) => Fact::Compare(sum.without(&base).scaled(&times), relation),
            Fact::Divides(modulus, sum, positive) => {
                let modulus = modulus * times.to_integer();
                let sign = if sum.factor(&base).is_negative() { -times } else { times };
                Fact::Divides(modulus, sum.without(&base).scaled(&sign), positive)
            }
        }
    }
}

/// The values of which one must do, if any does; nothing if arbitrarily small values satisfy all comparisons.
fn candidates(facts: &[Fact], period: u32) -> Option<Vec<Linear>> {
    let compared = |wanted: Relation| {
        facts.iter().filter_map(move |fact| match fact {
            Fact::Compare(rest, relation) if *relation == wanted => {
                Some(rest.clone().scaled(&-BigRational::one()))
            }
            _ => None,
        })
    };
    if let Some(value) = compared(Relation::Eq).next() {
        return Some(vec![value]);
    }
    let lowest: Vec<Linear> = compared(Relation::Ge).collect();
    if lowest.is_empty() {
        return None;
    }
    let above = |from: &Linear, first: u32| -> Vec<Linear> {
        let value = |step| from.clone().plus(&number(step), &BigRational::one());
        (first..first + period).map(value).collect()
    };
    let from_bounds = lowest.iter().flat_map(|bound| above(bound, 0));
    let excluded: Vec<Linear> = compared(Relation::Ne).collect();
    let from_gaps = excluded.iter().flat_map(|value| above(value, 1));
    Some(from_bounds.chain(from_gaps).collect())
}

/// What the facts say if the variable has this value.
fn at(store: &mut TermStore, facts: &[Fact], value: &Linear) -> Vec<TermId> {
    let mut atoms = Vec::new();
    for fact in facts {
        let (Fact::Compare(rest, _) | Fact::Divides(_, rest, _)) = fact;
        let sum = rest.clone().plus(value, &BigRational::one());
        let literal = match fact {
            Fact::Compare(_, relation) => compared(store, &sum, *relation),
            Fact::Divides(modulus, _, positive) => divided(store, &sum, modulus, *positive),
        };
        atoms.extend(normal(store, literal, false));
    }
    atoms
}

fn compared(store: &mut TermStore, sum: &Linear, relation: Relation) -> TermId {
    let (sum, zero) = (sum.term(store, SortId::INT), store.mk_int(0));
    match relation {
        Relation::Eq => store.raw_eq(sum, zero),
        Relation::Ne => {
            let equal = store.raw_eq(sum, zero);
            store.raw_not(equal)
        }
        Relation::Le => store.raw_le(sum, zero),
        Relation::Ge => store.raw_le(zero, sum),
        Relation::Lt => store.raw_lt(sum, zero),
        Relation::Gt => store.raw_lt(zero, sum),
    }
}

fn divided(store: &mut TermStore, sum: &Linear, modulus: &BigInt, positive: bool) -> TermId {
    let reduced = |value: &BigRational| BigRational::from_integer(value.to_integer().mod_floor(modulus));
    let factors = sum.factors.iter().map(|(&base, factor)| (base, reduced(factor)));
    let factors = factors.filter(|(_, factor)| !factor.is_zero()).collect();
    let sum = Linear { factors, constant: reduced(&sum.constant) };
    let common = sum.content().gcd(modulus).gcd(&sum.constant.to_integer());
    let (sum, modulus) = (sum.scaled(&BigRational::new(BigInt::one(), common.clone())), modulus / common);
    let (dividend, divisor, zero) = (sum.term(store, SortId::INT), store.mk_int(modulus), store.mk_int(0));
    let remainder = match sum.is_constant() {
        true => dividend,
        false => store.raw(Op::ModEuclid, &[dividend, divisor]),
    };
    let equal = store.raw_eq(remainder, zero);
    if positive { equal } else { store.raw_not(equal) }
}

//! Atoms, and the normal form that decides which atoms are the same predicate (RC-T4).
//!
//! An atom is a term of one of these forms:
//! * `a = b` or `a != b` where both sides are of an enumeration or another sort without arithmetic: a variable first;
//! * `S R T` over numbers, where the bases of the difference `S - T` are in ascending order, the first one has a positive
//!   factor, everything with a positive factor stands on the left, and everything else with the constant on the right.
//!   `R` is one of `=`, `!=`, `<=`, `>=` (written `T <= S`); `<` and `>` only between reals. Over the integers factors
//!   have no common divisor and constants are rounded, so `z - 1 = 0` is `z = 1`, `2 * x < 3` is `x <= 1`, and `x < 0` is
//!   `x <= -1`. Over the reals the first factor is 1;
//! * a Boolean variable, its negation, or any other formula without connectives, as it is written, or its negation.
//!
//! An atom without variables is kept as a comparison of two literals: `-1 = 0` and `-1 = 1` are two atoms, both false
//! (RC-T1). What is true without variables is dropped from conjunctions. With *split equalities* an equation
//! between numbers is the two inequalities instead.

use crate::common::linear::{Linear, literal};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use tenet_term::{Model, Op, SortId, TermId, TermStore};

/// How the two sides of a comparison are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Eq,
    Ne,
    Le,
    Ge,
    Lt,
    Gt,
}

impl Relation {
    /// What holds just when this one does not.
    pub fn negated(self) -> Relation {
        match self {
            Relation::Eq => Relation::Ne,
            Relation::Ne => Relation::Eq,
            Relation::Le => Relation::Gt,
            Relation::Gt => Relation::Le,
            Relation::Ge => Relation::Lt,
            Relation::Lt => Relation::Ge,
        }
    }

    /// The relation between the negated sides.
    pub fn mirrored(self) -> Relation {
        match self {
            Relation::Le => Relation::Ge,
            Relation::Ge => Relation::Le,
            Relation::Lt => Relation::Gt,
            Relation::Gt => Relation::Lt,
            same => same,
        }
    }
}

/// A comparison of a sum with zero.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub sum: Linear,
    /// How it is related to zero.
    pub relation: Relation,
    /// `Int` or `Real`.
    pub sort: SortId,
}

pub fn comparison(store: &TermStore, atom: TermId) -> Option<Comparison> {
    let (relation, left, right, sort) = numbers(store, atom)?;
    let sum = Linear::of_one_sort(store, left).plus(&Linear::of_one_sort(store, right), &-BigRational::one());
    Some(Comparison { sum, relation, sort })
}

/// The two sides of a comparison of numbers.
fn numbers(store: &TermStore, atom: TermId) -> Option<(Relation, TermId, TermId, SortId)> {
    let (inner, positive) = strip(store, atom);
    let relation = match store.op(inner) {
        Op::Eq => Relation::Eq,
        Op::Distinct if store.args(inner).len() == 2 => Relation::Ne,
        Op::Le => Relation::Le,
        Op::Lt => Relation::Lt,
        _ => return None,
    };
    let (left, right) = (store.args(inner)[0], store.args(inner)[1]);
    let is_real = store.sort_of(left) == SortId::REAL;
    if !is_real && !store.sort(store.sort_of(left)).is_integer() {
        return None;
    }
    let sort = if is_real { SortId::REAL } else { SortId::INT };
    Some((if positive { relation } else { relation.negated() }, left, right, sort))
}

/// A formula without its negations, and whether their number is even.
pub fn strip(store: &TermStore, formula: TermId) -> (TermId, bool) {
    let (mut inner, mut positive) = (formula, true);
    while let Op::Not = store.op(inner) {
        inner = store.args(inner)[0];
        positive = !positive;
    }
    (inner, positive)
}

/// The atoms whose conjunction a literal is: none if it is true, two if equalities are split.
pub fn normal(store: &mut TermStore, literal: TermId, is_split: bool) -> Vec<TermId> {
    if let Some((relation, left, right, sort)) = numbers(store, literal) {
        let (left, right) = (Linear::of_one_sort(store, left), Linear::of_one_sort(store, right));
        let sum = left.clone().plus(&right, &-BigRational::one());
        return match (sum.is_constant(), relation) {
            (true, _) => constant(store, &left.constant, relation, &right.constant, sort),
            (false, Relation::Eq) if is_split && !has_remainder(store, &sum) => {
                let below = compared(store, Comparison { sum: sum.clone(), relation: Relation::Le, sort });
                vec![below, compared(store, Comparison { sum, relation: Relation::Ge, sort })]
            }
            (false, _) => vec![compared(store, Comparison { sum, relation, sort })],
        };
    }
    let (inner, positive) = strip(store, literal);
    if store.free_symbols(inner).is_empty() && Model::new().holds(store, inner) == Ok(positive) {
        return Vec::new();
    }
    vec![other(store, inner, positive)]
}

/// Is one of the bases a remainder? That a number is divisible is one fact, not two bounds.
fn has_remainder(store: &TermStore, sum: &Linear) -> bool {
    sum.factors.keys().any(|&base| matches!(store.op(base), Op::ModEuclid | Op::RemTrunc))
}

fn other(store: &mut TermStore, inner: TermId, positive: bool) -> TermId {
    let (op, args) = (store.op(inner).clone(), store.args(inner).to_vec());
    let (inner, positive) = match (op, &args[..]) {
        (Op::Bool(value), _) => return TermId::bool(value == positive),
        (Op::Eq, &[left, right]) => (oriented(store, left, right), positive),
        (Op::Distinct, &[left, right]) => (oriented(store, left, right), !positive),
        _ => (inner, positive),
    };
    if positive { inner } else { store.raw_not(inner) }
}

/// `a = b` with a variable first; two variables in ascending order, two literals as they are.
fn oriented(store: &mut TermStore, left: TermId, right: TermId) -> TermId {
    let swap = match (store.is_value(left), store.is_value(right)) {
        (true, true) | (false, true) => false,
        (true, false) => true,
        (false, false) => right < left,
    };
    if swap { store.raw_eq(right, left) } else { store.raw_eq(left, right) }
}

/// A comparison of two literals: nothing if it is true.
fn constant(
    store: &mut TermStore,
    left: &BigRational,
    relation: Relation,
    right: &BigRational,
    sort: SortId,
) -> Vec<TermId> {
    let is_true = match relation {
        Relation::Eq => left == right,
        Relation::Ne => left != right,
        Relation::Le => left <= right,
        Relation::Ge => left >= right,
        Relation::Lt => left < right,
        Relation::Gt => left > right,
    };
    if is_true {
        return Vec::new();
    }
    let (left, right) = (literal(store, left, sort), literal(store, right, sort));
    vec![related(store, left, relation, right)]
}

fn related(store: &mut TermStore, left: TermId, relation: Relation, right: TermId) -> TermId {
    match relation {
        Relation::Eq => store.raw_eq(left, right),
        Relation::Ne => {
            let equal = store.raw_eq(left, right);
            store.raw_not(equal)
        }
        Relation::Le => store.raw_le(left, right),
        Relation::Ge => store.raw_le(right, left),
        Relation::Lt => store.raw_lt(left, right),
        Relation::Gt => store.raw_lt(right, left),
    }
}

/// The normal form of a comparison that has variables.
fn compared(store: &mut TermStore, comparison: Comparison) -> TermId {
    let Comparison { sum, relation, sort } = oriented_sum(comparison);
    let (sum, relation, bound) = match sort {
        SortId::REAL => real_bound(sum, relation),
        _ => integer_bound(sum, relation),
    };
    let (left, mut right) = sum.sides();
    right.constant = bound;
    let (left, right) = (left.term(store, sort), right.term(store, sort));
    related(store, left, relation, right)
}

/// The comparison with a positive first factor.
fn oriented_sum(comparison: Comparison) -> Comparison {
    let first = comparison.sum.factors.values().next().expect("invariant: it has variables");
    if first.is_positive() {
        return comparison;
    }
    let sum = comparison.sum.scaled(&-BigRational::one());
    Comparison { sum, relation: comparison.relation.mirrored(), ..comparison }
}

/// The sum, with first factor 1, the relation, and what it is compared with.
fn real_bound(sum: Linear, relation: Relation) -> (Linear, Relation, BigRational) {
    let first = sum.factors.values().next().expect("invariant: it has variables").clone();
    let sum = sum.scaled(&first.recip());
    let bound = -&sum.constant;
    (sum, relation, bound)
}

/// The sum, with factors that have no common divisor, the relation, and what it is compared with. A sum that no
/// integers make equal to its bound stays undivided.
fn integer_bound(sum: Linear, relation: Relation) -> (Linear, Relation, BigRational) {
    let sum = sum.whole();
    let bound = -sum.constant.to_integer();
    let (relation, bound) = match relation {
        Relation::Lt => (Relation::Le, bound - BigInt::one()),
        Relation::Gt => (Relation::Ge, bound + BigInt::one()),
        other => (other, bound),
    };
    let content = sum.content();
    let is_whole = (&bound % &content).is_zero();
    if matches!(relation, Relation::Eq | Relation::Ne) && !is_whole {
        return (sum, relation, BigRational::from_integer(bound));
    }
    let bound = match relation {
        Relation::Ge => -((-bound).div_floor(&content)),
        _ => bound.div_floor(&content),
    };
    let sum = sum.scaled(&BigRational::new(BigInt::one(), content));
    (sum, relation, BigRational::from_integer(bound))
}

/// The negation of an atom, as atoms whose conjunction it is; none if it is true.
pub fn negated(store: &mut TermStore, atom: TermId, is_split: bool) -> Vec<TermId> {
    let (inner, positive) = strip(store, atom);
    let literal = if positive { store.raw_not(inner) } else { inner };
    normal(store, literal, is_split)
}

//! Ranges of bit-vectors and how they compare, over some points: without and with a sign.

use num_bigint::{BigInt, BigUint};
use std::sync::Arc;
use tenet_term::{BitVec, BvOp, TermId, TermStore};

/// Growths of a range before it is widened to a number of the program, and then dropped.
const MAX_GROWTHS: u32 = 2;

/// What bit-vectors have in common.
#[derive(Clone, Debug)]
pub struct Vectors {
    limits: Vec<Limit>,
    /// Positions of two vectors, with or without a sign: the first is at most the second.
    ordered: Vec<(usize, usize, bool)>,
    numbers: Arc<Vec<BigInt>>,
}

#[derive(Clone, Debug)]
struct Limit {
    place: usize,
    signed: bool,
    /// Is it the greatest value rather than the least one?
    upper: bool,
    bound: Option<BigInt>,
    growths: u32,
}

impl Vectors {
    /// The facts of one point. The numbers are those that ranges may jump to, ascending.
    pub fn new(point: &[BitVec], numbers: &Arc<Vec<BigInt>>) -> Vectors {
        let (mut limits, mut ordered) = (Vec::new(), Vec::new());
        for (place, bits) in point.iter().enumerate() {
            for (signed, upper) in [(false, false), (false, true), (true, false), (true, true)] {
                let bound = Some(value(bits, signed));
                limits.push(Limit { place, signed, upper, bound, growths: 0 });
            }
            for (other, others) in point.iter().enumerate() {
                if other != place && bits.width() == others.width() {
                    ordered.extend([(place, other, false), (place, other, true)]);
                }
            }
        }
        let mut vectors = Vectors { limits, ordered, numbers: numbers.clone() };
        vectors.add(point);
        vectors
    }

    /// Grows to hold this point.
    pub fn add(&mut self, point: &[BitVec]) {
        for limit in &mut self.limits {
            let value = value(&point[limit.place], limit.signed);
            let is_outside = |bound: &BigInt| if limit.upper { *bound < value } else { *bound > value };
            if limit.bound.as_ref().is_some_and(is_outside) {
                limit.growths += 1;
                limit.bound = match (limit.growths <= MAX_GROWTHS, limit.upper) {
                    (true, _) => Some(value),
                    (false, true) => self.numbers.iter().find(|number| **number >= value).cloned(),
                    (false, false) => self.numbers.iter().rev().find(|number| **number <= value).cloned(),
                };
            }
        }
        self.ordered
            .retain(|&(less, more, signed)| value(&point[less], signed) <= value(&point[more], signed));
    }

    pub fn formulas(&self, store: &mut TermStore, vectors: &[TermId]) -> Vec<TermId> {
        let mut formulas = Vec::new();
        for limit in &self.limits {
            let Some(bound) = &limit.bound else { continue };
            let vector = vectors[limit.place];
            let Some(number) = store.width(vector).and_then(|width| numeral(width, bound, limit.signed))
            else {
                continue;
            };
            let number = store.mk_bitvec_value(number);
            let (less, more) = if limit.upper { (vector, number) } else { (number, vector) };
            formulas.push(at_most(store, less, more, limit.signed));
        }
        for &(less, more, signed) in &self.ordered {
            formulas.push(at_most(store, vectors[less], vectors[more], signed));
        }
        formulas
    }
}

fn at_most(store: &mut TermStore, less: TermId, more: TermId, signed: bool) -> TermId {
    store.mk_bv(if signed { BvOp::Sle } else { BvOp::Ule }, &[less, more])
}

fn value(bits: &BitVec, signed: bool) -> BigInt {
    if signed { bits.signed() } else { BigInt::from(bits.unsigned().clone()) }
}

fn numeral(width: u32, number: &BigInt, signed: bool) -> Option<BitVec> {
    let bits = if signed {
        BitVec::from_signed(width, number)
    } else {
        BitVec::new(width, BigUint::try_from(number.clone()).ok()?)
    };
    (value(&bits, signed) == *number).then_some(bits)
}

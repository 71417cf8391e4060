//! Remainders of integers, over some points.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use std::sync::Arc;
use tenet_term::{TermId, TermStore};

/// Remainders of single variables that have always been the same.
#[derive(Clone, Debug)]
pub struct Residues {
    /// Position of the variable, divisor, remainder.
    known: Vec<(usize, BigInt, BigInt)>,
}

impl Residues {
    pub fn new(point: &[BigRational], divisors: &Arc<Vec<BigInt>>) -> Residues {
        let mut known = Vec::new();
        for (place, value) in point.iter().enumerate() {
            for divisor in divisors.iter().filter(|_| value.is_integer()) {
                known.push((place, divisor.clone(), value.to_integer().mod_floor(divisor)));
            }
        }
        Residues { known }
    }

    /// Drops remainders that differ for this point; false if nothing is dropped.
    pub fn add(&mut self, point: &[BigRational]) -> bool {
        let before = self.known.len();
        self.known.retain(|(place, divisor, remainder)| {
            point[*place].is_integer() && point[*place].to_integer().mod_floor(divisor) == *remainder
        });
        self.known.len() < before
    }

    /// What is known, of integers.
    pub fn formulas(&self, store: &mut TermStore, variables: &[TermId]) -> Vec<TermId> {
        let mut formulas = Vec::new();
        for (place, divisor, remainder) in &self.known {
            if store.sort(store.sort_of(variables[*place])).is_integer() {
                let (divisor, remainder) = (store.mk_int(divisor.clone()), store.mk_int(remainder.clone()));
                let residue = store.mk_mod_euclid(variables[*place], divisor);
                formulas.push(store.mk_eq(residue, remainder));
            }
        }
        formulas
    }
}

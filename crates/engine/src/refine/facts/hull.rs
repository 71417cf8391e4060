//! The affine hull of some points: which linear equations they all satisfy (Karr, 1976).

use crate::common::linear::{Linear, Relation};
use num_rational::BigRational;
use num_traits::{One, Zero};
use tenet_term::{TermId, TermStore};

/// An affine space: a point, and directions in which one can go from it.
#[derive(Clone, Debug)]
pub struct Hull {
    base: Vec<BigRational>,
    /// In reduced echelon form: each has a one at its pivot, where all others have zero.
    directions: Vec<(usize, Vec<BigRational>)>,
}

impl Hull {
    pub fn new(point: &[BigRational]) -> Hull {
        Hull { base: point.to_vec(), directions: Vec::new() }
    }

    /// Grows to hold this point; false if it does already.
    pub fn add(&mut self, point: &[BigRational]) -> bool {
        let mut direction: Vec<BigRational> =
            point.iter().zip(&self.base).map(|(new, old)| new - old).collect();
        for (pivot, known) in &self.directions {
            let factor = direction[*pivot].clone();
            subtract(&mut direction, known, &factor);
        }
        let Some(pivot) = direction.iter().position(|entry| !entry.is_zero()) else { return false };
        let scale = direction[pivot].clone();
        direction.iter_mut().for_each(|entry| *entry /= &scale);
        for (_, known) in &mut self.directions {
            let factor = known[pivot].clone();
            subtract(known, &direction, &factor);
        }
        self.directions.push((pivot, direction));
        true
    }

    /// Equations that hold in the space and nowhere else: each coordinate without a pivot, in terms of those with one.
    pub fn equations(&self, store: &mut TermStore, variables: &[TermId]) -> Vec<TermId> {
        let is_pivot = |place: &usize| self.directions.iter().any(|(pivot, _)| pivot == place);
        let others: Vec<usize> = (0..variables.len()).filter(|place| !is_pivot(place)).collect();
        let mut equations = Vec::new();
        for place in others {
            let mut sum = Linear::default();
            sum.add_term(variables[place], BigRational::one());
            sum.constant = -self.base[place].clone();
            for (pivot, direction) in &self.directions {
                sum.add_term(variables[*pivot], -direction[place].clone());
                sum.constant += &direction[place] * &self.base[*pivot];
            }
            equations.push(sum.formula(store, Relation::Zero));
        }
        equations
    }
}

fn subtract(from: &mut [BigRational], other: &[BigRational], factor: &BigRational) {
    if !factor.is_zero() {
        from.iter_mut().zip(other).for_each(|(entry, other)| *entry -= other * factor);
    }
}

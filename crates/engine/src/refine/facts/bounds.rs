//! Upper bounds of sums and differences of variables, over some points.
//!
//! Template polyhedra with two variables per inequality (octagons). A bound that keeps growing is widened to the next
//! number of the program, and then dropped.

use crate::common::linear::{Linear, Relation};
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::sync::Arc;
use tenet_term::{TermId, TermStore};

/// Growths of a bound before it is widened.
const MAX_GROWTHS: u32 = 2;
/// With more variables than this, only single ones are bounded: pairs grow quadratically.
const MAX_VARIABLES_FOR_PAIRS: usize = 12;

/// Bounds of all sums of one or two variables or their negations.
#[derive(Clone, Debug)]
pub struct Bounds {
    templates: Vec<Template>,
    numbers: Arc<Vec<BigRational>>,
}

#[derive(Clone, Debug)]
struct Template {
    /// Positions of variables, and whether each is negated.
    parts: Vec<(usize, bool)>,
    /// The largest value seen; given up if `None`.
    bound: Option<BigRational>,
    growths: u32,
}

impl Bounds {
    /// The bounds of a single point. The numbers are those that bounds may jump to, ascending.
    pub fn new(point: &[BigRational], numbers: &Arc<Vec<BigRational>>) -> Bounds {
        let mut templates = Vec::new();
        let mut add = |parts: Vec<(usize, bool)>| {
            templates.push(Template { bound: Some(value(&parts, point)), parts, growths: 0 });
        };
        for first in 0..point.len() {
            [false, true].into_iter().for_each(|negated| add(vec![(first, negated)]));
            for second in first + 1..point.len() {
                if point.len() <= MAX_VARIABLES_FOR_PAIRS {
                    for signs in [(false, false), (false, true), (true, false), (true, true)] {
                        add(vec![(first, signs.0), (second, signs.1)]);
                    }
                }
            }
        }
        Bounds { templates, numbers: numbers.clone() }
    }

    /// Grows to hold this point; false if it does already.
    pub fn add(&mut self, point: &[BigRational]) -> bool {
        let mut has_grown = false;
        for template in &mut self.templates {
            let value = value(&template.parts, point);
            if template.bound.as_ref().is_some_and(|bound| *bound < value) {
                has_grown = true;
                template.growths += 1;
                template.bound = match template.growths <= MAX_GROWTHS {
                    true => Some(value),
                    false => self.numbers.iter().find(|number| **number >= value).cloned(),
                };
            }
        }
        has_grown
    }

    pub fn formulas(&self, store: &mut TermStore, variables: &[TermId]) -> Vec<TermId> {
        let mut formulas = Vec::new();
        for template in &self.templates {
            let Some(bound) = &template.bound else { continue };
            let mut sum = Linear { constant: -bound.clone(), ..Linear::default() };
            for &(place, negated) in &template.parts {
                let factor = if negated { -BigRational::one() } else { BigRational::one() };
                sum.add_term(variables[place], factor);
            }
            formulas.push(sum.formula(store, Relation::AtMost));
        }
        formulas
    }
}

fn value(parts: &[(usize, bool)], point: &[BigRational]) -> BigRational {
    parts.iter().fold(BigRational::zero(), |sum, &(place, negated)| match negated {
        true => sum - &point[place],
        false => sum + &point[place],
    })
}

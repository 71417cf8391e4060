//! Sequence interpolants of an infeasible path, as one inequality for each place on it.
//!
//! The steps of the path are comparisons of linear sums, each over the variables before and after a step. If they
//! contradict each other over the rationals, multiples of them add up to `1 <= 0` (Farkas). What the steps before a place
//! contribute to that sum speaks of the variables at that place only, because everything else is gone from it: it
//! follows from the steps before, and contradicts those behind. The multipliers are a solution of linear inequalities
//! themselves, and the solver's solutions are corners, which use no more comparisons than needed.

use crate::common::linear::{Linear, Relation};
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::collections::BTreeMap;
use tenet_solve::{Answer, Effort, Limits, Solver, Z3Solver};
use tenet_term::{Op, Role, SortId, TermId, TermStore, Value};

const MULTIPLIER_EFFORT: Effort = Effort::secs(2);

/// A term at a place on the path.
pub type At = (usize, TermId);

/// A comparison with zero that a step makes.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub step: usize,
    /// What is compared, over terms at this place and the next one.
    pub sum: Linear<At>,
    pub relation: Relation,
}

impl Comparison {
    /// A literal over the variables at a place, if it is linear.
    pub fn new(store: &TermStore, step: usize, literal: TermId) -> Option<Comparison> {
        let (sum, relation) = Linear::comparison(store, literal)?;
        let is_integral = sum.is_integral(store);
        let mut comparison = Comparison { step, sum: at(&sum, step), relation };
        if is_integral && relation == Relation::Below && comparison.sum.constant.is_integer() {
            comparison.sum.constant += BigRational::one();
            comparison.relation = Relation::AtMost;
        }
        Some(comparison)
    }

    /// That a variable has this value behind the step.
    pub fn update(store: &TermStore, step: usize, variable: TermId, value: TermId) -> Comparison {
        let mut sum = at(&Linear::of(store, value), step);
        sum.add_term((step + 1, variable), -BigRational::one());
        Comparison { step, sum, relation: Relation::Zero }
    }
}

fn at(sum: &Linear<TermId>, step: usize) -> Linear<At> {
    let factors = sum.factors.iter().map(|(&term, factor)| ((step, term), factor.clone())).collect();
    Linear { factors, constant: sum.constant.clone() }
}

/// What is known of quotients and remainders by numbers.
pub fn divisions(store: &mut TermStore, comparisons: &[Comparison]) -> Vec<Comparison> {
    let mut found = Vec::new();
    let mut seen: Vec<At> = Vec::new();
    let mut open: Vec<At> = comparisons.iter().flat_map(|known| known.sum.factors.keys().copied()).collect();
    while let Some((step, term)) = open.pop() {
        if !matches!(store.op(term), Op::DivEuclid | Op::ModEuclid) || seen.contains(&(step, term)) {
            continue;
        }
        seen.push((step, term));
        let [dividend, divisor] = store.args(term)[..] else { continue };
        let Some(size) = store.as_int(divisor).cloned().filter(|size| *size > Zero::zero()) else { continue };
        let (quotient, remainder) =
            (store.mk_div_euclid(dividend, divisor), store.mk_mod_euclid(dividend, divisor));
        let size = BigRational::from(size);
        // dividend = size * quotient + remainder, and 0 <= remainder < size.
        let mut whole = at(&Linear::of(store, dividend), step);
        open.extend(whole.factors.keys().copied());
        whole.add_term((step, quotient), -size.clone());
        whole.add_term((step, remainder), -BigRational::one());
        let mut least = Linear::default();
        least.add_term((step, remainder), -BigRational::one());
        let mut most = Linear::default();
        most.add_term((step, remainder), BigRational::one());
        most.constant = BigRational::one() - size;
        found.push(Comparison { step, sum: whole, relation: Relation::Zero });
        found.extend([least, most].map(|sum| Comparison { step, sum, relation: Relation::AtMost }));
    }
    found
}

/// Inequalities over the terms at each place but the first and the last of a path with `steps` steps; `None` if the
/// comparisons do not contradict each other over the rationals.
pub fn interpolants(
    store: &mut TermStore,
    comparisons: &[Comparison],
    steps: usize,
    limits: &Limits,
) -> Option<Vec<TermId>> {
    let multipliers = multipliers(store, comparisons, limits)?;
    let mut sums = Vec::new();
    for place in 1..steps {
        let mut sum = Linear::default();
        let mut is_strict = false;
        for (comparison, multiplier) in comparisons.iter().zip(&multipliers) {
            if comparison.step < place && !multiplier.is_zero() {
                sum.add(&comparison.sum, multiplier);
                is_strict |= comparison.relation == Relation::Below;
            }
        }
        let factors = sum.factors.into_iter().map(|((_, term), factor)| (term, factor)).collect();
        let sum = Linear { factors, constant: sum.constant };
        sums.push((sum, if is_strict { Relation::Below } else { Relation::AtMost }));
    }
    Some(sums.into_iter().map(|(sum, relation)| sum.formula(store, relation)).collect())
}

/// A factor for each comparison, not negative for inequalities, so that everything cancels and a contradiction is left.
fn multipliers(
    store: &mut TermStore,
    comparisons: &[Comparison],
    limits: &Limits,
) -> Option<Vec<BigRational>> {
    let mut solver = Z3Solver::new();
    solver.set_limits(limits.clone().within(MULTIPLIER_EFFORT));
    let zero = store.mk_rational(BigRational::zero());
    let one = store.mk_rational(BigRational::one());
    let mut unknowns: Vec<[Option<TermId>; 2]> = Vec::new();
    for (position, comparison) in comparisons.iter().enumerate() {
        let mut unknown = |side: &str| {
            let symbol = store.declare(&format!("{side} multiplier {position}"), SortId::REAL, Role::Skolem);
            let term = store.mk_symbol(symbol);
            let sign = store.mk_le(zero, term);
            solver.assert(store, sign);
            term
        };
        let forward = Some(unknown("forward"));
        let backward = (comparison.relation == Relation::Zero).then(|| unknown("backward"));
        unknowns.push([forward, backward]);
    }
    let mut rows: BTreeMap<At, Vec<TermId>> = BTreeMap::new();
    let (mut constants, mut strict) = (Vec::new(), Vec::new());
    for (comparison, sides) in comparisons.iter().zip(&unknowns) {
        for (side, sign) in sides.iter().zip([1, -1]) {
            let Some(unknown) = *side else { continue };
            let sign = BigRational::from(num_bigint::BigInt::from(sign));
            let mut product = |factor: &BigRational| {
                let factor = store.mk_rational(factor * &sign);
                store.mk_mul(factor, unknown)
            };
            for (key, factor) in &comparison.sum.factors {
                rows.entry(*key).or_default().push(product(factor));
            }
            constants.push(product(&comparison.sum.constant));
            if comparison.relation == Relation::Below {
                strict.push(unknown);
            }
        }
    }
    for row in rows.into_values() {
        let sum = store.mk_add(row);
        let is_gone = store.mk_eq(sum, zero);
        solver.assert(store, is_gone);
    }
    constants.push(zero);
    let rest = store.mk_add(constants);
    let mut contradiction = store.mk_le(one, rest);
    if !strict.is_empty() {
        let strict = store.mk_add(strict);
        let (some, none) = (store.mk_le(one, strict), store.mk_le(zero, rest));
        let other = store.mk_and([some, none]);
        contradiction = store.mk_or([contradiction, other]);
    }
    solver.assert(store, contradiction);
    if solver.check(store, &[]) != Answer::Sat {
        return None;
    }
    let all: Vec<TermId> = unknowns.iter().flatten().flatten().copied().collect();
    let mut values = solver.values(store, &all).into_iter();
    let mut real = || match values.next() {
        Some(Some(Value::Real(value))) => Some(value),
        _ => None,
    };
    let mut multipliers = Vec::new();
    for sides in &unknowns {
        let mut sum = real()?;
        if sides[1].is_some() {
            sum -= real()?;
        }
        multipliers.push(sum);
    }
    Some(multipliers)
}

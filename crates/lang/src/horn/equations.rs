//! Variables that a constraint defines are replaced by their definitions.
//!
//! An equation is used if it defines a variable for all values of the others: `v = t`, a sum in which `v` has the
//! factor 1 or -1 (any factor but zero for reals), an equivalence, a bit-vector sum. The choice of equations depends
//! only on the order of conjuncts and symbols. Substituted variables need no parameter of a rule: a step is then
//! deterministic where the program was.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeSet;
use tenet_term::{BvOp, Op, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

/// Solves equations of the constraint for variables that may be substituted. Returns the rest of the constraint;
/// substitutions are appended to `replaced`, in the order in which they must be applied.
pub fn solve(
    store: &mut TermStore,
    constraint: TermId,
    may_replace: impl Fn(SymbolId) -> bool,
    mut replaced: impl FnMut(&mut TermStore, &Substitution),
) -> TermId {
    let mut constraint = constraint;
    loop {
        let (substitution, rest) = pass(store, constraint, &may_replace);
        if substitution.is_empty() {
            return constraint;
        }
        constraint = store.substitute(rest, &substitution);
        replaced(store, &substitution);
    }
}

/// One pass over the conjuncts: definitions that do not depend on each other, and the other conjuncts.
fn pass(
    store: &mut TermStore,
    constraint: TermId,
    may_replace: &impl Fn(SymbolId) -> bool,
) -> (Substitution, TermId) {
    let mut substitution = Substitution::new();
    let (mut defined, mut used) = (BTreeSet::new(), BTreeSet::new());
    let mut rest = Vec::new();
    for conjunct in conjuncts(store, constraint) {
        let candidate = |symbol: SymbolId| may_replace(symbol) && !used.contains(&symbol);
        let found = definition(store, conjunct, &candidate).filter(|(symbol, value)| {
            !defined.contains(symbol) && store.symbols_in(*value).iter().all(|other| !defined.contains(other))
        });
        match found {
            Some((symbol, value)) => {
                used.extend(store.symbols_in(value));
                defined.insert(symbol);
                substitution.insert(store, symbol, value);
            }
            None => rest.push(conjunct),
        }
    }
    (substitution, store.mk_and(rest))
}

/// The conjuncts, also of nested conjunctions that were too long to be flattened.
fn conjuncts(store: &TermStore, constraint: TermId) -> Vec<TermId> {
    let (mut found, mut stack) = (Vec::new(), vec![constraint]);
    while let Some(term) = stack.pop() {
        match store.op(term) {
            Op::And => stack.extend(store.args(term).iter().rev()),
            _ => found.push(term),
        }
    }
    found
}

/// The variable that a conjunct defines, and its value.
fn definition(
    store: &mut TermStore,
    conjunct: TermId,
    may_replace: &impl Fn(SymbolId) -> bool,
) -> Option<(SymbolId, TermId)> {
    let variable =
        |store: &TermStore, term: TermId| store.as_symbol(term).filter(|&symbol| may_replace(symbol));
    if let Some(symbol) = variable(store, conjunct) {
        return Some((symbol, TermId::TRUE));
    }
    let args = store.args(conjunct).to_vec();
    match (store.op(conjunct), &args[..]) {
        (Op::Not, &[inner]) => {
            if let Some(symbol) = variable(store, inner) {
                return Some((symbol, TermId::FALSE));
            }
            let (Op::Iff, &[a, b]) = (store.op(inner), store.args(inner)) else { return None };
            let (symbol, value) = either(store, a, b, &variable)?;
            Some((symbol, store.mk_not(value)))
        }
        (Op::Iff, &[a, b]) => either(store, a, b, &variable),
        (Op::Eq, &[a, b]) => either(store, a, b, &variable).or_else(|| match store.sort(store.sort_of(a)) {
            Sort::Int | Sort::Real => linear(store, a, b, may_replace),
            Sort::BitVec(_) => bits(store, a, b, may_replace).or_else(|| bits(store, b, a, may_replace)),
            _ => None,
        }),
        _ => None,
    }
}

/// One side is a variable that does not occur in the other.
fn either(
    store: &TermStore,
    a: TermId,
    b: TermId,
    variable: &impl Fn(&TermStore, TermId) -> Option<SymbolId>,
) -> Option<(SymbolId, TermId)> {
    let defines = |left: TermId, right: TermId| {
        let symbol = variable(store, left)?;
        (!store.symbols_in(right).contains(&symbol)).then_some((symbol, right))
    };
    defines(a, b).or_else(|| defines(b, a))
}

/// A variable with an invertible factor, in an equation between sums.
fn linear(
    store: &mut TermStore,
    a: TermId,
    b: TermId,
    may_replace: &impl Fn(SymbolId) -> bool,
) -> Option<(SymbolId, TermId)> {
    let difference = store.mk_sub(a, b);
    let summands = match store.op(difference) {
        Op::Add => store.args(difference).to_vec(),
        _ => vec![difference],
    };
    for &summand in &summands {
        let (base, factor) = monomial(store, summand);
        let Some(symbol) = store.as_symbol(base).filter(|&symbol| may_replace(symbol)) else { continue };
        let is_real = store.sort_of(base) == SortId::REAL;
        if factor.is_zero() || !(is_real || factor.abs().is_one()) {
            continue;
        }
        let rest = store.mk_sub(difference, summand);
        if store.symbols_in(rest).contains(&symbol) {
            continue;
        }
        let scale = -BigRational::one() / factor;
        let scale =
            if is_real { store.mk_rational(scale) } else { store.mk_int(BigInt::clone(scale.numer())) };
        return Some((symbol, store.mk_mul(scale, rest)));
    }
    None
}

fn monomial(store: &TermStore, summand: TermId) -> (TermId, BigRational) {
    let number = |term: TermId| match store.op(term) {
        Op::Int(value) => Some(BigRational::from_integer(BigInt::clone(value))),
        Op::Rational(value) => Some(BigRational::clone(value)),
        _ => None,
    };
    match (store.op(summand), store.args(summand)) {
        (Op::Neg, &[base]) => (base, -BigRational::one()),
        (Op::Mul, &[factor, base]) => {
            number(factor).map_or((summand, BigRational::one()), |value| (base, value))
        }
        _ => (summand, BigRational::one()),
    }
}

/// `v + s = t` on bit-vectors.
fn bits(
    store: &mut TermStore,
    sum: TermId,
    other: TermId,
    may_replace: &impl Fn(SymbolId) -> bool,
) -> Option<(SymbolId, TermId)> {
    let (Op::Bv(BvOp::Add), &[a, b]) = (store.op(sum), store.args(sum)) else { return None };
    for (left, right) in [(a, b), (b, a)] {
        let Some(symbol) = store.as_symbol(left).filter(|&symbol| may_replace(symbol)) else { continue };
        let occurs = |term: TermId| store.symbols_in(term).contains(&symbol);
        if !occurs(right) && !occurs(other) {
            return Some((symbol, store.mk_bv(BvOp::Sub, &[other, right])));
        }
    }
    None
}

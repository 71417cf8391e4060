//! Quantifier elimination by simple equivalences.
//!
//! Tools write `(exists ((k Int)) (= x (* 2 k)))` where they mean that `x` is even, and quantify over remainders, of which there
//! are three. Such quantifiers are eliminated, from the inside out, by equivalences: an equation that defines the variable, an
//! equation that amounts to a divisibility, literal bounds with few values between them.

use super::equations;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use tenet_term::{BvOp, Op, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

/// The number of values that are enumerated for a variable.
const MAX_VALUES: u32 = 64;

/// Larger formulas are left unchanged. That bounds the work, and the depth of recursion here.
const MAX_SIZE: usize = 2_000;

/// An equivalent formula without quantifiers; `None` if one cannot be eliminated.
pub fn eliminate(store: &mut TermStore, formula: TermId) -> Option<TermId> {
    if store.size(formula) > MAX_SIZE {
        return None;
    }
    let mut failed = false;
    let result = store.rewrite_bottom_up(formula, |store, term, args| {
        let op = store.op(term).clone();
        let universal = matches!(op, Op::Forall(_));
        match &op {
            Op::Forall(bound) | Op::Exists(bound) if !failed => {
                let mut body = if universal { store.mk_not(args[0]) } else { args[0] };
                for &symbol in bound {
                    let nnf = store.nnf(body);
                    match exists(store, symbol, nnf).filter(|&found| store.size(found) <= MAX_SIZE) {
                        Some(found) => body = found,
                        None => failed = true,
                    }
                }
                if universal { store.mk_not(body) } else { body }
            }
            _ => store.mk(op, args),
        }
    });
    (!failed).then_some(result)
}

/// That some value of the variable satisfies the formula, which is in negation normal form and without quantifiers.
fn exists(store: &mut TermStore, symbol: SymbolId, formula: TermId) -> Option<TermId> {
    if !store.symbols_in(formula).contains(&symbol) {
        return Some(formula);
    }
    if *store.op(formula) == Op::Or {
        let parts = store.args(formula).to_vec();
        let parts: Option<Vec<TermId>> = parts.into_iter().map(|part| exists(store, symbol, part)).collect();
        return Some(store.mk_or(parts?));
    }
    let solved = equations::solve(store, formula, |other| other == symbol, |_, _| {});
    let conjuncts = store.conjuncts(solved);
    let (with, without): (Vec<TermId>, Vec<TermId>) =
        conjuncts.into_iter().partition(|&part| store.symbols_in(part).contains(&symbol));
    let about = match with[..] {
        [] => TermId::TRUE,
        [only] => match divisible(store, symbol, only) {
            Some(found) => found,
            None => try_values(store, symbol, &with)?,
        },
        _ => try_values(store, symbol, &with)?,
    };
    Some(store.mk_and(without.into_iter().chain([about])))
}

/// `exists v. c * v + t = 0`: that `c` divides `t`; for bit-vectors, that `t` ends in as many zeros as `c`.
fn divisible(store: &mut TermStore, symbol: SymbolId, equation: TermId) -> Option<TermId> {
    let (Op::Eq, &[a, b]) = (store.op(equation), store.args(equation)) else { return None };
    match store.sort(store.sort_of(a)) {
        Sort::Int => {
            let difference = store.mk_sub(a, b);
            let (factor, rest) = linear(store, symbol, difference)?;
            let (factor, zero) = (store.mk_int(factor.abs()), store.mk_int(0));
            let remainder = store.mk_mod_euclid(rest, factor);
            Some(store.mk_eq(remainder, zero))
        }
        Sort::BitVec(width) => {
            let width = *width;
            let difference = store.mk_bv(BvOp::Sub, &[a, b]);
            let (factor, rest) = linear_bits(store, symbol, difference, width)?;
            let zeros = u32::try_from(factor.trailing_zeros()?).ok()?;
            if zeros == 0 {
                return Some(TermId::TRUE);
            }
            let low = store.mk_bv(BvOp::Extract { hi: zeros.min(width) - 1, lo: 0 }, &[rest]);
            let zero = store.mk_bitvec(zeros.min(width), 0u32);
            Some(store.mk_eq(low, zero))
        }
        _ => None,
    }
}

/// The factor of the variable in a sum, and the rest, which does not contain it.
fn linear(store: &mut TermStore, symbol: SymbolId, sum: TermId) -> Option<(BigInt, TermId)> {
    let summands = if *store.op(sum) == Op::Add { store.args(sum).to_vec() } else { vec![sum] };
    for summand in summands {
        let (base, factor) = match (store.op(summand), store.args(summand)) {
            (Op::Neg, &[base]) => (base, -BigInt::one()),
            (Op::Mul, &[factor, base]) => match store.as_int(factor) {
                Some(factor) => (base, factor.clone()),
                None => continue,
            },
            _ => (summand, BigInt::one()),
        };
        if store.as_symbol(base) == Some(symbol) {
            let rest = store.mk_sub(sum, summand);
            let is_left = store.symbols_in(rest).contains(&symbol);
            return (!is_left && !factor.is_zero()).then_some((factor, rest));
        }
    }
    None
}

/// The same for bit-vectors, with the factor modulo a power of two.
fn linear_bits(
    store: &mut TermStore,
    symbol: SymbolId,
    term: TermId,
    width: u32,
) -> Option<(BigUint, TermId)> {
    if store.as_symbol(term) == Some(symbol) {
        return Some((BigUint::one(), store.mk_bitvec(width, 0u32)));
    }
    if !store.symbols_in(term).contains(&symbol) {
        return Some((BigUint::zero(), term));
    }
    let modulus = BigUint::one() << width;
    match (store.op(term).clone(), store.args(term).to_vec().as_slice()) {
        (Op::Bv(op @ (BvOp::Add | BvOp::Sub)), &[a, b]) => {
            let (left, first) = linear_bits(store, symbol, a, width)?;
            let (right, second) = linear_bits(store, symbol, b, width)?;
            let right = if op == BvOp::Add { right } else { (&modulus - right) % &modulus };
            Some(((left + right) % modulus, store.mk_bv(op, &[first, second])))
        }
        (Op::Bv(BvOp::Neg), &[a]) => {
            let (factor, rest) = linear_bits(store, symbol, a, width)?;
            Some(((&modulus - factor) % modulus, store.mk_bv(BvOp::Neg, &[rest])))
        }
        (Op::Bv(BvOp::Mul), &[a, b]) => {
            let (number, other) = if store.as_bitvec(a).is_some() { (a, b) } else { (b, a) };
            let times = store.as_bitvec(number)?.unsigned().clone();
            let (factor, rest) = linear_bits(store, symbol, other, width)?;
            Some(((factor * times) % modulus, store.mk_bv(BvOp::Mul, &[number, rest])))
        }
        _ => None,
    }
}

/// The disjunction over all values within literal bounds among the conjuncts.
fn try_values(store: &mut TermStore, symbol: SymbolId, conjuncts: &[TermId]) -> Option<TermId> {
    let sort = store.symbol(symbol).sort;
    let values: Vec<TermId> = match store.sort(sort) {
        Sort::Bool => vec![TermId::FALSE, TermId::TRUE],
        Sort::Int => between(store, symbol, conjuncts)?,
        Sort::BitVec(width) => {
            let width = *width;
            among_bits(store, symbol, conjuncts, width)?
        }
        _ => return None,
    };
    let body = store.mk_and(conjuncts.iter().copied());
    let mut cases = Vec::with_capacity(values.len());
    for value in values {
        let here = Substitution::from_pairs(store, [(symbol, value)]);
        cases.push(store.substitute(body, &here));
    }
    Some(store.mk_or(cases))
}

/// The integers within the bounds.
fn between(store: &mut TermStore, symbol: SymbolId, conjuncts: &[TermId]) -> Option<Vec<TermId>> {
    let (mut least, mut most): (Option<BigInt>, Option<BigInt>) = (None, None);
    for &conjunct in conjuncts {
        let (strict, &[a, b]) = (*store.op(conjunct) == Op::Lt, store.args(conjunct)) else { continue };
        if !matches!(store.op(conjunct), Op::Lt | Op::Le) || store.sort_of(a) != SortId::INT {
            continue;
        }
        // `factor * v + rest >= 0`
        let difference = store.mk_sub(b, a);
        let Some((factor, rest)) = linear(store, symbol, difference) else { continue };
        let Some(rest) = store.as_int(rest).map(|rest| rest - BigInt::from(u8::from(strict))) else {
            continue;
        };
        if factor.is_positive() {
            let bound = (-rest).div_ceil(&factor);
            least = Some(least.map_or(bound.clone(), |known| known.max(bound)));
        } else {
            let bound = rest.div_floor(&-factor);
            most = Some(most.map_or(bound.clone(), |known| known.min(bound)));
        }
    }
    let (least, most) = (least?, most?);
    let count = (&most - &least + 1u8).to_i64().filter(|&count| count <= i64::from(MAX_VALUES))?;
    Some((0..count.max(0)).map(|step| store.mk_int(&least + step)).collect())
}

/// The bit-vectors within bounds given by comparisons with literals.
fn among_bits(
    store: &mut TermStore,
    symbol: SymbolId,
    conjuncts: &[TermId],
    width: u32,
) -> Option<Vec<TermId>> {
    let modulus = BigInt::one() << width;
    let mut ranges: Vec<(BigInt, BigInt)> = vec![(BigInt::zero(), &modulus - 1)];
    for &conjunct in conjuncts {
        let Some(allowed) = allowed(store, symbol, conjunct, width) else { continue };
        let both = ranges.iter().flat_map(|(low, high)| {
            allowed.iter().map(move |(least, most)| (low.max(least).clone(), high.min(most).clone()))
        });
        ranges = both.filter(|(low, high)| low <= high).collect();
    }
    let total: BigInt = ranges.iter().map(|(low, high)| high - low + 1).sum();
    if total > BigInt::from(MAX_VALUES) {
        return None;
    }
    let mut values = Vec::new();
    for (low, high) in ranges {
        let mut next = low;
        while next <= high {
            values.push(store.mk_bitvec(width, next.magnitude().clone()));
            next += 1;
        }
    }
    Some(values)
}

/// The values of the variable that satisfy a comparison of `v + k` or `k - v` with a literal, as ranges.
fn allowed(
    store: &mut TermStore,
    symbol: SymbolId,
    conjunct: TermId,
    width: u32,
) -> Option<Vec<(BigInt, BigInt)>> {
    let (&Op::Bv(op), &[a, b]) = (store.op(conjunct), store.args(conjunct)) else { return None };
    let signed = match op {
        BvOp::Sle | BvOp::Slt => true,
        BvOp::Ule | BvOp::Ult => false,
        _ => return None,
    };
    let strict = BigInt::from(u8::from(matches!(op, BvOp::Slt | BvOp::Ult)));
    let half = BigInt::one() << (width - 1);
    let (least, most) = match signed {
        true => (-&half, &half - 1),
        false => (BigInt::zero(), (&half << 1) - 1),
    };
    let literal = |store: &TermStore, term: TermId| {
        let value = store.as_bitvec(term)?;
        Some(if signed { value.signed() } else { BigInt::from(value.unsigned().clone()) })
    };
    // The range of the side that is not a literal.
    let (side, low, high) = match (literal(store, a), literal(store, b)) {
        (Some(bound), None) => (b, bound + strict, most),
        (None, Some(bound)) => (a, least, bound - strict),
        _ => return None,
    };
    let (factor, rest) = linear_bits(store, symbol, side, width)?;
    let offset = BigInt::from(store.as_bitvec(rest)?.unsigned().clone());
    if low > high {
        return Some(Vec::new());
    }
    let modulus = &half << 1;
    let is_minus = BigInt::from(factor.clone()) == &modulus - 1;
    if !factor.is_one() && !is_minus {
        return None;
    }
    let count = &high - &low;
    let first = if is_minus { &offset - &high } else { &low - &offset };
    let first = first.mod_floor(&modulus);
    let last = &first + count;
    Some(match last < modulus {
        true => vec![(first, last)],
        false => vec![(first, &modulus - 1), (BigInt::zero(), last - &modulus)],
    })
}

//! Values as solvers print them, and numbers for the elements of index sorts.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{Num, Zero};
use rustc_hash::FxHashMap;
use tenet_term::SortId;

use super::sexpr::Sexpr;

/// An integer: `7` or `(- 7)`; a rational number that is one is accepted, too.
pub(crate) fn number(value: &Sexpr) -> Option<BigInt> {
    rational(value).filter(BigRational::is_integer).map(|number| number.to_integer())
}

/// A rational number: a numeral, a decimal, and negations and quotients of them.
pub(crate) fn rational(value: &Sexpr) -> Option<BigRational> {
    match value {
        Sexpr::Atom(text) => decimal(text),
        Sexpr::List(items) => match items.as_slice() {
            [sign, one] if sign.atom() == Some("-") => rational(one).map(|number| -number),
            [slash, above, below] if slash.atom() == Some("/") => {
                let (above, below) = (rational(above)?, rational(below)?);
                (!below.is_zero()).then(|| above / below)
            }
            _ => None,
        },
        Sexpr::Text(_) => None,
    }
}

fn decimal(text: &str) -> Option<BigRational> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction}");
    if whole.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let denominator = BigInt::from(10).pow(u32::try_from(fraction.len()).ok()?);
    Some(BigRational::new(digits.parse().ok()?, denominator))
}

/// A bit-vector: `#b01`, `#x0f` or `(_ bv5 8)`.
pub(crate) fn bits(value: &Sexpr) -> Option<BigUint> {
    match value {
        Sexpr::Atom(text) => {
            let (digits, radix) = match text.strip_prefix("#b") {
                Some(digits) => (digits, 2),
                None => (text.strip_prefix("#x")?, 16),
            };
            BigUint::from_str_radix(digits, radix).ok()
        }
        Sexpr::List(items) => match items.as_slice() {
            [_, value, _] => value.atom()?.strip_prefix("bv")?.parse().ok(),
            _ => None,
        },
        Sexpr::Text(_) => None,
    }
}

/// Numbers the elements of index sorts in one model: literals have their own number, the others get the least ones
/// that are free, in the order in which they are met.
#[derive(Default)]
pub(crate) struct Numbering {
    sorts: FxHashMap<SortId, FxHashMap<String, u32>>,
}

impl Numbering {
    pub(crate) fn knows(&self, sort: SortId) -> bool {
        self.sorts.contains_key(&sort)
    }

    /// Begins with the elements that literals name.
    pub(crate) fn begin(&mut self, sort: SortId, literals: Vec<(u32, String)>) {
        self.sorts.insert(sort, literals.into_iter().map(|(number, name)| (name, number)).collect());
    }

    pub(crate) fn number(&mut self, sort: SortId, name: String) -> u32 {
        let known = self.sorts.entry(sort).or_default();
        if let Some(&number) = known.get(&name) {
            return number;
        }
        let free = (0..).find(|number| !known.values().any(|used| used == number));
        let number = free.expect("invariant: fewer than 2^32 elements");
        known.insert(name, number);
        number
    }
}

//! Oracles: they choose which conjuncts Method II drops (Ball, Podelski and Rajamani, section 4).
//!
//! A widening drops conjuncts, and can do nothing else: an oracle only says which. As in the publication it answers with a
//! natural number. The conjuncts of all disjuncts are numbered in the order in which they stand, and bit `k` of the answer
//! says whether number `k` is dropped. Zero drops nothing.

use super::formula::{Disjunct, Formula};
use num_bigint::BigUint;
use tenet_system::random::XorShift;
use tenet_term::{SymbolId, TermStore};

/// Chooses what to widen.
pub trait Oracle {
    /// Which conjuncts of this formula to drop, as a number.
    fn guess(&mut self, store: &TermStore, formula: &Formula) -> BigUint;
}

/// The formula without the conjuncts that the number names.
pub fn widen(formula: &Formula, guess: &BigUint) -> Formula {
    let mut number = 0;
    let mut widened = Formula::default();
    for disjunct in formula.disjuncts() {
        let mut kept = Vec::new();
        for &atom in disjunct.atoms() {
            if !guess.bit(number) {
                kept.push(atom);
            }
            number += 1;
        }
        widened.add(Disjunct::of_atoms(kept));
    }
    widened
}

/// How many conjuncts a formula has, in all disjuncts together.
pub fn conjuncts(formula: &Formula) -> u64 {
    formula.disjuncts().map(|disjunct| disjunct.atoms().len() as u64).sum()
}

/// These answers, one after the other, and nothing dropped when they are used up.
#[derive(Clone, Debug)]
pub struct List(pub std::vec::IntoIter<BigUint>);

impl Oracle for List {
    fn guess(&mut self, _: &TermStore, _: &Formula) -> BigUint {
        self.0.next().unwrap_or_default()
    }
}

/// Drops every conjunct that mentions a variable.
#[derive(Clone, Copy, Debug)]
pub struct Drop(pub SymbolId);

impl Oracle for Drop {
    fn guess(&mut self, store: &TermStore, formula: &Formula) -> BigUint {
        let atoms = formula.disjuncts().flat_map(Disjunct::atoms);
        let mut answer = BigUint::default();
        for (number, &atom) in atoms.enumerate() {
            answer.set_bit(number as u64, store.free_symbols(atom).contains(&self.0));
        }
        answer
    }
}

/// Drops each conjunct with one chance in four. The same seed gives the same answers on every machine.
#[derive(Clone, Debug)]
pub struct Random(XorShift);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(XorShift::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1))
    }

    fn next(&mut self) -> u64 {
        self.0.mixed() >> 32
    }
}

impl Oracle for Random {
    fn guess(&mut self, _: &TermStore, formula: &Formula) -> BigUint {
        let mut answer = BigUint::default();
        for number in 0..conjuncts(formula) {
            answer.set_bit(number, self.next().is_multiple_of(4));
        }
        answer
    }
}

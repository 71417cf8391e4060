//! Terms over bits computed for sixty-four choices of values at once.

use rustc_hash::FxHashMap;
use tenet_term::{SymbolId, TermId, TermStore};

use super::blast::Blaster;
use super::gates::{Bit, Gate};

/// For each bit of a term, its value in each of sixty-four cases.
pub type Lanes = Vec<u64>;

/// Gates of terms, to be computed many times.
///
/// ```
/// use tenet_solve::BitSimulator;
/// use tenet_term::{BvOp, Role, TermStore};
///
/// let mut store = TermStore::new();
/// let two = store.bitvec_sort(2);
/// let x = store.declare("x", two, Role::State);
/// let (term, one) = (store.mk_symbol(x), store.mk_bitvec(2, 1u8));
/// let next = store.mk_bv(BvOp::Add, &[term, one]);
/// let mut simulator = BitSimulator::new(&store, &[next]);
/// let computed = simulator.compute(&[(x, vec![0b1010, 0b1100])]);
/// assert_eq!(computed[0][0] & 0b1111, 0b0101);
/// assert_eq!(computed[0][1] & 0b1111, 0b0110);
/// ```
pub struct BitSimulator {
    blaster: Blaster,
    terms: Vec<Vec<Bit>>,
    symbols: FxHashMap<SymbolId, Vec<usize>>,
    values: Vec<u64>,
}

impl BitSimulator {
    /// Prepares to compute these terms, which [`BitSolver`](crate::BitSolver) has to understand.
    pub fn new(store: &TermStore, terms: &[TermId]) -> BitSimulator {
        let mut blaster = Blaster::new();
        let terms: Vec<Vec<Bit>> = terms.iter().map(|&term| blaster.word(store, term)).collect();
        let gates = |word: &Vec<Bit>| word.iter().map(|bit| bit.gate()).collect();
        let symbols = blaster.symbols().map(|(symbol, word)| (symbol, gates(word))).collect();
        BitSimulator { blaster, terms, symbols, values: Vec::new() }
    }

    /// The values of all terms where symbols have these values; what is not mentioned is zero.
    pub fn compute(&mut self, given: &[(SymbolId, Lanes)]) -> Vec<Lanes> {
        let gates = &self.blaster.gates;
        self.values.clear();
        self.values.resize(gates.len(), 0);
        for (symbol, lanes) in given {
            let Some(bits) = self.symbols.get(symbol) else { continue };
            bits.iter().zip(lanes).for_each(|(&gate, &lane)| self.values[gate] = lane);
        }
        for number in 0..gates.len() {
            let value = |bit: Bit| value(&self.values, bit);
            self.values[number] = match gates.gate(number) {
                Gate::False => 0,
                Gate::Input => continue,
                Gate::And(a, b) => value(a) & value(b),
                Gate::Xor(a, b) => value(a) ^ value(b),
                Gate::Mux(c, a, b) => value(c) & value(a) | !value(c) & value(b),
            };
        }
        let lanes = |word: &Vec<Bit>| word.iter().map(|&bit| value(&self.values, bit)).collect();
        self.terms.iter().map(lanes).collect()
    }
}

fn value(values: &[u64], bit: Bit) -> u64 {
    let value = values[bit.gate()];
    if bit.is_negated() { !value } else { value }
}

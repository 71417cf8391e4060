//! The vocabulary of the search for lemmas: atoms over the state, each with its value in the next cycle and in the
//! initial states.
//!
//! Bits of registers and predicates are treated alike. With all bits of all registers this is bit-level IC3; where
//! some registers are known only by how they compare with others, it is implicit predicate abstraction (Cimatti et
//! al., 2014). No abstract transition relation is computed: that a predicate has some value in the next cycle is a
//! term over the concrete state of this one.

use super::netlist::Netlist;
use rustc_hash::FxHashMap;
use tenet_term::{Building, BvOp, Sort, Substituter, SymbolId, TermId, TermStore};

/// Memories of more bits than this are not observed bit by bit.
const MAX_MEMORY_BITS: u64 = 1 << 12;

/// An atom. Each list has the atom first and then its negation.
#[derive(Clone, Debug)]
pub struct Atom {
    pub now: [TermId; 2],
    pub next: [TermId; 2],
    pub initial: [TermId; 2],
    /// The registers that it speaks of, by position.
    pub speaks_of: Vec<u32>,
    /// The registers that its next value depends on.
    pub depends_on: Vec<u32>,
}

/// An atom or its negation: the lowest bit says which, the others are the position of the atom.
pub type Literal = u32;

/// The literals of a set of states, ascending.
pub type Cube = Vec<Literal>;

pub struct Vocabulary {
    pub atoms: Vec<Atom>,
    known: FxHashMap<TermId, usize>,
    /// Which registers are observed bit by bit.
    pub whole: Vec<bool>,
    step: Substituter,
    initial_values: Substituter,
}

impl Vocabulary {
    /// The empty vocabulary.
    pub fn new(store: &TermStore, netlist: &Netlist) -> Vocabulary {
        let prepare = |substitution| Substituter::new(store, &substitution, Building::Smart);
        Vocabulary {
            atoms: Vec::new(),
            known: FxHashMap::default(),
            whole: vec![false; netlist.state.len()],
            step: prepare(netlist.step(store)),
            initial_values: prepare(netlist.initial_values(store)),
        }
    }

    /// Adds a formula. Says whether it is new.
    pub fn observe(&mut self, store: &mut TermStore, netlist: &Netlist, formula: TermId) -> bool {
        let negation = store.mk_not(formula);
        let is_known = self.known.contains_key(&formula) || self.known.contains_key(&negation);
        if is_known || matches!(formula, TermId::TRUE | TermId::FALSE) {
            return false;
        }
        let next = self.step.apply(store, formula);
        let initial = self.initial_values.apply(store, formula);
        let mut both = |term: TermId| [term, store.mk_not(term)];
        let (now, next, initial) = (both(formula), both(next), both(initial));
        let atom = Atom {
            now,
            next,
            initial,
            speaks_of: registers(store, netlist, now[0]),
            depends_on: registers(store, netlist, next[0]),
        };
        self.known.insert(formula, self.atoms.len());
        self.atoms.push(atom);
        true
    }

    /// Adds all bits of a register, if it is not too large for that.
    pub fn observe_whole(&mut self, store: &mut TermStore, netlist: &Netlist, register: usize) -> bool {
        if self.whole[register] {
            return false;
        }
        let Some(bits) = bits(store, netlist.state[register]) else { return false };
        self.whole[register] = true;
        for bit in bits {
            self.observe(store, netlist, bit);
        }
        true
    }

    pub fn atom(&self, literal: Literal) -> &Atom {
        &self.atoms[(literal >> 1) as usize]
    }

    pub fn now(&self, literal: Literal) -> TermId {
        self.atom(literal).now[(literal & 1) as usize]
    }

    pub fn next(&self, literal: Literal) -> TermId {
        self.atom(literal).next[(literal & 1) as usize]
    }

    pub fn initial(&self, literal: Literal) -> TermId {
        self.atom(literal).initial[(literal & 1) as usize]
    }

    pub fn clause(&self, store: &mut TermStore, cube: &[Literal]) -> TermId {
        let literals: Vec<TermId> = cube.iter().map(|&literal| self.now(literal ^ 1)).collect();
        store.mk_or(literals)
    }
}

/// The positions of the registers in a term, ascending.
pub fn registers(store: &TermStore, netlist: &Netlist, term: TermId) -> Vec<u32> {
    let symbols = store.symbols_in(term);
    let mut found: Vec<u32> =
        symbols.into_iter().filter_map(|symbol| netlist.register(symbol)).map(|place| place as u32).collect();
    found.sort_unstable();
    found
}

/// The bits of a symbol as truth values; `None` for a memory that has too many.
pub fn bits(store: &mut TermStore, symbol: SymbolId) -> Option<Vec<TermId>> {
    let term = store.mk_symbol(symbol);
    let Sort::Function { args, result } = store.sort(store.symbol(symbol).sort).clone() else {
        return Some(bits_of_word(store, term));
    };
    let width = |sort| match store.sort(sort) {
        Sort::BitVec(width) => u64::from(*width),
        _ => 1,
    };
    let (address, entry) = (width(args[0]), width(result));
    if address > 16 || entry.checked_shl(address as u32).is_none_or(|bits| bits > MAX_MEMORY_BITS) {
        return None;
    }
    let mut all = Vec::new();
    for place in 0..1u64 << address {
        let place = match store.sort(args[0]) {
            Sort::Bool => store.mk_bool(place == 1),
            _ => store.mk_bitvec(address as u32, place),
        };
        let entry = store.mk_apply(term, &[place]);
        all.extend(bits_of_word(store, entry));
    }
    Some(all)
}

fn bits_of_word(store: &mut TermStore, word: TermId) -> Vec<TermId> {
    let Some(width) = store.width(word) else { return vec![word] };
    let bit = |position: u32| {
        let bit = store.mk_bv(BvOp::Extract { hi: position, lo: position }, &[word]);
        store.mk_bit_to_bool(bit)
    };
    (0..width).map(bit).collect()
}

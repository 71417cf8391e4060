//! The concrete model of one property: a circuit, the negated property, and the cone of influence.
//!
//! A step is a substitution (next state for current state), and so are the initial states. Every query about a step
//! or about the initial states is about a formula under one of them, so there are no primed symbols, and memories
//! need no equations between functions.

use rustc_hash::FxHashSet;
use tenet_system::Circuit;
use tenet_term::{Building, Role, Substituter, Substitution, SymbolId, TermId, TermStore};

/// The model of one property.
pub struct Concrete {
    pub circuit: Circuit,
    /// The negated property, over state and inputs of one cycle.
    pub bad: TermId,
    /// The registers that the property and the assumptions depend on, in the order of the circuit.
    pub cone: Vec<SymbolId>,
    next: Substituter,
    first: Substituter,
}

impl Concrete {
    /// The model of the property at this position.
    pub fn new(store: &mut TermStore, circuit: &Circuit, property: usize) -> Concrete {
        let bad = circuit.bad[property];
        let step = circuit.step(store);
        let pairs = circuit.state.iter().copied().zip(circuit.initial.iter().copied());
        let begin = Substitution::from_pairs(store, pairs);
        Concrete {
            cone: cone(store, circuit, bad),
            bad,
            next: Substituter::new(store, &step, Building::Smart),
            first: Substituter::new(store, &begin, Building::Smart),
            circuit: circuit.clone(),
        }
    }

    /// What is said of the next state by what the term says of this one: over state and inputs.
    pub fn next(&mut self, store: &mut TermStore, term: TermId) -> TermId {
        self.next.apply(store, term)
    }

    /// What the term says of the first state: over what is arbitrary in it.
    pub fn first(&mut self, store: &mut TermStore, term: TermId) -> TermId {
        self.first.apply(store, term)
    }

    pub fn next_value(&self, register: SymbolId) -> TermId {
        self.circuit.next[self.position(register)]
    }

    pub fn first_value(&self, register: SymbolId) -> TermId {
        self.circuit.initial[self.position(register)]
    }

    fn position(&self, register: SymbolId) -> usize {
        let found = self.circuit.state.iter().position(|&known| known == register);
        found.expect("invariant: it is a register of the circuit")
    }
}

/// The registers that the formula depends on, however indirectly. All assumptions count: one that has nothing to do with
/// the property can still make a run impossible.
fn cone(store: &TermStore, circuit: &Circuit, bad: TermId) -> Vec<SymbolId> {
    let mut seen: FxHashSet<SymbolId> = FxHashSet::default();
    let mut open = vec![bad, circuit.constraint];
    while let Some(term) = open.pop() {
        for symbol in store.free_symbols(term) {
            let is_new = store.symbol(symbol).role == Role::State && seen.insert(symbol);
            let position = circuit.state.iter().position(|&register| is_new && register == symbol);
            open.extend(position.map(|position| circuit.next[position]));
        }
    }
    circuit.state.iter().copied().filter(|register| seen.contains(register)).collect()
}

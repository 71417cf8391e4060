//! The cone of influence of some properties, and which solver understands it.

use rustc_hash::{FxHashMap, FxHashSet};
use tenet_solve::{BitSolver, Limits, Solver, Z3Solver};
use tenet_system::{Circuit, System};
use tenet_term::{Substitution, SymbolId, TermId, TermStore};

/// The registers, inputs and functions in the cone of influence of some properties.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// The registers and memories.
    pub state: Vec<SymbolId>,
    /// The inputs; registers that have any value in each cycle are among them.
    pub inputs: Vec<SymbolId>,
    /// The registers with any value in each cycle, with the symbols that are their first and next value in the
    /// system.
    pub free: Vec<FreeRegister>,
    /// Symbols that are arbitrary in the initial states.
    pub arbitrary: Vec<SymbolId>,
    /// The constraint on them.
    pub start: TermId,
    pub initial: Vec<TermId>,
    pub next: Vec<TermId>,
    pub constraint: TermId,
    /// Flags after which no property can be violated; that they are down is part of the assumptions.
    pub dead: Vec<TermId>,
    /// One of the properties is violated.
    pub bad: TermId,
    /// Is everything bits that a SAT solver can take?
    pub is_of_bits: bool,
}

/// A register that has any value in each cycle.
#[derive(Clone, Copy, Debug)]
pub struct FreeRegister {
    pub register: SymbolId,
    /// Its value in the initial states.
    pub first: SymbolId,
    /// What it will be in the next cycle.
    pub next: SymbolId,
}

impl Netlist {
    /// What these properties depend on. Assumptions are part of it, whatever they are about: a run has to satisfy them.
    pub fn of(system: &mut System, circuit: &Circuit, properties: &[usize]) -> Netlist {
        let store = &mut system.store;
        let bad = store.mk_or(properties.iter().map(|&property| circuit.bad[property]));
        let mut needed: FxHashSet<SymbolId> = FxHashSet::default();
        let mut open = vec![bad, circuit.constraint, circuit.start];
        while let Some(term) = open.pop() {
            for symbol in store.symbols_in(term) {
                if !needed.insert(symbol) {
                    continue;
                }
                if let Some(position) = circuit.state.iter().position(|&known| known == symbol) {
                    open.extend([circuit.next[position], circuit.initial[position]]);
                }
            }
        }
        let is_needed = |symbol: &SymbolId| needed.contains(symbol);
        let mut positions: Vec<usize> =
            (0..circuit.state.len()).filter(|&position| is_needed(&circuit.state[position])).collect();
        let free = free_registers(store, circuit, &positions, bad);
        let is_free = |symbol: SymbolId| free.iter().any(|known| known.register == symbol);
        positions.retain(|&position| !is_free(circuit.state[position]));
        let hidden: Vec<SymbolId> = free.iter().flat_map(|known| [known.first, known.next]).collect();
        let is_needed = |symbol: &SymbolId| is_needed(symbol) && !hidden.contains(symbol);
        let pick = |terms: &[TermId]| positions.iter().map(|&position| terms[position]).collect::<Vec<_>>();
        let (initial, next) = (pick(&circuit.initial), pick(&circuit.next));
        let all = initial.iter().chain(&next).chain([&circuit.constraint, &circuit.start, &bad]);
        let is_of_bits = all.into_iter().all(|&term| BitSolver::understands(store, term));
        let registers: Vec<SymbolId> = free.iter().map(|known| known.register).collect();
        let inputs = circuit.inputs.iter().copied().chain(registers);
        Netlist {
            state: positions.iter().map(|&position| circuit.state[position]).collect(),
            inputs: inputs.filter(is_needed).collect(),
            free,
            arbitrary: circuit.arbitrary.iter().copied().filter(is_needed).collect(),
            start: circuit.start,
            initial,
            next,
            constraint: circuit.constraint,
            dead: Vec::new(),
            bad,
            is_of_bits,
        }
    }

    pub fn solver(&self, limits: &Limits) -> Box<dyn Solver> {
        let mut solver: Box<dyn Solver> =
            if self.is_of_bits { Box::new(BitSolver::new()) } else { Box::new(Z3Solver::new()) };
        solver.set_limits(limits.clone());
        solver
    }

    /// The state of the next cycle in place of that of this one.
    pub fn step(&self, store: &TermStore) -> Substitution {
        Substitution::from_pairs(store, self.state.iter().copied().zip(self.next.iter().copied()))
    }

    /// The first state in place of that of this cycle.
    pub fn initial_values(&self, store: &TermStore) -> Substitution {
        Substitution::from_pairs(store, self.state.iter().copied().zip(self.initial.iter().copied()))
    }

    pub fn register(&self, symbol: SymbolId) -> Option<usize> {
        self.state.iter().position(|&known| known == symbol)
    }
}

/// The registers whose first and next value are symbols that nothing else depends on.
fn free_registers(
    store: &TermStore,
    circuit: &Circuit,
    positions: &[usize],
    bad: TermId,
) -> Vec<FreeRegister> {
    let mut uses: FxHashMap<SymbolId, usize> = FxHashMap::default();
    let terms = positions.iter().flat_map(|&position| [circuit.initial[position], circuit.next[position]]);
    for term in terms.chain([circuit.constraint, circuit.start, bad]) {
        store.symbols_in(term).into_iter().for_each(|symbol| *uses.entry(symbol).or_default() += 1);
    }
    let alone = |term: TermId, symbols: &[SymbolId]| {
        let symbol = store.as_symbol(term)?;
        (symbols.contains(&symbol) && uses.get(&symbol) == Some(&1)).then_some(symbol)
    };
    let free = |&position: &usize| {
        let first = alone(circuit.initial[position], &circuit.arbitrary)?;
        let next = alone(circuit.next[position], &circuit.inputs)?;
        Some(FreeRegister { register: circuit.state[position], first, next })
    };
    positions.iter().filter_map(free).collect()
}

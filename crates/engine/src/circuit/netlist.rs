//! The part of a circuit that some properties depend on, and which solver understands it.

use rustc_hash::FxHashSet;
use tenet_solve::{BitSolver, Limits, Solver, Z3Solver};
use tenet_system::{Circuit, System};
use tenet_term::{Substitution, SymbolId, TermId, TermStore};

/// The registers, inputs and functions in the cone of influence of some properties.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// The registers and memories.
    pub state: Vec<SymbolId>,
    /// The inputs.
    pub inputs: Vec<SymbolId>,
    /// What is arbitrary in the beginning.
    pub arbitrary: Vec<SymbolId>,
    /// What has to be true of it.
    pub start: TermId,
    /// The first value of each register.
    pub initial: Vec<TermId>,
    /// The next value of each register.
    pub next: Vec<TermId>,
    /// What is assumed in each cycle.
    pub constraint: TermId,
    /// What must not happen: one of the properties is violated.
    pub bad: TermId,
    /// Is everything small enough for a SAT solver?
    pub is_of_bits: bool,
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
        let positions: Vec<usize> =
            (0..circuit.state.len()).filter(|&position| is_needed(&circuit.state[position])).collect();
        let pick = |terms: &[TermId]| positions.iter().map(|&position| terms[position]).collect::<Vec<_>>();
        let (initial, next) = (pick(&circuit.initial), pick(&circuit.next));
        let all = initial.iter().chain(&next).chain([&circuit.constraint, &circuit.start, &bad]);
        let is_of_bits = all.into_iter().all(|&term| BitSolver::understands(store, term));
        Netlist {
            state: positions.iter().map(|&position| circuit.state[position]).collect(),
            inputs: circuit.inputs.iter().copied().filter(is_needed).collect(),
            arbitrary: circuit.arbitrary.iter().copied().filter(is_needed).collect(),
            start: circuit.start,
            initial,
            next,
            constraint: circuit.constraint,
            bad,
            is_of_bits,
        }
    }

    /// A solver that understands all of it.
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
    pub fn beginning(&self, store: &TermStore) -> Substitution {
        Substitution::from_pairs(store, self.state.iter().copied().zip(self.initial.iter().copied()))
    }

    /// The position of a register.
    pub fn register(&self, symbol: SymbolId) -> Option<usize> {
        self.state.iter().position(|&known| known == symbol)
    }
}

//! Bounded model checking: the circuit is unrolled cycle by cycle.
//!
//! Every cycle consists of terms over the inputs so far, so whatever follows from constants of the first state is
//! simplified away before a solver sees it.

use super::netlist::Netlist;
use super::{Halt, Slice};
use crate::common::witness::witness;
use tenet_solve::{Answer, Limits, Solver, Statistics};
use tenet_system::run::{Run, Taken, Violation, replay_violation};
use tenet_system::{Circuit, System};
use tenet_term::{Model, Role, Substitution, SymbolId, TermId, TermStore, Value};

/// The circuit unrolled from the initial states.
pub struct Bounded {
    solver: Box<dyn Solver>,
    /// The state in the next cycle to be checked.
    state: Vec<TermId>,
    /// The inputs of all cycles so far, that one included.
    inputs: Vec<Vec<SymbolId>>,
    /// The negated property there, if the cycle has been prepared.
    bad: Option<TermId>,
}

impl Bounded {
    pub fn new(store: &TermStore, netlist: &Netlist, limits: &Limits) -> Bounded {
        let mut solver = netlist.solver(limits);
        solver.assert(store, netlist.start);
        Bounded { solver, state: netlist.initial.clone(), inputs: Vec::new(), bad: None }
    }

    /// The number of cycles in which no property can be violated.
    pub fn clean(&self) -> usize {
        self.inputs.len() - usize::from(self.bad.is_some())
    }

    pub fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }

    /// Checks the next cycle. `Some` if a run ends there, as the model of the solver says.
    pub fn cycle(
        &mut self,
        system: &mut System,
        circuit: &Circuit,
        netlist: &Netlist,
        properties: &[usize],
        slice: &Slice<'_>,
    ) -> Result<Option<Violation>, Halt> {
        let bad = self.prepare(&mut system.store, netlist);
        self.solver.set_limits(slice.limits());
        match self.solver.check(&system.store, &[bad]) {
            Answer::Sat => self.violation(system, circuit, netlist, properties).map(Some),
            Answer::Unsat => {
                self.advance(&mut system.store, netlist);
                Ok(None)
            }
            Answer::Unknown(_) => Err(slice.halt()),
        }
    }

    /// Is there a run through the next cycle, whatever happens in it?
    pub fn is_possible(&mut self, store: &mut TermStore, netlist: &Netlist) -> Answer {
        self.prepare(store, netlist);
        let answer = self.solver.check(store, &[]);
        self.advance(store, netlist);
        answer
    }

    /// Creates the inputs of the cycle, asserts its assumption, and gives the negated property.
    fn prepare(&mut self, store: &mut TermStore, netlist: &Netlist) -> TermId {
        if let Some(bad) = self.bad {
            return bad;
        }
        let inputs: Vec<SymbolId> = netlist
            .inputs
            .iter()
            .map(|&input| {
                let (name, sort) = (store.symbol(input).name.clone(), store.symbol(input).sort);
                store.fresh(&name, sort, Role::Input)
            })
            .collect();
        self.inputs.push(inputs);
        let here = self.here(store, netlist);
        let constraint = store.substitute(netlist.constraint, &here);
        self.solver.assert(store, constraint);
        let bad = store.substitute(netlist.bad, &here);
        self.bad = Some(bad);
        bad
    }

    /// State and inputs of the cycle in place of the netlist's.
    fn here(&self, store: &mut TermStore, netlist: &Netlist) -> Substitution {
        let inputs = self.inputs.last().expect("invariant: the cycle is prepared");
        let inputs: Vec<TermId> = inputs.iter().map(|&input| store.mk_symbol(input)).collect();
        let state = netlist.state.iter().copied().zip(self.state.iter().copied());
        Substitution::from_pairs(store, state.chain(netlist.inputs.iter().copied().zip(inputs)))
    }

    fn advance(&mut self, store: &mut TermStore, netlist: &Netlist) {
        let here = self.here(store, netlist);
        let mut machine = tenet_term::Substituter::new(store, &here, tenet_term::Building::Smart);
        self.state = netlist.next.iter().map(|&next| machine.apply(store, next)).collect();
        self.bad = None;
    }

    fn violation(
        &mut self,
        system: &mut System,
        circuit: &Circuit,
        netlist: &Netlist,
        properties: &[usize],
    ) -> Result<Violation, Halt> {
        let store = &mut system.store;
        let chosen = self.values(store, &netlist.arbitrary);
        let params = complete(store, &circuit.arbitrary, &netlist.arbitrary, chosen);
        let mut run = Run { start: Taken { rule: 0, params }, ..Run::default() };
        let cycles = self.inputs.clone();
        let mut last = Vec::new();
        for inputs in &cycles {
            let chosen = self.values(store, inputs);
            last = complete(store, &circuit.inputs, &netlist.inputs, chosen);
            let params = last[..circuit.step_inputs].to_vec();
            run.rules.push(Taken { rule: 0, params });
        }
        run.rules.pop();
        self.choose_free_registers(store, netlist, &mut run);
        for &property in properties {
            let witness = witness(&system.store, system.properties[property].formula, &last);
            let violation = Violation { property, run: run.clone(), witness };
            if replay_violation(system, &violation).is_ok() {
                return Ok(violation);
            }
        }
        Err(Halt::Stuck("a model of the solver is not a run".to_owned()))
    }

    /// A register that has any value in each cycle gets its value from what was chosen one cycle before.
    fn choose_free_registers(&mut self, store: &mut TermStore, netlist: &Netlist, run: &mut Run) {
        for free in &netlist.free {
            let position = netlist.inputs.iter().position(|&input| input == free.register);
            let position = position.expect("invariant: free registers are inputs");
            let copies: Vec<SymbolId> = self.inputs.iter().map(|inputs| inputs[position]).collect();
            let values = self.values(store, &copies);
            for (cycle, value) in values.into_iter().enumerate() {
                let (taken, symbol) = match cycle.checked_sub(1) {
                    None => (&mut run.start, free.first),
                    Some(before) => (&mut run.rules[before], free.next),
                };
                let param = taken.params.iter_mut().find(|(known, _)| *known == symbol);
                if let (Some((_, place)), Some(value)) = (param, value) {
                    *place = value;
                }
            }
        }
    }

    fn values(&mut self, store: &mut TermStore, symbols: &[SymbolId]) -> Vec<Option<Value>> {
        let terms: Vec<TermId> = symbols.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        self.solver.values(store, &terms)
    }
}

/// A value for each symbol: the chosen one, or anything if it does not matter.
fn complete(
    store: &TermStore,
    all: &[SymbolId],
    known: &[SymbolId],
    chosen: Vec<Option<Value>>,
) -> Vec<(SymbolId, Value)> {
    let value = |symbol: SymbolId| {
        let position = known.iter().position(|&other| other == symbol);
        let chosen = position.and_then(|position| chosen[position].clone());
        chosen.unwrap_or_else(|| Model::new().default_value(store, store.symbol(symbol).sort))
    };
    all.iter().map(|&symbol| (symbol, value(symbol))).collect()
}

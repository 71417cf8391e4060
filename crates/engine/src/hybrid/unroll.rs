//! Is there a concrete run through an abstract one? The circuit unrolled from its beginning, one copy of the inputs for each
//! cycle, and everything that is asked of it an assumption, so that one solver serves all counterexamples.

use super::Maker;
use super::concrete::Concrete;
use super::rings::Counterexample;
use crate::common::witness::witness;
use tenet_solve::{Answer, Effort, Limits, Solver, Statistics};
use tenet_system::run::{Run, Taken, Violation};
use tenet_term::{
    Building, FunctionTable, Model, Op, Role, Sort, Substituter, Substitution, SymbolId, TermId, TermStore,
    Value,
};

/// Work for the question whether there is any violating run of some length; the question about one counterexample is easier.
const ANY_RUN: Effort = Effort::secs(2);

/// The circuit, unrolled as far as was needed.
pub struct Unrolling {
    solver: Box<dyn Solver>,
    limits: Limits,
    cycles: Vec<Cycle>,
    /// What the last question assumed.
    assumed: Vec<TermId>,
}

struct Cycle {
    /// The copies of the circuit's inputs.
    inputs: Vec<SymbolId>,
    put: Substituter,
}

impl Unrolling {
    /// The initial states only.
    pub fn new(store: &TermStore, concrete: &Concrete, solvers: Maker<'_>, limits: &Limits) -> Unrolling {
        let mut solver = solvers();
        solver.set_limits(limits.clone());
        solver.assert(store, concrete.circuit.start);
        Unrolling { solver, limits: limits.clone(), cycles: Vec::new(), assumed: Vec::new() }
    }

    pub fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }

    /// What a term means in a cycle, over what is arbitrary initially and the inputs of all cycles.
    pub fn at(&mut self, store: &mut TermStore, concrete: &Concrete, cycle: usize, term: TermId) -> TermId {
        while self.cycles.len() <= cycle {
            self.unroll(store, concrete);
        }
        self.cycles[cycle].put.apply(store, term)
    }

    fn unroll(&mut self, store: &mut TermStore, concrete: &Concrete) {
        let circuit = &concrete.circuit;
        let number = self.cycles.len();
        let values: Vec<TermId> = match self.cycles.last_mut() {
            None => concrete.cone.iter().map(|&register| concrete.first_value(register)).collect(),
            Some(cycle) => {
                let next = concrete.cone.iter().map(|&register| concrete.next_value(register));
                next.map(|value| cycle.put.apply(store, value)).collect()
            }
        };
        let copy = |&input: &SymbolId| {
            let symbol = store.symbol(input).clone();
            store.fresh(&format!("{}@{number}", symbol.name), symbol.sort, Role::Input)
        };
        let inputs: Vec<SymbolId> = circuit.inputs.iter().map(copy).collect();
        let copies: Vec<TermId> = inputs.iter().map(|&input| store.mk_symbol(input)).collect();
        let pairs = concrete.cone.iter().copied().zip(values);
        let pairs = pairs.chain(circuit.inputs.iter().copied().zip(copies));
        let put = Substitution::from_pairs(store, pairs);
        self.cycles.push(Cycle { inputs, put: Substituter::new(store, &put, Building::Smart) });
    }

    /// Is there any violating run with so many states? Gives up after some work.
    pub fn any(&mut self, store: &mut TermStore, concrete: &Concrete, states: usize) -> Answer {
        self.solver.set_limits(self.limits.clone().within(ANY_RUN));
        let answer = self.check(store, concrete, &vec![Vec::new(); states], true);
        self.solver.set_limits(self.limits.clone());
        answer
    }

    /// Is there a run through these states? With `is_bad`, one that ends in a violation.
    pub fn check(
        &mut self,
        store: &mut TermStore,
        concrete: &Concrete,
        cubes: &[Vec<tenet_term::Literal>],
        is_bad: bool,
    ) -> Answer {
        let mut assumed = Vec::new();
        for (cycle, cube) in cubes.iter().enumerate() {
            if cycle + 1 < cubes.len() {
                assumed.push(self.at(store, concrete, cycle, concrete.circuit.constraint));
            }
            for &literal in cube {
                let formula = store.mk_literal(literal);
                assumed.push(self.at(store, concrete, cycle, formula));
            }
        }
        if is_bad {
            assumed.push(self.at(store, concrete, cubes.len() - 1, concrete.bad));
        }
        self.assumed = assumed;
        self.solver.check(store, &self.assumed)
    }

    /// After a run was found: the truth values of formulas in one of its states.
    pub fn truths(
        &mut self,
        store: &mut TermStore,
        concrete: &Concrete,
        cycle: usize,
        formulas: &[TermId],
    ) -> Option<Vec<bool>> {
        let terms: Vec<TermId> =
            formulas.iter().map(|&formula| self.at(store, concrete, cycle, formula)).collect();
        tenet_abstraction::correlation::truths(store, self.solver.as_mut(), &terms)
    }

    /// After a violating run was found: the run.
    pub fn violation(
        &mut self,
        store: &mut TermStore,
        concrete: &Concrete,
        property: usize,
        formula: TermId,
        counterexample: &Counterexample,
    ) -> Violation {
        let circuit = &concrete.circuit;
        let last = counterexample.len() - 1;
        let start = Taken { rule: 0, params: self.values(store, &circuit.arbitrary, &circuit.arbitrary) };
        let rules = (0..last).map(|cycle| {
            let copies = self.cycles[cycle].inputs[..circuit.step_inputs].to_vec();
            Taken { rule: 0, params: self.values(store, &circuit.inputs[..circuit.step_inputs], &copies) }
        });
        let rules: Vec<Taken> = rules.collect();
        let copies = self.cycles[last].inputs.clone();
        let inputs = self.values(store, &circuit.inputs, &copies);
        let witness = witness(store, formula, &inputs);
        Violation { property, run: Run { consts: Vec::new(), start, rules }, witness }
    }

    /// The values of symbols, found as those of their copies.
    pub fn values(
        &mut self,
        store: &mut TermStore,
        symbols: &[SymbolId],
        copies: &[SymbolId],
    ) -> Vec<(SymbolId, Value)> {
        let pairs = symbols.iter().zip(copies);
        pairs.map(|(&symbol, &copy)| (symbol, self.value(store, copy))).collect()
    }

    fn value(&mut self, store: &mut TermStore, symbol: SymbolId) -> Value {
        let sort = store.symbol(symbol).sort;
        let term = store.mk_symbol(symbol);
        let value = self.solver.values(store, &[term]).pop().flatten();
        if let (Sort::Function { .. }, None) = (store.sort(sort), &value) {
            return self.table(store, symbol).into();
        }
        value.unwrap_or_else(|| Model::new().default_value(store, sort))
    }

    /// A memory that the solver has no table of, as far as the question has looked at it place by place. Comparisons of whole memories
    /// look at others, too.
    fn table(&mut self, store: &mut TermStore, memory: SymbolId) -> FunctionTable {
        let head = store.mk_symbol(memory);
        let Value::Function(table) = Model::new().default_value(store, store.symbol(memory).sort) else {
            unreachable!("the default of a function is one")
        };
        let mut table = *table;
        for term in store.subterms_of_all(self.assumed.iter().copied()) {
            if *store.op(term) != Op::Apply || store.args(term)[0] != head {
                continue;
            }
            let place: Option<Vec<Value>> =
                self.solver.values(store, &store.args(term)[1..]).into_iter().collect();
            let value = self.solver.values(store, &[term]).pop().flatten();
            if let (Some(place), Some(value)) = (place, value) {
                table.set(place, value);
            }
        }
        table
    }
}

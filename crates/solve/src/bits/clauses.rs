//! Gates as clauses of a SAT solver, each when it is first needed.

use cadical::{Callbacks, Solver};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::gates::{Bit, Gate, Gates};
use crate::Effort;

/// When the solver has to stop.
#[derive(Default)]
pub struct Limit {
    pub deadline: Option<Instant>,
    /// When this becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// After this much work.
    pub effort: Option<Effort>,
    /// What was done since the limit was set.
    pub spent: Effort,
}

/// The solver polls about every ten decisions, at moments that depend on the problem alone.
const EFFORT_PER_POLL: Effort = Effort::units(6);
/// A conflict takes as long as hundreds of decisions.
const EFFORT_PER_CONFLICT: Effort = Effort::units(200);

impl Limit {
    /// Is it time to stop?
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.effort.is_some_and(|effort| self.spent >= effort)
    }
}

impl Callbacks for Limit {
    fn terminate(&mut self) -> bool {
        self.spent = self.spent + EFFORT_PER_POLL;
        self.is_over()
    }

    fn max_length(&self) -> i32 {
        i32::MAX
    }

    /// There is a conflict behind each clause that is learnt.
    fn learn(&mut self, _: &[i32]) {
        self.spent = self.spent + EFFORT_PER_CONFLICT;
    }
}

/// A SAT solver that knows some gates.
pub struct Clauses {
    pub solver: Solver<Limit>,
    /// The variable of each gate, zero if it has none yet.
    variables: Vec<i32>,
    last: i32,
}

impl Clauses {
    pub fn new() -> Clauses {
        let mut solver = Solver::new();
        solver.set_callbacks(Some(Limit::default()));
        Clauses { solver, variables: Vec::new(), last: 0 }
    }

    pub fn len(&self) -> usize {
        self.last as usize
    }

    /// A variable that stands for nothing yet.
    pub fn fresh(&mut self) -> i32 {
        self.last += 1;
        self.last
    }

    /// The literal of a bit that is no constant; its gates are in the solver from now on.
    pub fn literal(&mut self, gates: &Gates, bit: Bit) -> i32 {
        self.variables.resize(gates.len(), 0);
        let mut todo = vec![bit.gate()];
        while let Some(&number) = todo.last() {
            if self.variables[number] != 0 {
                todo.pop();
                continue;
            }
            let before = todo.len();
            let open = gates.gate(number).operands().map(Bit::gate);
            todo.extend(open.filter(|&operand| self.variables[operand] == 0));
            if todo.len() == before {
                todo.pop();
                self.variables[number] = self.fresh();
                self.define(gates.gate(number), self.variables[number]);
            }
        }
        self.signed(bit)
    }

    /// The value in the last model, if the gate is in the solver.
    pub fn value(&self, gate: usize) -> Option<bool> {
        let variable = *self.variables.get(gate)?;
        if variable == 0 { None } else { Some(self.solver.value(variable).unwrap_or(false)) }
    }

    fn signed(&self, bit: Bit) -> i32 {
        let variable = self.variables[bit.gate()];
        if bit.is_negated() { -variable } else { variable }
    }

    fn define(&mut self, gate: Gate, it: i32) {
        match gate {
            Gate::False => self.solver.add_clause([-it]),
            Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (self.signed(a), self.signed(b));
                self.solver.add_clause([-it, a]);
                self.solver.add_clause([-it, b]);
                self.solver.add_clause([it, -a, -b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.signed(a), self.signed(b));
                for clause in [[-it, a, b], [-it, -a, -b], [it, -a, b], [it, a, -b]] {
                    self.solver.add_clause(clause);
                }
            }
            Gate::Mux(c, a, b) => {
                let (c, a, b) = (self.signed(c), self.signed(a), self.signed(b));
                for clause in
                    [[-c, -it, a], [-c, it, -a], [c, -it, b], [c, it, -b], [-a, -b, it], [a, b, -it]]
                {
                    self.solver.add_clause(clause);
                }
            }
        }
    }
}

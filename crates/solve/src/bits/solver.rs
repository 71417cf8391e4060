//! The solver for bits: scopes, assumptions, cores, values.

use num_bigint::BigUint;
use std::time::Instant;
use tenet_term::{BitVec, FunctionTable, Op, Sort, SortId, TermId, TermStore, Value};

use super::blast::{Blaster, bits_of, is_of_bits};
use super::clauses::{Clauses, Limit};
use super::gates::{Bit, Gate};
use crate::questions::{self, Asserted};
use crate::{Answer, Effort, Limits, Solver, Statistics};

/// Charged for a check besides its search.
const EFFORT_PER_CHECK: Effort = Effort::units(20);
/// Charged for a gate that is new to the solver.
const EFFORT_PER_GATE: Effort = Effort::units(2);

/// CaDiCaL, for terms over truth values, bit-vectors and small memories. Every call must pass the same store, which may
/// have grown.
///
/// ```
/// use tenet_solve::{Answer, BitSolver, Solver};
/// use tenet_term::{BvOp, Role, TermStore};
///
/// let mut store = TermStore::new();
/// let byte = store.bitvec_sort(8);
/// let x = store.declare("x", byte, Role::State);
/// let x = store.mk_symbol(x);
/// let square = store.mk_bv(BvOp::Mul, &[x, x]);
/// let two = store.mk_bitvec(8, 2u8);
/// let is_two = store.mk_eq(square, two);
/// assert_eq!(BitSolver::new().check(&store, &[is_two]), Answer::Unsat);
/// ```
pub struct BitSolver {
    blaster: Blaster,
    clauses: Clauses,
    asserted: Asserted,
    /// The switch of each open scope.
    scopes: Vec<i32>,
    /// The literals of the last check, each with the assumption it stands for; `None` for a constant.
    assumed: Vec<(Option<i32>, TermId)>,
    /// The assumption that was visibly false in the last check.
    falsehood: Option<TermId>,
    /// Was false asserted in a scope that is still open? The number of scopes at that time.
    contradiction: Option<usize>,
    limits: Limits,
    statistics: Statistics,
    /// How many gates the meter was charged for.
    charged: usize,
}

impl Default for BitSolver {
    fn default() -> BitSolver {
        BitSolver::new()
    }
}

impl BitSolver {
    #[must_use]
    pub fn new() -> BitSolver {
        BitSolver {
            blaster: Blaster::new(),
            clauses: Clauses::new(),
            asserted: Asserted::new(),
            scopes: Vec::new(),
            assumed: Vec::new(),
            falsehood: None,
            contradiction: None,
            limits: Limits::default(),
            statistics: Statistics::default(),
            charged: 0,
        }
    }

    pub fn understands(store: &TermStore, term: TermId) -> bool {
        is_of_bits(store, term)
    }

    /// The literal of a formula; a constant otherwise.
    fn literal(&mut self, store: &TermStore, formula: TermId) -> Result<i32, bool> {
        let bit = self.blaster.word(store, formula)[0];
        match bit.as_constant() {
            Some(value) => Err(value),
            None => Ok(self.clauses.literal(&self.blaster.gates, bit)),
        }
    }

    fn limit(&mut self, start: Instant) {
        let deadline = self.limits.timeout.map(|timeout| start + timeout);
        let interrupt = self.limits.interrupt.clone();
        let effort = self.limits.effort;
        if let Some(limit) = self.clauses.solver.get_callbacks() {
            *limit = Limit { deadline, interrupt, effort, spent: Effort::default() };
        }
    }

    /// Tells the meter what the last check took.
    fn charge(&mut self) -> Effort {
        let limit = self.clauses.solver.get_callbacks();
        let search = limit.map_or(Effort::default(), |limit| std::mem::take(&mut limit.spent));
        let gates = self.clauses.len() - std::mem::replace(&mut self.charged, self.clauses.len());
        let spent = EFFORT_PER_CHECK + EFFORT_PER_GATE.times(gates as u64) + search;
        if let Some(meter) = &self.limits.meter {
            meter.charge(spent);
        }
        spent
    }

    fn solve(&mut self, store: &TermStore, assumptions: &[TermId], start: Instant) -> Answer {
        for &formula in assumptions {
            let literal = match self.literal(store, formula) {
                Ok(literal) => Some(literal),
                Err(true) => None,
                Err(false) => {
                    self.falsehood = Some(formula);
                    return Answer::Unsat;
                }
            };
            self.assumed.push((literal, formula));
        }
        if self.contradiction.is_some() {
            return Answer::Unsat;
        }
        self.limit(start);
        // An interrupted solver must not look for an answer at all.
        if self.clauses.solver.get_callbacks().is_some_and(|limit| limit.is_over()) {
            return Answer::Unknown("there is no time left".to_owned());
        }
        let literals = self.assumed.iter().filter_map(|(literal, _)| *literal);
        match self.clauses.solver.solve_with(literals.chain(self.scopes.iter().copied())) {
            Some(true) => Answer::Sat,
            Some(false) => Answer::Unsat,
            None => Answer::Unknown("it took too long".to_owned()),
        }
    }

    /// The values of bits in the last model; what the solver has not been told of follows from its inputs, which are free.
    fn bits(&mut self, word: &[Bit], computed: &mut Computed) -> Vec<bool> {
        word.iter().map(|&bit| computed.gate(self, bit.gate()) ^ bit.is_negated()).collect()
    }
}

/// Gates that the solver does not know, computed from those that it knows.
#[derive(Default)]
struct Computed {
    values: rustc_hash::FxHashMap<usize, bool>,
}

impl Computed {
    fn gate(&mut self, solver: &BitSolver, gate: usize) -> bool {
        let mut todo = vec![gate];
        while let Some(&number) = todo.last() {
            if self.known(solver, number).is_some() {
                todo.pop();
                continue;
            }
            let before = todo.len();
            let operands = solver.blaster.gates.gate(number).operands().map(Bit::gate);
            todo.extend(operands.filter(|&operand| self.known(solver, operand).is_none()));
            if todo.len() == before {
                let value = self.compute(solver, number);
                self.values.insert(number, value);
            }
        }
        self.known(solver, gate).expect("invariant: it has just been computed")
    }

    fn known(&self, solver: &BitSolver, gate: usize) -> Option<bool> {
        solver.clauses.value(gate).or_else(|| self.values.get(&gate).copied())
    }

    fn compute(&self, solver: &BitSolver, number: usize) -> bool {
        let value = |bit: Bit| {
            let gate = self.known(solver, bit.gate()).expect("invariant: operands come first");
            gate ^ bit.is_negated()
        };
        match solver.blaster.gates.gate(number) {
            Gate::False | Gate::Input => false,
            Gate::And(a, b) => value(a) && value(b),
            Gate::Xor(a, b) => value(a) ^ value(b),
            Gate::Mux(c, a, b) => {
                if value(c) {
                    value(a)
                } else {
                    value(b)
                }
            }
        }
    }
}

impl Solver for BitSolver {
    fn name(&self) -> String {
        format!("{} (in process)", self.clauses.solver.signature())
    }

    fn push(&mut self) {
        let scope = self.clauses.fresh();
        self.scopes.push(scope);
        self.asserted.push();
    }

    fn pop(&mut self) {
        let scope = self.scopes.pop().expect("invariant: there is a scope to close");
        self.clauses.solver.add_clause([-scope]);
        self.asserted.pop();
        self.contradiction = self.contradiction.filter(|&scopes| scopes <= self.scopes.len());
    }

    fn assert(&mut self, store: &TermStore, formula: TermId) {
        self.asserted.assert(formula);
        // A disjunction is a clause, which needs no gates of its own.
        let is_clause = *store.op(formula) == Op::Or;
        let parts = if is_clause { store.args(formula) } else { &[formula] };
        let mut clause: Vec<i32> = Vec::with_capacity(parts.len() + 1);
        for &part in parts {
            match self.literal(store, part) {
                Ok(literal) => clause.push(literal),
                Err(true) => return,
                Err(false) => {}
            }
        }
        if clause.is_empty() {
            let scopes = self.scopes.len();
            self.contradiction = Some(self.contradiction.map_or(scopes, |known| known.min(scopes)));
            return;
        }
        clause.extend(self.scopes.last().map(|scope| -scope));
        self.clauses.solver.add_clause(clause);
    }

    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Answer {
        let start = Instant::now();
        self.assumed.clear();
        self.falsehood = None;
        let answer = self.solve(store, assumptions, start);
        let spent = self.charge();
        self.statistics.calls += 1;
        self.statistics.seconds += start.elapsed().as_secs_f64();
        let text = || self.asserted.question(store, assumptions);
        questions::log("cadical", &answer, Some(spent), start, text);
        answer
    }

    fn core(&mut self) -> Vec<TermId> {
        if let Some(formula) = self.falsehood {
            return vec![formula];
        }
        if self.contradiction.is_some() {
            return Vec::new();
        }
        let is_used =
            |literal: &Option<i32>| literal.is_some_and(|literal| self.clauses.solver.failed(literal));
        self.assumed.iter().filter(|(literal, _)| is_used(literal)).map(|&(_, formula)| formula).collect()
    }

    fn values(&mut self, store: &TermStore, terms: &[TermId]) -> Vec<Option<Value>> {
        let words: Vec<Vec<Bit>> = terms.iter().map(|&term| self.blaster.word(store, term)).collect();
        let mut computed = Computed::default();
        let words: Vec<Vec<bool>> = words.iter().map(|word| self.bits(word, &mut computed)).collect();
        terms.iter().zip(words).map(|(&term, bits)| Some(value(store, store.sort_of(term), &bits))).collect()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn limits(&self) -> Limits {
        self.limits.clone()
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

fn value(store: &TermStore, sort: SortId, bits: &[bool]) -> Value {
    match store.sort(sort) {
        Sort::Bool => Value::Bool(bits[0]),
        Sort::Function { args, result } => {
            let (address, entry) = (args[0], *result);
            let width = bits_of(store, entry).expect("invariant: entries are words");
            let mut table = FunctionTable::new(value(store, entry, &vec![false; width]));
            for (position, bits) in bits.chunks(width).enumerate() {
                let place = place(store, address, position);
                table.set(vec![place], value(store, entry, bits));
            }
            table.into()
        }
        _ => Value::BitVec(vector(bits)),
    }
}

/// A number as a place of a memory.
fn place(store: &TermStore, sort: SortId, position: usize) -> Value {
    let width = bits_of(store, sort).expect("invariant: places are words");
    let bits: Vec<bool> = (0..width).map(|bit| position >> bit & 1 == 1).collect();
    value(store, sort, &bits)
}

fn vector(bits: &[bool]) -> BitVec {
    let mut number = BigUint::default();
    for (position, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
        number.set_bit(position as u64, true);
    }
    BitVec::new(bits.len() as u32, number)
}

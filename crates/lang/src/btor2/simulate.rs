//! Runs a document, cycle by cycle, given its inputs and the initial values of uninitialised states.
//!
//! It evaluates the lines themselves, not the transition system that engines see, with arithmetic of its own. So a run that
//! replays here depends neither on the engines nor on the translation to terms.

use super::arithmetic;
use super::document::{Document, Item, Operand, Position, Sort};
use super::initial;
use super::op::Op;
use super::value::{Memory, Value};
use std::collections::BTreeMap;

/// Values by line.
pub type Values = BTreeMap<Position, Value>;

/// The choices in a run; everything not mentioned is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Initial values of states without an `init`.
    pub first: Values,
    /// For each cycle, its inputs and, from the second cycle on, the values of states without a next value.
    pub cycles: Vec<Values>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    values: Vec<Option<Value>>,
}

/// Why a run is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    NoCycle,
    /// The constraint at this line is violated in this cycle.
    Constraint(Position, usize),
}

#[derive(Clone, Debug)]
pub struct Simulator<'d> {
    document: &'d Document,
    first: Vec<Option<Operand>>,
    next: Vec<Option<Operand>>,
    constraints: Vec<(Position, Operand)>,
    bads: Vec<Operand>,
}

impl<'d> Simulator<'d> {
    pub fn new(document: &'d Document) -> Simulator<'d> {
        Simulator {
            document,
            first: document.initial_values(),
            next: document.next_values(),
            constraints: document.constraints().collect(),
            bads: document.bads().map(|(_, operand)| operand).collect(),
        }
    }

    /// The states of the first cycle.
    pub fn start(&self, chosen: &Values) -> Values {
        let mut values = vec![None; self.document.lines.len()];
        for state in self.document.states().filter(|&state| self.first[state].is_none()) {
            values[state] = Some(self.chosen(state, chosen));
        }
        for line in initial::order(self.document) {
            let value = match self.first[line] {
                Some(first) => self.filled(line, self.read(&values, first)),
                None if values[line].is_some() => continue,
                None => self.compute(&values, line),
            };
            values[line] = Some(value);
        }
        let states = self.document.states();
        states.filter_map(|state| Some((state, values[state].take()?))).collect()
    }

    pub fn cycle(&self, states: &Values, inputs: &Values) -> Cycle {
        let mut values: Vec<Option<Value>> = vec![None; self.document.lines.len()];
        for line in 0..values.len() {
            let Item::Node(node) = &self.document.lines[line].item else { continue };
            values[line] = Some(match node.op {
                Op::State => self.chosen(line, states),
                Op::Input => self.chosen(line, inputs),
                _ => self.compute(&values, line),
            });
        }
        Cycle { values }
    }

    /// The states of the next cycle; those without a next value are chosen.
    pub fn step(&self, cycle: &Cycle, chosen: &Values) -> Values {
        let states = self.document.states().map(|state| {
            let value = match self.next[state] {
                Some(next) => self.read(&cycle.values, next),
                None => self.chosen(state, chosen),
            };
            (state, value)
        });
        states.collect()
    }

    /// All cycles of a run, if the constraints hold in each of them.
    pub fn replay(&self, run: &Run) -> Result<Vec<Cycle>, Obstacle> {
        let mut states = self.start(&run.first);
        let mut cycles: Vec<Cycle> = Vec::new();
        for (number, chosen) in run.cycles.iter().enumerate() {
            if let Some(last) = cycles.last() {
                states = self.step(last, chosen);
            }
            let cycle = self.cycle(&states, chosen);
            if let Some(line) = self.violated(&cycle) {
                return Err(Obstacle::Constraint(line, number));
            }
            cycles.push(cycle);
        }
        if cycles.is_empty() { Err(Obstacle::NoCycle) } else { Ok(cycles) }
    }

    /// The first constraint that is violated in a cycle.
    pub fn violated(&self, cycle: &Cycle) -> Option<Position> {
        let violated = self.constraints.iter().find(|(_, operand)| !self.is_one(cycle, *operand));
        violated.map(|(line, _)| *line)
    }

    /// The `bad` lines that are one in a cycle, numbered from zero.
    pub fn bads(&self, cycle: &Cycle) -> Vec<usize> {
        (0..self.bads.len()).filter(|&bad| self.is_one(cycle, self.bads[bad])).collect()
    }

    fn is_one(&self, cycle: &Cycle, operand: Operand) -> bool {
        self.read(&cycle.values, operand).word().bit(0)
    }

    fn chosen(&self, line: Position, chosen: &Values) -> Value {
        chosen.get(&line).cloned().unwrap_or_else(|| Value::zero(self.document.node(line).sort))
    }

    /// The value of a state, where a single element initialises a whole array.
    fn filled(&self, state: Position, value: Value) -> Value {
        match (self.document.node(state).sort, value) {
            (Sort::Array { .. }, Value::Word(element)) => Value::Memory(Memory::new(element)),
            (_, value) => value,
        }
    }

    fn compute(&self, values: &[Option<Value>], line: Position) -> Value {
        let node = self.document.node(line);
        let args: Vec<Value> = node.args.iter().map(|&arg| self.read(values, arg)).collect();
        let sorts = node.args.iter().map(|&arg| self.document.sort(arg));
        let args: Vec<(&Value, Sort)> = args.iter().zip(sorts).collect();
        arithmetic::apply(&node.op, &args)
    }

    fn read(&self, values: &[Option<Value>], operand: Operand) -> Value {
        let value = values[operand.line].as_ref().expect("invariant: operands have values first");
        match (operand.negated, self.document.sort(operand)) {
            (true, Sort::Bits(width)) => Value::Word(arithmetic::complement(value.word(), width)),
            _ => value.clone(),
        }
    }
}

impl Cycle {
    /// The value of a line that has one.
    pub fn value(&self, line: Position) -> Option<&Value> {
        self.values.get(line)?.as_ref()
    }
}

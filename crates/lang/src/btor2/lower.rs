//! A document as a transition system: a circuit with one startstate and one rule.
//!
//! Lines become terms in their order, so operands are there when they are needed. Registers without an initial value begin with a
//! parameter of the startstate, registers without a next value get a parameter of the rule in each cycle. A property is
//! `forall inputs. constraints -> !bad`: `bad` may depend on the inputs of the same cycle, and counts only if these satisfy the
//! constraints. Constraints of earlier cycles are the rule's guard.

use super::document::{Document, Item, Node, Operand, Position, Sort};
use super::op::{Op, Plain};
use super::{initial, operators};
use crate::span::Span;
use std::collections::{HashMap, HashSet};
use tenet_system::finite::program::Source;
use tenet_system::{Bounds, Predicate, Property, PropertyKind, Rule, Start, StateVar, System};
use tenet_term::{Building, Role, Substituter, Substitution, SymbolId, TermId};

/// A document's transition system and how the two correspond.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub system: System,
    /// Each register, in the order of [`System::state`].
    pub registers: Vec<Register>,
    /// Each input, in the order of the rule's parameters: the line, and the symbol.
    pub inputs: Vec<(Position, SymbolId)>,
    /// Each `output` line, with its value in the current cycle.
    pub outputs: Vec<(Position, TermId)>,
    /// For each property, the first operand of the negated conjunction, if it is one. Yosys writes the enable signal of an
    /// assertion there.
    pub enables: Vec<Option<TermId>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Register {
    pub line: Position,
    /// The symbol of the system's state.
    pub symbol: SymbolId,
    /// The parameter of the startstate, if there is no initial value.
    pub initial: Option<SymbolId>,
    /// The parameter of the rule, if there is no next value.
    pub next: Option<SymbolId>,
}

pub fn lower(document: &Document) -> Lowered {
    let mut lowering = Lowering::new(document);
    lowering.symbols();
    lowering.now();
    lowering.start();
    lowering.step();
    lowering.properties();
    lowering.branches();
    lowering.lowered
}

struct Lowering<'d> {
    document: &'d Document,
    lowered: Lowered,
    /// The value of each line in the current cycle.
    now: Vec<Option<TermId>>,
    names: HashSet<String>,
    first: Vec<Option<Operand>>,
    next: Vec<Option<Operand>>,
}

impl<'d> Lowering<'d> {
    fn new(document: &'d Document) -> Lowering<'d> {
        Lowering {
            document,
            lowered: Lowered {
                system: System::default(),
                registers: Vec::new(),
                inputs: Vec::new(),
                outputs: Vec::new(),
                enables: Vec::new(),
            },
            now: vec![None; document.lines.len()],
            names: HashSet::new(),
            first: document.initial_values(),
            next: document.next_values(),
        }
    }

    /// A name that is not in use yet.
    fn unique(&mut self, position: Position) -> String {
        let id = self.document.lines[position].id;
        let mut name = self.document.name(position);
        while !self.names.insert(name.clone()) {
            name = format!("{name}#{id}");
        }
        name
    }

    fn declare(&mut self, name: &str, sort: Sort, role: Role) -> SymbolId {
        let store = &mut self.lowered.system.store;
        let sort = operators::sort(store, sort);
        store.declare(name, sort, role)
    }

    /// Declares registers and inputs.
    fn symbols(&mut self) {
        for line in self.document.states() {
            let (name, sort) = (self.unique(line), self.document.node(line).sort);
            let symbol = self.declare(&name, sort, Role::State);
            let initial = self.first[line].is_none().then(|| self.declare(&name, sort, Role::Initial));
            let args = match sort {
                Sort::Bits(_) => Vec::new(),
                Sort::Array { .. } => vec![Bounds::default()],
            };
            self.lowered.system.state.push(StateVar { symbol, args, value: Bounds::default() });
            self.lowered.registers.push(Register { line, symbol, initial, next: None });
            self.now[line] = Some(self.lowered.system.store.mk_symbol(symbol));
        }
        for line in self.document.inputs() {
            let (name, sort) = (self.unique(line), self.document.node(line).sort);
            let symbol = self.declare(&name, sort, Role::Input);
            self.lowered.inputs.push((line, symbol));
            self.now[line] = Some(self.lowered.system.store.mk_symbol(symbol));
        }
        for number in 0..self.lowered.registers.len() {
            let register = self.lowered.registers[number];
            let line = register.line;
            if self.next[line].is_none() {
                let mut name = self.lowered.system.store.symbol(register.symbol).name.clone();
                while !self.names.insert(name.clone()) {
                    name.push('\'');
                }
                let next = self.declare(&name, self.document.node(line).sort, Role::Input);
                self.lowered.registers[number].next = Some(next);
            }
        }
    }

    /// The value of each line in the current cycle.
    fn now(&mut self) {
        for line in 0..self.document.lines.len() {
            if let (Item::Node(node), None) = (&self.document.lines[line].item, self.now[line]) {
                let args: Vec<TermId> = node.args.iter().map(|&arg| self.operand(arg)).collect();
                let value = operators::build(&mut self.lowered.system.store, &node.op, node.sort, &args);
                self.now[line] = Some(value);
            }
            if let Item::Output(operand) = self.document.lines[line].item {
                let value = self.operand(operand);
                self.lowered.outputs.push((line, value));
            }
        }
    }

    fn operand(&mut self, operand: Operand) -> TermId {
        let value = self.now[operand.line].expect("invariant: operands stand above");
        if operand.negated { operators::complement(&mut self.lowered.system.store, value) } else { value }
    }

    /// The startstate. Lines that initial values need have other values there than later.
    fn start(&mut self) {
        let mut values: HashMap<Position, TermId> = HashMap::new();
        let store = &mut self.lowered.system.store;
        for register in &self.lowered.registers {
            if let Some(initial) = register.initial {
                values.insert(register.line, store.mk_symbol(initial));
            }
        }
        let read =
            |store: &mut tenet_term::TermStore, values: &HashMap<Position, TermId>, operand: Operand| {
                let value = values[&operand.line];
                if operand.negated { operators::complement(store, value) } else { value }
            };
        for line in initial::order(self.document) {
            let node = self.document.node(line);
            let value = match (&node.op, self.first[line]) {
                (Op::State, None) => continue,
                (Op::State, Some(first)) => {
                    let value = read(store, &values, first);
                    filled(store, node, self.document.sort(first), value)
                }
                _ => {
                    let args: Vec<TermId> = node.args.iter().map(|&arg| read(store, &values, arg)).collect();
                    operators::build(store, &node.op, node.sort, &args)
                }
            };
            values.insert(line, value);
        }
        let mut start = Start {
            name: "start".to_string(),
            source: Source::default(),
            params: self.lowered.registers.iter().filter_map(|register| register.initial).collect(),
            constraint: TermId::TRUE,
            values: Vec::new(),
        };
        start.values = self.lowered.registers.iter().map(|register| values[&register.line]).collect();
        self.lowered.system.starts.push(start);
    }

    fn step(&mut self) {
        let document = self.document;
        let constraints: Vec<TermId> =
            document.constraints().map(|(_, operand)| self.operand(operand)).collect();
        let guard = self.lowered.system.store.mk_and(constraints);
        let mut params: Vec<SymbolId> = self.lowered.inputs.iter().map(|(_, symbol)| *symbol).collect();
        let shown_params = params.len();
        let mut updates = Vec::new();
        for register in self.lowered.registers.clone() {
            let value = match self.next[register.line] {
                Some(next) => self.operand(next),
                None => {
                    let next = register.next.expect("invariant: a register has a next value or a parameter");
                    params.push(next);
                    self.lowered.system.store.mk_symbol(next)
                }
            };
            updates.push((register.symbol, value));
        }
        let (name, source) = ("step".to_string(), Source::default());
        self.lowered.system.rules.push(Rule { name, source, params, shown_params, guard, updates });
    }

    /// The first operand of a conjunction.
    fn enable(&mut self, bad: Operand) -> Option<TermId> {
        let node = self.document.node(bad.line);
        let is_conjunction = !bad.negated && node.op == Op::Plain(Plain::And);
        let first = *node.args.first().filter(|_| is_conjunction)?;
        Some(self.operand(first))
    }

    /// One property for each `bad`. The shared part is substituted once.
    fn properties(&mut self) {
        let guard = self.lowered.system.rules[0].guard;
        let bads: Vec<(Position, Operand)> = self.document.bads().collect();
        self.lowered.enables = bads.iter().map(|(_, operand)| self.enable(*operand)).collect();
        let bads: Vec<(Position, TermId)> =
            bads.into_iter().map(|(line, operand)| (line, self.operand(operand))).collect();
        let store = &mut self.lowered.system.store;
        let mut bound = Vec::new();
        let mut pairs = Vec::new();
        for &(_, input) in &self.lowered.inputs {
            let (name, sort) = (store.symbol(input).name.clone(), store.symbol(input).sort);
            let symbol = store.declare(&name, sort, Role::Bound);
            bound.push(symbol);
            pairs.push((input, store.mk_symbol(symbol)));
        }
        let substitution = Substitution::from_pairs(store, pairs);
        let mut substituter = Substituter::new(store, &substitution, Building::Smart);
        let guard = substituter.apply(store, guard);
        for ((line, bad), name) in bads.into_iter().zip(self.document.property_names()) {
            let bad = substituter.apply(store, bad);
            let good = store.mk_not(bad);
            let formula = store.mk_implies(guard, good);
            let formula = store.mk_forall(&bound, formula);
            let source = source(self.document.lines[line].place.span);
            let kind = PropertyKind::Invariant;
            self.lowered.system.properties.push(Property { name, source, kind, formula });
        }
    }

    /// The conditions that next values depend on (Clarke et al., section 4.1).
    fn branches(&mut self) {
        let document = self.document;
        let mut matters = vec![false; document.lines.len()];
        self.next.iter().flatten().for_each(|next| matters[next.line] = true);
        for line in (0..document.lines.len()).rev() {
            if let (true, Item::Node(node)) = (matters[line], &document.lines[line].item) {
                node.args.iter().for_each(|arg| matters[arg.line] = true);
            }
        }
        let mut known = HashSet::new();
        for line in (0..document.lines.len()).filter(|&line| matters[line]) {
            let Item::Node(Node { op: Op::Plain(Plain::Ite), args, .. }) = &document.lines[line].item else {
                continue;
            };
            let condition = &document.lines[args[0].line];
            let formula = self.now[args[0].line].expect("invariant: operands stand above");
            if formula.is_bool_literal() || !known.insert(formula) {
                continue;
            }
            let name = condition.symbol.clone().unwrap_or_else(|| format!("line {}", condition.id));
            let source = source(condition.place.span);
            self.lowered.system.branches.push(Predicate { name, source, formula });
        }
    }
}

/// The value of a state, where a single element initialises a whole array.
fn filled(store: &mut tenet_term::TermStore, state: &Node, found: Sort, value: TermId) -> TermId {
    match state.sort {
        Sort::Array { index, .. } if found != state.sort => operators::constant_array(store, index, value),
        _ => value,
    }
}

fn source(span: Span) -> Source {
    Source { start: span.start, end: span.end }
}

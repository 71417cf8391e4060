//! Lowering to a program: clauses, entailments and the transition system, over terms.

use super::alternatives::{Alternative, alternatives};
use super::ast::File;
use super::hir::{self, Formula, Item, ItemKind, Scope};
use super::process;
use super::resolve::resolve;
use super::signatures::Signatures;
use super::sorts::{Shape, infer};
use super::terms::Builder;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use tenet_system::finite::program::Source;
use tenet_system::recursive::{
    Abstraction, Atom, Clause, Entailment, Goal, Predicate, Process, Program, Safety, State, Transition,
};
use tenet_term::{Role, SortId, SymbolId, TermId, TermStore};

/// The program; `None` after errors.
pub fn lower(file: &File, found: &mut Vec<Diagnostic>) -> Option<Program> {
    let signatures = Signatures::of(file);
    let items = resolve(file, &signatures, found);
    let process = process::check(file, &items, found);
    let sorts = infer(&signatures, &items, found);
    if found.iter().any(Diagnostic::is_error) {
        return None;
    }
    let mut store = TermStore::new();
    let array = store.function_sort(&[SortId::INT], SortId::INT);
    let mut lowering =
        Lowering { store, array, process, names: given_names(&items), numbers: BTreeMap::new() };
    let arguments: Vec<Vec<SortId>> = sorts
        .arguments
        .iter()
        .map(|shapes| shapes.iter().map(|&shape| lowering.sort(shape)).collect())
        .collect();
    let mut program = Program::default();
    for (position, signature) in signatures.all.iter().enumerate() {
        let (name, source) = (signature.name.clone(), source(signature.span));
        let sorts = arguments[position].clone();
        match process == Some(position) {
            true => program.process = Some(lowering.process(name, sorts)),
            false => program.predicates.push(Predicate { name, source, sorts, rules: Vec::new() }),
        }
    }
    for (item, shapes) in items.iter().zip(&sorts.variables) {
        lowering.item(&mut program, item, shapes);
    }
    if let Some(process) = &mut program.process {
        process.parameters = parameters(&mut lowering.store, process);
    }
    program.store = lowering.store;
    Some(program)
}

fn source(span: Span) -> Source {
    Source { start: span.start, end: span.end }
}

/// The names in quotes, which generated names must not repeat.
fn given_names(items: &[Item]) -> BTreeSet<String> {
    items.iter().filter_map(|item| item.name.as_ref()).map(|name| name.text.clone()).collect()
}

struct Lowering {
    store: TermStore,
    array: SortId,
    process: Option<usize>,
    /// The names in use.
    names: BTreeSet<String>,
    /// The number of items of each kind so far.
    numbers: BTreeMap<&'static str, usize>,
}

/// The name of one of several cases.
fn in_case(name: &str, case: Option<usize>) -> String {
    match case {
        Some(case) => format!("{name}, case {case}"),
        None => name.to_string(),
    }
}

impl Lowering {
    fn sort(&self, shape: Shape) -> SortId {
        match shape {
            Shape::Integer => SortId::INT,
            Shape::Array => self.array,
        }
    }

    /// The transition system, still empty.
    fn process(&self, name: String, sorts: Vec<SortId>) -> Process {
        let goal = Goal { atoms: Vec::new(), constraint: self.store.mk_bool(true) };
        let start = State { source: Source::default(), variables: Vec::new(), args: Vec::new(), goal };
        Process {
            name,
            sorts,
            parameters: Vec::new(),
            transitions: Vec::new(),
            start,
            abstractions: Vec::new(),
            properties: Vec::new(),
        }
    }

    fn item(&mut self, program: &mut Program, item: &Item, shapes: &[Shape]) {
        match &item.kind {
            ItemKind::Rule { head, body, scope } => {
                let symbols = self.symbols(scope, shapes, |_| Role::Bound);
                match self.process == Some(head.predicate) {
                    true => self.transitions(known_process(program), item, head, body, &symbols),
                    false => {
                        let rules = &mut program.predicates[self.position(head.predicate)].rules;
                        for (_, alternative) in cases(body) {
                            rules.push(self.clause(item, head, &alternative, &symbols));
                        }
                    }
                }
            }
            ItemKind::Entailment { is_property, left, right, scope, universal } => {
                let role = |position| if position < *universal { Role::Index } else { Role::Bound };
                let symbols = self.symbols(scope, shapes, role);
                let sides = Sides { left, right, symbols: &symbols, universal: *universal };
                match is_property {
                    false => self.entailment(program, item, &sides),
                    true => self.safety(known_process(program), item, &sides),
                }
            }
            ItemKind::Start(state) => {
                let start = self.state(state, shapes, item.span);
                known_process(program).start = start;
            }
            ItemKind::Abstract(at, by) => {
                let (here, there) = shapes.split_at(at.scope.len());
                let (at, by) = (self.state(at, here, item.span), self.state(by, there, item.span));
                let name = self.name(item, "abstraction");
                known_process(program).abstractions.push(Abstraction {
                    source: source(item.span),
                    name,
                    at,
                    by,
                });
            }
        }
    }

    /// The index among the predicates, without the transition system.
    fn position(&self, signature: usize) -> usize {
        signature - usize::from(self.process.is_some_and(|process| process < signature))
    }

    fn symbols(&mut self, scope: &Scope, shapes: &[Shape], role: impl Fn(usize) -> Role) -> Vec<SymbolId> {
        let named = scope.iter().zip(shapes).enumerate();
        named
            .map(|(position, (variable, &shape))| {
                let sort = self.sort(shape);
                self.store.declare(&variable.name, sort, role(position))
            })
            .collect()
    }

    /// The given name, or else the number of the item among its kind, unless that name is in use.
    fn name(&mut self, item: &Item, noun: &'static str) -> String {
        let number = self.numbers.entry(noun).or_default();
        *number += 1;
        if let Some(name) = &item.name {
            return name.text.clone();
        }
        let mut number = *number;
        while !self.names.insert(format!("{noun} {number}")) {
            number += 1;
        }
        format!("{noun} {number}")
    }

    // Goals.

    fn terms(&mut self, terms: &[hir::Term], symbols: &[SymbolId]) -> Vec<TermId> {
        let scope = self.scope(symbols);
        Builder { store: &mut self.store, scope: &scope }.terms(terms)
    }

    fn scope(&mut self, symbols: &[SymbolId]) -> Vec<TermId> {
        symbols.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect()
    }

    /// The goal, and the arguments of the transition system in it.
    fn goal(&mut self, alternative: &Alternative<'_>, symbols: &[SymbolId]) -> (Goal, Option<Vec<TermId>>) {
        let (mut atoms, mut state) = (Vec::new(), None);
        for atom in &alternative.atoms {
            let args = self.terms(&atom.args, symbols);
            match self.process == Some(atom.predicate) {
                true => state = Some(args),
                false => atoms.push(Atom { predicate: self.position(atom.predicate), args }),
            }
        }
        let scope = self.scope(symbols);
        let constraints = alternative.constraints.iter().copied();
        let constraint = Builder { store: &mut self.store, scope: &scope }.conjunction(constraints);
        (Goal { atoms, constraint }, state)
    }

    /// The goal of a formula with one alternative, and the arguments of the transition system in it.
    fn only_goal(&mut self, formula: &Formula, symbols: &[SymbolId]) -> (Goal, Option<Vec<TermId>>) {
        let alternative = alternatives(formula).swap_remove(0);
        self.goal(&alternative, symbols)
    }

    /// The symbols that are left after simplification.
    fn occurring<'t>(
        &self,
        symbols: &[SymbolId],
        terms: impl IntoIterator<Item = &'t TermId>,
    ) -> Vec<SymbolId> {
        let parts = self.store.subterms_of_all(terms.into_iter().copied());
        let found: BTreeSet<SymbolId> =
            parts.into_iter().filter_map(|part| self.store.as_symbol(part)).collect();
        symbols.iter().copied().filter(|symbol| found.contains(symbol)).collect()
    }

    // Items.

    fn clause(
        &mut self,
        item: &Item,
        head: &hir::Atom,
        alternative: &Alternative<'_>,
        symbols: &[SymbolId],
    ) -> Clause {
        let head = self.terms(&head.args, symbols);
        let (goal, _) = self.goal(alternative, symbols);
        let variables = self.occurring(symbols, head.iter().chain(terms_of(&goal)));
        let Goal { atoms, constraint } = goal;
        Clause { source: source(item.span), variables, head, constraint, atoms }
    }

    fn transitions(
        &mut self,
        process: &mut Process,
        item: &Item,
        head: &hir::Atom,
        body: &Formula,
        symbols: &[SymbolId],
    ) {
        let name = self.name(item, "rule");
        for (case, alternative) in cases(body) {
            let from = self.terms(&head.args, symbols);
            let (goal, to) = self.goal(&alternative, symbols);
            let to = to.expect("invariant: a transition has a state after it");
            let variables = self.occurring(symbols, from.iter().chain(&to).chain(terms_of(&goal)));
            let (source, name) = (source(item.span), in_case(&name, case));
            process.transitions.push(Transition { source, name, variables, from, goal, to });
        }
    }

    fn state(&mut self, state: &hir::State, shapes: &[Shape], span: Span) -> State {
        let symbols = self.symbols(&state.scope, shapes, |_| Role::Index);
        let (goal, args) = self.only_goal(&state.formula, &symbols);
        let args = args.expect("invariant: it is about a state");
        let variables = self.occurring(&symbols, args.iter().chain(terms_of(&goal)));
        State { source: source(span), variables, args, goal }
    }

    fn entailment(&mut self, program: &mut Program, item: &Item, sides: &Sides<'_>) {
        let name = self.name(item, "entailment");
        for (case, alternative) in cases(sides.left) {
            let (left, _) = self.goal(&alternative, sides.symbols);
            let (right, _) = self.only_goal(sides.right, sides.symbols);
            let (universal, existential) = sides.symbols.split_at(sides.universal);
            let variables = self.occurring(universal, terms_of(&left).chain(terms_of(&right)));
            let existentials = self.occurring(existential, terms_of(&right));
            let (source, name) = (source(item.span), in_case(&name, case));
            program.obligations.push(Entailment { name, source, variables, left, existentials, right });
        }
    }

    fn safety(&mut self, process: &mut Process, item: &Item, sides: &Sides<'_>) {
        let name = self.name(item, "property");
        for (case, alternative) in cases(sides.left) {
            let (goal, args) = self.goal(&alternative, sides.symbols);
            let args = args.expect("invariant: it is about a state");
            let (right, _) = self.only_goal(sides.right, sides.symbols);
            let (universal, existential) = sides.symbols.split_at(sides.universal);
            let terms = args.iter().chain(terms_of(&goal)).chain(terms_of(&right));
            let variables = self.occurring(universal, terms);
            let existentials = self.occurring(existential, terms_of(&right));
            let (source, name) = (source(item.span), in_case(&name, case));
            let state = State { source, variables, args, goal };
            process.properties.push(Safety { source, name, state, existentials, right });
        }
    }
}

/// Lowering of an entailment.
struct Sides<'a> {
    left: &'a Formula,
    right: &'a Formula,
    symbols: &'a [SymbolId],
    /// How many of the symbols occur on the left-hand side.
    universal: usize,
}

fn known_process(program: &mut Program) -> &mut Process {
    program.process.as_mut().expect("invariant: without a transition system nothing speaks of one")
}

/// The alternatives of a formula, numbered from one if there are several.
fn cases(formula: &Formula) -> Vec<(Option<usize>, Alternative<'_>)> {
    let all = alternatives(formula);
    let is_several = all.len() > 1;
    let numbered = all.into_iter().enumerate();
    numbered.map(|(position, alternative)| (is_several.then_some(position + 1), alternative)).collect()
}

fn terms_of(goal: &Goal) -> impl Iterator<Item = &TermId> {
    goal.atoms.iter().flat_map(|atom| &atom.args).chain([&goal.constraint])
}

/// A symbol for each argument of the state, named after the first variable in that position; all names differ.
fn parameters(store: &mut TermStore, process: &Process) -> Vec<SymbolId> {
    let states = process.transitions.iter().map(|transition| &transition.from).chain([&process.start.args]);
    let states: Vec<&Vec<TermId>> = states.collect();
    let mut taken = BTreeSet::new();
    let mut parameters = Vec::new();
    for (place, &sort) in process.sorts.iter().enumerate() {
        let named = |args: &&Vec<TermId>| Some(store.symbol(store.as_symbol(args[place])?).name.clone());
        let base = states.iter().find_map(named).unwrap_or_else(|| format!("A{}", place + 1));
        let (mut name, mut number) = (base.clone(), 1);
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        parameters.push(store.declare(&name, sort, Role::Bound));
    }
    parameters
}

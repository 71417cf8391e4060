//! The checker: resolves names and types, and lowers the syntax tree to terms over declared symbols.
//!
//! The checker makes terms directly, without a typed tree in between: a term knows its sort, and a predicate has no type of its
//! own, so that its body can only be checked where it is used. Errors do not stop it; an erroneous part is left out, so that one
//! run reports all of them.
//!
//! The parts: `declarations` reads types, symbols and options, `apart` finds the process that is the value of no
//! variable, `expressions` makes terms, `updates` reads transitions.

mod apart;
mod declarations;
mod expressions;
mod updates;

use super::ast::{self, Name};
use crate::codes::cubicle as codes;
use crate::diagnostic::{Diagnostic, Explanation};
use crate::span::Span;
use declarations::{Meaning, Type};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};
use tenet_system::Order;
use tenet_term::{Role, SortId, Spelling, SymbolId, TermId, TermStore};

/// The command line's options about the model.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `--const`: values of constants.
    pub consts: Vec<(String, BigInt)>,
    /// `--size`: the number of processes, and of values of types without constructors.
    pub sizes: Vec<(String, u64)>,
    /// Whether types with a size are finite in the system. Instances leave this off: they are made from the system for
    /// every size, whose processes are interchangeable, and set the sizes themselves.
    pub fix_sizes: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Model {
    pub store: TermStore,
    /// Numeric constants without a value.
    pub consts: Vec<SymbolId>,
    /// The state, including constants that are part of it.
    pub state: Vec<SymbolId>,
    /// The order of processes, if the model depends on it.
    pub order: Option<Order>,
    /// The process that is the value of no variable (role `Const`).
    pub apart: Option<SymbolId>,
    pub init: Cube,
    /// Candidate invariants of the author.
    pub invariants: Vec<Cube>,
    pub unsafes: Vec<Cube>,
    pub transitions: Vec<Transition>,
}

/// A formula over some process variables.
#[derive(Clone, Debug)]
pub struct Cube {
    /// The variables (role `Bound`).
    pub variables: Vec<SymbolId>,
    pub formula: TermId,
    pub span: Span,
}

impl Default for Cube {
    fn default() -> Cube {
        Cube { variables: Vec::new(), formula: TermId::TRUE, span: Span::default() }
    }
}

/// A transition with its nondeterministic choices.
#[derive(Clone, Debug)]
pub struct Transition {
    pub name: String,
    /// The participating processes (role `Input`), which are distinct.
    pub processes: Vec<SymbolId>,
    /// Arbitrary new values (role `Input`).
    pub choices: Vec<SymbolId>,
    pub guard: TermId,
    pub updates: Vec<(SymbolId, TermId)>,
    pub span: Span,
}

/// Checks a file. The model is partial if a diagnostic is an error.
pub fn check(tree: &ast::Model, settings: &Settings) -> (Model, Vec<Diagnostic>) {
    let mut checker = Checker::new(tree, settings);
    checker.options();
    checker.number_of_processes();
    checker.types();
    checker.find_apart();
    checker.symbols();
    checker.predicates();
    checker.unused_options();
    checker.init();
    checker.model.invariants = checker.cubes(&tree.invariants);
    checker.model.unsafes = checker.cubes(&tree.unsafes);
    if tree.unsafes.is_empty() {
        let message = "the file has no `unsafe`, so there is nothing to check";
        checker.report(Diagnostic {
            severity: crate::diagnostic::Severity::Warning,
            ..Diagnostic::global(&codes::NOTHING_UNSAFE, message)
        });
    }
    for transition in &tree.transitions {
        checker.transition(transition);
    }
    checker.finish()
}

/// More diagnostics than this are not reported.
const MAX_DIAGNOSTICS: usize = 100;

struct Checker<'t> {
    tree: &'t ast::Model,
    settings: &'t Settings,
    model: Model,
    diagnostics: Vec<Diagnostic>,
    /// `number_procs`, or a fixed size.
    process_count: Option<u32>,
    types: BTreeMap<String, (Type, Option<Span>)>,
    meanings: BTreeMap<String, (Meaning, Span)>,
    predicates: BTreeMap<&'t str, &'t ast::Predicate>,
    /// The name of the process that is the value of no variable.
    apart: Option<&'t str>,
    /// Names in scope, innermost last.
    locals: Vec<(String, TermId)>,
    /// The process variables in scope; a quantifier's variables differ from them.
    processes: Vec<TermId>,
    /// The bound symbols in scope, which no other binder may use.
    bound: Vec<SymbolId>,
    /// Whether process variables are distinct here: everywhere but in `init`.
    distinct: bool,
    /// The macros that are being expanded, outermost first, and the number of expansions so far.
    expanding: Vec<&'t str>,
    expanded: usize,
    /// The arbitrary values of the current transition, and their names.
    choices: Vec<SymbolId>,
    parameter_names: BTreeSet<String>,
}

impl<'t> Checker<'t> {
    fn new(tree: &'t ast::Model, settings: &'t Settings) -> Checker<'t> {
        Checker {
            tree,
            settings,
            model: Model::default(),
            diagnostics: Vec::new(),
            process_count: None,
            types: BTreeMap::new(),
            meanings: BTreeMap::new(),
            predicates: BTreeMap::new(),
            apart: None,
            locals: Vec::new(),
            processes: Vec::new(),
            bound: Vec::new(),
            distinct: true,
            expanding: Vec::new(),
            expanded: 0,
            choices: Vec::new(),
            parameter_names: BTreeSet::new(),
        }
    }

    fn store(&mut self) -> &mut TermStore {
        &mut self.model.store
    }

    /// Reports a diagnostic once, however often the predicate that contains it is expanded.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports an error with a label; always `None`, so that callers can return it.
    fn fail<T>(
        &mut self,
        explanation: &'static Explanation,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Option<T> {
        self.report(Diagnostic::error(explanation, message, span).label(label));
        None
    }

    fn finish(mut self) -> (Model, Vec<Diagnostic>) {
        // Items are not checked in the order of the file.
        self.diagnostics.sort_by_key(|found| found.labels.first().map_or(0, |label| label.span.start));
        (self.model, self.diagnostics)
    }

    fn init(&mut self) {
        let [init] = self.tree.inits.as_slice() else { return self.not_one_init() };
        self.distinct = false;
        if let Some(cube) = self.cube(init) {
            self.model.init = cube;
        }
        self.distinct = true;
    }

    fn not_one_init(&mut self) {
        let diagnostic = match self.tree.inits.as_slice() {
            [first, second, ..] => {
                Diagnostic::error(&codes::NO_INIT, "there is more than one `init`", second.span)
                    .label("a second one")
                    .also(first.span, "the first one")
                    .help("separate alternatives by `||` in one `init`")
            }
            _ => Diagnostic::global(&codes::NO_INIT, "there is no `init`")
                .help("say with `init (z) { … }` how every process `z` starts"),
        };
        self.report(diagnostic);
    }

    fn cubes(&mut self, cubes: &[ast::Cube]) -> Vec<Cube> {
        cubes.iter().filter_map(|cube| self.cube(cube)).collect()
    }

    fn cube(&mut self, cube: &ast::Cube) -> Option<Cube> {
        let variables = self.bind(&cube.variables);
        let formula = self.formula(&cube.formula);
        self.unbind(&variables);
        Some(Cube { variables, formula: formula?, span: cube.span })
    }

    /// Brings process variables into scope that differ from all others. Duplicate names are reported.
    fn bind(&mut self, names: &[Name]) -> Vec<SymbolId> {
        let variables = self.bind_any(names);
        for &symbol in &variables {
            let term = self.store().mk_symbol(symbol);
            self.processes.push(term);
        }
        variables
    }

    /// Removes the last variables from the scope.
    fn unbind(&mut self, variables: &[SymbolId]) {
        self.processes.truncate(self.processes.len() - variables.len());
        self.unbind_any(variables);
    }

    /// Brings variables into scope that range over all processes.
    fn bind_any(&mut self, names: &[Name]) -> Vec<SymbolId> {
        self.differ(names);
        let mut variables = Vec::new();
        for name in names {
            let sort = self.process_sort();
            let symbol = self.model.store.bound_avoiding(&name.text, sort, &self.bound);
            let term = self.store().mk_symbol(symbol);
            self.locals.push((name.text.clone(), term));
            self.bound.push(symbol);
            variables.push(symbol);
        }
        variables
    }

    fn unbind_any(&mut self, variables: &[SymbolId]) {
        self.locals.truncate(self.locals.len() - variables.len());
        self.bound.truncate(self.bound.len() - variables.len());
    }

    /// Reports duplicate names in a list.
    fn differ(&mut self, names: &[Name]) {
        for (position, name) in names.iter().enumerate() {
            if let Some(first) = names[..position].iter().find(|first| first.text == name.text) {
                let diagnostic = Diagnostic::error(
                    &codes::DECLARED_TWICE,
                    format!("`{}` is there twice", name.text),
                    name.span,
                )
                .label("the second time")
                .also(first.span, "the first time");
                self.report(diagnostic);
            }
        }
    }

    /// The sort of processes.
    fn process_sort(&mut self) -> SortId {
        match self.process_count {
            None => self.store().index_sort("proc"),
            Some(count) => {
                let names: Vec<String> = (1..=count).map(|number| format!("#{number}")).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                self.store().enum_sort("proc", &names)
            }
        }
    }

    /// The place of a process in the order of all processes.
    fn rank(&mut self, process: TermId) -> TermId {
        let sort = self.process_sort();
        let Some(count) = self.process_count else {
            let integers = self.store().function_sort(&[sort], SortId::INT);
            let rank = self.store().declare("rank", integers, Role::Const);
            self.store().spell(rank, Spelling::Order);
            self.model.order = Some(Order { sort, rank });
            let rank = self.store().mk_symbol(rank);
            return self.store().mk_apply(rank, &[process]);
        };
        let mut rank = self.store().mk_int(count);
        for number in (1..count).rev() {
            let element = self.store().mk_enum(sort, number - 1);
            let is_it = self.store().mk_eq(process, element);
            let number = self.store().mk_int(number);
            rank = self.store().mk_ite(is_it, number, rank);
        }
        rank
    }
}

//! The checker: lowers the syntax tree to a model in which every name is resolved and every expression typed.
//!
//! Two passes over the items. The first declares constants, types, variables and the signatures of functions, in source
//! order, because types and constants may only use what stands above them. The second checks bodies, where all of these
//! are known, so that functions may call each other and rules may stand anywhere.
//!
//! An erroneous part is reported once and becomes `None` (or `Entry::Broken` for a name); uses of it are not reported
//! again. That is simpler than an error type in the checked model, for which other passes have no use.

mod abstraction;
mod constants;
mod convert;
mod declarations;
mod definitions;
mod describe;
mod effects;
mod expressions;
mod functions;
mod loops;
mod multisets;
mod operators;
mod optional;
mod options;
mod places;
mod rules;
mod scope;
mod statements;
mod symbolic;
mod types;
mod whole;

use super::Dialect;
use super::{ast, hir};
use crate::diagnostic::{Diagnostic, Explanation};
use crate::span::Span;
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// The command line's options about the model.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `--const C=v`, in order.
    pub consts: Vec<(String, BigInt)>,
    /// `--size T=n`, in order.
    pub sizes: Vec<(String, u64)>,
    /// Which language the file is in.
    pub dialect: Dialect,
}

impl Settings {
    /// No options.
    pub fn new(dialect: Dialect) -> Settings {
        Settings { consts: Vec::new(), sizes: Vec::new(), dialect }
    }
}

/// Checks a model. If one of the diagnostics is an error, the model is partial and must not be executed.
pub fn check(ast: &ast::Model, options: &Settings) -> (hir::Model, Vec<Diagnostic>) {
    check_with(ast, None, options)
}

/// The same for a model and a predicates file about it, both parts of one text (see
/// [`super::parser::parse_predicates`]).
pub fn check_with(
    ast: &ast::Model,
    predicates: Option<&ast::Model>,
    options: &Settings,
) -> (hir::Model, Vec<Diagnostic>) {
    let (settings, conflicts) = options::sizes_as_constants(ast, options);
    let mut checker = Checker::new(ast, &settings);
    conflicts.into_iter().for_each(|conflict| checker.report(conflict));
    checker.options();
    checker.declare_all(ast);
    checker.check_all(ast);
    if let Some(predicates) = predicates.map(|predicates| checker.only_predicates(predicates)) {
        checker.dialect = Dialect::Tenet;
        checker.declare_all(&predicates);
        checker.check_all(&predicates);
    }
    checker.finish(ast);
    optional::mark(&mut checker.model);
    (checker.model, checker.diagnostics)
}

/// More diagnostics than this are not reported: a hostile file could cause millions.
const MAX_DIAGNOSTICS: usize = 200;

struct Checker<'a> {
    settings: &'a Settings,
    dialect: Dialect,
    model: hir::Model,
    diagnostics: Vec<Diagnostic>,
    /// Innermost last; the first holds the top level.
    scopes: Vec<scope::Scope>,
    /// Top-level constants and types after the declaration being checked.
    later: BTreeMap<String, Span>,
    /// Options whose declaration was found.
    used: options::Used,
    /// Properties of each type besides its definition; parallel to `model.types`.
    facts: Vec<types::Facts>,
    classes: BTreeMap<types::Shape, types::Class>,
    /// The signature of each function; parallel to `model.functions`.
    signatures: Vec<functions::Signature>,
    /// The rule, property or function being checked.
    body: Body,
    /// The bindings around the rule being checked.
    prelude: Vec<hir::Prelude>,
    names: rules::Names,
    observations: abstraction::Observations,
    /// The effects of each function; parallel to `model.functions`.
    effects: Vec<effects::Effects>,
    /// The joint effects of the startstates.
    start_effects: effects::Effects,
    /// Calls where side effects are not allowed; checked once the effects of all functions are known.
    pure_calls: Vec<effects::PureCall>,
    /// The nesting depth in the lowered model.
    nesting: usize,
    /// Whether there is an invariant, cover, assertion or `error` anywhere.
    has_checks: bool,
}

/// The state of checking one rule, property or function.
#[derive(Default)]
struct Body {
    locals: Vec<hir::Local>,
    /// Parallel to `locals`.
    notes: Vec<places::LocalNote>,
    returns: functions::Returns,
    /// Whether it contains a `return`.
    has_return: bool,
    effects: effects::Effects,
    /// Set where side effects are not allowed: a description of the place.
    pure: Option<&'static str>,
    /// Set in predicates and hints, where index variables are allowed.
    observes: bool,
    /// The definition whose body this is: only parameters and constants are allowed.
    defines: Option<hir::DefinitionId>,
    scalars: u64,
}

impl<'a> Checker<'a> {
    fn new(ast: &'a ast::Model, settings: &'a Settings) -> Checker<'a> {
        let mut checker = Checker {
            settings,
            dialect: settings.dialect,
            model: hir::Model::default(),
            diagnostics: Vec::new(),
            scopes: vec![scope::Scope::default()],
            later: declarations::constants_and_types(ast),
            used: options::Used::default(),
            facts: Vec::new(),
            classes: BTreeMap::new(),
            signatures: Vec::new(),
            body: Body::default(),
            prelude: Vec::new(),
            names: rules::Names::default(),
            observations: abstraction::Observations::default(),
            effects: Vec::new(),
            start_effects: effects::Effects::default(),
            pure_calls: Vec::new(),
            nesting: 0,
            has_checks: false,
        };
        checker.predeclare_types();
        checker
    }

    /// Second pass: bodies.
    fn check_all(&mut self, ast: &ast::Model) {
        let mut next_function = 0;
        for item in &ast.items {
            match item {
                ast::Item::Declaration(_) | ast::Item::Define(_) => {}
                ast::Item::Function(function) => {
                    self.function_body(function, next_function);
                    next_function += 1;
                }
                ast::Item::Rule(rule) => self.rule(rule),
                ast::Item::Predicate(predicate) => self.predicate(predicate),
            }
        }
    }

    /// Checks about the whole model.
    fn finish(&mut self, ast: &ast::Model) {
        self.unused_options();
        self.judge_effects();
        self.finish_abstraction();
        self.whole_model(ast);
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports an error and returns the `None` that stands for the erroneous part.
    fn error<T>(&mut self, code: &'static Explanation, message: impl Into<String>, span: Span) -> Option<T> {
        self.report(Diagnostic::error(code, message, span));
        None
    }

    /// Whether it is still worth searching for a similar name.
    fn has_room(&self) -> bool {
        self.diagnostics.len() < MAX_DIAGNOSTICS
    }
}

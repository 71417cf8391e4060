//! Rules, startstates and properties. The rulesets, aliases and chooses around them are flattened into a prelude.
//!
//! The prelude of several rules is checked once; its locals come first among the locals of each rule inside.

use super::{Body, Checker, hir};
use crate::murphi::ast::{self, Ident, PropertyKind, RuleKind};
use crate::murphi::hir::{BOOLEAN, Expr, ExprKind, Prelude};
use crate::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Makes names unique; one table for each kind of thing.
#[derive(Default)]
pub(super) struct Names {
    rules: Table,
    starts: Table,
    properties: Table,
    pub(super) predicates: Table,
    axioms: usize,
    invariants: usize,
    assumptions: usize,
    covers: usize,
}

#[derive(Default)]
pub(super) struct Table {
    taken: BTreeSet<String>,
    /// How often a name was requested.
    count: BTreeMap<String, usize>,
}

impl Table {
    /// The name itself, or with ` #2`, ` #3` … if it is taken.
    pub(super) fn unique(&mut self, name: String) -> String {
        let count = self.count.entry(name.clone()).or_insert(0);
        loop {
            *count += 1;
            let candidate = if *count == 1 { name.clone() } else { format!("{name} #{count}") };
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

impl Checker<'_> {
    /// A top-level rule, with everything in it.
    pub(super) fn rule(&mut self, rule: &ast::Rule) {
        self.body = Body::default();
        self.nested_rule(rule);
    }

    fn nested_rule(&mut self, rule: &ast::Rule) {
        match &rule.kind {
            RuleKind::Simple { name, guard, locals, body } => {
                self.simple_rule(name.as_ref(), guard.as_ref(), locals, body, rule.span);
            }
            RuleKind::Start { name, locals, body } => self.start(name.as_ref(), locals, body, rule.span),
            RuleKind::Property { property, name, formula } => {
                self.property(*property, name.as_ref(), formula, rule.span);
            }
            RuleKind::Hint(hint) => self.hint(hint, rule.span),
            RuleKind::Ruleset { binders, rules } => self.around(rules, |checker| {
                for binder in binders {
                    let binder = checker.ruleset_binder(binder).map(Prelude::Parameter);
                    checker.prelude.extend(binder);
                }
            }),
            RuleKind::Alias { aliases, rules } => self.around(rules, |checker| {
                for alias in aliases {
                    let alias = checker.pure("an alias around rules", |checker| checker.alias(alias));
                    checker.prelude.extend(alias.map(Prelude::Alias));
                }
            }),
            RuleKind::Choose { name, multiset, rules } => self.around(rules, |checker| {
                let multiset = checker.pure("a `choose`", |checker| checker.multiset_place(multiset));
                let local = checker.declare_choice(name, multiset.as_ref());
                let choose = local.zip(multiset).map(|(local, multiset)| Prelude::Choose { local, multiset });
                checker.prelude.extend(choose);
            }),
        }
    }

    /// Checks rules in the scope of a binding construct.
    fn around(&mut self, rules: &[ast::Rule], bind: impl FnOnce(&mut Self)) {
        let depth = self.prelude.len();
        let (first_rule, first_hint) = (self.model.rules.len(), self.observations.pending());
        self.separate(|checker| {
            bind(checker);
            rules.iter().for_each(|rule| checker.nested_rule(rule));
        });
        self.prelude.truncate(depth);
        self.hints_inside(first_rule, first_hint);
    }

    /// Runs `inside` with a scope of its own and discards the locals it makes.
    pub(super) fn separate<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let (locals, scalars) = (self.body.locals.len(), self.body.scalars);
        let result = self.scoped(inside);
        self.body.locals.truncate(locals);
        self.body.notes.truncate(locals);
        self.body.scalars = scalars;
        result
    }

    /// Runs `inside` where side effects are not allowed; `place` describes the place.
    pub(super) fn pure<T>(&mut self, place: &'static str, inside: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.body.pure.replace(place);
        let result = inside(self);
        self.body.pure = before;
        result
    }

    fn simple_rule(
        &mut self,
        name: Option<&Ident>,
        guard: Option<&ast::Expr>,
        locals: &[ast::Declaration],
        body: &[ast::Stmt],
        span: Span,
    ) {
        let rule = self.separate(|checker| {
            // The guard is checked before the locals exist.
            let guard = guard.and_then(|guard| {
                checker.pure("a guard", |checker| checker.condition(guard, "the guard of a rule"))
            });
            checker.rule_body(guard, locals, body, span)
        });
        let name =
            name.map_or_else(|| format!("Rule {}", self.model.rules.len() + 1), |name| name.name.clone());
        let name = self.names.rules.unique(name);
        self.model.rules.push(hir::Rule { name, ..rule });
    }

    fn start(&mut self, name: Option<&Ident>, locals: &[ast::Declaration], body: &[ast::Stmt], span: Span) {
        self.body.effects = super::effects::Effects::default();
        let start = self.separate(|checker| checker.rule_body(None, locals, body, span));
        let effects = std::mem::take(&mut self.body.effects);
        self.start_effects.absorb(effects);
        let number = self.model.starts.len() + 1;
        let name = name.map_or_else(|| format!("Startstate {number}"), |name| name.name.clone());
        let name = self.names.starts.unique(name);
        self.model.starts.push(hir::Rule { name, ..start });
    }

    fn rule_body(
        &mut self,
        guard: Option<Expr>,
        locals: &[ast::Declaration],
        body: &[ast::Stmt],
        span: Span,
    ) -> hir::Rule {
        locals.iter().for_each(|local| self.declaration(local));
        let body = self.block(body);
        hir::Rule { name: String::new(), code: self.code(), prelude: self.prelude.clone(), guard, body, span }
    }

    fn property(&mut self, property: PropertyKind, name: Option<&Ident>, formula: &ast::Expr, span: Span) {
        let (kind, unnamed, what) = match property {
            PropertyKind::Invariant => {
                self.names.invariants += 1;
                (hir::PropertyKind::Invariant, format!("Invariant {}", self.names.invariants), "an invariant")
            }
            PropertyKind::Assume => {
                self.names.assumptions += 1;
                (hir::PropertyKind::Assume, format!("Assumption {}", self.names.assumptions), "an assumption")
            }
            PropertyKind::Cover => {
                self.names.covers += 1;
                (hir::PropertyKind::Cover, format!("Cover {}", self.names.covers), "a cover property")
            }
            PropertyKind::Axiom => {
                self.names.axioms += 1;
                (hir::PropertyKind::Axiom, format!("Axiom {}", self.names.axioms), "an axiom")
            }
            PropertyKind::Liveness => {
                self.no_liveness::<()>(span);
                return;
            }
        };
        self.has_checks |= kind != hir::PropertyKind::Assume;
        let (formula, code) = self.separate(|checker| {
            let formula = checker.pure(what, |checker| checker.condition(formula, what));
            (formula, checker.code())
        });
        // An erroneous formula becomes `true`: the model is not executed, but its properties can still be counted.
        let formula = formula.unwrap_or(Expr { kind: ExprKind::Bool(true), ty: BOOLEAN, span });
        let name = self.names.properties.unique(name.map_or(unnamed, |name| name.name.clone()));
        let prelude = self.prelude.clone();
        self.model.properties.push(hir::Property { name, kind, code, prelude, formula, span });
    }
}

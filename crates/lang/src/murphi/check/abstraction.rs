//! Index variables, predicates and hints.
//!
//! Index variables have a meaning only in observations, so they are refused elsewhere. A hint in a ruleset is about the
//! rules beside it; a ruleset that contains only hints is about every rule with parameters of the same names and types,
//! which is how a predicates file refers to rules of the model.

use super::convert::Target;
use super::scope::Entry;
use super::{Body, Checker, hir};
use crate::codes::abstraction as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::ast::{self, Ident, RuleKind, TypeExpr};
use crate::murphi::hir::{BOOLEAN, Expr, ExprKind, HintTarget, IndexId, Prelude, RuleOfHint, TypeId};
use crate::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The state of checking predicates and hints.
#[derive(Default)]
pub(super) struct Observations {
    /// The index variables that predicates mention.
    used: BTreeSet<IndexId>,
    /// The text of each predicate and its place.
    texts: BTreeMap<String, Span>,
    /// Hints in enclosing rulesets, whose rules are not known yet.
    waiting: Vec<usize>,
    /// Hints in rulesets without rules.
    alone: Vec<usize>,
    /// Definitions after the one being checked.
    pub(super) later: BTreeMap<String, Span>,
}

impl Observations {
    /// The number of hints whose rules are not known yet.
    pub(super) fn pending(&self) -> usize {
        self.waiting.len()
    }
}

impl Checker<'_> {
    /// The items that a predicates file may contain; the others are reported.
    pub(super) fn only_predicates(&mut self, file: &ast::Model) -> ast::Model {
        let mut items = Vec::new();
        for item in &file.items {
            match misplaced(item) {
                None => items.push(item.clone()),
                Some((what, span)) => {
                    let message = format!("{what} has no place in a predicates file");
                    let diagnostic = Diagnostic::error(&codes::MISPLACED_ITEM, message, span);
                    self.report(diagnostic.help("it belongs into the model"));
                }
            }
        }
        ast::Model { items }
    }

    pub(super) fn index_variables(&mut self, names: &[Ident], definition: &TypeExpr) {
        let ty = self.simple_type(definition, "an index variable");
        for name in names {
            let Some(ty) = ty else {
                self.declare(name, Entry::Broken);
                continue;
            };
            let id = IndexId(self.model.indices.len() as u32);
            self.model.indices.push(hir::Index { name: name.name.clone(), ty, span: name.span });
            self.declare(name, Entry::Index(id));
        }
    }

    /// A use of an index variable.
    pub(super) fn index_variable(&mut self, id: IndexId, span: Span) -> Option<Expr> {
        let index = &self.model.indices[id.0 as usize];
        if !self.body.observes {
            let message = format!("the index variable `{}` has no value here", index.name);
            let diagnostic = Diagnostic::error(&codes::INDEX_ELSEWHERE, message, span)
                .label("only predicates and hints may use it")
                .also(index.span, "declared here");
            self.report(diagnostic);
            return None;
        }
        self.observations.used.insert(id);
        Some(Expr { kind: ExprKind::Index(id), ty: index.ty, span })
    }

    pub(super) fn predicate(&mut self, predicate: &ast::Predicate) {
        self.body = Body { observes: true, ..Body::default() };
        let (formula, code) = self.separate(|checker| {
            let formula =
                checker.pure("a predicate", |checker| checker.condition(&predicate.formula, "a predicate"));
            (formula, checker.code())
        });
        let Some(formula) = formula else { return };
        self.has_checks = true;
        if let Some(&earlier) = self.observations.texts.get(&predicate.text) {
            let message = "this predicate stands here twice";
            let diagnostic = Diagnostic::warning(&codes::REPEATED_PREDICATE, message, predicate.span);
            self.report(diagnostic.label("again").also(earlier, "first here"));
        }
        self.observations.texts.entry(predicate.text.clone()).or_insert(predicate.span);
        let name = predicate.name.as_ref().map_or(&predicate.text, |name| &name.name).clone();
        let name = self.names.predicates.unique(name);
        self.model.predicates.push(hir::Predicate { name, code, formula, span: predicate.span });
    }

    /// A hint, at the top level or in a ruleset.
    pub(super) fn hint(&mut self, hint: &ast::Hint, span: Span) {
        let Some(target) = self.hint_target(&hint.targets) else { return };
        // Index variables that occur only in hints are still unused.
        let used = self.observations.used.clone();
        let observed = std::mem::replace(&mut self.body.observes, true);
        for terms in &hint.terms {
            self.hint_terms(hint, &target, terms, span);
        }
        self.body.observes = observed;
        self.observations.used = used;
    }

    fn hint_terms(&mut self, hint: &ast::Hint, target: &HintTarget, terms: &[ast::Expr], span: Span) {
        if terms.len() != hint.targets.len() {
            let (needed, found) = (hint.targets.len(), terms.len());
            let message = format!("{needed} terms are needed, one for each index variable, not {found}");
            let place = terms.first().map_or(span, |term| term.span);
            return self.report(Diagnostic::error(&codes::BAD_HINT, message, place));
        }
        let types = self.target_types(target);
        let (terms, code) = self.separate(|checker| {
            let terms: Option<Vec<Expr>> = checker.pure("a hint", |checker| {
                let terms = terms.iter().zip(&hint.targets).zip(types);
                let terms: Vec<Option<Expr>> = terms
                    .map(|((term, name), ty)| {
                        let what = format!("the term for `{}`", name.name);
                        let value = checker.expr(term)?;
                        checker.fit(value, &Target { ty, what: &what, declared: None })
                    })
                    .collect();
                terms.into_iter().collect()
            });
            (terms, checker.code())
        });
        let Some(terms) = terms else { return };
        let (prelude, target) = (self.prelude.clone(), target.clone());
        let rules = if prelude.is_empty() { None } else { Some(Vec::new()) };
        if rules.is_some() {
            self.observations.waiting.push(self.model.hints.len());
        }
        self.model.hints.push(hir::Hint { force: hint.force, code, prelude, rules, target, terms, span });
    }

    fn target_types(&self, target: &HintTarget) -> Vec<TypeId> {
        match target {
            HintTarget::Indices(indices) => {
                indices.iter().map(|id| self.model.indices[id.0 as usize].ty).collect()
            }
            HintTarget::Type(ty) => vec![*ty],
        }
    }

    /// Index variables, or one type. Parameters around the hint do not shadow them: they cannot be meant.
    fn hint_target(&mut self, names: &[Ident]) -> Option<HintTarget> {
        let mut indices = Vec::new();
        for name in names {
            match self.scopes[0].get(&name.name).map(|named| named.entry.clone()) {
                Some(Entry::Broken) => return None,
                Some(Entry::Index(id)) if indices.contains(&id) => {
                    let message = format!("`{}` is named twice", name.name);
                    return self.error(&codes::BAD_HINT, message, name.span);
                }
                Some(Entry::Index(id)) => indices.push(id),
                Some(Entry::Type(ty)) if names.len() == 1 => return self.type_target(name, ty),
                Some(Entry::Type(_)) => {
                    let message = format!("the type `{}` must stand alone before `with`", name.name);
                    return self.error(&codes::BAD_HINT, message, name.span);
                }
                _ => return self.no_target(name),
            }
        }
        (!indices.is_empty()).then_some(HintTarget::Indices(indices))
    }

    fn type_target(&mut self, name: &Ident, ty: TypeId) -> Option<HintTarget> {
        if ty != BOOLEAN && self.is_simple(ty) {
            return Some(HintTarget::Type(ty));
        }
        let message = format!("quantifiers over `{}` are not instantiated", name.name);
        self.error(&codes::BAD_HINT, message, name.span)
    }

    fn no_target<T>(&mut self, name: &Ident) -> Option<T> {
        let similar = self.similar(&name.name, |entry| matches!(entry, Entry::Index(_) | Entry::Type(_)));
        let message = format!("`{}` is no index variable and no type", name.name);
        let diagnostic = Diagnostic::error(&codes::BAD_HINT, message, name.span)
            .label("index variables, or one type, are instantiated");
        self.report(match similar {
            Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")),
            None => diagnostic.help("declare it with `index`"),
        });
        None
    }

    /// Completes the hints of a ruleset that ends now, whose rules start at the given positions.
    pub(super) fn hints_inside(&mut self, first_rule: usize, first_hint: usize) {
        let hints = self.observations.waiting.split_off(first_hint);
        let rules = first_rule..self.model.rules.len();
        if rules.is_empty() {
            return self.observations.alone.extend(hints);
        }
        for hint in hints {
            let hint = &mut self.model.hints[hint];
            let parameters: Vec<usize> = (0..parameters(&hint.prelude).count()).collect();
            let of_hint = rules.clone().map(|rule| RuleOfHint { rule, parameters: parameters.clone() });
            hint.rules = Some(of_hint.collect());
        }
    }

    /// Checks that need all rules and predicates.
    pub(super) fn finish_abstraction(&mut self) {
        for hint in std::mem::take(&mut self.observations.alone) {
            let rules = self.rules_like(&self.model.hints[hint]);
            let span = self.model.hints[hint].span;
            if rules.is_empty() {
                let message = "no rule has parameters of these names and types";
                let diagnostic = Diagnostic::warning(&codes::HINT_WITHOUT_RULE, message, span);
                self.report(diagnostic.label("this hint is about no rule"));
            }
            self.model.hints[hint].rules = Some(rules);
        }
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return;
        }
        let indices = (0..).zip(&self.model.indices);
        let unused = indices.filter(|(id, _)| !self.observations.used.contains(&IndexId(*id)));
        let unused: Vec<hir::Index> = unused.map(|(_, index)| index.clone()).collect();
        for index in unused {
            let message = format!("no predicate mentions the index variable `{}`", index.name);
            self.report(Diagnostic::warning(&codes::UNUSED_INDEX, message, index.span));
        }
    }

    /// The rules that have all the parameters around a hint.
    fn rules_like(&self, hint: &hir::Hint) -> Vec<RuleOfHint> {
        let wanted: Vec<&hir::Local> = parameters(&hint.prelude).map(|id| &hint.code.locals[id]).collect();
        let mut found = Vec::new();
        for (rule, candidate) in self.model.rules.iter().enumerate() {
            let offered: Vec<&hir::Local> =
                parameters(&candidate.prelude).map(|id| &candidate.code.locals[id]).collect();
            let position = |wanted: &&hir::Local| {
                let is_it = |offered: &&hir::Local| {
                    offered.name == wanted.name && self.same_type(offered.ty, wanted.ty)
                };
                offered.iter().position(is_it)
            };
            let parameters: Option<Vec<usize>> = wanted.iter().map(position).collect();
            found.extend(parameters.map(|parameters| RuleOfHint { rule, parameters }));
        }
        found
    }
}

/// The kind and place of an item that is not allowed in a predicates file.
fn misplaced(item: &ast::Item) -> Option<(&'static str, Span)> {
    match item {
        ast::Item::Predicate(_) | ast::Item::Define(_) => None,
        ast::Item::Declaration(ast::Declaration::Index { .. }) => None,
        ast::Item::Declaration(ast::Declaration::Const { name, .. })
        | ast::Item::Declaration(ast::Declaration::Symbolic { name, .. }) => Some(("a constant", name.span)),
        ast::Item::Declaration(ast::Declaration::Type { name, .. }) => Some(("a type", name.span)),
        ast::Item::Declaration(ast::Declaration::Var { names, definition }) => {
            Some(("a variable", names.first().map_or(definition.span, |name| name.span)))
        }
        ast::Item::Function(function) => Some(("a function", function.name.span)),
        ast::Item::Rule(rule) => misplaced_rule(rule),
    }
}

fn misplaced_rule(rule: &ast::Rule) -> Option<(&'static str, Span)> {
    match &rule.kind {
        RuleKind::Hint(_) | RuleKind::Property { property: ast::PropertyKind::Axiom, .. } => None,
        RuleKind::Ruleset { rules, .. } | RuleKind::Alias { rules, .. } => {
            rules.iter().find_map(misplaced_rule)
        }
        RuleKind::Choose { .. } => Some(("a `choose`", rule.span)),
        RuleKind::Simple { .. } => Some(("a rule", rule.span)),
        RuleKind::Start { .. } => Some(("a startstate", rule.span)),
        RuleKind::Property { .. } => Some(("a property", rule.span)),
    }
}

/// The locals that are ruleset parameters, in order.
fn parameters(prelude: &[Prelude]) -> impl Iterator<Item = usize> {
    prelude.iter().filter_map(|item| match item {
        Prelude::Parameter(binder) => Some(binder.local.0 as usize),
        _ => None,
    })
}

//! Statements. `switch` and `elsif` are desugared to nested `if`s.

use super::convert::Target;
use super::operators::joined;
use super::places::{Designated, LocalNote};
use super::scope::Entry;
use super::{Checker, hir};
use crate::codes::types as codes;
use crate::murphi::ast::{self, BinaryOp, Ident};
use crate::murphi::hir::{Alias, AliasTarget, BOOLEAN, Expr, ExprKind, LocalKind, Put, Stmt, StmtKind};
use crate::span::Span;

/// The nesting depth of lowered statements. The parser bounds the nesting in the source, but every `elsif` and `case`
/// adds a level here.
const MAX_NESTING: usize = 1_000;

impl Checker<'_> {
    /// Statements in order; erroneous ones are left out.
    pub(super) fn block(&mut self, statements: &[ast::Stmt]) -> Vec<Stmt> {
        self.nesting += 1;
        let checked = statements.iter().filter_map(|statement| self.statement(statement)).collect();
        self.nesting -= 1;
        checked
    }

    fn statement(&mut self, statement: &ast::Stmt) -> Option<Stmt> {
        let span = statement.span;
        let kind = match &statement.kind {
            ast::StmtKind::Assign { place, value } => self.assign(place, value)?,
            ast::StmtKind::If { arms, otherwise } => return self.if_statement(arms, otherwise, span),
            ast::StmtKind::Switch { value, cases, otherwise } => {
                return self.switch(value, cases, otherwise, span);
            }
            ast::StmtKind::For { binder, body } => self.for_statement(binder, body)?,
            ast::StmtKind::While { condition, body } => self.while_statement(condition, body)?,
            ast::StmtKind::Alias { aliases, body } => self.alias_statement(aliases, body),
            ast::StmtKind::Call { name, arguments } => self.call_statement(name, arguments, span)?,
            ast::StmtKind::Clear(place) => StmtKind::Clear(self.changed_place(place, "cleared")?),
            ast::StmtKind::Undefine(place) => StmtKind::Undefine(self.changed_place(place, "undefined")?),
            ast::StmtKind::Property { property, formula, message } => {
                self.property_statement(*property, formula, message.as_ref(), span)?
            }
            ast::StmtKind::Error(message) => {
                self.has_checks = true;
                StmtKind::Error(message.clone())
            }
            ast::StmtKind::Put(ast::Put::Text(text)) => StmtKind::Put(Put::Text(text.clone())),
            ast::StmtKind::Put(ast::Put::Value(value)) => StmtKind::Put(Put::Value(self.expr(value)?)),
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), span)?,
            ast::StmtKind::MultisetAdd { element, multiset } => self.multiset_add(element, multiset)?,
            ast::StmtKind::MultisetRemove { index, multiset } => self.multiset_remove(index, multiset)?,
            ast::StmtKind::MultisetRemovePred { name, multiset, predicate } => {
                self.multiset_remove_pred(name, multiset, predicate)?
            }
        };
        Some(Stmt { kind, span })
    }

    fn assign(&mut self, place: &ast::Expr, value: &ast::Expr) -> Option<StmtKind> {
        if self.is_undefined_value(value) {
            return Some(StmtKind::Undefine(self.changed_place(place, "assigned")?));
        }
        let (place, value) = (self.changed_place(place, "assigned"), self.expr(value));
        let (place, value) = (place?, value?);
        let target = Target { ty: place.ty, what: "the assigned value", declared: self.declared(&place) };
        let value = self.fit(value, &target)?;
        Some(StmtKind::Assign { place, value })
    }

    fn if_statement(
        &mut self,
        arms: &[(ast::Expr, Vec<ast::Stmt>)],
        otherwise: &[ast::Stmt],
        span: Span,
    ) -> Option<Stmt> {
        let mut what = "the condition of `if`";
        self.chain(arms, otherwise, span, |checker, condition| {
            checker.condition(condition, std::mem::replace(&mut what, "the condition of `elsif`"))
        })
    }

    /// Arms in order, as nested `if`s; `condition` makes the condition of an arm.
    fn chain<C>(
        &mut self,
        arms: &[(C, Vec<ast::Stmt>)],
        otherwise: &[ast::Stmt],
        span: Span,
        mut condition: impl FnMut(&mut Self, &C) -> Option<Expr>,
    ) -> Option<Stmt> {
        let before = self.nesting;
        let mut checked: Vec<(Option<Expr>, Vec<Stmt>)> = Vec::new();
        for (label, body) in arms {
            if self.deeper(span).is_none() {
                self.nesting = before;
                return None;
            }
            checked.push((condition(self, label), self.block(body)));
        }
        let mut otherwise = self.block(otherwise);
        self.nesting = before;
        for (condition, then) in checked.into_iter().rev() {
            let kind = StmtKind::If { condition: condition?, then, otherwise };
            otherwise = vec![Stmt { kind, span }];
        }
        one_statement(otherwise, span)
    }

    /// Counts one more level.
    fn deeper(&mut self, span: Span) -> Option<()> {
        self.nesting += 1;
        if self.nesting <= MAX_NESTING {
            return Some(());
        }
        self.error(&codes::NESTED_TOO_DEEPLY, "the statements here are nested too deeply", span)
    }

    fn switch(
        &mut self,
        value: &ast::Expr,
        cases: &[(Vec<ast::Expr>, Vec<ast::Stmt>)],
        otherwise: &[ast::Stmt],
        span: Span,
    ) -> Option<Stmt> {
        let calls = self.body.effects.call_count();
        let value = self.expr(value);
        let value = value.filter(|value| {
            self.require_simple(value.ty, value.span, "the value that `switch` looks at").is_some()
        });
        // The value is compared repeatedly, but a call is evaluated only once.
        let (value, alias) = match value {
            Some(value) if self.body.effects.call_count() > calls => self.bound_once(value),
            value => (value, None),
        };
        let chain = self.chain(cases, otherwise, span, |checker, labels| {
            checker.case_condition(value.as_ref(), labels)
        })?;
        let Some(alias) = alias else { return Some(chain) };
        Some(Stmt { kind: StmtKind::Alias { aliases: vec![alias], body: vec![chain] }, span })
    }

    fn bound_once(&mut self, value: Expr) -> (Option<Expr>, Option<Alias>) {
        let (span, ty) = (value.span, value.ty);
        let name = Ident { name: "switch".to_owned(), span };
        let local =
            self.new_local(&name, ty, LocalKind::Value, LocalNote::fixed("is the value of a `switch`"));
        let alias = Alias { local, target: AliasTarget::Value(value) };
        (Some(Expr { kind: ExprKind::Local(local), ty, span }), Some(alias))
    }

    fn case_condition(&mut self, value: Option<&Expr>, labels: &[ast::Expr]) -> Option<Expr> {
        let labels: Vec<Option<Expr>> = labels.iter().map(|label| self.expr(label)).collect();
        let value = value?;
        let mut conditions: Vec<Option<Expr>> = Vec::new();
        for label in labels {
            let span = label.as_ref().map_or(value.span, |label| label.span);
            conditions.push(label.and_then(|label| self.equality(BinaryOp::Eq, value.clone(), label, span)));
        }
        disjunction(conditions.into_iter().collect::<Option<Vec<Expr>>>()?)
    }

    fn for_statement(&mut self, binder: &ast::Binder, body: &[ast::Stmt]) -> Option<StmtKind> {
        let (binder, body) = self.scoped(|checker| {
            let binder = checker.binder(binder, "is a loop variable");
            (binder, checker.block(body))
        });
        Some(StmtKind::For { binder: binder?, body })
    }

    fn while_statement(&mut self, condition: &ast::Expr, body: &[ast::Stmt]) -> Option<StmtKind> {
        let condition = self.condition(condition, "the condition of `while`");
        let body = self.block(body);
        Some(StmtKind::While { condition: condition?, body })
    }

    fn alias_statement(&mut self, aliases: &[ast::Alias], body: &[ast::Stmt]) -> StmtKind {
        self.scoped(|checker| {
            let aliases = aliases.iter().filter_map(|alias| checker.alias(alias)).collect();
            StmtKind::Alias { aliases, body: checker.block(body) }
        })
    }

    /// Declares an alias in the innermost scope.
    pub(super) fn alias(&mut self, alias: &ast::Alias) -> Option<Alias> {
        let Some((kind, note, ty, target)) = self.alias_target(&alias.value) else {
            self.declare(&alias.name, Entry::Broken);
            return None;
        };
        let local = self.new_local(&alias.name, ty, kind, note);
        self.declare(&alias.name, Entry::Local(local));
        Some(Alias { local, target })
    }

    fn alias_target(
        &mut self,
        value: &ast::Expr,
    ) -> Option<(LocalKind, LocalNote, hir::TypeId, AliasTarget)> {
        match self.designated(value)? {
            Designated::Place(place) => {
                let note = match self.note(place.root) {
                    LocalNote { fixed: Some(_), .. } => {
                        LocalNote::fixed("is an alias of something that is fixed")
                    }
                    note => note,
                };
                Some((LocalKind::Reference, note, place.ty, AliasTarget::Place(place)))
            }
            Designated::Value(value) => {
                self.require_simple(value.ty, value.span, "an alias of a value")?;
                let note = LocalNote::fixed("is an alias of a value");
                Some((LocalKind::Value, note, value.ty, AliasTarget::Value(value)))
            }
        }
    }

    fn property_statement(
        &mut self,
        property: ast::PropertyKind,
        formula: &ast::Expr,
        message: Option<&String>,
        span: Span,
    ) -> Option<StmtKind> {
        let what = match property {
            ast::PropertyKind::Invariant => "an assertion",
            // The parser reads no axioms among statements.
            ast::PropertyKind::Assume | ast::PropertyKind::Axiom => "an assumption",
            ast::PropertyKind::Cover => "a cover",
            ast::PropertyKind::Liveness => return self.no_liveness(span),
        };
        let formula = self.condition(formula, what);
        self.has_checks |= property != ast::PropertyKind::Assume;
        let (formula, message) = (formula?, message.cloned());
        Some(match property {
            ast::PropertyKind::Assume | ast::PropertyKind::Axiom => StmtKind::Assume(formula),
            ast::PropertyKind::Cover => StmtKind::Cover(formula, message),
            _ => StmtKind::Assert { formula, message },
        })
    }

    pub(super) fn no_liveness<T>(&mut self, span: Span) -> Option<T> {
        self.error(&codes::LIVENESS, "liveness properties are not supported", span)
    }
}

/// Several statements as one: an alias block without aliases.
fn one_statement(mut body: Vec<Stmt>, span: Span) -> Option<Stmt> {
    if body.len() == 1 {
        return body.pop();
    }
    Some(Stmt { kind: StmtKind::Alias { aliases: Vec::new(), body }, span })
}

/// `a | b | …`, as a balanced tree so that many labels do not nest deeply.
fn disjunction(mut conditions: Vec<Expr>) -> Option<Expr> {
    while conditions.len() > 1 {
        let mut halved = Vec::with_capacity(conditions.len().div_ceil(2));
        let mut rest = conditions.into_iter();
        while let Some(left) = rest.next() {
            halved.push(match rest.next() {
                Some(right) => {
                    let span = left.span.to(right.span);
                    joined(BinaryOp::Or, left, right, BOOLEAN, span)
                }
                None => left,
            });
        }
        conditions = halved;
    }
    conditions.pop()
}

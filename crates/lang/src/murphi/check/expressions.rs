//! Expressions.

use super::places::Designated;
use super::{Checker, hir};
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::ast;
use crate::murphi::hir::{BOOLEAN, Expr, ExprKind, INTEGER, TypeKind};
use crate::span::Span;

/// The undefined value.
const UNDEFINED: &str = "undefined";

impl Checker<'_> {
    /// An expression of any type.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Int(value) => Some(Expr { kind: ExprKind::Int(value.clone()), ty: INTEGER, span }),
            ast::ExprKind::Name(_) | ast::ExprKind::Field(..) | ast::ExprKind::Index(..) => self.read(expr),
            ast::ExprKind::Update(array, indices, value) => self.update(array, indices, value, span),
            ast::ExprKind::Call(name, arguments) => self.call_value(name, arguments, span),
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span),
            ast::ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            ast::ExprKind::Ite(condition, yes, no) => self.ite(condition, yes, no, span),
            ast::ExprKind::Quantifier { universal, binder, body } => {
                self.quantifier(*universal, binder, body, span)
            }
            ast::ExprKind::IsUndefined(place) => self.is_undefined(place, span),
            ast::ExprKind::IsMember(value, member) => self.is_member(value, member, span),
            ast::ExprKind::MultisetCount { name, multiset, predicate } => {
                self.multiset_count(name, multiset, predicate, span)
            }
            ast::ExprKind::Error => None,
        }
    }

    /// An expression that must be boolean; `what` describes it.
    pub(super) fn condition(&mut self, expr: &ast::Expr, what: &str) -> Option<Expr> {
        let value = self.expr(expr)?;
        if value.ty == BOOLEAN {
            return Some(value);
        }
        let found = self.describe(value.ty);
        let message = format!("{what} must be boolean, but it is of type {found}");
        let diagnostic = Diagnostic::error(&codes::NOT_A_CONDITION, message, value.span);
        self.report(diagnostic.label(format!("this is of type {found}")));
        None
    }

    /// An expression that must be a number; `what` describes it.
    pub(super) fn number(&mut self, expr: &ast::Expr, what: &str) -> Option<Expr> {
        let value = self.expr(expr)?;
        if self.is_numeric(value.ty) {
            return Some(value);
        }
        let found = self.describe(value.ty);
        let message = format!("{what} must be a number, but it is of type {found}");
        let diagnostic = Diagnostic::error(&codes::NOT_A_NUMBER, message, value.span);
        let mut diagnostic =
            self.with_declaration(diagnostic.label(format!("this is of type {found}")), value.ty);
        if let Some(help) = self.not_a_number_help(&value) {
            diagnostic = diagnostic.help(help);
        }
        self.report(diagnostic);
        None
    }

    fn not_a_number_help(&self, value: &Expr) -> Option<&'static str> {
        match self.kind(value.ty) {
            TypeKind::Scalarset { .. } => Some(
                "the values of a scalarset have no order and no arithmetic; only `=` and `!=` work. Declare the type \
                 as a range to compute with it",
            ),
            TypeKind::Enum { .. } => {
                Some("the values of an enumeration have no order and no arithmetic; only `=` and `!=` work")
            }
            TypeKind::Union { .. } => {
                Some("the values of a union have no order and no arithmetic; only `=` and `!=` work")
            }
            _ => None,
        }
    }

    fn read(&mut self, expr: &ast::Expr) -> Option<Expr> {
        match self.designated(expr)? {
            Designated::Value(value) => Some(value),
            Designated::Place(place) => {
                Some(Expr { ty: place.ty, kind: ExprKind::Read(place), span: expr.span })
            }
        }
    }

    fn quantifier(
        &mut self,
        universal: bool,
        binder: &ast::Binder,
        body: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let what = if universal { "the body of `forall`" } else { "the body of `exists`" };
        let (binder, body) = self.scoped(|checker| {
            let binder = checker.binder(binder, "is a quantified variable");
            (binder, checker.condition(body, what))
        });
        let (binder, body) = (Box::new(binder?), Box::new(body?));
        Some(Expr { kind: ExprKind::Quantifier { universal, binder, body }, ty: BOOLEAN, span })
    }

    /// Is it `UNDEFINED`, if no name of the model is called so?
    pub(super) fn is_undefined_value(&self, expr: &ast::Expr) -> bool {
        let ast::ExprKind::Name(name) = &expr.kind else { return false };
        name.eq_ignore_ascii_case(UNDEFINED) && self.lookup(name).is_none()
    }

    fn is_undefined(&mut self, place: &ast::Expr, span: Span) -> Option<Expr> {
        let kind = match self.designated(place)? {
            Designated::Place(place) => {
                self.require_simple(place.ty, place.span, "what `isundefined` looks at")?;
                ExprKind::IsUndefined(place)
            }
            // Parameters, loop variables and constants are always defined.
            Designated::Value(_) => ExprKind::Bool(false),
        };
        Some(Expr { kind, ty: BOOLEAN, span })
    }

    fn is_member(&mut self, value: &ast::Expr, member: &ast::TypeExpr, span: Span) -> Option<Expr> {
        let (value, member_type) = (self.expr(value), self.type_expr(member, None));
        let (value, member_type) = (value?, member_type?);
        let TypeKind::Union { members } = self.kind(value.ty) else {
            let message =
                format!("`ismember` needs a value of a union type, not of {}", self.describe(value.ty));
            return self.error(&codes::NOT_A_MEMBER, message, value.span);
        };
        let Some(found) = members.iter().copied().find(|member| self.same_type(*member, member_type)) else {
            let message = format!("{} is not in {}", self.describe(member_type), self.describe(value.ty));
            let diagnostic = Diagnostic::error(&codes::NOT_A_MEMBER, message, member.span);
            let diagnostic = self.with_declaration(diagnostic, value.ty);
            self.report(diagnostic);
            return None;
        };
        Some(hir::Expr { kind: ExprKind::IsMember(Box::new(value), found), ty: BOOLEAN, span })
    }
}

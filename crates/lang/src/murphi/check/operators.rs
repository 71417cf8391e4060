//! Operators: `! - -> | & = != < <= > >= + - * / % ?:`.

use super::Checker;
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::ast::{self, BinaryOp, UnaryOp};
use crate::murphi::hir::{BOOLEAN, Expr, ExprKind, INTEGER, TypeId};
use crate::span::Span;
use num_bigint::{BigInt, Sign};

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Option<Expr> {
        let (operand, ty) = match op {
            UnaryOp::Not => (self.condition(operand, "the operand of `!`")?, BOOLEAN),
            UnaryOp::Neg => (self.number(operand, "the operand of `-`")?, INTEGER),
        };
        Some(Expr { kind: ExprKind::Unary(op, Box::new(operand)), ty, span })
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.equality(op, left?, right?, span)
            }
            BinaryOp::Implies | BinaryOp::Or | BinaryOp::And => {
                let what = format!("an operand of `{}`", op);
                let (left, right) = (self.condition(left, &what), self.condition(right, &what));
                Some(joined(op, left?, right?, BOOLEAN, span))
            }
            _ => self.arithmetic(op, left, right, span),
        }
    }

    /// `=` or `!=` of two checked expressions.
    pub(super) fn equality(&mut self, op: BinaryOp, left: Expr, right: Expr, span: Span) -> Option<Expr> {
        let (left, right) = self.unify(left, right, span)?;
        if self.facts(left.ty).has_multiset {
            let message = format!("values of type {} cannot be compared", self.describe(left.ty));
            let diagnostic = Diagnostic::error(&codes::BAD_MULTISET, message, span);
            self.report(diagnostic.help("count the elements with `multisetcount` instead"));
            return None;
        }
        Some(joined(op, left, right, BOOLEAN, span))
    }

    fn arithmetic(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, span: Span) -> Option<Expr> {
        let what = format!("an operand of `{}`", op);
        let (left, right) = (self.number(left, &what), self.number(right, &what));
        let (left, right) = (left?, right?);
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Mod);
        if divides && self.literal_number(&right).is_some_and(|divisor| divisor.sign() == Sign::NoSign) {
            return self.error(&codes::DIVISION_BY_ZERO, "division by zero", right.span);
        }
        let is_order = matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
        Some(joined(op, left, right, if is_order { BOOLEAN } else { INTEGER }, span))
    }

    pub(super) fn ite(
        &mut self,
        condition: &ast::Expr,
        yes: &ast::Expr,
        no: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let condition = self.condition(condition, "the condition of `?:`");
        let (yes, no) = (self.expr(yes), self.expr(no));
        let (condition, yes, no) = (condition?, yes?, no?);
        let (yes, no) = self.unify(yes, no, span)?;
        self.require_simple(yes.ty, span, "the result of `?:`")?;
        let ty = if self.same_type(yes.ty, no.ty) { yes.ty } else { INTEGER };
        Some(Expr { kind: ExprKind::Ite(Box::new(condition), Box::new(yes), Box::new(no)), ty, span })
    }
}

/// A number literal that the checker inserts.
pub(super) fn number_expr(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(BigInt::from(value)), ty: INTEGER, span }
}

/// `left op right` of two checked expressions.
pub(super) fn joined(op: BinaryOp, left: Expr, right: Expr, ty: TypeId, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
}

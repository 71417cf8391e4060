//! Constant expressions: evaluated with big integers, and only where the language needs a constant.

use super::{Checker, hir};
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::ast;
use crate::murphi::hir::{BinaryOp, Bound, Expr, ExprKind, TypeId, UnaryOp};
use crate::span::Span;
use num_bigint::{BigInt, Sign};

/// Constants may square each other line by line; larger values than this are refused, to bound memory.
const MAX_BITS: u64 = 4096;

/// The value of a constant expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Int(BigInt),
    Bool(bool),
    Enum(TypeId, u32),
}

/// Why an expression has no constant value.
pub(super) enum NotConstant {
    Depends(Span),
    DividesByZero(Span),
    TooLarge(Span),
}

type Evaluated = Result<Value, NotConstant>;

impl Checker<'_> {
    /// The value of an expression that must be constant; `what` names its purpose.
    pub(super) fn constant_value(&mut self, expr: &Expr, what: &str) -> Option<Value> {
        let diagnostic = match evaluate(&self.model, expr, true) {
            Ok(value) => return Some(value),
            Err(NotConstant::Depends(span)) => Diagnostic::error(
                &codes::NOT_CONSTANT,
                format!("{what} must be known before the model runs"),
                span,
            )
            .label("this is not constant"),
            Err(NotConstant::DividesByZero(span)) => {
                Diagnostic::error(&codes::DIVISION_BY_ZERO, "division by zero", span)
            }
            Err(NotConstant::TooLarge(span)) => {
                let message = format!("{what} has more than {MAX_BITS} bits");
                Diagnostic::error(&codes::NUMBER_TOO_LARGE, message, span)
            }
        };
        self.report(diagnostic);
        None
    }

    /// A constant number that fits 64 bits, with its expression.
    pub(super) fn bound(&mut self, expr: &ast::Expr, what: &str) -> Option<Bound> {
        let expr = self.number(expr, what)?;
        let Value::Int(value) = self.constant_value(&expr, what)? else { return None };
        match i64::try_from(&value) {
            Ok(value) => Some(Bound { value, expr }),
            Err(_) => self.error(&codes::NUMBER_TOO_LARGE, format!("{what} does not fit 64 bits"), expr.span),
        }
    }

    /// The value of an expression, if it is constant; reports nothing.
    pub(super) fn quiet_constant(&self, expr: &Expr) -> Option<Value> {
        if self.is_unknown(expr) { None } else { evaluate(&self.model, expr, true).ok() }
    }

    /// The value of an expression made of number literals alone. Constants of the model do not count, so that an
    /// instance chosen with `--const` is never rejected because of a branch that it does not take.
    pub(super) fn literal_number(&self, expr: &Expr) -> Option<BigInt> {
        match evaluate(&self.model, expr, false) {
            Ok(Value::Int(value)) => Some(value),
            _ => None,
        }
    }
}

fn evaluate(model: &hir::Model, expr: &Expr, with_constants: bool) -> Evaluated {
    match &expr.kind {
        ExprKind::Int(value) => Ok(Value::Int(value.clone())),
        ExprKind::Bool(value) => Ok(Value::Bool(*value)),
        ExprKind::Enum(position) => Ok(Value::Enum(expr.ty, *position)),
        ExprKind::ConstRef(id) if with_constants => Ok(Value::Int(model.consts[id.0 as usize].value.clone())),
        ExprKind::Unary(op, operand) => unary(*op, evaluate(model, operand, with_constants)?, expr.span),
        ExprKind::Binary(op, left, right) => {
            let left = evaluate(model, left, with_constants)?;
            binary(*op, left, evaluate(model, right, with_constants)?, expr.span)
        }
        ExprKind::Ite(condition, yes, no) => match evaluate(model, condition, with_constants)? {
            Value::Bool(true) => evaluate(model, yes, with_constants),
            _ => evaluate(model, no, with_constants),
        },
        _ => Err(NotConstant::Depends(expr.span)),
    }
}

fn unary(op: UnaryOp, operand: Value, span: Span) -> Evaluated {
    match (op, operand) {
        (UnaryOp::Neg, Value::Int(value)) => Ok(Value::Int(-value)),
        (UnaryOp::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
        _ => Err(NotConstant::Depends(span)),
    }
}

fn binary(op: BinaryOp, left: Value, right: Value, span: Span) -> Evaluated {
    match (op, left, right) {
        (BinaryOp::Eq, left, right) => Ok(Value::Bool(left == right)),
        (BinaryOp::Ne, left, right) => Ok(Value::Bool(left != right)),
        (op, Value::Int(left), Value::Int(right)) => arithmetic(op, &left, &right, span),
        (BinaryOp::And, Value::Bool(left), Value::Bool(right)) => Ok(Value::Bool(left & right)),
        (BinaryOp::Or, Value::Bool(left), Value::Bool(right)) => Ok(Value::Bool(left | right)),
        (BinaryOp::Implies, Value::Bool(left), Value::Bool(right)) => Ok(Value::Bool(!left | right)),
        _ => Err(NotConstant::Depends(span)),
    }
}

fn arithmetic(op: BinaryOp, left: &BigInt, right: &BigInt, span: Span) -> Evaluated {
    if matches!(op, BinaryOp::Div | BinaryOp::Mod) && right.sign() == Sign::NoSign {
        return Err(NotConstant::DividesByZero(span));
    }
    if left.bits() > MAX_BITS || right.bits() > MAX_BITS {
        return Err(NotConstant::TooLarge(span));
    }
    let value = match op {
        BinaryOp::Add => left + right,
        BinaryOp::Sub => left - right,
        BinaryOp::Mul => left * right,
        BinaryOp::Div => left / right,
        BinaryOp::Mod => left % right,
        BinaryOp::Lt => return Ok(Value::Bool(left < right)),
        BinaryOp::Le => return Ok(Value::Bool(left <= right)),
        BinaryOp::Gt => return Ok(Value::Bool(left > right)),
        BinaryOp::Ge => return Ok(Value::Bool(left >= right)),
        _ => return Err(NotConstant::Depends(span)),
    };
    if value.bits() > MAX_BITS {
        return Err(NotConstant::TooLarge(span));
    }
    Ok(Value::Int(value))
}

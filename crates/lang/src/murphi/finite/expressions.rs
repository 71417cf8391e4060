//! Expressions.
//!
//! A constant condition decides at once and the other side is not lowered at all; with inlining, this is why recursion
//! on a constant argument terminates.

use super::super::hir::{self, BinaryOp, ExprKind, UnaryOp};
use super::values::{Value, and, arith, as_constant, compare, not, or};
use super::{Binding, Lowering, after};
use crate::codes::instance::{NUMBER_TOO_LARGE, STEP_ZERO, UNBOUNDED_RANGE};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use num_bigint::BigInt;
use tenet_system::finite::program::{Arithmetic, Comparison, Expr, FaultKind, Place, Range, Stmt, VarId};

impl Lowering<'_> {
    /// A scalar expression.
    pub(super) fn lower_expr(&mut self, expr: &hir::Expr) -> Value {
        if !self.within_budget(expr.span) {
            return Value::constant(0);
        }
        self.tree_depth += 1;
        let value = self.lower_scalar(expr);
        self.tree_depth -= 1;
        value
    }

    /// A boolean expression.
    pub(super) fn lower_condition(&mut self, expr: &hir::Expr) -> Expr {
        self.lower_expr(expr).expr
    }

    fn lower_scalar(&mut self, expr: &hir::Expr) -> Value {
        match &expr.kind {
            ExprKind::Int(value) => self.number(value, expr.span),
            ExprKind::Bool(value) => Value::constant(i64::from(*value)),
            ExprKind::Enum(position) => Value::constant(i64::from(*position)),
            ExprKind::ConstRef(id) => {
                let model = self.model;
                self.number(&model.consts[id.0 as usize].value, expr.span)
            }
            ExprKind::Index(_) => unreachable!("index variables stand in predicates only"),
            ExprKind::Local(local) => match self.binding(*local).clone() {
                Binding::Scalar(value) => value,
                Binding::Place(place) => {
                    let detail = self.frame.code.locals[local.0 as usize].name.clone();
                    self.load(place, expr, &detail)
                }
            },
            ExprKind::Read(place) => self.lower_read(place, expr),
            ExprKind::Unary(UnaryOp::Not, inner) => Value::truth(not(self.lower_condition(inner))),
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                let inner = self.lower_expr(inner);
                self.lower_arith(Arithmetic::Sub, Value::constant(0), inner, expr)
            }
            ExprKind::Binary(op, left, right) => self.lower_binary(*op, left, right, expr),
            ExprKind::Ite(condition, then, otherwise) => self.lower_ite(condition, then, otherwise),
            ExprKind::Quantifier { universal, binder, body } => {
                self.lower_quantifier(*universal, binder, body)
            }
            ExprKind::Call { function, arguments } => self.lower_call(*function, arguments, expr.span),
            ExprKind::Apply { definition, arguments } => self.lower_apply(*definition, arguments, expr.span),
            ExprKind::Update { .. } => unreachable!("arrays are no scalars"),
            ExprKind::Undefined => unreachable!("it is only an argument"),
            ExprKind::IsUndefined(place) => self.lower_is_undefined(place),
            ExprKind::IsMember(inner, ty) => {
                let value = self.lower_expr(inner);
                self.is_member(value, inner.ty, *ty)
            }
            ExprKind::MultisetCount { local, multiset, predicate } => {
                self.lower_multiset_count(*local, multiset, predicate)
            }
            ExprKind::Convert(inner) => {
                let value = self.lower_expr(inner);
                let detail = self.names().expr(inner);
                self.convert(value, inner.ty, expr.ty, &detail, expr.span)
            }
        }
    }

    fn number(&mut self, value: &BigInt, span: Span) -> Value {
        // i64::MIN stands for "undefined".
        match i64::try_from(value) {
            Ok(value) if value != i64::MIN => Value::constant(value),
            _ => {
                let error =
                    Diagnostic::error(&NUMBER_TOO_LARGE, format!("{value} does not fit into 64 bits"), span);
                self.memory.report(error);
                Value::constant(0)
            }
        }
    }

    fn lower_read(&mut self, place: &hir::Place, expr: &hir::Expr) -> Value {
        match self.lower_target(place) {
            Binding::Scalar(value) => value,
            Binding::Place(target) => {
                let detail = self.names().place(place);
                self.load(target, expr, &detail)
            }
        }
    }

    fn load(&mut self, place: Place, expr: &hir::Expr, detail: &str) -> Value {
        let site = self.site(FaultKind::Undefined, detail, expr.span);
        let simple = self.memory.simple(expr.ty);
        Value::new(Expr::Load(place, site), simple.lo, simple.hi)
    }

    fn lower_arith(&mut self, op: Arithmetic, left: Value, right: Value, expr: &hir::Expr) -> Value {
        let detail = self.names().expr(expr);
        let may_be_zero = right.lo <= 0 && 0 <= right.hi;
        let kind = match op {
            Arithmetic::Div | Arithmetic::Mod if may_be_zero => FaultKind::DivisionByZero,
            _ => FaultKind::Overflow,
        };
        let site = self.site(kind, detail, expr.span);
        arith(op, left, right, site)
    }

    fn lower_binary(&mut self, op: BinaryOp, left: &hir::Expr, right: &hir::Expr, expr: &hir::Expr) -> Value {
        match op {
            BinaryOp::And => Value::truth(self.lower_and(left, right)),
            BinaryOp::Or => {
                let left = self.lower_condition(left);
                Value::truth(self.lower_or(left, right))
            }
            BinaryOp::Implies => {
                let left = not(self.lower_condition(left));
                Value::truth(self.lower_or(left, right))
            }
            BinaryOp::Eq if !self.memory.is_simple(left.ty) => Value::truth(self.same_content(left, right)),
            BinaryOp::Ne if !self.memory.is_simple(left.ty) => {
                Value::truth(not(self.same_content(left, right)))
            }
            _ => {
                let (left, right) = (self.lower_expr(left), self.lower_expr(right));
                match operator(op) {
                    Operator::Compare(comparison) => Value::truth(compare(comparison, left.expr, right.expr)),
                    Operator::Arith(op) => self.lower_arith(op, left, right, expr),
                }
            }
        }
    }

    fn lower_and(&mut self, left: &hir::Expr, right: &hir::Expr) -> Expr {
        let left = self.lower_condition(left);
        if as_constant(&left) == Some(0) {
            return left;
        }
        and(left, self.lower_condition(right))
    }

    fn lower_or(&mut self, left: Expr, right: &hir::Expr) -> Expr {
        if as_constant(&left).is_some_and(|value| value != 0) {
            return left;
        }
        or(left, self.lower_condition(right))
    }

    fn lower_ite(&mut self, condition: &hir::Expr, then: &hir::Expr, otherwise: &hir::Expr) -> Value {
        let condition = self.lower_condition(condition);
        match as_constant(&condition) {
            Some(0) => self.lower_expr(otherwise),
            Some(_) => self.lower_expr(then),
            None => {
                let (then, otherwise) = (self.lower_expr(then), self.lower_expr(otherwise));
                choose(condition, then, otherwise)
            }
        }
    }

    /// Equality slot by slot, with undefined equal to itself.
    fn same_content(&mut self, left: &hir::Expr, right: &hir::Expr) -> Expr {
        let mut stmts = Vec::new();
        let size = self.memory.size(left.ty);
        let left = self.lower_aggregate(left, &mut stmts);
        let right = self.lower_aggregate(right, &mut stmts);
        after(stmts, Expr::SameContent(left, right, size))
    }

    /// A readable place for the value of an aggregate expression. Only places and updated arrays have aggregate types:
    /// the results of calls and of `?:` are scalars.
    pub(super) fn lower_aggregate(&mut self, expr: &hir::Expr, stmts: &mut Vec<Stmt>) -> Place {
        match &expr.kind {
            ExprKind::Read(place) => self.lower_place(place, stmts),
            ExprKind::Update { indices, value, .. } => self.lower_update(expr, indices, value, stmts),
            ExprKind::Convert(inner) => self.lower_aggregate(inner, stmts),
            _ => unreachable!("invariant: the checker gives aggregate types to places only"),
        }
    }

    fn lower_is_undefined(&mut self, place: &hir::Place) -> Value {
        match self.lower_target(place) {
            // It was read when it was bound, so it is defined.
            Binding::Scalar(_) => Value::constant(0),
            Binding::Place(target) => Value::truth(Expr::IsUndefined(target)),
        }
    }

    fn lower_quantifier(&mut self, universal: bool, binder: &hir::Binder, body: &hir::Expr) -> Value {
        let mut stmts = Vec::new();
        let (var, range) = self.lower_binder(binder, &mut stmts);
        let body = self.lower_condition(body);
        Value::truth(after(stmts, quantifier(universal, var, range, body)))
    }

    /// Binds the variable of a loop or quantifier; the statements come before the loop.
    pub(super) fn lower_binder(&mut self, binder: &hir::Binder, stmts: &mut Vec<Stmt>) -> (VarId, Range) {
        let (range, lo, hi) = match &binder.domain {
            hir::Domain::Type(ty) => {
                let simple = self.memory.simple(*ty);
                if !simple.finite {
                    self.report_unbounded(binder);
                }
                let range = Range { unordered: simple.unordered, ..Range::constant(simple.lo, simple.hi) };
                (range, simple.lo, simple.hi)
            }
            hir::Domain::Steps { from, to, step } => self.lower_steps(from, to, step, stmts),
        };
        let var = self.new_var();
        // A variable with one value is a constant, which folds further than a variable.
        let expr = if lo == hi { Expr::Const(lo) } else { Expr::Var(var) };
        self.bind(binder.local, Binding::Scalar(Value::new(expr, lo, hi)));
        (var, range)
    }

    fn lower_steps(
        &mut self,
        from: &hir::Expr,
        to: &hir::Expr,
        step: &hir::Expr,
        stmts: &mut Vec<Stmt>,
    ) -> (Range, i64, i64) {
        let span = step.span;
        let (from, to, step) = (self.lower_expr(from), self.lower_expr(to), self.lower_expr(step));
        if step.as_constant() == Some(0) {
            self.memory.report(Diagnostic::error(&STEP_ZERO, "the step is zero", span));
        }
        let step = if step.as_constant().is_none() && step.lo <= 0 && 0 <= step.hi {
            let step = self.hold(step, stmts);
            let site = self.site(FaultKind::Endless, "the step is zero", span);
            let is_zero = compare(Comparison::Eq, step.expr.clone(), Expr::Const(0));
            stmts.push(Stmt::If(is_zero, vec![Stmt::Fault(site)], Vec::new()));
            step
        } else {
            step
        };
        let (lo, hi) = (from.lo.min(to.lo), from.hi.max(to.hi));
        (Range { from: from.expr, to: to.expr, step: step.expr, unordered: false }, lo, hi)
    }

    pub(super) fn report_unbounded(&mut self, binder: &hir::Binder) {
        let local = &self.frame.code.locals[binder.local.0 as usize];
        let message = format!("`{}` runs over infinitely many values", local.name);
        let error = Diagnostic::error(&UNBOUNDED_RANGE, message, local.span)
            .help("use a range with two ends, or `tenet prove`");
        self.memory.report(error);
    }
}

/// Infix operators that evaluate both sides.
enum Operator {
    Compare(Comparison),
    Arith(Arithmetic),
}

fn operator(op: BinaryOp) -> Operator {
    match op {
        BinaryOp::Eq => Operator::Compare(Comparison::Eq),
        BinaryOp::Ne => Operator::Compare(Comparison::Ne),
        BinaryOp::Lt => Operator::Compare(Comparison::Lt),
        BinaryOp::Le => Operator::Compare(Comparison::Le),
        BinaryOp::Gt => Operator::Compare(Comparison::Gt),
        BinaryOp::Ge => Operator::Compare(Comparison::Ge),
        BinaryOp::Add => Operator::Arith(Arithmetic::Add),
        BinaryOp::Sub => Operator::Arith(Arithmetic::Sub),
        BinaryOp::Mul => Operator::Arith(Arithmetic::Mul),
        BinaryOp::Div => Operator::Arith(Arithmetic::Div),
        BinaryOp::Mod => Operator::Arith(Arithmetic::Mod),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
            unreachable!("invariant: the lazy operators are lowered before")
        }
    }
}

/// `condition ? then : otherwise`
pub(super) fn choose(condition: Expr, then: Value, otherwise: Value) -> Value {
    let (lo, hi) = (then.lo.min(otherwise.lo), then.hi.max(otherwise.hi));
    Value::new(Expr::Ite(Box::new(condition), Box::new(then.expr), Box::new(otherwise.expr)), lo, hi)
}

/// `forall` or `exists`
pub(super) fn quantifier(universal: bool, var: VarId, range: Range, body: Expr) -> Expr {
    Expr::Quantifier { universal, var, range: Box::new(range), body: Box::new(body) }
}

/// The place some slots further on.
pub(super) fn moved(place: &Place, offset: u32) -> Place {
    Place { base: place.base + offset, dims: place.dims.clone() }
}

//! Inlining of calls.
//!
//! A function whose body consists of `if` and `return` only becomes an expression; any other becomes a block that
//! `return` leaves, with the result in scratch memory. Recursion is followed to a fixed depth and is a fault beyond.

use super::super::hir::{
    self, Argument, ExprKind, Function, FunctionId, LocalKind, Stmt as Source, StmtKind, TypeId,
};
use super::expressions::choose;
use super::values::{Value, as_constant};
use super::{Binding, Exit, Frame, Lowering, after, scan};
use crate::span::Span;
use tenet_system::finite::program::{Expr, FaultKind, Stmt};

/// The nesting depth of calls.
const CALL_LIMIT: u32 = 64;

/// The nesting depth of expressions and statements beyond which no more calls are inlined: later passes walk the tree
/// recursively, and so does this file.
const TREE_LIMIT: u32 = 600;

impl<'m> Lowering<'m> {
    /// A call in an expression.
    pub(super) fn lower_call(&mut self, function: FunctionId, arguments: &[Argument], span: Span) -> Value {
        let mut stmts = Vec::new();
        let value = self.inline(function, arguments, span, &mut stmts).unwrap_or_else(|| Value::constant(0));
        Value::new(after(stmts, value.expr), value.lo, value.hi)
    }

    pub(super) fn lower_call_statement(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        span: Span,
        stmts: &mut Vec<Stmt>,
    ) {
        if let Some(value) = self.inline(function, arguments, span, stmts)
            && !value.is_atomic()
        {
            stmts.push(Stmt::Evaluate(value.expr));
        }
    }

    /// Allocates the local variables after the parameters and makes them undefined.
    pub(super) fn enter_locals(&mut self, parameter_count: usize, stmts: &mut Vec<Stmt>) {
        let code = self.frame.code;
        for (position, local) in code.locals.iter().enumerate().skip(parameter_count) {
            if local.kind != LocalKind::Variable {
                continue;
            }
            let place = self.new_scratch(local.ty);
            self.undefine(&place, local.ty, stmts);
            self.frame.bindings[position] = Some(Binding::Place(place));
        }
    }

    /// Appends the call's statements; the result is to be read immediately after them.
    fn inline(
        &mut self,
        id: FunctionId,
        arguments: &[Argument],
        span: Span,
        stmts: &mut Vec<Stmt>,
    ) -> Option<Value> {
        let model = self.model;
        let callee = &model.functions[id.0 as usize];
        if self.call_depth >= CALL_LIMIT || self.tree_depth >= TREE_LIMIT || !self.within_budget(span) {
            let detail = format!("calls of `{}` are nested too deeply", callee.name);
            let site = self.site(FaultKind::Endless, detail, span);
            stmts.push(Stmt::Fault(site));
            // Never read; has the right type.
            return callee.result.map(|ty| Value::constant(self.memory.simple(ty).lo));
        }
        self.effects += u64::from(callee.has_side_effects);
        let mut frame = Frame::new(&callee.code);
        for (position, argument) in arguments.iter().enumerate() {
            frame.bindings[position] = Some(self.pass(id, position, argument, stmts));
        }
        let caller = std::mem::replace(&mut self.frame, frame);
        self.call_depth += 1;
        let outcome = self.inline_body(callee, stmts);
        self.call_depth -= 1;
        self.frame = caller;
        outcome
    }

    /// Evaluates an argument in the caller's frame and gives the binding of the parameter.
    fn pass(
        &mut self,
        id: FunctionId,
        position: usize,
        argument: &Argument,
        stmts: &mut Vec<Stmt>,
    ) -> Binding {
        let model = self.model;
        let callee = &model.functions[id.0 as usize];
        let parameter = &callee.code.locals[position];
        let written = self.is_written(id, position);
        if let Argument::Value(value) = argument
            && let Some(copied) = value.copied(self.frame.code, parameter.is_optional, parameter.ty)
            && let Binding::Place(from) = self.lower_target(copied)
        {
            let to = self.new_scratch(parameter.ty);
            stmts.push(Stmt::Copy { from, to: to.clone(), len: 1 });
            return Binding::Place(to);
        }
        match argument {
            Argument::Place(place) => match self.lower_target(place) {
                Binding::Place(target) => Binding::Place(self.freeze(target, stmts)),
                Binding::Scalar(value) => self.pass_scalar(value, parameter.ty, written, stmts),
            },
            Argument::Value(hir::Expr { kind: ExprKind::Undefined, .. }) => {
                let place = self.new_scratch(parameter.ty);
                self.undefine(&place, parameter.ty, stmts);
                Binding::Place(place)
            }
            Argument::Value(value) if self.memory.is_simple(parameter.ty) => {
                let lowered = self.lower_expr(value);
                let detail = format!("{} of `{}`", parameter.name, callee.name);
                let lowered = self.convert(lowered, value.ty, parameter.ty, &detail, value.span);
                self.pass_scalar(lowered, parameter.ty, written, stmts)
            }
            Argument::Value(value) => {
                let from = self.lower_aggregate(value, stmts);
                // A function without side effects changes nothing while it runs, so it may read the original.
                let shared = !written && !callee.has_side_effects;
                if shared {
                    return Binding::Place(self.freeze(from, stmts));
                }
                let to = self.new_scratch(parameter.ty);
                let len = self.memory.size(parameter.ty);
                stmts.push(Stmt::Copy { from, to: to.clone(), len });
                Binding::Place(to)
            }
        }
    }

    fn pass_scalar(&mut self, value: Value, ty: TypeId, written: bool, stmts: &mut Vec<Stmt>) -> Binding {
        if !written {
            return Binding::Scalar(self.hold(value, stmts));
        }
        let place = self.new_scratch(ty);
        stmts.push(Stmt::Store(place.clone(), value.expr));
        Binding::Place(place)
    }

    fn is_written(&mut self, id: FunctionId, position: usize) -> bool {
        let function = &self.model.functions[id.0 as usize];
        let written = self.written[id.0 as usize].get_or_insert_with(|| scan::written_locals(function));
        written[position]
    }

    fn inline_body(&mut self, callee: &'m Function, stmts: &mut Vec<Stmt>) -> Option<Value> {
        self.enter_locals(callee.parameter_count, stmts);
        if let Some(ty) = callee.result
            && is_expression(&callee.body)
        {
            return Some(self.body_value(&callee.body, ty));
        }
        let label = self.new_label();
        let result = callee.result.map(|ty| (self.new_scratch(ty), ty));
        self.frame.exit = Some(Exit { label, result: result.clone() });
        let mut body = self.lower_block(&callee.body);
        let ends_with_return =
            callee.body.last().is_some_and(|stmt| matches!(stmt.kind, StmtKind::Return(_)));
        if result.is_some() && !ends_with_return {
            body.push(Stmt::Fault(self.site(FaultKind::MissingReturn, &callee.name, callee.span)));
        }
        if scan::has_return(&callee.body) {
            stmts.push(Stmt::Block(label, body));
        } else {
            stmts.extend(body);
        }
        let (place, ty) = result?;
        let simple = self.memory.simple(ty);
        Some(Value::new(Expr::LoadDefined(place), simple.lo, simple.hi))
    }

    /// The value of a body that [`is_expression`].
    fn body_value(&mut self, body: &[Source], ty: TypeId) -> Value {
        match &body[0].kind {
            StmtKind::Return(Some(value)) => self.result_value(value, ty),
            StmtKind::If { condition, then, otherwise } => {
                let otherwise = if otherwise.is_empty() { &body[1..] } else { otherwise };
                let condition = self.lower_condition(condition);
                match as_constant(&condition) {
                    Some(0) => self.body_value(otherwise, ty),
                    Some(_) => self.body_value(then, ty),
                    None => {
                        let (then, otherwise) = (self.body_value(then, ty), self.body_value(otherwise, ty));
                        choose(condition, then, otherwise)
                    }
                }
            }
            _ => unreachable!("invariant: asked for expressions only"),
        }
    }

    /// The value of `return e`, checked against the result type.
    pub(super) fn result_value(&mut self, value: &hir::Expr, ty: TypeId) -> Value {
        let lowered = self.lower_expr(value);
        let detail = self.names().expr(value);
        self.convert(lowered, value.ty, ty, &detail, value.span)
    }
}

/// Whether a function body only chooses among `return`s.
fn is_expression(body: &[Source]) -> bool {
    let Some(first) = body.first() else { return false };
    match &first.kind {
        StmtKind::Return(Some(_)) => true,
        StmtKind::If { then, otherwise, .. } => {
            let otherwise = if otherwise.is_empty() { &body[1..] } else { otherwise };
            is_expression(then) && is_expression(otherwise)
        }
        _ => false,
    }
}

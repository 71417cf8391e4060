//! Definitions, and arrays with an element replaced.
//!
//! A definition without recursion is its body. A recursive one is the least set, computed by iteration where it is
//! used: a table over its scalar parameters starts empty and grows until nothing changes, for fixed array parameters.
//! Recursive uses in positive positions can only become true as the table grows, so the result does not depend on the
//! order in which the table is filled.

use super::super::hir::{self, Definition, DefinitionId, ExprKind, TypeKind};
use super::places::{Elements, push_dim};
use super::values::{Value, and, not};
use super::{Binding, Frame, Lowering, after};
use crate::codes::instance::{CODE_TOO_LARGE, STATE_TOO_LARGE, UNBOUNDED_RANGE};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use tenet_system::finite::program::{Dim, Expr, FaultKind, Place, Range, SiteId, Stmt};

/// The greatest number of entries of a table.
const TABLE_LIMIT: u64 = 1 << 16;

/// The nesting depth of definitions.
const NESTING_LIMIT: u32 = 64;

/// The table of a recursive definition that is being computed.
#[derive(Clone, Debug)]
pub(super) struct Table {
    definition: DefinitionId,
    first: Place,
    /// The scalar parameters: position, and the elements along this axis.
    axes: Vec<(usize, Elements)>,
    entries: u32,
}

impl<'m> Lowering<'m> {
    /// A definition applied to arguments.
    pub(super) fn lower_apply(&mut self, id: DefinitionId, arguments: &[hir::Expr], span: Span) -> Value {
        let model = self.model;
        let definition = &model.definitions[id.0 as usize];
        if self.call_depth >= NESTING_LIMIT || !self.within_budget(span) {
            let message = format!("uses of `{}` are nested too deeply", definition.name);
            self.memory.report(Diagnostic::error(&CODE_TOO_LARGE, message, span));
            return Value::constant(0);
        }
        let mut stmts = Vec::new();
        let bindings = self.pass_all(definition, arguments, &mut stmts);
        let table = self.tables.iter().rev().find(|table| table.definition == id).cloned();
        let value = match table {
            Some(table) => Value::truth(Expr::LoadDefined(entry(&table, &bindings))),
            None if definition.is_recursive => self.least_set(id, definition, bindings, span, &mut stmts),
            None => self.inside(definition, bindings, |lowering| {
                let body = lowering.lower_expr(&definition.body);
                let detail = lowering.names().expr(&definition.body);
                lowering.convert(body, definition.body.ty, definition.result, &detail, span)
            }),
        };
        Value::new(after(stmts, value.expr), value.lo, value.hi)
    }

    /// The arguments, evaluated where the definition is used.
    fn pass_all(
        &mut self,
        definition: &Definition,
        arguments: &[hir::Expr],
        stmts: &mut Vec<Stmt>,
    ) -> Vec<Binding> {
        let mut bindings = Vec::new();
        for (argument, parameter) in arguments.iter().zip(&definition.code.locals) {
            bindings.push(if self.memory.is_simple(parameter.ty) {
                let lowered = self.lower_expr(argument);
                let detail = format!("{} of `{}`", parameter.name, definition.name);
                let lowered = self.convert(lowered, argument.ty, parameter.ty, &detail, argument.span);
                Binding::Scalar(self.hold(lowered, stmts))
            } else {
                let place = self.lower_aggregate(argument, stmts);
                Binding::Place(self.freeze(place, stmts))
            });
        }
        bindings
    }

    /// Lowers something in the body of a definition.
    fn inside<T>(
        &mut self,
        definition: &'m Definition,
        bindings: Vec<Binding>,
        lower: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mut frame = Frame::new(&definition.code);
        for (position, binding) in bindings.into_iter().enumerate() {
            frame.bindings[position] = Some(binding);
        }
        let caller = std::mem::replace(&mut self.frame, frame);
        self.call_depth += 1;
        let result = lower(self);
        self.call_depth -= 1;
        self.frame = caller;
        result
    }

    /// Appends the statements that compute the least set; the value is whether it contains the arguments.
    fn least_set(
        &mut self,
        id: DefinitionId,
        definition: &'m Definition,
        bindings: Vec<Binding>,
        span: Span,
        stmts: &mut Vec<Stmt>,
    ) -> Value {
        let Some(table) = self.new_table(id, definition, span) else { return Value::constant(0) };
        let again = self.new_slots(1);
        stmts.push(self.empty(&table, span));
        stmts.push(Stmt::Store(again.clone(), Expr::Const(1)));
        let mut round = self.round(definition, &table, &bindings, &again);
        round.insert(0, Stmt::Store(again.clone(), Expr::Const(0)));
        let site = self.site(FaultKind::Endless, &definition.name, span);
        stmts.push(Stmt::While(Expr::LoadDefined(again), round, site));
        Value::truth(Expr::LoadDefined(entry(&table, &bindings)))
    }

    fn new_table(&mut self, id: DefinitionId, definition: &Definition, span: Span) -> Option<Table> {
        let (mut axes, mut entries) = (Vec::new(), 1_u64);
        let site = self.site(FaultKind::Index, &definition.name, span);
        for (position, parameter) in definition.code.locals[..definition.parameter_count].iter().enumerate() {
            if !self.memory.is_simple(parameter.ty) {
                continue;
            }
            let simple = self.memory.simple(parameter.ty);
            if !simple.finite {
                let message = format!("`{}` takes infinitely many values", parameter.name);
                let error = Diagnostic::error(&UNBOUNDED_RANGE, message, parameter.span);
                self.memory.report(error.help("a set over it cannot be computed; give the range two ends"));
                return None;
            }
            let count = simple.hi.abs_diff(simple.lo).saturating_add(1);
            entries = entries.saturating_mul(count);
            if entries > TABLE_LIMIT {
                let message =
                    format!("the set `{}` may have more than {TABLE_LIMIT} elements", definition.name);
                self.memory.report(Diagnostic::error(&STATE_TOO_LARGE, message, definition.span));
                return None;
            }
            axes.push((position, Elements { lo: simple.lo, count: count as u32, stride: 1, site }));
        }
        let mut stride = 1;
        for (_, elements) in axes.iter_mut().rev() {
            elements.stride = stride;
            stride *= elements.count;
        }
        let first = self.new_slots(entries as u32);
        Some(Table { definition: id, first, axes, entries: entries as u32 })
    }

    /// Makes the set empty.
    fn empty(&mut self, table: &Table, span: Span) -> Stmt {
        let site = self.site(FaultKind::Index, "a set", span);
        let var = self.new_var();
        let mut entry = table.first.clone();
        entry.dims.push(Dim { index: Expr::Var(var), lo: 0, count: table.entries, stride: 1, site });
        let range = Range::constant(0, i64::from(table.entries) - 1);
        Stmt::For(var, range, vec![Stmt::Store(entry, Expr::Const(0))])
    }

    /// One iteration: adds all arguments for which the body is true.
    fn round(
        &mut self,
        definition: &'m Definition,
        table: &Table,
        bindings: &[Binding],
        again: &Place,
    ) -> Vec<Stmt> {
        let (mut inner, mut loops) = (bindings.to_vec(), Vec::new());
        for (position, _) in &table.axes {
            let simple = self.memory.simple(definition.code.locals[*position].ty);
            let var = self.new_var();
            let range = Range { unordered: simple.unordered, ..Range::constant(simple.lo, simple.hi) };
            inner[*position] = Binding::Scalar(Value::new(Expr::Var(var), simple.lo, simple.hi));
            loops.push((var, range));
        }
        let place = entry(table, &inner);
        self.tables.push(table.clone());
        let body = self.inside(definition, inner, |lowering| lowering.lower_condition(&definition.body));
        self.tables.pop();
        let fresh = and(not(Expr::LoadDefined(place.clone())), body);
        let add = vec![Stmt::Store(place, Expr::Const(1)), Stmt::Store(again.clone(), Expr::Const(1))];
        let step = vec![Stmt::If(fresh, add, Vec::new())];
        loops.into_iter().rev().fold(step, |body, (var, range)| vec![Stmt::For(var, range, body)])
    }

    /// A readable place for the value of `array[index := value]`: a copy in scratch memory.
    pub(super) fn lower_update(
        &mut self,
        whole: &hir::Expr,
        indices: &[hir::Expr],
        value: &hir::Expr,
        stmts: &mut Vec<Stmt>,
    ) -> Place {
        let ExprKind::Update { array, .. } = &whole.kind else {
            unreachable!("invariant: asked for updates only")
        };
        let from = self.lower_aggregate(array, stmts);
        let copy = self.new_scratch(whole.ty);
        let len = self.memory.size(whole.ty);
        stmts.push(Stmt::Copy { from, to: copy.clone(), len });
        let (mut place, mut ty) = (copy.clone(), whole.ty);
        for index in indices {
            let TypeKind::Array { index: index_type, element } = self.model.ty(ty).kind else {
                unreachable!("invariant: the checker matches indices with types")
            };
            let site = self.update_site(whole, index.span);
            let simple = self.memory.simple(index_type);
            let count = simple.hi.abs_diff(simple.lo) as u32 + 1;
            let lowered = self.lower_index(index, index_type);
            let lowered = self.hold(lowered, stmts);
            let stride = self.memory.size(element);
            push_dim(&mut place, lowered, Elements { lo: simple.lo, count, stride, site });
            ty = element;
        }
        if self.memory.is_simple(ty) {
            let lowered = self.lower_expr(value);
            let detail = self.names().expr(value);
            let lowered = self.convert(lowered, value.ty, ty, &detail, value.span);
            stmts.push(Stmt::Store(place, lowered.expr));
        } else {
            let from = self.lower_aggregate(value, stmts);
            stmts.push(Stmt::Copy { from, to: place, len: self.memory.size(ty) });
        }
        copy
    }

    fn update_site(&mut self, whole: &hir::Expr, span: Span) -> SiteId {
        let detail = self.names().expr(whole);
        self.site(FaultKind::Index, detail, span)
    }
}

/// The entry of a table for these arguments.
fn entry(table: &Table, bindings: &[Binding]) -> Place {
    let mut place = table.first.clone();
    for (position, elements) in &table.axes {
        if let Binding::Scalar(value) = &bindings[*position] {
            push_dim(&mut place, value.clone(), *elements);
        }
    }
    place
}

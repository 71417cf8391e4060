//! Multisets: an array of elements, each with a slot that says whether it is present.
//!
//! An index into a multiset is a position in that array. It stays valid while a rule runs, because removing an element
//! moves nothing; the explorer normalises states that differ only in the order of elements.

use super::super::hir::{self, LocalId, TypeId, TypeKind};
use super::expressions::moved;
use super::values::{Value, and, not};
use super::{Binding, Lowering, after};
use crate::span::Span;
use tenet_system::finite::program::{Dim, Expr, FaultKind, Place, Range, Stmt, VarId};

/// A multiset in memory: all its elements.
#[derive(Clone)]
pub(super) struct Row {
    place: Place,
    pub capacity: u32,
    stride: u32,
    element: TypeId,
    site: tenet_system::finite::program::SiteId,
}

impl Row {
    /// The presence slot of an element, which precedes the element itself.
    pub fn presence(&self, index: Expr) -> Place {
        let mut place = self.place.clone();
        place.dims.push(Dim { index, lo: 0, count: self.capacity, stride: self.stride, site: self.site });
        place
    }

    /// Whether an element is there.
    pub fn is_present(&self, index: Expr) -> Expr {
        Expr::LoadDefined(self.presence(index))
    }

    pub fn range(&self) -> Range {
        Range::elements(0, i64::from(self.capacity) - 1)
    }
}

impl Lowering<'_> {
    /// The multiset at a place, its indices evaluated by the statements.
    pub(super) fn lower_row(&mut self, multiset: &hir::Place, stmts: &mut Vec<Stmt>) -> Row {
        let place = self.lower_fixed(multiset, stmts);
        let detail = self.names().place(multiset);
        let site = self.site(FaultKind::Index, detail, multiset.span);
        let model = self.model;
        let TypeKind::Multiset { capacity, element } = &model.ty(multiset.ty).kind else {
            unreachable!("invariant: the checker allows multisets only");
        };
        let stride = self.memory.size(*element) + 1;
        Row { place, capacity: capacity.value.max(0) as u32, stride, element: *element, site }
    }

    /// A fresh index into the array, bound to the local.
    pub(super) fn bind_index(&mut self, local: LocalId, row: &Row) -> VarId {
        let var = self.new_var();
        let hi = i64::from(row.capacity) - 1;
        self.bind(local, Binding::Scalar(Value::new(Expr::Var(var), 0, hi)));
        var
    }

    pub(super) fn lower_multiset_count(
        &mut self,
        local: LocalId,
        multiset: &hir::Place,
        predicate: &hir::Expr,
    ) -> Value {
        let mut stmts = Vec::new();
        let row = self.lower_row(multiset, &mut stmts);
        let var = self.bind_index(local, &row);
        let predicate = self.lower_condition(predicate);
        let body = and(row.is_present(Expr::Var(var)), predicate);
        let count = Expr::Count { var, range: Box::new(row.range()), body: Box::new(body) };
        Value::new(after(stmts, count), 0, i64::from(row.capacity))
    }

    /// Puts the element into the first free position.
    pub(super) fn lower_multiset_add(
        &mut self,
        element: &hir::Expr,
        multiset: &hir::Place,
        span: Span,
        stmts: &mut Vec<Stmt>,
    ) {
        let row = self.lower_row(multiset, stmts);
        let var = self.new_var();
        let label = self.new_label();
        let presence = row.presence(Expr::Var(var));
        let store = self.store_element(element, &moved(&presence, 1), row.element, stmts);
        let found = vec![store, Stmt::Store(presence, Expr::Const(1)), Stmt::Leave(label)];
        let search = vec![Stmt::If(not(row.is_present(Expr::Var(var))), found, Vec::new())];
        let detail = self.names().place(multiset);
        let full = self.site(FaultKind::MultisetFull, detail, span);
        let search = vec![Stmt::For(var, row.range(), search), Stmt::Fault(full)];
        stmts.push(Stmt::Block(label, search));
    }

    /// The statement that stores an element, which is evaluated now.
    fn store_element(&mut self, element: &hir::Expr, to: &Place, ty: TypeId, stmts: &mut Vec<Stmt>) -> Stmt {
        if self.memory.is_simple(ty) {
            let value = self.lower_expr(element);
            let detail = self.names().expr(element);
            let value = self.convert(value, element.ty, ty, &detail, element.span);
            let value = self.hold(value, stmts);
            return Stmt::Store(to.clone(), value.expr);
        }
        let from = self.lower_aggregate(element, stmts);
        let from = self.freeze(from, stmts);
        Stmt::Copy { from, to: to.clone(), len: self.memory.size(ty) }
    }

    pub(super) fn lower_multiset_remove(
        &mut self,
        index: &hir::Expr,
        multiset: &hir::Place,
        span: Span,
        stmts: &mut Vec<Stmt>,
    ) {
        let row = self.lower_row(multiset, stmts);
        let detail = format!("{}[{}]", self.names().place(multiset), self.names().expr(index));
        let index = self.lower_expr(index);
        let index = self.hold(index, stmts).expr;
        // Removing an absent element is a fault, like reading it.
        let absent = self.site(FaultKind::Undefined, detail, span);
        stmts.push(Stmt::If(not(row.is_present(index.clone())), vec![Stmt::Fault(absent)], Vec::new()));
        stmts.extend(self.removal(&row, index));
    }

    pub(super) fn lower_multiset_remove_pred(
        &mut self,
        local: LocalId,
        multiset: &hir::Place,
        predicate: &hir::Expr,
        stmts: &mut Vec<Stmt>,
    ) {
        let row = self.lower_row(multiset, stmts);
        let var = self.bind_index(local, &row);
        let predicate = self.lower_condition(predicate);
        let condition = and(row.is_present(Expr::Var(var)), predicate);
        let removal = self.removal(&row, Expr::Var(var));
        stmts.push(Stmt::For(var, row.range(), vec![Stmt::If(condition, removal, Vec::new())]));
    }

    /// An absent element is undefined throughout, so that equal multisets are equal slot by slot.
    fn removal(&mut self, row: &Row, index: Expr) -> Vec<Stmt> {
        let presence = row.presence(index);
        let mut stmts = Vec::new();
        let size = self.memory.size(row.element);
        if size > 0 {
            stmts.push(Stmt::Undefine(moved(&presence, 1), size));
        }
        stmts.push(Stmt::Store(presence, Expr::Const(0)));
        stmts
    }
}

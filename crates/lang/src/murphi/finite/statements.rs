//! Statements.

use super::super::hir::{self, StmtKind, TypeId};
use super::expressions::moved;
use super::memory::Role;
use super::values::{as_constant, not};
use super::{Binding, Lowering};
use crate::codes::instance::NO_LEAST_VALUE;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use tenet_system::finite::layout::Domain;
use tenet_system::finite::program::{Expr, FaultKind, Place, Stmt};

impl Lowering<'_> {
    /// Statements in order.
    pub(super) fn lower_block(&mut self, body: &[hir::Stmt]) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for stmt in body {
            self.lower_stmt(stmt, &mut stmts);
        }
        stmts
    }

    fn lower_stmt(&mut self, stmt: &hir::Stmt, stmts: &mut Vec<Stmt>) {
        if !self.within_budget(stmt.span) {
            return;
        }
        self.tree_depth += 1;
        self.lower_stmt_kind(stmt, stmts);
        self.tree_depth -= 1;
    }

    fn lower_stmt_kind(&mut self, stmt: &hir::Stmt, stmts: &mut Vec<Stmt>) {
        match &stmt.kind {
            StmtKind::Assign { place, value } => self.lower_assign(place, value, stmt.span, stmts),
            StmtKind::If { condition, then, otherwise } => self.lower_if(condition, then, otherwise, stmts),
            StmtKind::For { binder, body } => {
                let (var, range) = self.lower_binder(binder, stmts);
                let body = self.lower_block(body);
                stmts.push(Stmt::For(var, range, body));
            }
            StmtKind::While { condition, body } => {
                let condition = self.lower_condition(condition);
                let body = self.lower_block(body);
                let site = self.site(FaultKind::Endless, "", stmt.span);
                stmts.push(Stmt::While(condition, body, site));
            }
            StmtKind::Alias { aliases, body } => {
                for alias in aliases {
                    self.bind_alias(alias, stmts);
                }
                stmts.extend(self.lower_block(body));
            }
            StmtKind::Call { function, arguments } => {
                self.lower_call_statement(*function, arguments, stmt.span, stmts);
            }
            StmtKind::Clear(place) => {
                let target = self.lower_fixed(place, stmts);
                self.clear(&target, place.ty, stmt.span, stmts);
            }
            StmtKind::Undefine(place) => {
                let target = self.lower_fixed(place, stmts);
                self.undefine(&target, place.ty, stmts);
            }
            StmtKind::Assert { formula, message } => {
                self.lower_assert(formula, message.as_deref(), stmt.span, stmts)
            }
            StmtKind::Assume(formula) => {
                let formula = self.lower_condition(formula);
                push_if(not(formula), vec![Stmt::Reject], Vec::new(), stmts);
            }
            StmtKind::Cover(formula, _) => {
                let formula = self.lower_condition(formula);
                let number = self.covers.get(&stmt.span).copied().unwrap_or_default();
                push_if(formula, vec![Stmt::Cover(number)], Vec::new(), stmts);
            }
            StmtKind::Error(message) => {
                let site = self.site(FaultKind::Error, message, stmt.span);
                stmts.push(Stmt::Fault(site));
            }
            StmtKind::Put(_) => {}
            StmtKind::Return(value) => self.lower_return(value.as_ref(), stmts),
            StmtKind::MultisetAdd { element, multiset } => {
                self.lower_multiset_add(element, multiset, stmt.span, stmts);
            }
            StmtKind::MultisetRemove { index, multiset } => {
                self.lower_multiset_remove(index, multiset, stmt.span, stmts);
            }
            StmtKind::MultisetRemovePred { local, multiset, predicate } => {
                self.lower_multiset_remove_pred(*local, multiset, predicate, stmts);
            }
        }
    }

    fn lower_assign(&mut self, place: &hir::Place, value: &hir::Expr, span: Span, stmts: &mut Vec<Stmt>) {
        if !self.memory.is_simple(place.ty) {
            let from = self.lower_aggregate(value, stmts);
            let to = self.lower_place(place, stmts);
            stmts.push(Stmt::Copy { from, to, len: self.memory.size(place.ty) });
            return;
        }
        if let Some(copied) = value.copied(self.frame.code, false, place.ty)
            && let Binding::Place(from) = self.lower_target(copied)
        {
            let to = self.lower_place(place, stmts);
            stmts.push(Stmt::Copy { from, to, len: 1 });
            return;
        }
        let mut target = self.lower_place(place, stmts);
        let mut before = Vec::new();
        let effects = self.effects;
        let lowered = self.lower_expr(value);
        // The left side comes first: a function on the right may change what its indices read.
        if self.effects != effects {
            target = self.freeze(target, &mut before);
        }
        let detail = self.names().place(place);
        let lowered = self.convert(lowered, value.ty, place.ty, &detail, span);
        stmts.append(&mut before);
        stmts.push(Stmt::Store(target, lowered.expr));
    }

    fn lower_if(
        &mut self,
        condition: &hir::Expr,
        then: &[hir::Stmt],
        otherwise: &[hir::Stmt],
        stmts: &mut Vec<Stmt>,
    ) {
        let condition = self.lower_condition(condition);
        match as_constant(&condition) {
            Some(0) => stmts.extend(self.lower_block(otherwise)),
            Some(_) => stmts.extend(self.lower_block(then)),
            None => {
                let (then, otherwise) = (self.lower_block(then), self.lower_block(otherwise));
                stmts.push(Stmt::If(condition, then, otherwise));
            }
        }
    }

    fn lower_assert(
        &mut self,
        formula: &hir::Expr,
        message: Option<&str>,
        span: Span,
        stmts: &mut Vec<Stmt>,
    ) {
        let detail = message.map_or_else(|| self.names().expr(formula), str::to_string);
        let formula = self.lower_condition(formula);
        let site = self.site(FaultKind::Assertion, detail, span);
        push_if(not(formula), vec![Stmt::Fault(site)], Vec::new(), stmts);
    }

    fn lower_return(&mut self, value: Option<&hir::Expr>, stmts: &mut Vec<Stmt>) {
        let exit = self.frame.exit.clone().expect("invariant: code with `return` has an exit");
        if let (Some(value), Some((place, ty))) = (value, exit.result) {
            let value = self.result_value(value, ty);
            stmts.push(Stmt::Store(place, value.expr));
        }
        stmts.push(Stmt::Leave(exit.label));
    }

    /// A place that is written several times: its indices are evaluated once.
    pub(super) fn lower_fixed(&mut self, place: &hir::Place, stmts: &mut Vec<Stmt>) -> Place {
        let target = self.lower_place(place, stmts);
        self.freeze(target, stmts)
    }

    /// Makes a place undefined and its multisets empty.
    pub(super) fn undefine(&mut self, place: &Place, ty: TypeId, stmts: &mut Vec<Stmt>) {
        stmts.push(Stmt::Undefine(place.clone(), self.memory.size(ty)));
        for leaf in self.memory.leaves(ty) {
            if leaf.role == Role::Presence {
                stmts.push(Stmt::Store(moved(place, leaf.offset), Expr::Const(0)));
            }
        }
    }

    fn clear(&mut self, place: &Place, ty: TypeId, span: Span, stmts: &mut Vec<Stmt>) {
        let leaves = self.memory.leaves(ty);
        if leaves.iter().any(|leaf| leaf.role == Role::Element) {
            stmts.push(Stmt::Undefine(place.clone(), self.memory.size(ty)));
        }
        for leaf in leaves {
            let least = match leaf.role {
                Role::Scalar => self.least(leaf.ty, span),
                Role::Presence => Some(0),
                Role::Element => None,
            };
            let Some(least) = least else { continue };
            self.within_budget(span);
            stmts.push(Stmt::Store(moved(place, leaf.offset), Expr::Const(least)));
        }
    }

    fn least(&mut self, ty: TypeId, span: Span) -> Option<i64> {
        let simple = self.memory.simple(ty);
        if !simple.finite && simple.lo == Domain::integers().lo() {
            let error = Diagnostic::error(&NO_LEAST_VALUE, "this has no least value", span)
                .help("assign a value instead of `clear`");
            self.memory.report(error);
        }
        (simple.lo <= simple.hi).then_some(simple.lo)
    }
}

/// A branch, decided here if the condition is constant.
pub(super) fn push_if(condition: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>, stmts: &mut Vec<Stmt>) {
    match as_constant(&condition) {
        Some(0) => stmts.extend(otherwise),
        Some(_) => stmts.extend(then),
        None => stmts.push(Stmt::If(condition, then, otherwise)),
    }
}

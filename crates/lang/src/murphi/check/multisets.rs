//! Multisets: choosing, counting, adding, removing.
//!
//! A chosen element is a local of type integer in the checked model, its position. In the source it is not a number:
//! `Entry::Choice` keeps it from being used as one.

use super::Checker;
use super::convert::Target;
use super::places::{Designated, LocalNote};
use super::scope::Entry;
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::ast::{self, Ident};
use crate::murphi::hir::{Expr, ExprKind, INTEGER, LocalId, LocalKind, Place, StmtKind, TypeId, TypeKind};
use crate::span::Span;

impl Checker<'_> {
    /// A multiset that is read.
    pub(super) fn multiset_place(&mut self, written: &ast::Expr) -> Option<Place> {
        match self.designated(written)? {
            Designated::Place(place) => self.require_multiset(place),
            Designated::Value(value) => self.not_a_multiset(value.ty, value.span),
        }
    }

    fn changed_multiset(&mut self, written: &ast::Expr) -> Option<Place> {
        let place = self.changed_place(written, "changed")?;
        self.require_multiset(place)
    }

    fn require_multiset(&mut self, place: Place) -> Option<Place> {
        match self.kind(place.ty) {
            TypeKind::Multiset { .. } => Some(place),
            _ => self.not_a_multiset(place.ty, place.span),
        }
    }

    fn not_a_multiset<T>(&mut self, ty: TypeId, span: Span) -> Option<T> {
        let message = format!("a multiset is needed, but this is of type {}", self.describe(ty));
        self.error(&codes::BAD_MULTISET, message, span)
    }

    /// Declares the name of an element in the innermost scope.
    pub(super) fn declare_choice(&mut self, name: &Ident, multiset: Option<&Place>) -> Option<LocalId> {
        let Some(place) = multiset else {
            self.declare(name, Entry::Broken);
            return None;
        };
        let note = LocalNote::fixed("is an element of a multiset");
        let local = self.new_local(name, INTEGER, LocalKind::Value, note);
        self.declare(name, Entry::Choice(local, place.ty));
        Some(local)
    }

    /// The element that an expression names, if it is the name of one, and the multiset type it was chosen from.
    pub(super) fn choice(&self, expr: &ast::Expr) -> Option<(LocalId, TypeId)> {
        let ast::ExprKind::Name(name) = &expr.kind else { return None };
        match self.lookup(name)?.entry {
            Entry::Choice(local, ty) => Some((local, ty)),
            _ => None,
        }
    }

    /// An element of this multiset.
    pub(super) fn chosen(&mut self, index: &ast::Expr, multiset: &Place) -> Option<Expr> {
        match self.choice(index) {
            Some((local, ty)) if self.same_type(ty, multiset.ty) => {
                Some(Expr { kind: ExprKind::Local(local), ty: INTEGER, span: index.span })
            }
            Some((_, ty)) => {
                let (found, needed) = (self.describe(ty), self.describe(multiset.ty));
                let message = format!("this element was chosen from {found}, not from {needed}");
                self.error(&codes::BAD_MULTISET, message, index.span)
            }
            None => {
                self.expr(index)?;
                let message =
                    "an element of a multiset can be named only by a `choose` or a similar construct";
                let diagnostic = Diagnostic::error(&codes::BAD_MULTISET, message, index.span);
                self.report(diagnostic.help("write `choose i : m do … end` around the rule and `m[i]` here"));
                None
            }
        }
    }

    pub(super) fn multiset_count(
        &mut self,
        name: &Ident,
        multiset: &ast::Expr,
        predicate: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let multiset = self.multiset_place(multiset);
        let (local, predicate) = self.element_predicate(name, multiset.as_ref(), predicate);
        let predicate = Box::new(predicate?);
        let kind = ExprKind::MultisetCount { local: local?, multiset: multiset?, predicate };
        Some(Expr { kind, ty: INTEGER, span })
    }

    pub(super) fn multiset_remove_pred(
        &mut self,
        name: &Ident,
        multiset: &ast::Expr,
        predicate: &ast::Expr,
    ) -> Option<StmtKind> {
        let multiset = self.changed_multiset(multiset);
        let (local, predicate) = self.element_predicate(name, multiset.as_ref(), predicate);
        Some(StmtKind::MultisetRemovePred { local: local?, multiset: multiset?, predicate: predicate? })
    }

    fn element_predicate(
        &mut self,
        name: &Ident,
        multiset: Option<&Place>,
        predicate: &ast::Expr,
    ) -> (Option<LocalId>, Option<Expr>) {
        self.scoped(|checker| {
            let local = checker.declare_choice(name, multiset);
            (local, checker.condition(predicate, "the predicate on an element"))
        })
    }

    pub(super) fn multiset_add(&mut self, element: &ast::Expr, multiset: &ast::Expr) -> Option<StmtKind> {
        let (element, multiset) = (self.expr(element), self.changed_multiset(multiset));
        let (element, multiset) = (element?, multiset?);
        let TypeKind::Multiset { element: ty, .. } = *self.kind(multiset.ty) else { return None };
        let declared = self.declared(&multiset);
        let element = self.fit(element, &Target { ty, what: "the element", declared })?;
        Some(StmtKind::MultisetAdd { element, multiset })
    }

    pub(super) fn multiset_remove(&mut self, index: &ast::Expr, multiset: &ast::Expr) -> Option<StmtKind> {
        let multiset = self.changed_multiset(multiset)?;
        let index = self.chosen(index, &multiset)?;
        Some(StmtKind::MultisetRemove { index, multiset })
    }
}

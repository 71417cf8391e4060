//! Conversions between types: ranges, unions, and least values.

use super::Reader;
use super::sorts::type_name;
use super::values::Scalar;
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{Expr, ExprKind, TypeId, TypeKind};
use crate::span::Span;
use tenet_term::{Role, Sort, SortId, TermId};

impl Reader<'_> {
    /// That a number is within the bounds of a type; true for other types.
    pub(super) fn fits(&mut self, value: Scalar, ty: TypeId) -> TermId {
        let bounds = self.bounds(ty);
        self.within(value, bounds)
    }

    /// An index of an array, with the obligation that it is within bounds.
    pub(super) fn index_value(&mut self, index: &Expr, ty: TypeId, array: &str) -> TermId {
        let value = self.scalar_as(index, ty);
        let fits = self.fits(value, ty);
        if fits != TermId::TRUE {
            let message = format!("the index of `{array}` is {}", self.range_text(ty));
            self.oblige(fits, message, index.span);
        }
        value.term
    }

    /// `in 1..N`, for messages.
    pub(super) fn range_text(&mut self, ty: TypeId) -> String {
        let bounds = self.bounds(ty);
        let end = |end: Option<TermId>| end.map_or(String::new(), |end| self.store.print(end));
        format!("in {}..{}", end(bounds.lo), end(bounds.hi))
    }

    /// The same value as another type: in or out of a union, or a number as a range.
    pub(super) fn convert(&mut self, value: &Expr, ty: TypeId, span: Span) -> Scalar {
        let model = self.model;
        let is_union = |ty: TypeId| matches!(model.ty(ty).kind, TypeKind::Union { .. });
        if !is_union(ty) && !is_union(value.ty) {
            return self.scalar_as(value, ty);
        }
        let from = self.scalar(value).term;
        let to = self.sort(ty);
        let (term, possible) = self.seen_as(from, to);
        if possible != TermId::TRUE {
            self.oblige(possible, format!("the value is of type `{}`", type_name(model, ty)), span);
        }
        Scalar::plain(term)
    }

    /// A term converted to another sort, and when that is possible.
    fn seen_as(&mut self, term: TermId, to: SortId) -> (TermId, TermId) {
        let from = self.store.sort_of(term);
        let (from_members, to_members) = (self.members(from), self.members(to));
        let mut cases: Vec<(TermId, TermId)> = Vec::new();
        for member in from_members.iter().copied().filter(|member| to_members.contains(member)) {
            let (test, inner) = if member == from {
                (TermId::TRUE, term)
            } else {
                (self.store.mk_is(member, term), self.store.mk_out(member, term))
            };
            let outer = if member == to { inner } else { self.store.mk_in(to, member, inner) };
            cases.push((test, outer));
        }
        let tests: Vec<TermId> = cases.iter().map(|(test, _)| *test).collect();
        let complete = from_members.iter().all(|member| to_members.contains(member));
        let possible = if complete { TermId::TRUE } else { self.store.mk_or(tests) };
        let Some((_, mut value)) = cases.pop() else { return (self.dummy(to), TermId::TRUE) };
        for (test, case) in cases.into_iter().rev() {
            value = self.store.mk_ite(test, case, value);
        }
        (value, possible)
    }

    /// The members of a union; any other sort is its own member.
    fn members(&self, sort: SortId) -> Vec<SortId> {
        match self.store.sort(sort) {
            Sort::Union { members, .. } => members.clone(),
            _ => vec![sort],
        }
    }

    pub(super) fn is_member(&mut self, value: &Expr, member: TypeId) -> Scalar {
        let term = self.scalar(value).term;
        let member = self.sort(member);
        let (own, wanted) = (self.members(self.store.sort_of(term)), self.members(member));
        if own[..] == [self.store.sort_of(term)] {
            return Scalar::plain(TermId::bool(wanted.contains(&own[0])));
        }
        let tests: Vec<TermId> = wanted
            .into_iter()
            .filter(|member| own.contains(member))
            .map(|member| self.store.mk_is(member, term))
            .collect();
        Scalar::plain(self.store.mk_or(tests))
    }

    /// The least value of a simple type, for `clear`.
    pub(super) fn least(&mut self, ty: TypeId, span: Span) -> TermId {
        let model = self.model;
        let sort = self.sort(ty);
        match (&model.ty(ty).kind, self.store.sort(sort).clone()) {
            (TypeKind::Union { members }, Sort::Union { .. }) => {
                let least = self.least(members[0], span);
                let member = self.store.sort_of(least);
                self.store.mk_in(sort, member, least)
            }
            (TypeKind::Range { lo: Some(lo), .. }, Sort::Index { .. }) => match self.linear(&lo.expr) {
                Some(lo) => self.distinguished(ty, &lo),
                None => self.refuse_least(ty, sort, span),
            },
            (TypeKind::Scalarset { .. }, Sort::Index { name }) => self.first_element(sort, &name),
            (_, Sort::Bool) => TermId::FALSE,
            (_, Sort::Enum { .. }) => self.store.mk_enum(sort, 0),
            (_, Sort::Int | Sort::Range { .. }) if self.bounds(ty).lo.is_some() => {
                self.bounds(ty).lo.expect("invariant: just looked")
            }
            _ => self.refuse_least(ty, sort, span),
        }
    }

    /// The element that `clear` assigns: one and the same everywhere, whichever it is.
    fn first_element(&mut self, sort: SortId, name: &str) -> TermId {
        if let Some(&known) = self.sorts.first.get(&sort) {
            return known;
        }
        let symbol = self.store.fresh(&format!("first_{name}"), sort, Role::Const);
        self.system.consts.push(symbol);
        let term = self.store.mk_symbol(symbol);
        self.sorts.first.insert(sort, term);
        term
    }

    fn refuse_least(&mut self, ty: TypeId, sort: SortId, span: Span) -> TermId {
        let message = format!("`{}` has no least value to clear to", type_name(self.model, ty));
        let diagnostic = Diagnostic::error(&codes::NO_LEAST_VALUE, message, span);
        self.report(diagnostic.help("assign a value, or use `undefine`, which stands for any value"));
        self.dummy(sort)
    }

    /// The range, read as an index sort, that the value of an expression belongs to.
    pub(super) fn index_type(&self, expr: &Expr) -> Option<TypeId> {
        if self.choice.indices.contains(&expr.ty) {
            return Some(expr.ty);
        }
        match &expr.kind {
            ExprKind::Ite(_, yes, no) => self.index_type(yes).or_else(|| self.index_type(no)),
            _ => None,
        }
    }
}

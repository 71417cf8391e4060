//! Conversions between types: numbers to ranges, members to unions and back.
//!
//! A union numbers the values of all its members consecutively, so a conversion is a shift, with a check when it goes
//! from the union to a member.

use super::super::hir::{TypeId, TypeKind};
use super::memory::Member;
use super::values::{Value, and, compare};
use super::{Lowering, after};
use crate::span::Span;
use tenet_system::finite::program::{Comparison, Expr, FaultKind, SiteId};

impl Lowering<'_> {
    /// The value as type `to`, with a fault of kind `Range` if it is not among the type's values.
    pub(super) fn convert(
        &mut self,
        value: Value,
        from: TypeId,
        to: TypeId,
        detail: &str,
        span: Span,
    ) -> Value {
        if from == to {
            return value;
        }
        let site = self.site(FaultKind::Range, detail, span);
        match (self.is_union(from), self.is_union(to)) {
            (false, false) => self.fit(value, to, site),
            (false, true) => self.union_value(value, from, to, site),
            (true, false) => self.member_value(value, from, to, site),
            (true, true) => self.between_unions(value, from, to, site),
        }
    }

    /// The value if it belongs to the type.
    pub(super) fn fit(&mut self, value: Value, ty: TypeId, site: SiteId) -> Value {
        let simple = self.memory.simple(ty);
        value.in_range(simple.lo, simple.hi, site)
    }

    /// Whether a value of the union is of the member type.
    pub(super) fn is_member(&mut self, value: Value, union: TypeId, ty: TypeId) -> Value {
        let members = self.memory.members(union);
        let Some(member) = self.find_member(&members, ty) else { return Value::constant(0) };
        let mut stmts = Vec::new();
        let value = self.hold(value, &mut stmts);
        let (lo, hi) = (member.offset, member.offset + member.count - 1);
        let bound = |comparison, bound| compare(comparison, value.expr.clone(), Expr::Const(bound));
        let above = if lo <= value.lo { Expr::Const(1) } else { bound(Comparison::Ge, lo) };
        let below = if value.hi <= hi { Expr::Const(1) } else { bound(Comparison::Le, hi) };
        // The value is evaluated even where its type decides: reading an undefined one is a fault.
        Value::truth(after(stmts, and(above, below)))
    }

    fn is_union(&self, ty: TypeId) -> bool {
        matches!(self.model.ty(ty).kind, TypeKind::Union { .. })
    }

    /// The member with this type; a number goes to the first range.
    fn find_member(&self, members: &[Member], ty: TypeId) -> Option<Member> {
        let same = members.iter().find(|member| member.ty == ty);
        let number = || members.iter().find(|member| self.is_number(ty) && self.is_number(member.ty));
        same.or_else(number).copied()
    }

    fn union_value(&mut self, value: Value, from: TypeId, to: TypeId, site: SiteId) -> Value {
        let members = self.memory.members(to);
        let Some(member) = self.find_member(&members, from) else { return never(value, site) };
        let inside = value.in_range(member.lo, member.lo + member.count - 1, site);
        inside.shifted(member.offset - member.lo, site)
    }

    fn member_value(&mut self, value: Value, from: TypeId, to: TypeId, site: SiteId) -> Value {
        let members = self.memory.members(from);
        let Some(member) = self.find_member(&members, to) else { return never(value, site) };
        let inside = value.in_range(member.offset, member.offset + member.count - 1, site);
        let number = inside.shifted(member.lo - member.offset, site);
        self.fit(number, to, site)
    }

    fn between_unions(&mut self, value: Value, from: TypeId, to: TypeId, site: SiteId) -> Value {
        let sources = self.memory.members(from);
        let targets = self.memory.members(to);
        let mut stmts = Vec::new();
        let value = self.hold(value, &mut stmts);
        let (lo, hi) = (value.lo, value.hi);
        let mut result = never(value.clone(), site).expr;
        for source in sources.iter().rev() {
            let Some(target) = self.find_member(&targets, source.ty) else { continue };
            let inside = |comparison, bound| compare(comparison, value.expr.clone(), Expr::Const(bound));
            let condition = and(
                inside(Comparison::Ge, source.offset),
                inside(Comparison::Le, source.offset + source.count - 1),
            );
            let moved = Value::new(value.expr.clone(), lo, hi).shifted(target.offset - source.offset, site);
            result = Expr::Ite(Box::new(condition), Box::new(moved.expr), Box::new(result));
        }
        let simple = self.memory.simple(to);
        Value::new(after(stmts, result), simple.lo, simple.hi)
    }
}

/// A value that never fits: a fault whenever it is evaluated.
fn never(value: Value, site: SiteId) -> Value {
    Value::new(Expr::InRange(Box::new(value.expr), 1, 0, site), 0, 0)
}

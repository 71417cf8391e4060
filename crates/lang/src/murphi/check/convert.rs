//! Type compatibility, and where a conversion between a union and its members has to be inserted.
//!
//! Numbers need no conversion: whether a value fits a range is checked when the model runs. Number literals are checked
//! here.

use super::{Checker, hir};
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{Bound, Expr, ExprKind, TypeId, TypeKind};
use crate::span::Span;
use num_bigint::BigInt;

/// The target of a value, for messages.
pub(super) struct Target<'t> {
    /// The type it must have.
    pub(super) ty: TypeId,
    /// The role of the value: `the index`, `argument 2 of …`.
    pub(super) what: &'t str,
    /// The declaration that requires the type, with a remark.
    pub(super) declared: Option<(Span, String)>,
}

impl Checker<'_> {
    /// The value converted to the target's type, or an error.
    pub(super) fn fit(&mut self, value: Expr, target: &Target) -> Option<Expr> {
        match self.coerce(value, target.ty) {
            Ok(value) => {
                self.in_range(&value, target)?;
                Some(value)
            }
            Err(value) => self.mismatch(&value, target),
        }
    }

    /// Converts the sides of a comparison (or the arms of `?:`) to a common type, or reports that there is none.
    pub(super) fn unify(&mut self, left: Expr, right: Expr, span: Span) -> Option<(Expr, Expr)> {
        if self.is_narrower(left.ty, right.ty) {
            return match self.coerce(left, right.ty) {
                Ok(left) => Some((left, right)),
                Err(left) => self.incomparable(&left, &right, span),
            };
        }
        match self.coerce(right, left.ty) {
            Ok(right) => Some((left, right)),
            Err(right) => self.incomparable(&left, &right, span),
        }
    }

    /// Whether a comparison has to convert the left side to the right side's union.
    fn is_narrower(&self, left: TypeId, right: TypeId) -> bool {
        match (self.kind(left), self.kind(right)) {
            (TypeKind::Union { members: left }, TypeKind::Union { members: right }) => {
                left.len() < right.len()
            }
            (_, TypeKind::Union { .. }) => true,
            _ => false,
        }
    }

    /// The value converted to the type, or unchanged if that is impossible.
    fn coerce(&self, value: Expr, ty: TypeId) -> Result<Expr, Expr> {
        if self.same_type(value.ty, ty) || self.is_numeric(value.ty) && self.is_numeric(ty) {
            return Ok(value);
        }
        match (self.kind(value.ty), self.kind(ty)) {
            (TypeKind::Union { members: from }, TypeKind::Union { members: to }) => {
                // One of the two must contain the other: a narrower one faults on what it lacks.
                let within = |few: &[TypeId], many: &[TypeId]| {
                    few.iter().all(|few| many.iter().any(|many| self.same_type(*few, *many)))
                };
                if within(from, to) || within(to, from) { Ok(convert(value, ty)) } else { Err(value) }
            }
            (_, TypeKind::Union { members }) => match self.member_for(members, value.ty) {
                Some(member) if self.same_type(member, value.ty) => Ok(convert(value, ty)),
                Some(member) => Ok(convert(convert(value, member), ty)),
                None => Err(value),
            },
            (TypeKind::Union { members }, _) => match self.member_for(members, ty) {
                Some(member) => Ok(convert(value, member)),
                None => Err(value),
            },
            _ => Err(value),
        }
    }

    /// The member of a union that a value of the type belongs to.
    fn member_for(&self, members: &[TypeId], ty: TypeId) -> Option<TypeId> {
        let fits =
            |member: &TypeId| self.same_type(*member, ty) || self.is_numeric(*member) && self.is_numeric(ty);
        members.iter().copied().find(fits)
    }

    fn mismatch<T>(&mut self, value: &Expr, target: &Target) -> Option<T> {
        let (needed, found) = (self.describe(target.ty), self.describe(value.ty));
        let message = format!("{} must be of type {needed}, but it is of type {found}", target.what);
        let mut diagnostic = Diagnostic::error(&codes::TYPE_MISMATCH, message, value.span)
            .label(format!("this is of type {found}"));
        if let Some((span, remark)) = &target.declared {
            diagnostic = diagnostic.also(*span, remark);
        }
        if let Some(help) = self.mismatch_help(value, target.ty) {
            diagnostic = diagnostic.help(help);
        }
        self.report(diagnostic);
        None
    }

    fn incomparable<T>(&mut self, left: &Expr, right: &Expr, span: Span) -> Option<T> {
        let (left_type, right_type) = (self.describe(left.ty), self.describe(right.ty));
        let message = format!("{left_type} and {right_type} do not match");
        let mut diagnostic = Diagnostic::error(&codes::TYPE_MISMATCH, message, span)
            .also(left.span, format!("of type {left_type}"))
            .also(right.span, format!("of type {right_type}"));
        if let Some(help) = self.mismatch_help(left, right.ty).or_else(|| self.mismatch_help(right, left.ty))
        {
            diagnostic = diagnostic.help(help);
        }
        self.report(diagnostic);
        None
    }

    fn mismatch_help(&self, value: &Expr, needed: TypeId) -> Option<&'static str> {
        let is_number = self.is_numeric(value.ty);
        match self.kind(needed) {
            TypeKind::Scalarset { .. } if is_number => {
                Some("the values of a scalarset are not numbers; to use numbers declare the type as a range")
            }
            TypeKind::Enum { .. } if is_number => Some("use the name of one of the enumeration's values"),
            TypeKind::Scalarset { .. } if matches!(self.kind(value.ty), TypeKind::Scalarset { .. }) => {
                Some("two scalarsets are different types even if they have the same size")
            }
            TypeKind::Bool if is_number => Some("compare the number with another one, as in `x != 0`"),
            _ => None,
        }
    }

    /// Reports a number literal outside a range with literal bounds.
    fn in_range(&mut self, value: &Expr, target: &Target) -> Option<()> {
        let TypeKind::Range { lo, hi } = self.kind(target.ty) else { return Some(()) };
        let Some(number) = self.literal_number(value) else { return Some(()) };
        let below = self.literal_end(lo).is_some_and(|lo| number < lo);
        let above = self.literal_end(hi).is_some_and(|hi| number > hi);
        if !below && !above {
            return Some(());
        }
        let message = format!("{} is {number}, which is outside {}", target.what, self.range_text(target.ty));
        let mut diagnostic = Diagnostic::error(&codes::OUTSIDE_RANGE, message, value.span);
        if let Some((span, remark)) = &target.declared {
            diagnostic = diagnostic.also(*span, remark);
        }
        self.report(diagnostic);
        None
    }

    fn literal_end(&self, end: &Option<Bound>) -> Option<BigInt> {
        end.as_ref().and_then(|bound| self.literal_number(&bound.expr))
    }
}

fn convert(value: Expr, ty: TypeId) -> Expr {
    hir::Expr { span: value.span, ty, kind: ExprKind::Convert(Box::new(value)) }
}

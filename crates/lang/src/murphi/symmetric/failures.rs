//! Which expressions can fail when evaluated, and which sums fail in every order or in none.
//!
//! Types decide, not values: a number of type `0..3` stored in another `0..3` cannot fail, a computed one may. That is
//! coarse, but it only costs a symmetry that few loops need. Overflow is left out, because a number that leaves 64 bits
//! is a limit of this tool and never part of a verdict.

use super::super::hir::{BinaryOp, Expr, ExprKind, INTEGER, Model, Place, Step, TypeId, TypeKind, UnaryOp};
use super::locations::Fold;
use num_bigint::Sign;

/// Questions about expressions of one model.
pub(super) struct Failures<'m> {
    pub model: &'m Model,
}

impl Failures<'_> {
    /// Whether values of the type are scalars.
    pub fn is_simple(&self, ty: TypeId) -> bool {
        let kind = &self.model.ty(ty).kind;
        !matches!(kind, TypeKind::Array { .. } | TypeKind::Multiset { .. } | TypeKind::Record { .. })
    }

    /// Whether a scalar of one type may be none of the other.
    pub fn narrows(&self, from: TypeId, to: TypeId) -> bool {
        from != to && self.is_simple(to) && !matches!(self.model.ty(to).kind, TypeKind::Integer)
    }

    /// Whether `return` of the value may fail because the value does not fit. The result type is not known here, so
    /// only values that are not numbers are certain to fit.
    pub fn return_value(&self, value: &Expr) -> bool {
        let is_number = matches!(self.model.ty(value.ty).kind, TypeKind::Integer | TypeKind::Range { .. });
        is_number && !matches!(value.kind, ExprKind::Int(_))
    }

    /// Whether an index of the place may be out of bounds.
    pub fn indices(&self, place: &Place, root: TypeId) -> bool {
        let mut ty = root;
        place.steps.iter().any(|step| match (step, &self.model.ty(ty).kind) {
            (Step::Field(position), TypeKind::Record { fields }) => {
                ty = fields[*position].ty;
                false
            }
            (Step::Index(index), TypeKind::Array { index: needed, element }) => {
                ty = *element;
                self.narrows(index.ty, *needed) && !matches!(index.kind, ExprKind::Int(_))
            }
            (Step::Element(_), TypeKind::Multiset { element, .. }) => {
                ty = *element;
                false
            }
            _ => true,
        })
    }

    /// Whether an operator may divide by zero.
    pub fn divides_by_zero(&self, op: BinaryOp, right: &Expr) -> bool {
        if !matches!(op, BinaryOp::Div | BinaryOp::Mod) {
            return false;
        }
        match &right.kind {
            ExprKind::Int(value) => value.sign() == Sign::NoSign,
            ExprKind::ConstRef(id) => self.model.consts[id.0 as usize].value.sign() == Sign::NoSign,
            _ => true,
        }
    }

    /// Whether adding the operand to a number of the type (or subtracting it) commutes with further ones, and how.
    pub fn addition(&self, target: TypeId, operand: &Expr, subtracted: bool) -> Option<Fold> {
        if target == INTEGER {
            return Some(Fold::Sum);
        }
        let (not_negative, not_positive) = self.signs(operand);
        match (not_negative, not_positive) {
            (true, _) => Some(if subtracted { Fold::Down } else { Fold::Up }),
            (_, true) => Some(if subtracted { Fold::Up } else { Fold::Down }),
            _ => None,
        }
    }

    /// Whether a number is certainly not negative, and whether it is certainly not positive.
    fn signs(&self, expr: &Expr) -> (bool, bool) {
        match &expr.kind {
            ExprKind::Int(value) => (value.sign() != Sign::Minus, value.sign() != Sign::Plus),
            ExprKind::ConstRef(id) => {
                let sign = self.model.consts[id.0 as usize].value.sign();
                (sign != Sign::Minus, sign != Sign::Plus)
            }
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                let (not_negative, not_positive) = self.signs(inner);
                (not_positive, not_negative)
            }
            ExprKind::Ite(_, left, right) | ExprKind::Binary(BinaryOp::Add, left, right) => {
                let (left, right) = (self.signs(left), self.signs(right));
                (left.0 && right.0, left.1 && right.1)
            }
            ExprKind::Binary(BinaryOp::Mul, left, right) => {
                let (left, right) = (self.signs(left), self.signs(right));
                (left.0 && right.0 || left.1 && right.1, left.0 && right.1 || left.1 && right.0)
            }
            ExprKind::MultisetCount { .. } => (true, false),
            _ => self.type_signs(expr.ty),
        }
    }

    fn type_signs(&self, ty: TypeId) -> (bool, bool) {
        let TypeKind::Range { lo, hi } = &self.model.ty(ty).kind else { return (false, false) };
        (lo.as_ref().is_some_and(|lo| lo.value >= 0), hi.as_ref().is_some_and(|hi| hi.value <= 0))
    }
}

//! Places: a base slot and one dimension for each index that is not constant.

use super::super::hir::{self, AliasTarget, Root, Step, TypeId, TypeKind};
use super::values::Value;
use super::{Binding, Lowering};
use crate::span::Span;
use tenet_system::finite::program::{Dim, Expr, FaultKind, Place, SiteId, Stmt};

/// The elements of an array or multiset, for [`push_dim`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    pub lo: i64,
    pub count: u32,
    pub stride: u32,
    pub site: SiteId,
}

impl Lowering<'_> {
    /// The meaning of a place: mostly memory, but a scalar for a parameter that is never written.
    pub(super) fn lower_target(&mut self, place: &hir::Place) -> Binding {
        let (root, mut ty) = self.root(place.root);
        let mut target = match root {
            Binding::Place(target) => target,
            // A scalar has no parts, so there are no steps.
            scalar @ Binding::Scalar(_) => return scalar,
        };
        for step in &place.steps {
            ty = self.lower_step(step, ty, place, &mut target);
        }
        Binding::Place(target)
    }

    /// A place in memory; a scalar is copied to scratch memory.
    pub(super) fn lower_place(&mut self, place: &hir::Place, stmts: &mut Vec<Stmt>) -> Place {
        match self.lower_target(place) {
            Binding::Place(target) => target,
            Binding::Scalar(value) => {
                let scratch = self.new_scratch(place.ty);
                stmts.push(Stmt::Store(scratch.clone(), value.expr));
                scratch
            }
        }
    }

    /// Evaluates the indices of a place now, so that later writes do not change which place it is.
    pub(super) fn freeze(&mut self, mut place: Place, stmts: &mut Vec<Stmt>) -> Place {
        for dim in &mut place.dims {
            if matches!(dim.index, Expr::Const(_) | Expr::Var(_)) {
                continue;
            }
            let var = self.new_var();
            let index = std::mem::replace(&mut dim.index, Expr::Var(var));
            stmts.push(Stmt::Let(var, index));
        }
        place
    }

    /// Binds an alias.
    pub(super) fn bind_alias(&mut self, alias: &hir::Alias, stmts: &mut Vec<Stmt>) {
        let binding = match &alias.target {
            AliasTarget::Place(place) => match self.lower_target(place) {
                Binding::Place(target) => Binding::Place(self.freeze(target, stmts)),
                scalar => scalar,
            },
            AliasTarget::Value(value) => {
                let value = self.lower_expr(value);
                Binding::Scalar(self.hold(value, stmts))
            }
        };
        self.bind(alias.local, binding);
    }

    /// Evaluates a value now and binds it to a name.
    pub(super) fn hold(&mut self, value: Value, stmts: &mut Vec<Stmt>) -> Value {
        if value.is_atomic() {
            return value;
        }
        let var = self.new_var();
        stmts.push(Stmt::Let(var, value.expr));
        Value::new(Expr::Var(var), value.lo, value.hi)
    }

    fn root(&mut self, root: Root) -> (Binding, TypeId) {
        match root {
            Root::Var(var) => {
                let base = self.bases[var.0 as usize];
                (Binding::Place(Place::slot(base)), self.model.vars[var.0 as usize].ty)
            }
            Root::Local(local) => (self.binding(local).clone(), self.frame.code.locals[local.0 as usize].ty),
        }
    }

    fn lower_step(&mut self, step: &Step, ty: TypeId, whole: &hir::Place, place: &mut Place) -> TypeId {
        let model = self.model;
        match (step, &model.ty(ty).kind) {
            (Step::Field(position), _) => {
                let (field, offset) = self.memory.field(ty, *position);
                place.base += offset;
                field
            }
            (Step::Index(index), TypeKind::Array { index: index_type, element }) => {
                let value = self.lower_index(index, *index_type);
                let simple = self.memory.simple(*index_type);
                let stride = self.memory.size(*element);
                let count = if simple.hi < simple.lo { 0 } else { simple.hi.abs_diff(simple.lo) as u32 + 1 };
                let site = self.index_site(whole, index.span);
                push_dim(place, value, Elements { lo: simple.lo, count, stride, site });
                *element
            }
            (Step::Element(index), TypeKind::Multiset { capacity, element }) => {
                let value = self.lower_expr(index);
                let stride = self.memory.size(*element) + 1;
                let count = capacity.value.max(0) as u32;
                let site = self.index_site(whole, index.span);
                push_dim(place, value, Elements { lo: 0, count, stride, site });
                place.base += 1;
                *element
            }
            _ => unreachable!("invariant: the checker matches steps with types"),
        }
    }

    fn index_site(&mut self, whole: &hir::Place, span: Span) -> SiteId {
        let detail = self.names().place(whole);
        self.site(FaultKind::Index, detail, span)
    }

    /// An index. A number out of bounds is an index fault, so a conversion to the index range must not report a range
    /// fault first.
    pub(super) fn lower_index(&mut self, index: &hir::Expr, index_type: TypeId) -> Value {
        match &index.kind {
            hir::ExprKind::Convert(inner) if self.is_number(index_type) && self.is_number(inner.ty) => {
                self.lower_expr(inner)
            }
            _ => self.lower_expr(index),
        }
    }

    /// Whether the type is `integer` or a range.
    pub(super) fn is_number(&self, ty: TypeId) -> bool {
        matches!(self.model.ty(ty).kind, TypeKind::Integer | TypeKind::Range { .. })
    }
}

/// Appends an index: added to the base if it is a constant within the bounds.
pub(super) fn push_dim(place: &mut Place, index: Value, elements: Elements) {
    let Elements { lo, count, stride, site } = elements;
    if let Some(constant) = index.as_constant()
        && let Some(position) = constant.checked_sub(lo)
        && (0..i64::from(count)).contains(&position)
    {
        place.base += position as u32 * stride;
        return;
    }
    place.dims.push(Dim { index: index.expr, lo, count, stride, site });
}

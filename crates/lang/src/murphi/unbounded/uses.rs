//! Uses of constants that an unbounded reading cannot honour: the number that bounds a type which is now unbounded.

use super::sorts::type_name;
use super::{Reader, codes};
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{BinaryOp, Bound, ConstId, Expr, ExprKind, Model, TypeId, TypeKind, UnaryOp};
use crate::span::Span;
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

/// For each constant: itself and the constants that its definition mentions, however indirectly.
#[derive(Default)]
pub(super) struct Uses {
    behind: Vec<BTreeSet<ConstId>>,
    /// The constants behind the size of each type that is unbounded.
    sizes: BTreeMap<TypeId, BTreeSet<ConstId>>,
}

impl Uses {
    pub(super) fn new(model: &Model) -> Uses {
        let mut uses = Uses::default();
        for (position, constant) in model.consts.iter().enumerate() {
            let mut behind =
                constant.definition.as_ref().map_or_else(BTreeSet::new, |expr| uses.behind(expr));
            behind.insert(ConstId(position as u32));
            uses.behind.push(behind);
        }
        uses
    }

    /// The constants behind a constant expression.
    fn behind(&self, expr: &Expr) -> BTreeSet<ConstId> {
        let mut found = BTreeSet::new();
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            match &expr.kind {
                ExprKind::ConstRef(id) => {
                    found.extend(self.behind.get(id.0 as usize).into_iter().flatten().copied())
                }
                ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => stack.push(operand),
                ExprKind::Binary(_, left, right) => stack.extend([&**left, &**right]),
                ExprKind::Ite(condition, yes, no) => stack.extend([&**condition, &**yes, &**no]),
                _ => {}
            }
        }
        found
    }
}

/// The number that a constant expression is.
pub(super) fn literal_value(model: &Model, expr: &Expr) -> Option<BigInt> {
    match &expr.kind {
        ExprKind::Int(value) => Some(value.clone()),
        ExprKind::ConstRef(id) => {
            let constant = &model.consts[id.0 as usize];
            (!constant.unknown).then(|| constant.value.clone())
        }
        ExprKind::Unary(UnaryOp::Neg, operand) => Some(-literal_value(model, operand)?),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (literal_value(model, left)?, literal_value(model, right)?);
            match op {
                BinaryOp::Add => Some(left + right),
                BinaryOp::Sub => Some(left - right),
                BinaryOp::Mul => Some(left * right),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Reader<'_> {
    /// Looks at every type for bounds that mention the size of an unbounded one.
    pub(super) fn warn_about_sizes(&mut self) {
        self.choice.uses = Uses::new(self.model);
        for position in 0..self.model.types.len() {
            let id = TypeId(position as u32);
            if let Some(behind) = self.size_constants(id) {
                self.choice.uses.sizes.insert(id, behind);
            }
        }
        for position in 0..self.model.types.len() {
            let id = TypeId(position as u32);
            if let TypeKind::Range { lo, hi } = &self.model.ty(id).kind
                && !self.choice.indices.contains(&id)
            {
                let ends: Vec<&Bound> = [lo, hi].into_iter().flatten().collect();
                let behind = ends.iter().flat_map(|end| self.choice.uses.behind(&end.expr)).collect();
                self.note_use(&behind, self.model.ty(id).span);
            }
        }
    }

    /// The constants behind the size of a type that is unbounded.
    fn size_constants(&self, id: TypeId) -> Option<BTreeSet<ConstId>> {
        let uses = &self.choice.uses;
        match &self.model.ty(id).kind {
            TypeKind::Scalarset { size: Some(size) }
                if !self.choice.sizes.contains(&type_name(self.model, id)) =>
            {
                Some(uses.behind(&size.expr))
            }
            TypeKind::Range { lo, hi } if self.choice.indices.contains(&id) => {
                Some([lo, hi].into_iter().flatten().flat_map(|end| uses.behind(&end.expr)).collect())
            }
            _ => None,
        }
    }

    /// A constant is used as a number.
    pub(super) fn note_constant(&mut self, id: ConstId, span: Span) {
        let behind = self.choice.uses.behind[id.0 as usize].clone();
        self.note_use(&behind, span);
    }

    fn note_use(&mut self, behind: &BTreeSet<ConstId>, span: Span) {
        let model = self.model;
        let shared: Vec<(TypeId, ConstId)> = self
            .choice
            .uses
            .sizes
            .iter()
            .filter_map(|(&ty, size)| Some((ty, *size.intersection(behind).next()?)))
            .filter(|(_, constant)| !self.choice.symbolic.contains(constant))
            .collect();
        for (ty, constant) in shared {
            let (name, constant) = (type_name(model, ty), &model.consts[constant.0 as usize]);
            let declared = model.ty(ty).span;
            if self.choice.indices.contains(&ty) {
                let message = format!("`{}` bounds `{name}`, but is used as a number here", constant.name);
                let sort = tenet_term::SortId::INT;
                self.refuse_index(ty, message, span, sort);
                continue;
            }
            let message = format!(
                "`{name}` is unbounded, but `{}`, its size, is used as the number {} here",
                constant.name, constant.value
            );
            let diagnostic = Diagnostic::warning(&codes::SIZE_USED_ELSEWHERE, message, span)
                .also(declared, format!("`{name}` is declared here"));
            self.report(diagnostic);
        }
    }

    /// What to do instead of reading the range as a set of indices.
    pub(super) fn constant_instead(&self, ty: TypeId) -> Option<String> {
        let TypeKind::Range { lo, hi } = &self.model.ty(ty).kind else { return None };
        let mut behind = [hi, lo].into_iter().flatten().flat_map(|end| self.choice.uses.behind(&end.expr));
        let name = &self.model.consts[behind.next()?.0 as usize].name;
        Some(format!("`--unbounded {name}` reads `{name}` as any integer and keeps the order of the values"))
    }
}

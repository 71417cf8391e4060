//! Symbolic constants: they have a type and no value, and are arbitrary but fixed.
//!
//! A number without a value may bound types, so it stays a constant with a placeholder value; code that computes with
//! values asks [`Checker::is_unknown`] first. Placeholders differ from each other and from values in practice, so that
//! types with different constants are different types. Everything else, arrays above all, becomes a variable that
//! nothing may change.

use super::scope::Entry;
use super::{Checker, hir};
use crate::codes::abstraction as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::Dialect;
use crate::murphi::ast::{self, Ident, TypeExpr, TypeExprKind};
use crate::murphi::hir::{ConstId, Expr, ExprKind, TypeKind};
use num_bigint::BigInt;

/// The first placeholder, and the distance between two of them.
const FIRST_PLACEHOLDER: u64 = 1_000_003;

impl Checker<'_> {
    /// Resolves what was parsed as a constant's value to its type: `const N : integer`.
    pub(super) fn named_as_type(&self, value: &ast::Expr) -> Option<TypeExpr> {
        let ast::ExprKind::Name(name) = &value.kind else { return None };
        let is_type = match self.lookup(name) {
            Some(named) => matches!(named.entry, Entry::Type(_)),
            None => ["integer", "boolean"].iter().any(|known| known.eq_ignore_ascii_case(name)),
        };
        let written = TypeExpr { kind: TypeExprKind::Name(name.clone()), span: value.span };
        (is_type && self.dialect == Dialect::Tenet).then_some(written)
    }

    /// `const NAME : type`
    pub(super) fn symbolic_constant(&mut self, name: &Ident, definition: &TypeExpr) {
        if !self.at_top_level() {
            let message = format!("the local constant `{}` needs a value", name.name);
            self.report(Diagnostic::error(&codes::LOCAL_CONSTANT, message, name.span));
            return self.declare(name, Entry::Broken);
        }
        let Some(ty) = self.type_expr(definition, None) else { return self.declare(name, Entry::Broken) };
        let entry = if self.is_numeric(ty) { self.unknown_number(name, ty) } else { self.fixed(name, ty) };
        self.declare(name, entry);
    }

    fn unknown_number(&mut self, name: &Ident, ty: hir::TypeId) -> Entry {
        let given = self.const_option(&name.name);
        let id = ConstId(self.model.consts.len() as u32);
        let unknown = given.is_none();
        if let Some(value) = &given {
            self.given_in_range(name, value, ty);
        }
        let value = given.unwrap_or_else(|| BigInt::from(FIRST_PLACEHOLDER) * (id.0 + 1));
        let (name, span) = (name.name.clone(), name.span);
        self.model.consts.push(hir::Const { name, value, unknown, ty: Some(ty), definition: None, span });
        Entry::Const(id)
    }

    fn given_in_range(&mut self, name: &Ident, value: &BigInt, ty: hir::TypeId) {
        let TypeKind::Range { lo, hi } = self.kind(ty) else { return };
        let known = |end: &Option<hir::Bound>| {
            let end = end.as_ref().filter(|end| !self.is_unknown(&end.expr));
            end.map(|end| BigInt::from(end.value))
        };
        let (lo, hi) = (known(lo), known(hi));
        if lo.is_some_and(|lo| *value < lo) || hi.is_some_and(|hi| *value > hi) {
            let message = format!("`--const {0}={value}`: `{0}` is in {1}", name.name, self.range_text(ty));
            let diagnostic =
                Diagnostic::error(&crate::codes::options::OPTION_DOES_NOT_FIT, message, name.span);
            self.report(diagnostic.label("declared here"));
        }
    }

    fn fixed(&mut self, name: &Ident, ty: hir::TypeId) -> Entry {
        if self.const_option(&name.name).is_some() {
            self.const_option_does_not_fit(&name.name);
        }
        let entry = self.variable(name, ty);
        if let Entry::Var(id) = entry {
            self.model.vars[id.0 as usize].is_constant = true;
        }
        entry
    }

    /// Whether the value of a constant expression is unknown: it mentions a constant without one.
    pub(super) fn is_unknown(&self, expr: &Expr) -> bool {
        let mut stack = vec![expr];
        while let Some(expr) = stack.pop() {
            match &expr.kind {
                ExprKind::ConstRef(id) if self.model.consts[id.0 as usize].unknown => return true,
                ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => stack.push(operand),
                ExprKind::Binary(_, left, right) => stack.extend([&**left, &**right]),
                ExprKind::Ite(condition, yes, no) => stack.extend([&**condition, &**yes, &**no]),
                _ => {}
            }
        }
        false
    }
}

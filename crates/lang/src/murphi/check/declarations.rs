//! Constants, types and variables, at the top level and inside rules and functions.

use super::constants::Value;
use super::places::LocalNote;
use super::scope::Entry;
use super::{Checker, hir};
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::ast::{self, Declaration, Ident, TypeExpr};
use crate::murphi::hir::{BOOLEAN, ConstId, LocalKind, TypeId, VarId};
use crate::span::Span;
use std::collections::BTreeMap;

/// The number of scalar components of the state, or of the locals of one body.
const MAX_SCALARS: u64 = 1_000_000;

/// The top-level constants and types and where they are declared.
pub(super) fn constants_and_types(ast: &ast::Model) -> BTreeMap<String, Span> {
    let mut names = BTreeMap::new();
    for item in &ast.items {
        if let ast::Item::Declaration(declaration) = item
            && let Some(name) = declared_early(declaration)
        {
            names.entry(name.name.clone()).or_insert(name.span);
        }
    }
    names
}

/// The name of a constant or type.
fn declared_early(declaration: &Declaration) -> Option<&Ident> {
    match declaration {
        Declaration::Const { name, .. }
        | Declaration::Symbolic { name, .. }
        | Declaration::Type { name, .. } => Some(name),
        Declaration::Var { .. } | Declaration::Index { .. } => None,
    }
}

impl Checker<'_> {
    /// First pass: everything but bodies.
    pub(super) fn declare_all(&mut self, ast: &ast::Model) {
        for item in &ast.items {
            match item {
                ast::Item::Declaration(declaration) => {
                    self.declaration(declaration);
                    if let Some(name) = declared_early(declaration) {
                        self.later.remove(&name.name);
                    }
                }
                ast::Item::Function(function) => self.function_head(function),
                ast::Item::Define(define) => self.later_definition(define),
                ast::Item::Rule(_) | ast::Item::Predicate(_) => {}
            }
        }
        // In bodies everything declared is in scope, so `later` is not needed any more.
        self.later.clear();
        for item in &ast.items {
            if let ast::Item::Define(define) = item {
                self.definition(define);
            }
        }
    }
}

impl Checker<'_> {
    /// A declaration, at the top level or local.
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Const { name, value } => match self.named_as_type(value) {
                Some(definition) => self.symbolic_constant(name, &definition),
                None => self.constant(name, value),
            },
            Declaration::Symbolic { name, definition } => self.symbolic_constant(name, definition),
            Declaration::Type { name, definition } => self.named_type(name, definition),
            Declaration::Var { names, definition } => self.variables(names, definition),
            Declaration::Index { names, definition } => self.index_variables(names, definition),
        }
    }

    fn constant(&mut self, name: &Ident, value: &ast::Expr) {
        let value = self.expr(value);
        let entry = value.and_then(|value| self.constant_entry(name, value)).unwrap_or(Entry::Broken);
        self.declare(name, entry);
    }

    fn constant_entry(&mut self, name: &Ident, expr: hir::Expr) -> Option<Entry> {
        let option = if self.at_top_level() { self.const_option(&name.name) } else { None };
        let given = option.is_some();
        let value = match self.constant_value(&expr, "the value of a constant")? {
            Value::Int(value) => option.unwrap_or(value),
            _ if self.is_unknown(&expr) => {
                let message = "only numbers may be defined with a constant that has no value";
                return self.error(&codes::NOT_CONSTANT, message, expr.span);
            }
            literal => {
                if option.is_some() {
                    self.const_option_does_not_fit(&name.name);
                }
                // A constant that is computed from others follows them.
                if hir::constants_in(&expr).is_empty() {
                    return Some(Entry::Literal(literal_expr(&literal, name.span)));
                }
                if !hir::is_small(&expr) {
                    let message = "the value of this constant is computed from others in too many steps";
                    return self.error(&codes::NUMBER_TOO_LARGE, message, expr.span);
                }
                return Some(Entry::Literal(expr));
            }
        };
        let id = ConstId(self.model.consts.len() as u32);
        self.model.consts.push(hir::Const {
            name: name.name.clone(),
            value,
            unknown: !given && self.is_unknown(&expr),
            ty: None,
            definition: (!given).then_some(expr),
            span: name.span,
        });
        Some(Entry::Const(id))
    }

    fn named_type(&mut self, name: &Ident, definition: &TypeExpr) {
        let entry = self.type_expr(definition, Some(name)).map_or(Entry::Broken, Entry::Type);
        self.declare(name, entry);
    }

    fn variables(&mut self, names: &[Ident], definition: &TypeExpr) {
        let ty = self.type_expr(definition, None);
        for name in names {
            let entry = ty.map_or(Entry::Broken, |ty| self.variable(name, ty));
            self.declare(name, entry);
        }
    }

    pub(super) fn variable(&mut self, name: &Ident, ty: TypeId) -> Entry {
        let scalars = self.facts(ty).scalars;
        let before = self.body.scalars;
        self.body.scalars = before.saturating_add(scalars);
        if self.body.scalars > MAX_SCALARS && before <= MAX_SCALARS {
            self.too_large(name);
        }
        if !self.at_top_level() {
            return Entry::Local(self.new_local(name, ty, LocalKind::Variable, LocalNote::own()));
        }
        let id = VarId(self.model.vars.len() as u32);
        self.model.vars.push(hir::Var { name: name.name.clone(), ty, is_constant: false, span: name.span });
        Entry::Var(id)
    }

    fn too_large(&mut self, name: &Ident) {
        let message = format!("with `{}` the variables have more than {MAX_SCALARS} components", name.name);
        let diagnostic = Diagnostic::error(&codes::STATE_TOO_LARGE, message, name.span);
        self.report(diagnostic.help("use smaller constants, or set them with `--const` or `--size`"));
    }
}

/// A boolean or enumeration value as an expression.
fn literal_expr(value: &Value, span: Span) -> hir::Expr {
    let (kind, ty) = match value {
        Value::Int(value) => (hir::ExprKind::Int(value.clone()), hir::INTEGER),
        Value::Bool(value) => (hir::ExprKind::Bool(*value), BOOLEAN),
        Value::Enum(ty, position) => (hir::ExprKind::Enum(*position), *ty),
    };
    hir::Expr { kind, ty, span }
}

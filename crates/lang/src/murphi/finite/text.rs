//! Source-like text of places and expressions, for the messages of faults.
//!
//! Rebuilt from the checked model instead of cut out of the source, so that lowering needs no source text and the text
//! does not depend on spacing.

use super::super::hir::{
    Argument, Code, Domain, Expr, ExprKind, Model, Place, Root, Step, TypeId, TypeKind, UnaryOp,
};

/// The names that the text needs.
#[derive(Clone, Copy)]
pub(in super::super) struct Names<'m> {
    pub model: &'m Model,
    pub code: &'m Code,
}

impl Names<'_> {
    /// `Cache[i].Data`
    pub fn place(&self, place: &Place) -> String {
        let (mut text, mut ty) = match place.root {
            Root::Var(var) => {
                let var = &self.model.vars[var.0 as usize];
                (var.name.clone(), var.ty)
            }
            Root::Local(local) => {
                let local = &self.code.locals[local.0 as usize];
                (local.name.clone(), local.ty)
            }
        };
        for step in &place.steps {
            ty = self.step(step, ty, &mut text);
        }
        text
    }

    fn step(&self, step: &Step, ty: TypeId, text: &mut String) -> TypeId {
        match (step, &self.model.ty(ty).kind) {
            (Step::Field(position), TypeKind::Record { fields }) => {
                text.push_str(&format!(".{}", fields[*position].name));
                fields[*position].ty
            }
            (
                Step::Index(index) | Step::Element(index),
                TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. },
            ) => {
                text.push_str(&format!("[{}]", self.expr(index)));
                *element
            }
            _ => ty,
        }
    }

    /// An expression; operands that are themselves compound get parentheses.
    pub fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Undefined => "UNDEFINED".to_string(),
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Enum(position) => self.variant(expr.ty, *position),
            ExprKind::ConstRef(id) => self.model.consts[id.0 as usize].name.clone(),
            ExprKind::Index(id) => self.model.indices[id.0 as usize].name.clone(),
            ExprKind::Local(local) => self.code.locals[local.0 as usize].name.clone(),
            ExprKind::Read(place) => self.place(place),
            ExprKind::Unary(UnaryOp::Not, inner) => format!("!{}", self.operand(inner)),
            ExprKind::Unary(UnaryOp::Neg, inner) => format!("-{}", self.operand(inner)),
            ExprKind::Binary(op, left, right) => {
                format!("{} {} {}", self.operand(left), op, self.operand(right))
            }
            ExprKind::Ite(condition, then, otherwise) => {
                let [condition, then, otherwise] =
                    [condition, then, otherwise].map(|part| self.operand(part));
                format!("{condition} ? {then} : {otherwise}")
            }
            ExprKind::Quantifier { universal, binder, body } => {
                let word = if *universal { "forall" } else { "exists" };
                let name = &self.code.locals[binder.local.0 as usize].name;
                format!("{word} {name}{} do {} end", self.domain(&binder.domain), self.expr(body))
            }
            ExprKind::Call { function, arguments } => {
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.argument(argument)).collect();
                format!("{}({})", self.model.functions[function.0 as usize].name, arguments.join(", "))
            }
            ExprKind::Apply { definition, arguments } => {
                let name = &self.model.definitions[definition.0 as usize].name;
                format!("{name}({})", self.list(arguments))
            }
            ExprKind::Update { array, indices, value } => {
                format!("{}[{} := {}]", self.expr(array), self.list(indices), self.expr(value))
            }
            ExprKind::IsUndefined(place) => format!("isundefined({})", self.place(place)),
            ExprKind::IsMember(inner, ty) => {
                format!("ismember({}, {})", self.expr(inner), self.type_name(*ty))
            }
            ExprKind::MultisetCount { local, multiset, predicate } => {
                let name = &self.code.locals[local.0 as usize].name;
                format!("multisetcount({name} : {}, {})", self.place(multiset), self.expr(predicate))
            }
            ExprKind::Convert(inner) => self.expr(inner),
        }
    }

    fn list(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.expr(expr)).collect::<Vec<_>>().join(", ")
    }

    fn operand(&self, expr: &Expr) -> String {
        let text = self.expr(expr);
        let mut inner = expr;
        while let ExprKind::Convert(converted) = &inner.kind {
            inner = converted;
        }
        match inner.kind {
            ExprKind::Binary(..) | ExprKind::Ite(..) => format!("({text})"),
            _ => text,
        }
    }

    fn argument(&self, argument: &Argument) -> String {
        match argument {
            Argument::Value(value) => self.expr(value),
            Argument::Place(place) => self.place(place),
        }
    }

    fn domain(&self, domain: &Domain) -> String {
        match domain {
            Domain::Type(ty) => format!(" : {}", self.type_name(*ty)),
            Domain::Steps { from, to, .. } => format!(" := {} to {}", self.expr(from), self.expr(to)),
        }
    }

    fn type_name(&self, ty: TypeId) -> String {
        self.model.ty(ty).name.clone().unwrap_or_else(|| "…".to_string())
    }

    fn variant(&self, ty: TypeId, position: u32) -> String {
        match &self.model.ty(ty).kind {
            TypeKind::Enum { variants } => variants[position as usize].clone(),
            _ => position.to_string(),
        }
    }
}

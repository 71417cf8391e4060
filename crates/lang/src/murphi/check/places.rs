//! Places: variables and their components, and what is allowed with them.

use super::convert::Target;
use super::scope::{Entry, Named};
use super::{Checker, hir};
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::ast::{self, Ident};
use crate::murphi::hir::{
    BOOLEAN, Code, Expr, ExprKind, INTEGER, LocalId, LocalKind, Place, Root, Step, TypeId, TypeKind, VarId,
};
use crate::span::Span;
use crate::suggest::closest;

/// The meaning of an expression that starts with a name.
pub(super) enum Designated {
    Place(Place),
    Value(Expr),
}

/// What a reference refers to in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A local of this rule or function.
    Own,
    /// A state variable.
    State(VarId),
    /// The argument of a `var` parameter.
    Parameter,
}

/// Properties of a local.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalNote {
    pub(super) origin: Origin,
    /// Why it cannot be changed, if so: `is a loop variable`.
    pub(super) fixed: Option<&'static str>,
}

impl LocalNote {
    /// A local variable.
    pub(super) fn own() -> LocalNote {
        LocalNote { origin: Origin::Own, fixed: None }
    }

    /// A local that is never changed.
    pub(super) fn fixed(reason: &'static str) -> LocalNote {
        LocalNote { origin: Origin::Own, fixed: Some(reason) }
    }
}

impl Checker<'_> {
    pub(super) fn new_local(
        &mut self,
        name: &Ident,
        ty: TypeId,
        kind: LocalKind,
        note: LocalNote,
    ) -> LocalId {
        let id = LocalId(self.body.locals.len() as u32);
        self.body.locals.push(hir::Local {
            name: name.name.clone(),
            ty,
            kind,
            is_optional: false,
            span: name.span,
        });
        self.body.notes.push(note);
        id
    }

    /// The locals so far, as the model keeps them.
    pub(super) fn code(&self) -> Code {
        Code { locals: self.body.locals.clone() }
    }

    pub(super) fn local(&self, id: LocalId) -> &hir::Local {
        &self.body.locals[id.0 as usize]
    }

    /// Properties of the root of a place.
    pub(super) fn note(&self, root: Root) -> LocalNote {
        match root {
            Root::Var(id) => {
                let is_constant = self.model.vars[id.0 as usize].is_constant;
                LocalNote { origin: Origin::State(id), fixed: is_constant.then_some("is a constant") }
            }
            Root::Local(id) => self.body.notes[id.0 as usize],
        }
    }

    /// A name, field or index; `None` for other expressions, which the caller handles.
    pub(super) fn designated(&mut self, expr: &ast::Expr) -> Option<Designated> {
        match &expr.kind {
            ast::ExprKind::Name(name) => self.name(name, expr.span),
            ast::ExprKind::Field(base, field) => self.field(base, field, expr.span).map(Designated::Place),
            ast::ExprKind::Index(base, index) => self.index(base, index, expr.span).map(Designated::Place),
            _ => self.expr(expr).map(Designated::Value),
        }
    }

    /// A place that is written; `action` completes "cannot be …".
    pub(super) fn changed_place(&mut self, expr: &ast::Expr, action: &str) -> Option<Place> {
        match self.designated(expr)? {
            Designated::Value(_) => self.not_assignable(expr, action),
            Designated::Place(place) if self.note(place.root).fixed.is_some() => {
                self.not_assignable(expr, action)
            }
            Designated::Place(place) => {
                self.record_write(place.root);
                Some(place)
            }
        }
    }

    fn not_assignable<T>(&mut self, expr: &ast::Expr, action: &str) -> Option<T> {
        let diagnostic = match self.why_fixed(expr) {
            Some((name, reason, declared)) => {
                let message = format!("`{name}` {reason} and cannot be {action}");
                Diagnostic::error(&codes::NOT_ASSIGNABLE, message, expr.span).also(declared, "declared here")
            }
            None => {
                let message = format!("this is not a variable and cannot be {action}");
                Diagnostic::error(&codes::NOT_ASSIGNABLE, message, expr.span)
            }
        };
        self.report(diagnostic);
        None
    }

    /// The name at the start of an expression, why it cannot be changed, and where it is declared.
    fn why_fixed(&self, expr: &ast::Expr) -> Option<(String, &'static str, Span)> {
        let name = root_name(expr)?;
        let named = self.lookup(name)?;
        let reason = match &named.entry {
            Entry::Const(_) | Entry::Literal(_) => "is a constant",
            Entry::EnumValue(..) => "is an enumeration value",
            Entry::Index(_) => "is an index variable",
            Entry::Var(id) => self.note(Root::Var(*id)).fixed?,
            Entry::Local(id) => self.note(Root::Local(*id)).fixed?,
            _ => return None,
        };
        Some((name.to_owned(), reason, named.span))
    }

    fn name(&mut self, name: &str, span: Span) -> Option<Designated> {
        let Some(named) = self.lookup(name).cloned() else { return self.unlisted_name(name, span) };
        let value = |kind, ty| Some(Designated::Value(Expr { kind, ty, span }));
        match named.entry {
            Entry::Broken => None,
            Entry::Const(id) => value(ExprKind::ConstRef(id), INTEGER),
            Entry::Literal(literal) => Some(Designated::Value(Expr { span, ..literal })),
            Entry::EnumValue(ty, position) => value(ExprKind::Enum(position), ty),
            Entry::Index(id) => self.index_variable(id, span).map(Designated::Value),
            Entry::Var(id) if self.body.defines.is_some() && !self.model.vars[id.0 as usize].is_constant => {
                self.outside_definition(name, span, &named)
            }
            Entry::Var(id) => {
                let ty = self.model.vars[id.0 as usize].ty;
                Some(Designated::Place(Place { root: Root::Var(id), steps: Vec::new(), ty, span }))
            }
            Entry::Local(id) if self.local(id).kind == LocalKind::Value => {
                value(ExprKind::Local(id), self.local(id).ty)
            }
            Entry::Local(id) => {
                let ty = self.local(id).ty;
                Some(Designated::Place(Place { root: Root::Local(id), steps: Vec::new(), ty, span }))
            }
            Entry::Choice(..) => self.lone_choice(name, span, &named),
            Entry::Type(_) | Entry::Function(_) | Entry::Definition(_) => {
                self.wrong_kind(name, span, &named, "a value")
            }
        }
    }

    /// `true` and `false`, in any case, unless the model gives the name another meaning.
    fn unlisted_name(&mut self, name: &str, span: Span) -> Option<Designated> {
        let truth = name.eq_ignore_ascii_case("true");
        if !truth && !name.eq_ignore_ascii_case("false") {
            return self.unknown_name(name, span);
        }
        Some(Designated::Value(Expr { kind: ExprKind::Bool(truth), ty: BOOLEAN, span }))
    }

    fn lone_choice<T>(&mut self, name: &str, span: Span, named: &Named) -> Option<T> {
        let message = format!("`{name}` stands for an element of a multiset and is not a value by itself");
        let diagnostic =
            Diagnostic::error(&codes::BAD_MULTISET, message, span).also(named.span, "chosen here");
        self.report(diagnostic.help(format!("write `m[{name}]` for the element, where `m` is the multiset")));
        None
    }

    fn field(&mut self, base: &ast::Expr, field: &Ident, span: Span) -> Option<Place> {
        let mut place = self.base(base, "a field")?;
        let TypeKind::Record { fields } = self.kind(place.ty) else {
            return self.no_parts(&place, span, "is not a record and has no fields");
        };
        let Some(position) = fields.iter().position(|candidate| candidate.name == field.name) else {
            return self.unknown_field(place.ty, field);
        };
        let ty = fields[position].ty;
        place.steps.push(Step::Field(position));
        Some(Place { ty, span, ..place })
    }

    fn unknown_field<T>(&mut self, record: TypeId, field: &Ident) -> Option<T> {
        let TypeKind::Record { fields } = self.kind(record) else { return None };
        let message = format!("{} has no field `{}`", self.describe(record), field.name);
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let help = match closest(&field.name, names.iter().copied()) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => format!("its fields are: {}", names.join(", ")),
        };
        let diagnostic = Diagnostic::error(&codes::UNKNOWN_FIELD, message, field.span).label("no such field");
        let diagnostic = self.with_declaration(diagnostic, record).help(help);
        self.report(diagnostic);
        None
    }

    fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Option<Place> {
        let Some(place) = self.base(base, "an element") else {
            // The index is checked all the same: it may have errors of its own.
            if self.choice(index).is_none() {
                self.expr(index);
            }
            return None;
        };
        match *self.kind(place.ty) {
            TypeKind::Array { index: index_type, element } => {
                let value = self.expr(index)?;
                let declared = self.declared(&place);
                let value = self.fit(value, &Target { ty: index_type, what: "the index", declared })?;
                Some(extend(place, Step::Index(value), element, span))
            }
            TypeKind::Multiset { element, .. } => {
                let value = self.chosen(index, &place)?;
                Some(extend(place, Step::Element(value), element, span))
            }
            _ => self.no_parts(&place, span, "is not an array and has no elements"),
        }
    }

    /// The aggregate of a field or element.
    fn base(&mut self, base: &ast::Expr, part: &str) -> Option<Place> {
        match self.designated(base)? {
            Designated::Place(place) => Some(place),
            Designated::Value(value) => {
                let message = format!("{part} can be taken only of a variable");
                let found = format!("this is a value of type {}", self.describe(value.ty));
                self.report(Diagnostic::error(&codes::NO_PARTS, message, value.span).label(found));
                None
            }
        }
    }

    fn no_parts<T>(&mut self, place: &Place, span: Span, reason: &str) -> Option<T> {
        let message = format!("a value of type {} {reason}", self.describe(place.ty));
        let diagnostic = Diagnostic::error(&codes::NO_PARTS, message, span);
        let diagnostic = self.with_declaration(diagnostic, place.ty);
        self.report(diagnostic);
        None
    }

    /// Where a place's variable is declared, with a remark.
    pub(super) fn declared(&self, place: &Place) -> Option<(Span, String)> {
        let (name, span) = match place.root {
            Root::Var(id) => {
                let var = &self.model.vars[id.0 as usize];
                (&var.name, var.span)
            }
            Root::Local(id) => (&self.local(id).name, self.local(id).span),
        };
        Some((span, format!("`{name}` is declared here")))
    }
}

fn extend(mut place: Place, step: Step, ty: TypeId, span: Span) -> Place {
    place.steps.push(step);
    Place { ty, span, ..place }
}

fn root_name(expr: &ast::Expr) -> Option<&str> {
    match &expr.kind {
        ast::ExprKind::Name(name) => Some(name),
        ast::ExprKind::Field(base, _) | ast::ExprKind::Index(base, _) => root_name(base),
        _ => None,
    }
}

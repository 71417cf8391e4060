//! `define`, and arrays with an element replaced.
//!
//! A definition is checked where it stands: it may use those above it and itself, so there is no mutual recursion. It
//! means the *least* function with `f(x) = body`. That exists if `f` occurs in positive positions only, where the body
//! is monotone in it. Its array parameters are the frame in which the least function is computed, so a recursive use
//! passes them on unchanged.

use super::convert::Target;
use super::places::LocalNote;
use super::scope::{Entry, Named};
use super::{Body, Checker, hir};
use crate::codes::abstraction as codes;
use crate::codes::types::{ARGUMENT_COUNT, NO_PARTS};
use crate::diagnostic::Diagnostic;
use crate::murphi::ast::{self, Ident};
use crate::murphi::hir::{
    BOOLEAN, BinaryOp, DefinitionId, Expr, ExprKind, LocalId, LocalKind, Root, TypeId, TypeKind, UnaryOp,
};
use crate::span::Span;

/// The polarity of a position: how the whole depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Polarity {
    Positive,
    Negative,
    Unknown,
}

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Unknown => Polarity::Unknown,
        }
    }
}

impl Checker<'_> {
    /// A definition that will be checked later; those above it must not use it.
    pub(super) fn later_definition(&mut self, define: &ast::Define) {
        self.observations.later.insert(define.name.name.clone(), define.name.span);
    }

    pub(super) fn definition(&mut self, define: &ast::Define) {
        self.observations.later.remove(&define.name.name);
        let result = self.simple_type(&define.result, "the value of a definition");
        let id = DefinitionId(self.model.definitions.len() as u32);
        self.body = Body { defines: Some(id), ..Body::default() };
        let (body, parameter_count, code) = self.separate(|checker| {
            let parameters = checker.definition_parameters(&define.parameters);
            if let (Some(()), Some(result)) = (parameters, result) {
                checker.announce(define, result);
                let body = checker.pure("a definition", |checker| checker.expr(&define.body));
                let target = Target { ty: result, what: "the value of the definition", declared: None };
                let body = body.and_then(|body| checker.fit(body, &target));
                return (body, checker.model.definitions[id.0 as usize].parameter_count, checker.code());
            }
            (None, 0, checker.code())
        });
        let declared = self.model.definitions.len() > id.0 as usize;
        self.declare(&define.name, if declared { Entry::Definition(id) } else { Entry::Broken });
        self.body = Body::default();
        let Some(definition) = self.model.definitions.get_mut(id.0 as usize) else { return };
        definition.code = code;
        definition.parameter_count = parameter_count;
        let Some(body) = body else { return };
        definition.body = body.clone();
        self.recursion(id, &body, define);
    }

    /// Brings the name into scope in its own body.
    fn announce(&mut self, define: &ast::Define, result: TypeId) {
        let id = DefinitionId(self.model.definitions.len() as u32);
        self.model.definitions.push(hir::Definition {
            name: define.name.name.clone(),
            parameter_count: self.body.locals.len(),
            code: self.code(),
            result,
            body: Expr { kind: ExprKind::Bool(true), ty: BOOLEAN, span: define.span },
            is_recursive: false,
            span: define.span,
        });
        let scope = self.scopes.last_mut().expect("invariant: the parameters have a scope");
        let named = Named { entry: Entry::Definition(id), span: define.name.span };
        scope.entry(define.name.name.clone()).or_insert(named);
    }

    fn definition_parameters(&mut self, groups: &[ast::Parameter]) -> Option<()> {
        let mut sound = Some(());
        for group in groups {
            if group.by_reference {
                let span = group.names.first().map_or(group.definition.span, |name| name.span);
                let message = "a definition changes nothing, so it has no `var` parameters";
                sound = self.error(&codes::BAD_DEFINITION, message, span);
            }
            let ty = self.type_expr(&group.definition, None);
            for name in &group.names {
                let Some(ty) = ty else {
                    self.declare(name, Entry::Broken);
                    sound = None;
                    continue;
                };
                let note = LocalNote::fixed("is a parameter of a definition");
                let local = self.new_local(name, ty, LocalKind::Variable, note);
                self.declare(name, Entry::Local(local));
            }
        }
        sound
    }

    /// A definition applied to arguments.
    pub(super) fn apply(
        &mut self,
        id: DefinitionId,
        name: &Ident,
        written: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let definition = &self.model.definitions[id.0 as usize];
        let (count, result, declared) = (definition.parameter_count, definition.result, definition.span);
        if written.len() != count {
            let plural = if count == 1 { "" } else { "s" };
            let message = format!("`{}` takes {count} argument{plural}, not {}", name.name, written.len());
            let diagnostic = Diagnostic::error(&ARGUMENT_COUNT, message, span);
            self.report(diagnostic.also(declared, "defined here"));
            return None;
        }
        let parameters: Vec<hir::Local> = definition.code.locals[..count].to_vec();
        let checked: Vec<Option<Expr>> = written
            .iter()
            .zip(&parameters)
            .map(|(argument, parameter)| {
                let what = format!("the argument `{}` of `{}`", parameter.name, name.name);
                let declared = Some((parameter.span, "the parameter is declared here".to_owned()));
                let value = self.expr(argument)?;
                self.fit(value, &Target { ty: parameter.ty, what: &what, declared })
            })
            .collect();
        let arguments = checked.into_iter().collect::<Option<Vec<Expr>>>()?;
        if self.body.defines == Some(id) {
            self.model.definitions[id.0 as usize].is_recursive = true;
            self.same_frame(id, &arguments)?;
        }
        Some(Expr { kind: ExprKind::Apply { definition: id, arguments }, ty: result, span })
    }

    /// A recursive use passes arrays and records on unchanged.
    fn same_frame(&mut self, id: DefinitionId, arguments: &[Expr]) -> Option<()> {
        for (position, argument) in arguments.iter().enumerate() {
            if self.is_simple(argument.ty) {
                continue;
            }
            let itself = match &argument.kind {
                ExprKind::Read(place) => {
                    place.root == Root::Local(LocalId(position as u32)) && place.steps.is_empty()
                }
                _ => false,
            };
            if !itself {
                let definition = &self.model.definitions[id.0 as usize];
                let parameter = &definition.code.locals[position].name;
                let message = format!("a recursive use must pass `{parameter}` on as it is");
                return self.error(&codes::BAD_DEFINITION, message, argument.span);
            }
        }
        Some(())
    }

    /// Reports a use of a definition further down; false if there is none.
    pub(super) fn defined_later(&mut self, name: &Ident) -> bool {
        let Some(&declared) = self.observations.later.get(&name.name) else { return false };
        let message = format!("`{}` is defined only further down", name.name);
        let diagnostic = Diagnostic::error(&codes::BAD_DEFINITION, message, name.span)
            .label("used here")
            .also(declared, "defined here");
        self.report(
            diagnostic.help("definitions may use themselves and those above them, but not each other"),
        );
        true
    }

    /// Reports a name that is not allowed in the body of a definition.
    pub(super) fn outside_definition<T>(&mut self, name: &str, span: Span, named: &Named) -> Option<T> {
        let kind = named.entry.kind().replacen("a ", "the ", 1);
        let message = format!("a definition cannot use {kind} `{name}`");
        let diagnostic = Diagnostic::error(&codes::BAD_DEFINITION, message, span)
            .label("it speaks of its parameters and of constants only")
            .also(named.span, "declared here");
        self.report(diagnostic.help("make it a parameter"));
        None
    }

    /// The requirements of recursion: a boolean value, a parameter, and positive positions.
    fn recursion(&mut self, id: DefinitionId, body: &Expr, define: &ast::Define) {
        let definition = &self.model.definitions[id.0 as usize];
        if !definition.is_recursive {
            return;
        }
        if definition.result != BOOLEAN || definition.parameter_count == 0 {
            let message = "a recursive definition is boolean and has a parameter";
            self.report(Diagnostic::error(&codes::BAD_DEFINITION, message, define.name.span));
            return;
        }
        if let Some(span) = negative_use(id, body) {
            let message = format!("`{}` uses itself where it is not positive", define.name.name);
            let diagnostic = Diagnostic::error(&codes::BAD_DEFINITION, message, span)
                .label("below a negation, a comparison, or the left of `->`")
                .also(define.name.span, "defined here");
            self.report(diagnostic.help("there is no least function then"));
        }
    }

    /// `array[index := value]`
    pub(super) fn update(
        &mut self,
        array: &ast::Expr,
        indices: &[ast::Expr],
        value: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let array = self.expr(array)?;
        let (mut ty, mut checked) = (array.ty, Vec::new());
        for index in indices {
            let TypeKind::Array { index: index_type, element } = *self.kind(ty) else {
                let message = format!("a value of type {} has no elements to replace", self.describe(ty));
                return self.error(&NO_PARTS, message, span);
            };
            let value = self.expr(index)?;
            let target = Target { ty: index_type, what: "the index", declared: None };
            checked.push(self.fit(value, &target)?);
            ty = element;
        }
        let value = self.expr(value)?;
        let value = self.fit(value, &Target { ty, what: "the new element", declared: None })?;
        let (ty, array, value) = (array.ty, Box::new(array), Box::new(value));
        Some(Expr { kind: ExprKind::Update { array, indices: checked, value }, ty, span })
    }
}

/// A use of the definition that is not in a positive position. The parser bounds the depth of expressions.
fn negative_use(id: DefinitionId, expr: &Expr) -> Option<Span> {
    let mut stack = vec![(expr, Polarity::Positive)];
    while let Some((expr, polarity)) = stack.pop() {
        match &expr.kind {
            ExprKind::Apply { definition, arguments } => {
                if *definition == id && polarity != Polarity::Positive {
                    return Some(expr.span);
                }
                stack.extend(arguments.iter().map(|argument| (argument, Polarity::Unknown)));
            }
            ExprKind::Unary(UnaryOp::Not, operand) => stack.push((operand, polarity.flipped())),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                stack.extend([(&**left, polarity), (&**right, polarity)]);
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                stack.extend([(&**left, polarity.flipped()), (&**right, polarity)]);
            }
            ExprKind::Quantifier { body, binder, .. } => {
                stack.push((body, polarity));
                stack.extend(domain_parts(&binder.domain).map(|part| (part, Polarity::Unknown)));
            }
            ExprKind::Ite(condition, yes, no) => {
                stack.extend([(&**condition, Polarity::Unknown), (&**yes, polarity), (&**no, polarity)]);
            }
            ExprKind::Binary(_, left, right) => {
                stack.extend([(&**left, Polarity::Unknown), (&**right, Polarity::Unknown)]);
            }
            ExprKind::Unary(_, inner) | ExprKind::IsMember(inner, _) | ExprKind::Convert(inner) => {
                stack.push((inner, Polarity::Unknown));
            }
            ExprKind::Update { array, indices, value } => {
                let parts = indices.iter().chain([&**array, &**value]);
                stack.extend(parts.map(|part| (part, Polarity::Unknown)));
            }
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => {
                let steps = place.steps.iter().filter_map(|step| match step {
                    hir::Step::Index(index) | hir::Step::Element(index) => Some(index),
                    hir::Step::Field(_) => None,
                });
                stack.extend(steps.map(|index| (index, Polarity::Unknown)));
            }
            // Functions and multisets are not allowed in a definition, which has been reported.
            ExprKind::Call { .. } | ExprKind::MultisetCount { .. } => {}
            ExprKind::Undefined
            | ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Enum(_)
            | ExprKind::ConstRef(_)
            | ExprKind::Index(_)
            | ExprKind::Local(_) => {}
        }
    }
    None
}

fn domain_parts(domain: &hir::Domain) -> impl Iterator<Item = &Expr> {
    let parts = match domain {
        hir::Domain::Type(_) => [None, None, None],
        hir::Domain::Steps { from, to, step } => [Some(from), Some(to), Some(step)],
    };
    parts.into_iter().flatten()
}

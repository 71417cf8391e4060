//! Functions and procedures: their signatures, their bodies, and calls of them.

use super::convert::Target;
use super::places::{Designated, LocalNote, Origin};
use super::scope::Entry;
use super::{Body, Checker, hir};
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::ast::{self, Ident};
use crate::murphi::hir::{Argument, Expr, ExprKind, FunctionId, LocalKind, Place, StmtKind, TypeId};
use crate::span::Span;

/// The signature of a function.
pub(super) struct Signature {
    parameters: Vec<Parameter>,
    returns: Returns,
    /// Where its name is declared.
    pub(super) span: Span,
}

/// A parameter; without a type if that is erroneous.
#[derive(Clone)]
struct Parameter {
    name: Ident,
    by_reference: bool,
    ty: Option<TypeId>,
}

/// What `return` may return in the body being checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Returns {
    /// In rules and procedures.
    #[default]
    Nothing,
    Value(TypeId),
    /// The result type is erroneous.
    Broken,
}

impl Checker<'_> {
    /// First pass: the name, the parameters and the result.
    pub(super) fn function_head(&mut self, function: &ast::Function) {
        let mut parameters = Vec::new();
        for group in &function.parameters {
            let ty = self.type_expr(&group.definition, None);
            for name in &group.names {
                parameters.push(Parameter { name: name.clone(), by_reference: group.by_reference, ty });
            }
        }
        let returns = match &function.result {
            None => Returns::Nothing,
            Some(written) => {
                self.simple_type(written, "the result of a function").map_or(Returns::Broken, Returns::Value)
            }
        };
        let id = FunctionId(self.model.functions.len() as u32);
        self.model.functions.push(hir::Function {
            name: function.name.name.clone(),
            parameter_count: parameters.len(),
            result: if let Returns::Value(ty) = returns { Some(ty) } else { None },
            code: hir::Code::default(),
            body: Vec::new(),
            has_side_effects: false,
            span: function.span,
        });
        self.signatures.push(Signature { parameters, returns, span: function.name.span });
        self.effects.push(super::effects::Effects::default());
        self.declare(&function.name, Entry::Function(id));
    }

    /// Second pass: the body of the function at this position.
    pub(super) fn function_body(&mut self, function: &ast::Function, position: usize) {
        let signature = &self.signatures[position];
        let (parameters, returns) = (signature.parameters.clone(), signature.returns);
        self.body = Body { returns, ..Body::default() };
        let body = self.scoped(|checker| {
            parameters.iter().for_each(|parameter| checker.parameter(parameter));
            function.locals.iter().for_each(|local| checker.declaration(local));
            checker.block(&function.body)
        });
        if returns != Returns::Nothing && !self.body.has_return {
            let message = format!("the function `{}` never returns a value", function.name.name);
            self.report(Diagnostic::error(&codes::BAD_RETURN, message, function.name.span));
        }
        let code = self.code();
        self.effects[position] = std::mem::take(&mut self.body.effects);
        let checked = &mut self.model.functions[position];
        checked.code = code;
        checked.body = body;
    }

    fn parameter(&mut self, parameter: &Parameter) {
        let Some(ty) = parameter.ty else { return self.declare(&parameter.name, Entry::Broken) };
        let (kind, note) = if parameter.by_reference {
            (LocalKind::Reference, LocalNote { origin: Origin::Parameter, fixed: None })
        } else {
            (LocalKind::Variable, LocalNote::fixed("is a parameter without `var`"))
        };
        let local = self.new_local(&parameter.name, ty, kind, note);
        self.declare(&parameter.name, Entry::Local(local));
    }

    /// A call in an expression.
    pub(super) fn call_value(&mut self, name: &Ident, arguments: &[ast::Expr], span: Span) -> Option<Expr> {
        if let Some(Entry::Definition(id)) = self.lookup(&name.name).map(|named| named.entry.clone()) {
            return self.apply(id, name, arguments, span);
        }
        let (function, arguments) = self.call(name, arguments, span)?;
        let signature = &self.signatures[function.0 as usize];
        match signature.returns {
            Returns::Value(ty) => Some(Expr { kind: ExprKind::Call { function, arguments }, ty, span }),
            Returns::Broken => None,
            Returns::Nothing => {
                let message = format!("`{}` is a procedure and has no value", name.name);
                let diagnostic = Diagnostic::error(&codes::NO_RESULT, message, span);
                let declared = signature.span;
                self.report(diagnostic.also(declared, "declared here"));
                None
            }
        }
    }

    pub(super) fn call_statement(
        &mut self,
        name: &Ident,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<StmtKind> {
        let (function, arguments) = self.call(name, arguments, span)?;
        Some(StmtKind::Call { function, arguments })
    }

    fn call(
        &mut self,
        name: &Ident,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<(FunctionId, Vec<Argument>)> {
        let Some(function) = self.callee(name) else {
            // The arguments are checked all the same: they may have errors of their own.
            arguments.iter().for_each(|argument| drop(self.expr(argument)));
            return None;
        };
        let signature = &self.signatures[function.0 as usize];
        let (parameters, declared) = (signature.parameters.clone(), signature.span);
        if parameters.len() != arguments.len() {
            let (needed, found) = (parameters.len(), arguments.len());
            let plural = if needed == 1 { "" } else { "s" };
            let message = format!("`{}` takes {needed} argument{plural}, not {found}", name.name);
            let diagnostic = Diagnostic::error(&codes::ARGUMENT_COUNT, message, span);
            self.report(diagnostic.also(declared, "declared here"));
            return None;
        }
        let pairs = arguments.iter().zip(&parameters).enumerate();
        let checked: Vec<Option<Argument>> = pairs
            .map(|(position, (argument, parameter))| {
                let what = format!("argument {} of `{}`", position + 1, name.name);
                self.argument(argument, parameter, &what)
            })
            .collect();
        let arguments = checked.into_iter().collect::<Option<Vec<Argument>>>()?;
        self.record_call(function, &arguments, span);
        Some((function, arguments))
    }

    fn callee(&mut self, name: &Ident) -> Option<FunctionId> {
        let Some(named) = self.lookup(&name.name).cloned() else {
            return if self.defined_later(name) { None } else { self.unknown_function(name) };
        };
        match named.entry {
            Entry::Function(_) if self.body.defines.is_some() => {
                self.outside_definition(&name.name, name.span, &named)
            }
            Entry::Function(id) => Some(id),
            _ => self.wrong_kind(&name.name, name.span, &named, "a function or procedure"),
        }
    }

    fn argument(&mut self, written: &ast::Expr, parameter: &Parameter, what: &str) -> Option<Argument> {
        let remark = format!("the parameter `{}` is declared here", parameter.name.name);
        let declared = (parameter.name.span, remark);
        if parameter.by_reference {
            let place = self.reference(written, parameter, what, declared)?;
            return Some(Argument::Place(place));
        }
        if self.is_undefined_value(written) {
            let ty = parameter.ty?;
            self.require_simple(ty, written.span, "a parameter that is `UNDEFINED`")?;
            return Some(Argument::Value(Expr { kind: ExprKind::Undefined, ty, span: written.span }));
        }
        let value = self.expr(written)?;
        let target = Target { ty: parameter.ty?, what, declared: Some(declared) };
        Some(Argument::Value(self.fit(value, &target)?))
    }

    fn reference(
        &mut self,
        written: &ast::Expr,
        parameter: &Parameter,
        what: &str,
        declared: (Span, String),
    ) -> Option<Place> {
        let message = match self.designated(written)? {
            Designated::Value(_) => format!("{what} must be a variable, because the parameter is `var`"),
            Designated::Place(place) => match self.note(place.root).fixed {
                Some(reason) => format!("{what} must be a variable that may be changed, but it {reason}"),
                None if self.same_type(place.ty, parameter.ty?) => return Some(place),
                None => {
                    let (needed, found) = (self.range_text(parameter.ty?), self.range_text(place.ty));
                    format!("{what} must be of exactly the type {needed}, but it is of type {found}")
                }
            },
        };
        let diagnostic = Diagnostic::error(&codes::BAD_REFERENCE, message, written.span);
        self.report(diagnostic.also(declared.0, declared.1));
        None
    }

    /// `return` and its value.
    pub(super) fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span) -> Option<StmtKind> {
        self.body.has_return = true;
        match (self.body.returns, value) {
            (Returns::Nothing, None) => Some(StmtKind::Return(None)),
            (Returns::Nothing, Some(value)) => {
                self.expr(value)?;
                self.error(&codes::BAD_RETURN, "only functions return a value", value.span)
            }
            (Returns::Value(ty), Some(value)) => {
                let value = self.expr(value)?;
                let target = Target { ty, what: "the returned value", declared: None };
                Some(StmtKind::Return(Some(self.fit(value, &target)?)))
            }
            (Returns::Broken, Some(value)) => {
                self.expr(value);
                None
            }
            (_, None) => self.error(&codes::BAD_RETURN, "a function must return a value", span),
        }
    }
}

//! Name resolution, scope by scope.
//!
//! One namespace for constants, types, variables, functions and enumeration values, as in CMurphi and Rumur. A name may
//! shadow one of an outer scope but not one of its own.

use super::Checker;
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::ast::Ident;
use crate::murphi::hir::{self, ConstId, DefinitionId, FunctionId, IndexId, LocalId, TypeId, VarId};
use crate::murphi::parser::foreign;
use crate::span::Span;
use crate::suggest::closest;
use std::collections::BTreeMap;

/// The names of one scope.
pub(super) type Scope = BTreeMap<String, Named>;

/// A declared name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) entry: Entry,
    pub(super) span: Span,
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// Its declaration is erroneous; uses are not reported.
    Broken,
    Const(ConstId),
    /// A constant that is not a number: a boolean or an enumeration value, substituted where it is used.
    Literal(hir::Expr),
    Type(TypeId),
    Var(VarId),
    Index(IndexId),
    Function(FunctionId),
    Definition(DefinitionId),
    EnumValue(TypeId, u32),
    Local(LocalId),
    /// An element chosen from a multiset of this type.
    Choice(LocalId, TypeId),
}

impl Entry {
    /// The kind of entity, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Entry::Broken => "a name",
            Entry::Const(_) | Entry::Literal(_) => "a constant",
            Entry::Type(_) => "a type",
            Entry::Var(_) => "a variable",
            Entry::Index(_) => "an index variable",
            Entry::Function(_) => "a function",
            Entry::Definition(_) => "a definition",
            Entry::EnumValue(..) => "an enumeration value",
            Entry::Local(_) => "a local name",
            Entry::Choice(..) => "an element of a multiset",
        }
    }

    fn is_value(&self) -> bool {
        !matches!(self, Entry::Type(_) | Entry::Function(_) | Entry::Definition(_))
    }
}

impl Checker<'_> {
    /// Runs `inside` with a scope of its own.
    pub(super) fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::new());
        let result = inside(self);
        self.scopes.pop();
        result
    }

    /// Whether declarations go to the top level now.
    pub(super) fn at_top_level(&self) -> bool {
        self.scopes.len() == 1
    }

    /// Declares a name in the innermost scope; of two declarations the first stays.
    pub(super) fn declare(&mut self, name: &Ident, entry: Entry) {
        let scope = self.scopes.last_mut().expect("invariant: the top-level scope is never popped");
        if let Some(previous) = scope.get(&name.name) {
            let earlier = previous.span;
            let message = format!("`{}` is declared twice", name.name);
            let diagnostic = Diagnostic::error(&codes::DECLARED_TWICE, message, name.span);
            return self.report(diagnostic.label("declared again").also(earlier, "first declared here"));
        }
        scope.insert(name.name.clone(), Named { entry, span: name.span });
    }

    /// The meaning of a name here.
    pub(super) fn lookup(&self, name: &str) -> Option<&Named> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Reports a value, constant or variable that is not declared.
    pub(super) fn unknown_name<T>(&mut self, name: &str, span: Span) -> Option<T> {
        if self.reported_as_too_early(name, span) {
            return None;
        }
        let help = self.similar(name, Entry::is_value);
        self.unknown(Diagnostic::error(&codes::UNKNOWN_NAME, format!("unknown name `{name}`"), span), help)
    }

    /// Reports a type that is not declared.
    pub(super) fn unknown_type<T>(&mut self, name: &str, span: Span) -> Option<T> {
        if self.reported_as_too_early(name, span) {
            return None;
        }
        let help = self.similar(name, |entry| matches!(entry, Entry::Type(_)));
        let help = help.or_else(|| closest(name, ["boolean"]).map(str::to_owned));
        let diagnostic = Diagnostic::error(&codes::UNKNOWN_TYPE, format!("unknown type `{name}`"), span);
        match foreign_type(name) {
            Some(foreign) if help.is_none() => self.unknown(diagnostic.help(foreign), None),
            _ => self.unknown(diagnostic, help),
        }
    }

    /// Reports a function that is not declared.
    pub(super) fn unknown_function<T>(&mut self, name: &Ident) -> Option<T> {
        let help =
            self.similar(&name.name, |entry| matches!(entry, Entry::Function(_) | Entry::Definition(_)));
        let message = format!("unknown function or procedure `{}`", name.name);
        let diagnostic = Diagnostic::error(&codes::UNKNOWN_NAME, message, name.span);
        match foreign(&name.name) {
            Some(foreign) => self.unknown(diagnostic.help(foreign), None),
            None => self.unknown(diagnostic, help),
        }
    }

    /// Reports a name whose declaration is of another kind than required here.
    pub(super) fn wrong_kind<T>(&mut self, name: &str, span: Span, named: &Named, needed: &str) -> Option<T> {
        if matches!(named.entry, Entry::Broken) {
            return None;
        }
        let message = format!("`{name}` is {}, not {needed}", named.entry.kind());
        let diagnostic = Diagnostic::error(&codes::WRONG_KIND_OF_NAME, message, span);
        self.report(diagnostic.label(format!("{needed} is expected here")).also(named.span, "declared here"));
        None
    }

    fn unknown<T>(&mut self, diagnostic: Diagnostic, similar: Option<String>) -> Option<T> {
        let diagnostic = diagnostic.label("not declared");
        self.report(match similar {
            Some(similar) => diagnostic.help(format!("did you mean `{similar}`?")),
            None => diagnostic,
        });
        None
    }

    fn reported_as_too_early(&mut self, name: &str, span: Span) -> bool {
        let Some(&declaration) = self.later.get(name) else { return false };
        let message = format!("`{name}` is used before its declaration");
        let diagnostic = Diagnostic::error(&codes::USED_TOO_EARLY, message, span);
        self.report(diagnostic.label("used here").also(declaration, "declared only here"));
        true
    }

    pub(super) fn similar(&self, name: &str, fits: impl Fn(&Entry) -> bool) -> Option<String> {
        if !self.has_room() {
            return None;
        }
        let named = self.scopes.iter().rev().flatten();
        let candidates = named.filter(|(_, named)| fits(&named.entry)).map(|(name, _)| name.as_str());
        closest(name, candidates).map(str::to_owned)
    }
}

/// Help for a type of other languages.
fn foreign_type(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "bool" => Some("the type of truth values is `boolean`"),
        "int" | "integer" | "nat" | "natural" | "byte" => Some("a number has a range, as in `0..7`"),
        _ => None,
    }
}

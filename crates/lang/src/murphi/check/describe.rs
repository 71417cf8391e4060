//! Types in messages.

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::murphi::finite::text::Names;
use crate::murphi::hir::{Bound, Code, TypeId, TypeKind};
use crate::span::Span;

/// The number of values of an anonymous enumeration that a message lists.
const SHOWN: usize = 4;

impl Checker<'_> {
    /// A type in a message, in backquotes.
    pub(super) fn describe(&self, id: TypeId) -> String {
        format!("`{}`", self.type_text(id))
    }

    /// Adds a label at the declaration of a named type.
    pub(super) fn with_declaration(&self, diagnostic: Diagnostic, id: TypeId) -> Diagnostic {
        let ty = self.model.ty(id);
        match &ty.name {
            Some(name) if ty.span != Span::default() => {
                diagnostic.also(ty.span, format!("`{name}` is declared here"))
            }
            _ => diagnostic,
        }
    }

    /// A range with its bounds, whether it has a name or not.
    pub(super) fn range_text(&self, id: TypeId) -> String {
        match &self.model.ty(id).kind {
            TypeKind::Range { lo, hi } => {
                let bounds = format!("{}..{}", self.end_text(lo), self.end_text(hi));
                match &self.model.ty(id).name {
                    Some(name) => format!("`{name}` ({bounds})"),
                    None => format!("`{bounds}`"),
                }
            }
            _ => self.describe(id),
        }
    }

    fn type_text(&self, id: TypeId) -> String {
        let ty = self.model.ty(id);
        if let Some(name) = &ty.name {
            return name.clone();
        }
        match &ty.kind {
            TypeKind::Bool => "boolean".to_owned(),
            TypeKind::Integer => "integer".to_owned(),
            TypeKind::Range { lo, hi } => format!("{}..{}", self.end_text(lo), self.end_text(hi)),
            TypeKind::Enum { variants } => enumeration_text(variants),
            TypeKind::Scalarset { size } => format!("scalarset({})", self.end_text(size)),
            TypeKind::Union { members } => {
                let members: Vec<String> = members.iter().map(|member| self.type_text(*member)).collect();
                format!("union {{{}}}", members.join(", "))
            }
            TypeKind::Array { index, element } => {
                format!("array [{}] of {}", self.type_text(*index), self.type_text(*element))
            }
            TypeKind::Multiset { capacity, element } => {
                format!("multiset [{}] of {}", capacity.value, self.type_text(*element))
            }
            TypeKind::Record { .. } => "record".to_owned(),
        }
    }

    /// An end of a range: its value, or its expression if the value is unknown.
    fn end_text(&self, bound: &Option<Bound>) -> String {
        let Some(bound) = bound else { return String::new() };
        if self.is_unknown(&bound.expr) {
            let code = Code::default();
            return Names { model: &self.model, code: &code }.expr(&bound.expr);
        }
        bound.value.to_string()
    }
}

fn enumeration_text(variants: &[String]) -> String {
    let shown = variants.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if variants.len() > SHOWN { ", …" } else { "" };
    format!("enum {{{shown}{more}}}")
}

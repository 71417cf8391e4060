//! Checks about the whole model: whether there is a start, and whether there is anything to verify.

use super::{Checker, ast};
use crate::codes::types as codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::murphi::hir::{TypeKind, Var, VarId};

/// The number of variables that a warning lists.
const SHOWN: usize = 8;

impl Checker<'_> {
    pub(super) fn whole_model(&mut self, ast: &ast::Model) {
        if self.model.starts.is_empty() {
            let diagnostic = Diagnostic::global(&codes::NO_START, "the model has no startstate");
            return self
                .report(diagnostic.help("add `startstate … end;` with the first value of each variable"));
        }
        // No warnings about a model that is rejected anyway.
        if self.diagnostics.iter().any(Diagnostic::is_error) || ast.items.is_empty() {
            return;
        }
        if self.model.rules.is_empty() {
            self.warn("the model has no rules, so only its start states are reachable");
        }
        if !self.has_checks {
            self.warn("the model has no invariant, cover or assertion, so there is nothing to check");
        }
        self.starts_undefined();
    }

    fn warn(&mut self, message: &str) {
        let diagnostic = Diagnostic::global(&codes::NOTHING_TO_CHECK, message);
        self.report(Diagnostic { severity: Severity::Warning, ..diagnostic });
    }

    fn starts_undefined(&mut self) {
        let written = self.written_at_start();
        let unwritten: Vec<&Var> = (0..)
            .zip(&self.model.vars)
            .filter(|(_, var)| !var.is_constant && !self.is_multiset(var))
            .filter(|(id, _)| !written.contains(&VarId(*id)))
            .map(|(_, var)| var)
            .collect();
        let Some(first) = unwritten.first() else { return };
        let names: Vec<String> = unwritten.iter().take(SHOWN).map(|var| format!("`{}`", var.name)).collect();
        let more = if unwritten.len() > SHOWN { ", …" } else { "" };
        let verb = if unwritten.len() == 1 { "is" } else { "are" };
        let names = names.join(", ");
        let message =
            format!("no startstate assigns {names}{more}, which {verb} therefore undefined at first");
        let diagnostic = Diagnostic::warning(&codes::STARTS_UNDEFINED, message, first.span);
        self.report(diagnostic.label("never assigned in a startstate"));
    }

    /// A multiset starts empty, not undefined.
    fn is_multiset(&self, var: &Var) -> bool {
        matches!(self.kind(var.ty), TypeKind::Multiset { .. })
    }
}

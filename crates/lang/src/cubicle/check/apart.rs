//! A process that is the value of no process variable.
//!
//! Cubicle instantiates `init` with the processes of a cube only, and a variable of type `proc` may hold a value that is none of
//! them. Files make use of it: `init (p) { Home <> p && … }` says that `Home` is no participating process. Read literally, for
//! every process, it would be false, and everything would be safe. So `Home` is read as a constant, a distinguished process, and
//! all process variables of the file range over the others.

use super::Checker;
use crate::codes::cubicle as codes;
use crate::cubicle::ast::{Comparison, Expr, ExprKind, SymbolDeclaration, SymbolKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

impl<'t> Checker<'t> {
    /// Looks for `X <> z` in `init`, where `X` holds a process and `z` is one of its variables.
    pub(super) fn find_apart(&mut self) {
        let tree = self.tree;
        let [init] = tree.inits.as_slice() else { return };
        let conjuncts = match &init.formula.kind {
            ExprKind::All(conjuncts) => conjuncts.as_slice(),
            _ => std::slice::from_ref(&init.formula),
        };
        let is_variable = |name: &str| init.variables.iter().any(|variable| variable.text == name);
        for conjunct in conjuncts {
            let Some((left, right)) = two_names(conjunct) else { continue };
            let name = match (is_variable(left), is_variable(right)) {
                (false, true) => left,
                (true, false) => right,
                (true, true) => {
                    self.never_differ(left, right, conjunct.span);
                    continue;
                }
                (false, false) => continue,
            };
            let declared = tree.symbols.iter().find(|symbol| symbol.name.text == name);
            if let Some(declared) = declared.filter(|declared| holds_process(declared)) {
                self.set_apart(declared, conjunct.span);
            }
        }
    }

    /// The variables of `init` may be the same process, so a formula that demands that they differ is false in every
    /// state.
    fn never_differ(&mut self, left: &str, right: &str, span: Span) {
        let message = format!("`{left}` and `{right}` may be the same process, so no state satisfies this");
        let diagnostic = Diagnostic::error(&codes::NOT_APART, message, span)
            .label("false for every process and itself")
            .help(format!("for pairs of different processes write `forall {left} <> {right}. …`"));
        self.report(diagnostic);
    }

    fn set_apart(&mut self, declared: &'t SymbolDeclaration, span: Span) {
        let name = declared.name.text.as_str();
        let updates = self.tree.transitions.iter().flat_map(|transition| &transition.updates);
        let change =
            updates.filter(|update| update.target.text == name).map(|update| update.target.span).next();
        let other = self.apart.filter(|other| *other != name);
        let diagnostic = Diagnostic::error(
            &codes::NOT_APART,
            format!("`{name}` is said to be none of the processes"),
            span,
        );
        if let Some(change) = change {
            self.report(diagnostic.label("different from every process").also(change, "but it changes here"));
        } else if let Some(other) = other {
            self.report(diagnostic.label(format!("and so is `{other}`")));
        } else if self.process_count.is_some() {
            self.report(diagnostic.label("but the number of processes is fixed, and it is one of them"));
        } else {
            self.apart = Some(name);
        }
    }
}

fn two_names(expr: &Expr) -> Option<(&str, &str)> {
    let ExprKind::Compare(Comparison::NotEqual, left, right) = &expr.kind else { return None };
    match (&left.kind, &right.kind) {
        (ExprKind::Name(left), ExprKind::Name(right)) => Some((left, right)),
        _ => None,
    }
}

fn holds_process(declared: &SymbolDeclaration) -> bool {
    declared.kind != SymbolKind::Array && declared.ty.text == "proc"
}

//! `forall` and `exists`: they stay quantifiers, also over finite types; engines expand them where that pays.

use super::Reader;
use super::calls::Binding;
use super::values::Scalar;
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{Binder, Expr};
use tenet_term::TermId;

impl Reader<'_> {
    pub(super) fn quantifier(&mut self, universal: bool, binder: &Binder, body: &Expr) -> Scalar {
        let Some(any) = self.any_of(binder) else { return Scalar::plain(TermId::bool(universal)) };
        let name = self.frame().code.locals[binder.local.0 as usize].name.clone();
        let value = self.open_any(&any, &name);
        self.bind(binder.local, Binding::Scalar(value));
        let before = self.memory.env.values.clone();
        let body_term = self.scalar(body).term;
        let open = self.open.pop().expect("invariant: opened above");
        if before != self.memory.env.values {
            let message = "this formula changes variables while it is evaluated";
            self.report(Diagnostic::error(&codes::SIDE_EFFECT, message, body.span));
            self.memory.env.values = before;
        }
        Scalar::plain(if universal {
            self.close_forall(&open, body_term)
        } else {
            self.close_exists(&open, body_term)
        })
    }
}

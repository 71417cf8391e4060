//! `for` and `while`.
//!
//! A loop over few values is unrolled. A loop over an unbounded type, or over more values than one would want to see
//! one by one, is executed once and turned into a simultaneous update ([`super::sweeps`]).

use super::Reader;
use super::calls::Binding;
use super::domains::Part;
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{Binder, Expr, Stmt};
use crate::span::Span;
use tenet_term::TermId;

/// More rounds than this a `while` with a constant condition may not have.
const MAX_ROUNDS: usize = 1_000;

impl<'m> Reader<'m> {
    pub(super) fn for_loop(&mut self, binder: &Binder, body: &[Stmt], span: Span) {
        for part in self.parts(binder) {
            match part {
                Part::Any(any) => self.sweep(any, binder, body, span),
                Part::Each(values) => {
                    for value in values {
                        if self.memory.env.live == TermId::FALSE || !self.spend(1, span) {
                            return;
                        }
                        self.bind(binder.local, Binding::Scalar(value));
                        self.block(body);
                    }
                }
            }
        }
    }

    pub(super) fn while_loop(&mut self, condition: &Expr, body: &[Stmt], span: Span) {
        for _ in 0..MAX_ROUNDS {
            match self.scalar(condition).term {
                TermId::FALSE => return,
                TermId::TRUE => self.block(body),
                _ => return self.refuse_while(condition.span, "this depends on the state"),
            }
            if self.memory.env.live == TermId::FALSE || !self.spend(1, span) {
                return;
            }
        }
        self.refuse_while(condition.span, "still true after 1000 rounds");
    }

    fn refuse_while(&mut self, span: Span, why: &str) {
        let message = "`while` has no unbounded reading";
        let diagnostic = Diagnostic::error(&codes::WHILE, message, span).label(why);
        self.report(diagnostic.help("use `for` over a type, or spread the loop over several rules"));
    }
}

//! Bound variables: of `for`, `forall`, `exists` and `ruleset`.

use super::Checker;
use super::constants::Value;
use super::operators::number_expr;
use super::places::LocalNote;
use super::scope::Entry;
use crate::codes::types as codes;
use crate::murphi::ast;
use crate::murphi::hir::{Binder, Domain, Expr, INTEGER, LocalKind, TypeId};
use crate::span::Span;
use num_bigint::Sign;

impl Checker<'_> {
    /// Declares a bound variable in the innermost scope; `role` completes "`i` …".
    pub(super) fn binder(&mut self, binder: &ast::Binder, role: &'static str) -> Option<Binder> {
        let checked = self.domain(&binder.domain, binder.name.span);
        let Some((domain, ty)) = checked else {
            self.declare(&binder.name, Entry::Broken);
            return None;
        };
        let local = self.new_local(&binder.name, ty, LocalKind::Value, LocalNote::fixed(role));
        self.declare(&binder.name, Entry::Local(local));
        Some(Binder { local, domain })
    }

    /// Like [`Self::binder`], for rulesets: the parameter's range must not depend on the state.
    pub(super) fn ruleset_binder(&mut self, binder: &ast::Binder) -> Option<Binder> {
        let binder = self.binder(binder, "is a ruleset parameter")?;
        if let Domain::Steps { from, to, step } = &binder.domain {
            for end in [from, to, step] {
                self.constant_value(end, "a bound of a ruleset parameter")?;
            }
        }
        Some(binder)
    }

    fn domain(&mut self, domain: &ast::Domain, name: Span) -> Option<(Domain, TypeId)> {
        match domain {
            ast::Domain::Type(written) => {
                let ty = self.simple_type(written, "what a variable runs over")?;
                Some((Domain::Type(ty), ty))
            }
            ast::Domain::Steps { from, to, step } => {
                let from = self.number(from, "the first value of a loop");
                let to = self.number(to, "the last value of a loop");
                let step = match step {
                    Some(step) => self.step(step),
                    None => Some(number_expr(1, name)),
                };
                Some((Domain::Steps { from: from?, to: to?, step: step? }, INTEGER))
            }
        }
    }

    /// A step; one that is constant must not be zero.
    fn step(&mut self, written: &ast::Expr) -> Option<Expr> {
        let step = self.number(written, "the step of a loop")?;
        match self.quiet_constant(&step) {
            Some(Value::Int(value)) if value.sign() == Sign::NoSign => {
                self.error(&codes::ZERO_STEP, "a loop with a step of zero never ends", written.span)
            }
            _ => Some(step),
        }
    }
}

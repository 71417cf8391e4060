//! What must hold when a rule is taken: assertions of the model, and what the language demands.
//!
//! An obligation is a property of the state *before* the step: whoever can take the rule, and gets there, finds it true.
//! Obligations made while the guard is evaluated do not rest on the guard, because a guard is evaluated in every state.

use super::Reader;
use super::values::Scalar;
use crate::span::Span;
use tenet_term::{Op, TermId};

/// Something that must hold.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    /// Whether the model asserts it; otherwise the language demands it.
    pub(super) is_assertion: bool,
    pub(super) name: String,
    /// Over constants, state and parameters.
    pub(super) formula: TermId,
    pub(super) span: Span,
}

impl Reader<'_> {
    /// The language demands this where the execution now is.
    pub(super) fn oblige(&mut self, formula: TermId, name: String, span: Span) {
        self.demand(formula, name, span, false);
    }

    /// The model asserts this where the execution now is.
    pub(super) fn assert(&mut self, formula: TermId, name: String, span: Span) {
        self.demand(formula, name, span, true);
    }

    /// The language demands that a value is defined where the execution now is.
    pub(super) fn demand_definedness(&mut self, formula: TermId, name: String, span: Span) {
        if self.is_about_reads() {
            self.add_obligation(formula, name, span, false);
        }
    }

    /// Where reads are asked about, nothing else is.
    fn demand(&mut self, formula: TermId, name: String, span: Span, is_assertion: bool) {
        if !self.is_about_reads() {
            self.add_obligation(formula, name, span, is_assertion);
        }
    }

    fn add_obligation(&mut self, formula: TermId, name: String, span: Span, is_assertion: bool) {
        let here = self.everywhere(formula);
        let premises: Vec<TermId> = self.scope.facts.iter().copied().chain([self.scope.premise]).collect();
        let premise = self.store.mk_and(premises);
        let formula = self.implies(premise, here);
        // A demand that certainly holds is no news; an assertion is listed even then.
        if formula == TermId::TRUE && !is_assertion {
            return;
        }
        self.scope.obligations.push(Obligation { is_assertion, name, formula, span });
    }

    /// The formula under the conditions under which the execution gets here, for all values of open variables.
    pub(super) fn everywhere(&mut self, formula: TermId) -> TermId {
        let path = self.path_from(0);
        let mut closed = self.implies(path, formula);
        for open in self.open.clone().iter().rev() {
            closed = self.close_forall(open, closed);
        }
        closed
    }

    /// `premise -> formula`, and true if the formula is one of the premises: what a guard has just tested.
    fn implies(&mut self, premise: TermId, formula: TermId) -> TermId {
        let is_known = *self.store.op(premise) == Op::And && self.store.args(premise).contains(&formula);
        if is_known { TermId::TRUE } else { self.store.mk_implies(premise, formula) }
    }

    pub(super) fn oblige_divisor(&mut self, divisor: Scalar, span: Span) {
        let zero = self.store.mk_int(0);
        let one = self.store.mk_int(1);
        let minus_one = self.store.mk_int(-1);
        let positive = divisor.known.lo.is_some_and(|lo| self.certainly_le(one, lo));
        let negative = divisor.known.hi.is_some_and(|hi| self.certainly_le(hi, minus_one));
        if !positive && !negative {
            let formula = self.store.mk_ne(divisor.term, zero);
            self.oblige(formula, "the divisor is not zero".to_owned(), span);
        }
    }
}

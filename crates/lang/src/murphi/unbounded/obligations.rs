//! Proof obligations of rules: assertions of the model, and requirements of the language.
//!
//! An obligation is a property of the state *before* the step: it holds under the guard and the path condition.
//! Obligations that arise while the guard is evaluated are not under the guard, because a guard is evaluated in every
//! state.

use super::Reader;
use super::values::Scalar;
use crate::span::Span;
use tenet_term::{Op, TermId};

#[derive(Clone, Debug)]
pub(super) struct Obligation {
    /// Whether it is an assertion of the model; otherwise the language requires it.
    pub(super) is_assertion: bool,
    pub(super) name: String,
    /// Over constants, state and parameters.
    pub(super) formula: TermId,
    pub(super) span: Span,
}

impl Reader<'_> {
    /// Adds a requirement of the language under the current path condition.
    pub(super) fn oblige(&mut self, formula: TermId, name: String, span: Span) {
        self.demand(formula, name, span, false);
    }

    /// Adds an assertion of the model under the current path condition.
    pub(super) fn assert(&mut self, formula: TermId, name: String, span: Span) {
        self.demand(formula, name, span, true);
    }

    /// Adds the requirement that a value is defined, under the current path condition.
    pub(super) fn demand_definedness(&mut self, formula: TermId, name: String, span: Span) {
        if self.is_about_reads() {
            self.add_obligation(formula, name, span, false);
        }
    }

    /// When reads are the question, there are no other obligations.
    fn demand(&mut self, formula: TermId, name: String, span: Span, is_assertion: bool) {
        if !self.is_about_reads() {
            self.add_obligation(formula, name, span, is_assertion);
        }
    }

    fn add_obligation(&mut self, formula: TermId, name: String, span: Span, is_assertion: bool) {
        let here = self.everywhere(formula);
        let mut premises: Vec<TermId> =
            self.scope.facts.iter().copied().chain([self.scope.premise]).collect();
        premises.extend(self.free_places(here));
        let premise = self.store.mk_and(premises);
        let formula = self.implies(premise, here);
        // A trivial requirement is dropped; an assertion is listed even then.
        if formula == TermId::TRUE && !is_assertion {
            return;
        }
        self.scope.obligations.push(Obligation { is_assertion, name, formula, span });
    }

    /// That the places were free that a formula depends on. Of others nothing need be said, and a parameter less is quantified.
    fn free_places(&self, formula: TermId) -> Vec<TermId> {
        let mut terms = vec![formula];
        for &(place, free) in self.scope.chosen.iter().rev() {
            let subterms = self.store.subterms_of_all(terms.iter().copied());
            if subterms.into_iter().any(|term| self.store.as_symbol(term) == Some(place)) {
                terms.push(free);
            }
        }
        terms.split_off(1)
    }

    /// The formula under the path condition, for all values of open variables.
    pub(super) fn everywhere(&mut self, formula: TermId) -> TermId {
        let path = self.path_from(0);
        let mut closed = self.implies(path, formula);
        for open in self.open.clone().iter().rev() {
            closed = self.close_forall(open, closed);
        }
        closed
    }

    /// `premise -> formula`, and true if the formula, or a part of it that suffices, is one of the premises, as after a test in a guard.
    fn implies(&mut self, premise: TermId, formula: TermId) -> TermId {
        let known = self.store.conjuncts(premise);
        let is_or = *self.store.op(formula) == Op::Or;
        let is_known = known.contains(&formula)
            || is_or && self.store.args(formula).iter().any(|part| known.contains(part));
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

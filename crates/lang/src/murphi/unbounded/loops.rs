//! `for` and `while`.
//!
//! A loop over few values is unrolled. A loop over an unbounded type, or over many values, is executed once and turned
//! into a simultaneous update ([`super::sweeps`]).

use super::Reader;
use super::calls::Binding;
use super::domains::Part;
use super::memory::Env;
use super::values::Scalar;
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{Binder, Domain, Expr, Stmt, TypeId};
use crate::span::Span;
use tenet_term::{SortId, TermId};

/// The number of iterations of a `while` with a constant condition.
const MAX_ROUNDS: usize = 1_000;

/// The number of rounds of a `while` with a condition that depends on the state.
const MAX_OPEN_ROUNDS: usize = 8;

/// One of the cases that a loop over a type runs over.
enum Case {
    Value(TermId),
    /// The values of a member of a union.
    Member(SortId),
}

impl<'m> Reader<'m> {
    pub(super) fn for_loop(&mut self, binder: &Binder, body: &[Stmt], span: Span) {
        let before = self.memory.env.values.clone();
        let mut cases = Vec::new();
        for part in self.parts(binder) {
            match part {
                Part::Any(any) => {
                    cases.push(Case::Member(any.sort));
                    self.sweep(any, binder, body, span);
                }
                Part::Each(values) => {
                    cases.extend(values.iter().map(|value| Case::Value(value.term)));
                    self.unroll(binder, &values, body, span);
                }
            }
        }
        match binder.domain {
            Domain::Type(ty) if cases.len() > 1 => self.tabulate_changes(&before, ty, &cases),
            _ => {}
        }
    }

    fn unroll(&mut self, binder: &Binder, values: &[Scalar], body: &[Stmt], span: Span) {
        for &value in values {
            if self.memory.env.live == TermId::FALSE || !self.spend(1, span) {
                return;
            }
            self.bind(binder.local, Binding::Scalar(value));
            self.block(body);
        }
    }

    /// After a loop over all values of a type, arrays over it are tabulated case by case: where each case was assigned,
    /// the old value disappears.
    fn tabulate_changes(&mut self, before: &[TermId], ty: TypeId, cases: &[Case]) {
        for (slot, &old) in before.iter().enumerate() {
            let current = self.memory.env.values[slot];
            let args = &self.memory.slots[slot].args;
            let Some(position) = args.iter().position(|&arg| arg == ty).filter(|_| current != old) else {
                continue;
            };
            let table = self.table(slot, position, cases);
            if self.store.size(table) <= self.store.size(current) {
                self.memory.env.values[slot] = table;
            }
        }
    }

    /// `lambda u. u = first ? f[first] : u = second ? f[second] : … f[last]`: the cases are exhaustive.
    fn table(&mut self, slot: usize, position: usize, cases: &[Case]) -> TermId {
        let function = self.memory.env.values[slot];
        let types = self.memory.slots[slot].args.clone();
        let bound = self.rest_symbols(&types, 0, &[function]);
        let places: Vec<TermId> = bound.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let mut body = None;
        for case in cases.iter().rev() {
            let (here, value) = self.case(case, places[position]);
            let mut own = places.clone();
            own[position] = value;
            let entry = self.store.mk_apply(function, &own);
            body = Some(body.map_or(entry, |rest| self.store.mk_ite(here, entry, rest)));
        }
        body.map_or(function, |body| self.store.mk_lambda(&bound, body))
    }

    /// Whether a value belongs to the case, and the value converted to it.
    fn case(&mut self, case: &Case, value: TermId) -> (TermId, TermId) {
        match *case {
            Case::Value(own) => (self.store.mk_eq(value, own), own),
            Case::Member(member) => {
                let inner = self.store.mk_out(member, value);
                let union = self.store.sort_of(value);
                (self.store.mk_is(member, value), self.store.mk_in(union, member, inner))
            }
        }
    }

    /// Rounds are executed one by one. One that may not happen is merged with what was before it, and when the number of rounds that may or may
    /// not happen is exhausted, it is an obligation that there are no more.
    pub(super) fn while_loop(&mut self, condition: &Expr, body: &[Stmt], span: Span) {
        let mut left = MAX_OPEN_ROUNDS;
        let mut skipped: Vec<(TermId, Env, TermId)> = Vec::new();
        let mut is_over = false;
        for _ in 0..MAX_ROUNDS {
            let goes_on = self.scalar(condition).term;
            if goes_on == TermId::FALSE || self.memory.env.live == TermId::FALSE || !self.spend(1, span) {
                is_over = true;
                break;
            }
            if goes_on != TermId::TRUE {
                let ends = self.store.mk_not(goes_on);
                if left == 0 {
                    self.oblige(ends, format!("`while` ends after {MAX_OPEN_ROUNDS} rounds"), span);
                    is_over = true;
                    break;
                }
                left -= 1;
                let mut before = self.memory.env.clone();
                let live = before.live;
                before.live = self.store.mk_and([live, ends]);
                self.memory.env.live = self.store.mk_and([live, goes_on]);
                skipped.push((goes_on, before, live));
            }
            self.block(body);
        }
        if !is_over {
            self.refuse_while(condition.span, "still true after 1000 rounds");
        }
        while let Some((goes_on, before, live)) = skipped.pop() {
            let after = std::mem::take(&mut self.memory.env);
            self.memory.env = self.merge(goes_on, after, before, live);
        }
    }

    fn refuse_while(&mut self, span: Span, why: &str) {
        let message = "`while` has no unbounded reading";
        let diagnostic = Diagnostic::error(&codes::WHILE, message, span).label(why);
        self.report(diagnostic.help("use `for` over a type, or spread the loop over several rules"));
    }
}

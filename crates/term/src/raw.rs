//! Raw constructors: they keep exactly what is written.
//!
//! Needed where syntax carries information. The completeness of refinement by syntactic `pre` rests on atoms that a
//! smart constructor would fold away, such as `-1 = 0` (RC-T1). An ill-sorted raw term is a bug of the caller
//! and panics; [`TermStore::checked_raw`] is for user input.

use crate::id::{SymbolId, TermId};
use crate::store::TermStore;
use crate::term::{Args, Op};

impl TermStore {
    /// The operator on the operands, nothing folded. Panics if ill-sorted.
    pub fn raw(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.raw_args(op, Args::from_slice(args))
    }

    pub(crate) fn raw_args(&mut self, op: Op, args: Args) -> TermId {
        self.intern(op, args).unwrap_or_else(|error| panic!("invariant: terms are well-sorted: {error}"))
    }

    pub fn raw_not(&mut self, a: TermId) -> TermId {
        self.raw(Op::Not, &[a])
    }

    /// The conjunction, as written.
    pub fn raw_and(&mut self, args: &[TermId]) -> TermId {
        self.raw(Op::And, args)
    }

    /// The disjunction, as written.
    pub fn raw_or(&mut self, args: &[TermId]) -> TermId {
        self.raw(Op::Or, args)
    }

    pub fn raw_implies(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw(Op::Implies, &[a, b])
    }

    pub fn raw_ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        self.raw(Op::Ite, &[c, a, b])
    }

    /// `a = b`, as written; `a <-> b` on truth values.
    pub fn raw_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let op = if self.is_bool(a) { Op::Iff } else { Op::Eq };
        self.raw(op, &[a, b])
    }

    pub fn raw_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw(Op::Lt, &[a, b])
    }

    pub fn raw_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.raw(Op::Le, &[a, b])
    }

    /// The sum, as written.
    pub fn raw_add(&mut self, args: &[TermId]) -> TermId {
        self.raw(Op::Add, args)
    }

    /// `a - b`, written as `a + -b`.
    pub fn raw_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let negated = self.raw(Op::Neg, &[b]);
        self.raw(Op::Add, &[a, negated])
    }

    /// `function[args]`, as written, also when the function is a lambda.
    pub fn raw_apply(&mut self, function: TermId, args: &[TermId]) -> TermId {
        let operands = std::iter::once(function).chain(args.iter().copied()).collect();
        self.raw_args(Op::Apply, operands)
    }

    /// `forall bound. body`, as written; the body itself if nothing is bound.
    pub fn raw_forall(&mut self, bound: &[SymbolId], body: TermId) -> TermId {
        if bound.is_empty() { body } else { self.raw(Op::Forall(bound.into()), &[body]) }
    }

    /// `exists bound. body`, as written; the body itself if nothing is bound.
    pub fn raw_exists(&mut self, bound: &[SymbolId], body: TermId) -> TermId {
        if bound.is_empty() { body } else { self.raw(Op::Exists(bound.into()), &[body]) }
    }

    pub fn raw_lambda(&mut self, bound: &[SymbolId], body: TermId) -> TermId {
        self.raw(Op::Lambda(bound.into()), &[body])
    }
}

//! From resolved terms and formulas to terms of a store.

use super::ast::Comparison;
use super::hir::{Formula, FormulaKind, Term, TermKind};
use tenet_term::{TermId, TermStore};

/// Builds the terms of one item.
pub struct Builder<'a> {
    pub store: &'a mut TermStore,
    pub scope: &'a [TermId],
}

impl Builder<'_> {
    pub fn terms(&mut self, terms: &[Term]) -> Vec<TermId> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    /// The conjunction of constraints.
    pub fn conjunction<'f>(&mut self, formulas: impl IntoIterator<Item = &'f Formula>) -> TermId {
        let parts: Vec<TermId> = formulas.into_iter().map(|formula| self.formula(formula)).collect();
        self.store.mk_and(parts)
    }

    fn term(&mut self, term: &Term) -> TermId {
        match &term.kind {
            TermKind::Number(value) => self.store.mk_int(value.clone()),
            TermKind::Variable(position) => self.scope[*position],
            TermKind::Sum(summands) => {
                let summands: Vec<TermId> =
                    summands.iter().map(|(negated, summand)| self.summand(*negated, summand)).collect();
                self.store.mk_add(summands)
            }
            TermKind::Product(factors) => {
                let one = self.store.mk_int(1);
                factors.iter().fold(one, |product, factor| {
                    let factor = self.term(factor);
                    self.store.mk_mul(product, factor)
                })
            }
            TermKind::Read(parts) => {
                let [array, place] = parts.each_ref().map(|part| self.term(part));
                self.store.mk_apply(array, &[place])
            }
            TermKind::Update(parts) => {
                let [array, place, value] = parts.each_ref().map(|part| self.term(part));
                self.store.mk_store(array, &[place], value)
            }
            TermKind::If(condition, parts) => {
                let condition = self.formula(condition);
                let [then, otherwise] = parts.each_ref().map(|part| self.term(part));
                self.store.mk_ite(condition, then, otherwise)
            }
        }
    }

    fn summand(&mut self, negated: bool, summand: &Term) -> TermId {
        let term = self.term(summand);
        if negated { self.store.mk_neg(term) } else { term }
    }

    /// A constraint. It contains no atoms.
    fn formula(&mut self, formula: &Formula) -> TermId {
        match &formula.kind {
            FormulaKind::Truth(value) => self.store.mk_bool(*value),
            FormulaKind::Atom(_) => unreachable!("invariant: atoms are no constraints"),
            FormulaKind::Compare(tuples, operators) => {
                let tuples: Vec<Vec<TermId>> = tuples.iter().map(|tuple| self.terms(tuple)).collect();
                let pairs = tuples.windows(2).zip(operators);
                let parts: Vec<TermId> =
                    pairs.map(|(pair, operator)| self.comparison(*operator, &pair[0], &pair[1])).collect();
                self.store.mk_and(parts)
            }
            FormulaKind::All(operands) => self.conjunction(operands),
            FormulaKind::Any(operands) => {
                let parts: Vec<TermId> = operands.iter().map(|operand| self.formula(operand)).collect();
                self.store.mk_or(parts)
            }
            FormulaKind::Not(operand) => {
                let operand = self.formula(operand);
                self.store.mk_not(operand)
            }
        }
    }

    fn comparison(&mut self, operator: Comparison, left: &[TermId], right: &[TermId]) -> TermId {
        match operator {
            Comparison::Equal => self.equal(left, right),
            Comparison::NotEqual => {
                let equal = self.equal(left, right);
                self.store.mk_not(equal)
            }
            Comparison::Less => self.lexicographic(left, right, TermStore::mk_lt),
            Comparison::LessEqual => self.lexicographic(left, right, TermStore::mk_le),
            Comparison::Greater => self.lexicographic(right, left, TermStore::mk_lt),
            Comparison::GreaterEqual => self.lexicographic(right, left, TermStore::mk_le),
        }
    }

    fn equal(&mut self, left: &[TermId], right: &[TermId]) -> TermId {
        let parts: Vec<TermId> =
            left.iter().zip(right).map(|(&left, &right)| self.store.mk_eq(left, right)).collect();
        self.store.mk_and(parts)
    }

    /// Compares the first components that differ; the last ones with the given comparison.
    fn lexicographic(
        &mut self,
        left: &[TermId],
        right: &[TermId],
        last: fn(&mut TermStore, TermId, TermId) -> TermId,
    ) -> TermId {
        let mut pairs = left.iter().zip(right).rev();
        let Some((&left, &right)) = pairs.next() else { unreachable!("invariant: tuples have components") };
        let mut result = last(self.store, left, right);
        for (&left, &right) in pairs {
            let (less, equal) = (self.store.mk_lt(left, right), self.store.mk_eq(left, right));
            let later = self.store.mk_and([equal, result]);
            result = self.store.mk_or([less, later]);
        }
        result
    }
}

//! Facts about quantified formulas, given to the solver as they are needed.
//!
//! Grounding makes thousands of instances, of which a question needs a few dozen. With all of them at once a solver
//! spends its time on how the terms in the others may be equal to each other. So it gets a fact when a solution violates
//! it, and a solution counts only if it satisfies them all.

use rustc_hash::FxHashSet;
use tenet_solve::Solver;
use tenet_term::{SymbolId, TermId, TermStore};

use crate::skeleton::{Formula, Skeleton};
use crate::valuation::{truths, valuation, valued_terms};

/// Violated facts given at a time, at least; a few more each time, because later solutions are harder to come by.
const MIN_FACTS_PER_ROUND: usize = 24;

/// Facts that a solution must satisfy.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    facts: Vec<(TermId, Formula)>,
    given: Vec<bool>,
    count: usize,
    skeleton: Skeleton,
    /// Every term whose value matters.
    terms: Vec<TermId>,
}

impl Facts {
    /// These formulas, without quantifiers.
    pub fn new(store: &TermStore, formulas: &[TermId]) -> Facts {
        let mut skeleton = Skeleton::default();
        let facts: Vec<(TermId, Formula)> =
            formulas.iter().map(|&formula| (formula, skeleton.add(store, formula))).collect();
        let terms = valued_terms(store, skeleton.atoms());
        Facts { given: vec![false; facts.len()], count: 0, facts, skeleton, terms }
    }

    pub fn formulas(&self) -> impl Iterator<Item = TermId> {
        self.facts.iter().map(|&(formula, _)| formula)
    }

    pub fn symbols(&self, store: &TermStore) -> FxHashSet<SymbolId> {
        let terms = store.subterms_of_all(self.facts.iter().map(|&(formula, _)| formula));
        terms.into_iter().filter_map(|term| store.as_symbol(term)).collect()
    }

    /// Gives the solver all that it does not have, for queries whose solutions are not checked against facts.
    pub fn give_all(&mut self, store: &TermStore, solver: &mut dyn Solver) {
        let missing = self.facts.iter().zip(&self.given).filter(|(_, given)| !**given);
        missing.for_each(|((formula, _), _)| solver.assert(store, *formula));
        self.given.fill(true);
        self.count = self.facts.len();
    }

    /// The terms of what the solver was given, each after its subterms.
    pub fn given_terms(&self, store: &TermStore) -> Vec<TermId> {
        let given = self.facts.iter().zip(&self.given).filter(|(_, given)| **given);
        store.subterms_of_all(given.map(|((formula, _), _)| *formula))
    }

    /// If the solver's model violates facts, gives it some of these.
    pub fn refine(&mut self, store: &TermStore, solver: &mut dyn Solver) -> bool {
        if self.count == self.facts.len() {
            return false;
        }
        let values = valuation(store, solver, &self.terms);
        let truths = self.skeleton.evaluate(&truths(self.skeleton.atoms(), &values));
        let enough = MIN_FACTS_PER_ROUND + self.count / 4;
        let before = self.count;
        for (place, &(formula, fact)) in self.facts.iter().enumerate() {
            if !self.given[place] && !*fact.of(&truths) {
                solver.assert(store, formula);
                self.given[place] = true;
                self.count += 1;
                if self.count - before == enough {
                    break;
                }
            }
        }
        self.count > before
    }
}

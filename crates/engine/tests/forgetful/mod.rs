//! A solver that sometimes answers unknown.

use std::cell::Cell;
use std::rc::Rc;
use tenet_chance::Random;
use tenet_solve::{Answer, Limits, Solver, Statistics, Z3Solver};
use tenet_term::{TermId, TermStore, Value};

/// Answers one question in `one_in` with `Unknown`, at random. Solvers that are made together share the random
/// numbers.
pub struct Forgetful {
    pub inner: Z3Solver,
    pub one_in: u64,
    pub seed: Rc<Cell<u64>>,
}

impl Solver for Forgetful {
    fn name(&self) -> String {
        "forgetful".to_string()
    }

    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn assert(&mut self, store: &TermStore, formula: TermId) {
        self.inner.assert(store, formula);
    }

    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Answer {
        let next = Random::new(self.seed.get()).number();
        self.seed.set(next);
        if next.is_multiple_of(self.one_in) {
            return Answer::Unknown("forgotten".to_string());
        }
        self.inner.check(store, assumptions)
    }

    fn core(&mut self) -> Vec<TermId> {
        self.inner.core()
    }

    fn values(&mut self, store: &TermStore, terms: &[TermId]) -> Vec<Option<Value>> {
        self.inner.values(store, terms)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn limits(&self) -> Limits {
        self.inner.limits()
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}

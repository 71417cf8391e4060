//! A solver that proves everything.

use tenet_solve::{Answer, Limits, Solver, Statistics};
use tenet_term::{TermId, TermStore, Value};

/// Claims that everything is proved: what it certifies is well-formed and need not be true.
pub struct Unsound;

impl Solver for Unsound {
    fn name(&self) -> String {
        "unsound".to_owned()
    }
    fn push(&mut self) {}
    fn pop(&mut self) {}
    fn assert(&mut self, _: &TermStore, _: TermId) {}
    fn check(&mut self, _: &TermStore, _: &[TermId]) -> Answer {
        Answer::Unsat
    }
    fn core(&mut self) -> Vec<TermId> {
        Vec::new()
    }
    fn values(&mut self, _: &TermStore, terms: &[TermId]) -> Vec<Option<Value>> {
        vec![None; terms.len()]
    }
    fn set_limits(&mut self, _: Limits) {}
    fn limits(&self) -> Limits {
        Limits::default()
    }
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

//! What the methods ask of a theorem prover: the order `<=` and abstractions (Ball, Podelski and Rajamani, section 2; RC-A2).
//!
//! Nothing here assumes that the prover is complete (RC-A14). An implication that it does not decide is not proved; a
//! formula that it does not decide is not refuted; and an abstraction that it does not finish is the syntactic one, which
//! needs nothing but `a & b => a` and `a => a | b`.

use super::formula::{Disjunct, Formula};
use super::outcome::Alpha;
use tenet_abstraction::alpha;
use tenet_abstraction::monotone::{Conjunction, Monotone};
use tenet_solve::{Answer, Limits, Solver};
use tenet_term::{TermId, TermStore};

pub struct Prover {
    solver: Box<dyn Solver>,
    kind: Alpha,
}

impl Prover {
    /// Around a solver without assertions.
    pub fn new(solver: Box<dyn Solver>, kind: Alpha) -> Prover {
        Prover { solver, kind }
    }

    /// Solver calls so far, and seconds in them.
    pub fn statistics(&self) -> (u64, f64) {
        let statistics = self.solver.statistics();
        (statistics.calls, statistics.seconds)
    }

    /// What the solver may use.
    pub fn limits(&self) -> Limits {
        self.solver.limits()
    }

    /// Can all of these hold together?
    pub fn check(&mut self, store: &TermStore, facts: &[TermId]) -> Answer {
        self.solver.push();
        facts.iter().for_each(|&fact| self.solver.assert(store, fact));
        let answer = self.solver.check(store, &[]);
        self.solver.pop();
        answer
    }

    /// Is it proved that the two exclude each other? That is `left <= not right`.
    pub fn excludes(&mut self, store: &mut TermStore, left: &Disjunct, right: &Formula) -> bool {
        if left.is_false(store) {
            return true;
        }
        let (left, right) = (left.term(store), right.term(store));
        self.check(store, &[left, right]).is_proved()
    }

    /// Is it proved that the formula implies the other one, disjunct by disjunct?
    pub fn implies(&mut self, store: &mut TermStore, left: &Formula, right: &Formula) -> bool {
        let right_term = right.term(store);
        let denied = store.mk_not(right_term);
        left.disjuncts().all(|disjunct| {
            // What is there literally needs no proof.
            let is_there = right.disjuncts().any(|known| known == disjunct);
            is_there || disjunct.is_false(store) || {
                let term = disjunct.term(store);
                self.check(store, &[term, denied]).is_proved()
            }
        })
    }

    /// Is the disjunct, beyond doubt, unsatisfiable?
    pub fn refutes(&mut self, store: &mut TermStore, disjunct: &Disjunct) -> bool {
        if disjunct.is_false(store) {
            return true;
        }
        let term = disjunct.term(store);
        self.check(store, &[term]).is_proved()
    }

    /// The least element of the lattice over the predicates that the facts imply; nothing if the prover cannot tell, or is
    /// not to be asked.
    pub fn least(
        &mut self,
        store: &mut TermStore,
        facts: &[TermId],
        predicates: &[TermId],
    ) -> Option<Monotone> {
        match self.kind {
            Alpha::Complete => alpha(&mut *self.solver, store, facts, predicates).ok(),
            Alpha::Syntactic => None,
        }
    }
}

/// What is left of a disjunct when atoms that are no predicates (in ascending order) are dropped.
pub fn syntactic(disjunct: &Disjunct, predicates: &[TermId]) -> Conjunction {
    disjunct.atoms().iter().filter_map(|atom| predicates.binary_search(atom).ok()).collect()
}

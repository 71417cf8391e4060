//! A solver that does not know: whatever it cannot exclude counts as reachable (X-T1), so that sets get larger and
//! never smaller.

#[path = "../../abstraction/tests/common/mod.rs"]
mod common;

mod chance;
mod forgetful;
mod small;

use std::cell::Cell;
use std::rc::Rc;

use chance::{sets, sets_with, some_substitutions};
use common::formulas::Choices;
use common::random::{Nodes, Shape, systems_over};
use forgetful::Forgetful;
use proptest::prelude::*;
use tenet_engine::reach::Image;
use tenet_solve::{Answer, Limits, Solver, Statistics, Z3Solver};
use tenet_term::{TermId, TermStore, Value};

/// Gives no values but of the symbols that stand for predicates, so that a query knows little of its solutions.
struct Taciturn(Z3Solver);

impl Solver for Taciturn {
    fn name(&self) -> String {
        "taciturn".to_string()
    }

    fn push(&mut self) {
        self.0.push();
    }

    fn pop(&mut self) {
        self.0.pop();
    }

    fn assert(&mut self, store: &TermStore, formula: TermId) {
        self.0.assert(store, formula);
    }

    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Answer {
        self.0.check(store, assumptions)
    }

    fn core(&mut self) -> Vec<TermId> {
        self.0.core()
    }

    fn values(&mut self, store: &TermStore, terms: &[TermId]) -> Vec<Option<Value>> {
        let is_predicate = |&term: &TermId| {
            store
                .as_symbol(term)
                .is_some_and(|symbol| store.symbol(symbol).role == tenet_term::Role::AbstractBool)
        };
        let values = self.0.values(store, terms);
        terms.iter().zip(values).map(|(term, value)| value.filter(|_| is_predicate(term))).collect()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.0.set_limits(limits);
    }

    fn limits(&self) -> Limits {
        self.0.limits()
    }

    fn statistics(&self) -> Statistics {
        self.0.statistics()
    }
}

const SHAPE: Shape = Shape { indices: 2, predicates: 4, quantifiers: true };

proptest! {
    #![proptest_config(tenet_chance::cases(24))]

    #[test]
    fn x_t1_a_forgetful_solver_makes_sets_larger_only(
        mut random in systems_over(Nodes::Enum, SHAPE), bytes in prop::collection::vec(any::<u8>(), 60),
        seed in any::<u64>(), one_in in 1..9u64,
    ) {
        let pi = some_substitutions(&mut random.system, &mut Choices::new(bytes));
        let wanted = sets(&mut random.system.clone(), &pi, Image::Cubes);
        for image in [Image::Cubes, Image::Recursion] {
            let seed = Rc::new(Cell::new(seed));
            let forgetful = || -> Box<dyn Solver> {
                Box::new(Forgetful { inner: Z3Solver::ground(), one_in, seed: seed.clone() })
            };
            let found = sets_with(&mut random.system.clone(), &pi, image, &forgetful);
            for (iteration, set) in wanted.iter().enumerate() {
                let last = &found[iteration.min(found.len() - 1)];
                prop_assert!(set.is_subset(last), "in iteration {}", iteration);
            }
            if one_in == 1 {
                prop_assert_eq!(found[0].len(), 1 << random.system.predicates.len());
            }
        }
    }

    #[test]
    fn a_solver_that_gives_no_values_makes_sets_larger_only(
        mut random in systems_over(Nodes::Enum, SHAPE), bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        let pi = some_substitutions(&mut random.system, &mut Choices::new(bytes));
        let wanted = sets(&mut random.system.clone(), &pi, Image::Cubes);
        let taciturn = || -> Box<dyn Solver> { Box::new(Taciturn(Z3Solver::ground())) };
        let found = sets_with(&mut random.system.clone(), &pi, Image::Cubes, &taciturn);
        prop_assert!(wanted[wanted.len() - 1].is_subset(&found[found.len() - 1]));
    }
}

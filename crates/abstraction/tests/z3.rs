//! The same checks with a real solver: what holds over all integers, and images by recursion that Z3 answers for.

mod common;

use std::time::Duration;

use common::formulas::Choices;
use common::queries::{exact_image, query_rule};
use common::random::{Shape, systems};
use proptest::prelude::*;
use tenet_abstraction::exact::Valuations;
use tenet_abstraction::recursion;
use tenet_abstraction::set::Space;
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_term::{Role, SortId, TermId, TermStore};

/// `forall x : integer. (F(x) >= 0, x >= 0) is in the set`, for the set of all valuations whose bit is in the mask.
fn meaning(store: &mut TermStore, mask: u32) -> TermId {
    let sort = store.function_sort(&[SortId::INT], SortId::INT);
    let (function, x) = (store.declare("F", sort, Role::State), store.declare("x", SortId::INT, Role::Bound));
    let (value, place, zero) = (common::at(store, function, &[x]), store.mk_symbol(x), store.mk_int(0));
    let (p, q) = (store.mk_ge(value, zero), store.mk_ge(place, zero));
    let (not_p, not_q) = (store.mk_not(p), store.mk_not(q));
    let cubes = [[not_p, not_q], [p, not_q], [not_p, q], [p, q]].map(|literals| store.mk_and(literals));
    let chosen = (0..4).filter(|valuation| mask >> valuation & 1 == 1).map(|valuation| cubes[valuation]);
    let body = store.mk_or(chosen);
    store.mk_forall(&[x], body)
}

#[test]
fn qi_a4_nine_of_the_sixteen_sets_mean_something_over_the_integers() {
    let mut store = TermStore::new();
    let mut answers = Vec::new();
    for mask in 0..16 {
        let formula = meaning(&mut store, mask);
        let mut solver = Z3Solver::new();
        solver.assert(&store, formula);
        let answer = solver.check(&store, &[]);
        // A member with q false and one with q true, for the elements below zero and for the others.
        let nonempty = mask & 0b0011 != 0 && mask & 0b1100 != 0;
        assert_eq!(answer, if nonempty { Answer::Sat } else { Answer::Unsat }, "{mask:04b}");
        answers.push(answer);
    }
    assert_eq!(answers.iter().filter(|&answer| *answer == Answer::Sat).count(), 9);
    assert_eq!(answers.iter().filter(|&answer| *answer == Answer::Unsat).count(), 7);
}

/// A solver that does not think about quantifiers for ever.
fn limited() -> Z3Solver {
    let mut solver = Z3Solver::new();
    solver.set_limits(Limits { timeout: Some(Duration::from_millis(200)), ..Limits::default() });
    solver
}

fn exactly_two(store: &mut TermStore, node: SortId) -> TermId {
    let [one, other] = ["first", "second"].map(|name| {
        let symbol = store.declare(name, node, Role::Const);
        store.mk_symbol(symbol)
    });
    let x = store.declare("x", node, Role::Bound);
    let place = store.mk_symbol(x);
    let cases = [one, other].map(|element| store.mk_eq(place, element));
    let case = store.mk_or(cases);
    let (differ, all) = (store.mk_ne(one, other), store.mk_forall(&[x], case));
    store.mk_and([differ, all])
}

proptest! {
    #![proptest_config(tenet_chance::cases(24))]

    #[test]
    fn ex_a2_recursion_with_z3_gives_the_exact_image(
        mut random in systems(Shape { indices: 0, predicates: 4, quantifiers: true }),
        bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        let mut choices = Choices::new(bytes);
        let predicates = random.system.predicates.len();
        let space = Space::new(predicates);
        let set: Valuations = (0..1 << predicates).filter(|_| choices.below(3) > 0).collect();
        let rule = random.system.rules[0].clone();
        let wanted = exact_image(&space, &random, 2, 0, &set);
        let mut query = query_rule(&mut random.system, &rule, &set);
        let store = &mut random.system.store;
        query.asserted.push(exactly_two(store, random.node));
        let mut solver = limited();
        query.asserted.iter().for_each(|&formula| solver.assert(store, formula));
        let found = recursion::image(&space, store, &mut solver, &query.posts, None, Some(&query.asserted));
        prop_assert!(wanted.implies(&found.set));
        prop_assert!(found.set == wanted || found.unknown > 0);
    }

    #[test]
    fn ex_a2_recursion_without_a_size_contains_the_image_of_every_size(
        mut random in systems(Shape { indices: 0, predicates: 4, quantifiers: true }),
        bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        let mut choices = Choices::new(bytes);
        let predicates = random.system.predicates.len();
        let space = Space::new(predicates);
        let set: Valuations = (0..1 << predicates).filter(|_| choices.below(3) > 0).collect();
        let rule = random.system.rules[0].clone();
        let sizes = (1..=3).map(|nodes| exact_image(&space, &random, nodes, 0, &set));
        let small = sizes.fold(space.empty(), |union, image| union.union(&image));
        let query = query_rule(&mut random.system, &rule, &set);
        let store = &mut random.system.store;
        for remember in [false, true] {
            let mut solver = limited();
            query.asserted.iter().for_each(|&formula| solver.assert(store, formula));
            let asserted = remember.then_some(query.asserted.as_slice());
            let found = recursion::image(&space, store, &mut solver, &query.posts, None, asserted);
            prop_assert!(small.implies(&found.set));
        }
    }
}

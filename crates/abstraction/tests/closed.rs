//! Acceptance checks of the abstraction with closed predicates (EX-A1 to EX-A6) and of the image by recursion, against the
//! image that going through all states gives.

mod common;

use std::collections::BTreeSet;

use common::brute::Brute;
use common::formulas::Choices;
use common::queries::{Query, exact_image, query_rule};
use common::random::{Random, Shape, systems};
use common::{LIMIT, size};
use proptest::prelude::*;
use tenet_abstraction::exact::{Exact, Valuation, Valuations, to_set};
use tenet_abstraction::recursion::{self, Image};
use tenet_abstraction::set::Space;
use tenet_solve::Solver;
use tenet_system::{Bounds, IndexVar, Rule};
use tenet_term::{Role, SortId, Substitution, SymbolId, TermId, TermStore};

const SHAPE: Shape = Shape { indices: 0, predicates: 4, quantifiers: true };

const NODES: u32 = 2;

fn exact(random: &Random) -> Exact<'_> {
    Exact::new(&random.system, &size(random.node, NODES), LIMIT).expect("random systems are small")
}

fn some<T: Ord>(items: impl IntoIterator<Item = T>, choices: &mut Choices) -> BTreeSet<T> {
    items.into_iter().filter(|_| choices.below(2) == 1).collect()
}

fn some_valuations(random: &Random, choices: &mut Choices) -> Valuations {
    some(0..1 << random.system.predicates.len(), choices)
}

fn solver(store: &TermStore, node: SortId, query: &Query) -> Brute {
    let mut solver = Brute::new(store, &size(node, NODES), &query.symbols, LIMIT).expect("few models");
    for &formula in &query.asserted {
        solver.assert(store, formula);
    }
    solver
}

fn image(
    space: &Space,
    random: &mut Random,
    query: &Query,
    order: Option<&[usize]>,
    remember: bool,
) -> Image {
    let store = &mut random.system.store;
    let mut solver = solver(store, random.node, query);
    let asserted = remember.then_some(query.asserted.as_slice());
    let image = recursion::image(space, store, &mut solver, &query.posts, order, asserted);
    assert_eq!(solver.statistics().calls, image.calls);
    image
}

fn shuffled(count: usize, choices: &mut Choices) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for place in (1..count).rev() {
        order.swap(place, choices.below(place + 1));
    }
    order
}

proptest! {
    #![proptest_config(tenet_chance::cases(64))]

    #[test]
    fn ex_a1_gamma_distributes_and_a_frontier_changes_nothing(
        random in systems(SHAPE), bytes in prop::collection::vec(any::<u8>(), 600),
    ) {
        let exact = exact(&random);
        let mut choices = Choices::new(bytes);
        let [one, other] = [(); 2].map(|()| some_valuations(&random, &mut choices));
        prop_assert_eq!(exact.gamma(&(&one | &other)), &exact.gamma(&one) | &exact.gamma(&other));
        let states = some(exact.states(), &mut choices);
        prop_assert!(states.is_subset(&exact.gamma(&exact.alpha(&states))));
        prop_assert_eq!(exact.closed_reachability(true), exact.closed_reachability(false));
    }

    #[test]
    fn ex_a2_a3_recursion_gives_the_exact_image_with_few_questions(
        mut random in systems(SHAPE), bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        let mut choices = Choices::new(bytes);
        let predicates = random.system.predicates.len();
        let space = Space::new(predicates);
        for (number, rule) in random.system.rules.clone().iter().enumerate() {
            let set = some_valuations(&random, &mut choices);
            let wanted = exact_image(&space, &random, NODES, number, &set);
            let query = query_rule(&mut random.system, rule, &set);
            let order = shuffled(predicates, &mut choices);
            let most = (1 << (predicates + 1)) - 1;
            for (order, remember) in [(None, true), (None, false), (Some(&order[..]), true)] {
                let found = image(&space, &mut random, &query, order, remember);
                prop_assert_eq!(&found.set, &wanted);
                prop_assert!(found.calls <= most);
                let implied = |place: usize| {
                    [true, false].iter().any(|&value| wanted.implies(&space.literal(place, value)))
                };
                prop_assert!(found.calls < most || !(0..predicates).any(implied));
                prop_assert!(!wanted.is_empty() || found.calls == 1);
            }
        }
    }

    #[test]
    fn ex_a2_a3_a_forgetful_solver_makes_the_image_larger_only(
        mut random in systems(SHAPE), bytes in prop::collection::vec(any::<u8>(), 60), seed in any::<u64>(),
    ) {
        let mut choices = Choices::new(bytes);
        let predicates = random.system.predicates.len();
        let space = Space::new(predicates);
        let set = some_valuations(&random, &mut choices);
        let rule = random.system.rules[0].clone();
        let wanted = exact_image(&space, &random, NODES, 0, &set);
        let query = query_rule(&mut random.system, &rule, &set);
        for one_in in 1..6 {
            let mut solver = solver(&random.system.store, random.node, &query);
            solver.forget(one_in, seed);
            let store = &mut random.system.store;
            let asserted = Some(query.asserted.as_slice());
            let found = recursion::image(&space, store, &mut solver, &query.posts, None, asserted);
            prop_assert!(wanted.implies(&found.set));
            prop_assert!(found.calls < 1 << (predicates + 1));
        }
    }

    #[test]
    fn ex_a5_starting_is_a_step_from_an_arbitrary_state(mut random in systems(SHAPE)) {
        let predicates = random.system.predicates.len();
        let space = Space::new(predicates);
        let initial = {
            let exact = exact(&random);
            to_set(&space, &exact.alpha(exact.initial()), predicates)
        };
        // The start as a rule whose parameters are what it leaves open, taken in any state whatsoever.
        let system = &mut random.system;
        let start = system.starts[0].clone();
        let updates = system.state.iter().map(|var| var.symbol).zip(start.values.iter().copied()).collect();
        let (params, guard) = (start.params, start.constraint);
        let rule = Rule { name: start.name, source: start.source, shown_params: 0, params, guard, updates };
        let everything: Valuations = (0..1 << predicates).collect();
        let mut query = query_rule(system, &rule, &everything);
        // The state before does not occur any more: not asking for it keeps the number of models small.
        query.symbols = system.consts.iter().chain(&rule.params).copied().collect();
        query.asserted = vec![rule.guard];
        prop_assert_eq!(image(&space, &mut random, &query, None, true).set, initial);
    }

    #[test]
    fn ex_a6_a_symbolic_parameter_is_the_union_of_its_values(
        mut random in systems(SHAPE), bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        let space = Space::new(random.system.predicates.len());
        let set = some_valuations(&random, &mut Choices::new(bytes));
        let rule = random.system.rules[0].clone();
        let query = query_rule(&mut random.system, &rule, &set);
        let symbolic = image(&space, &mut random, &query, None, true).set;
        let mut union = space.empty();
        for choice in 0..NODES.pow(rule.params.len() as u32) {
            let store = &mut random.system.store;
            let digit = |place: usize| choice / NODES.pow(place as u32) % NODES;
            let pairs: Vec<(SymbolId, TermId)> = rule
                .params
                .iter()
                .enumerate()
                .map(|(place, &param)| (param, store.mk_index(random.node, digit(place))))
                .collect();
            let values = Substitution::from_pairs(store, pairs);
            let fixed = |store: &mut TermStore, terms: &[TermId]| -> Vec<TermId> {
                terms.iter().map(|&term| store.substitute(term, &values)).collect()
            };
            let (asserted, posts) = (fixed(store, &query.asserted), fixed(store, &query.posts));
            let query = Query { asserted, posts, symbols: query.symbols.clone() };
            union = union.union(&image(&space, &mut random, &query, None, true).set);
        }
        prop_assert_eq!(symbolic, union);
    }

    #[test]
    fn x_a1_without_index_variables_both_abstractions_agree(mut random in systems(SHAPE)) {
        let closed = exact(&random).closed_reachability(true).unwrap();
        prop_assert_eq!(&exact(&random).abstract_reachability(), &closed);
        // An index variable that no predicate mentions changes nothing.
        let symbol = random.system.store.declare("unused", random.node, Role::Index);
        random.system.indices.push(IndexVar { symbol, bounds: Bounds::default() });
        prop_assert_eq!(&exact(&random).abstract_reachability(), &closed);
    }
}

/// The image of formulas over Booleans `x0`, `x1`, ..., of which everything in `asserted` holds.
fn image_of(
    count: usize,
    build: impl Fn(&mut TermStore, &[TermId]) -> (Vec<TermId>, Vec<TermId>),
    remember: bool,
) -> (Space, Image) {
    let mut store = TermStore::new();
    let symbols: Vec<SymbolId> =
        (0..count).map(|number| store.declare(&format!("x{number}"), SortId::BOOL, Role::State)).collect();
    let terms: Vec<TermId> = symbols.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
    let (asserted, posts) = build(&mut store, &terms);
    let mut solver = Brute::new(&store, &[], &symbols, LIMIT).expect("few models");
    for &formula in &asserted {
        solver.assert(&store, formula);
    }
    let space = Space::new(posts.len());
    let asserted = remember.then_some(asserted.as_slice());
    let image = recursion::image(&space, &mut store, &mut solver, &posts, None, asserted);
    (space, image)
}

#[test]
fn ex_a4_two_valuations_are_not_covered_by_a_cube() {
    let differ = |store: &mut TermStore, x: &[TermId]| (vec![store.mk_xor(x[0], x[1])], x.to_vec());
    let (space, image) = image_of(2, differ, true);
    assert_eq!(image.set.count(&[0, 1]), 2);
    assert_eq!(image.set, space.valuation(&[true, false]).union(&space.valuation(&[false, true])));
}

#[test]
fn ex_a5_what_a_start_leaves_open_is_arbitrary() {
    // Of two variables the start sets one: `x0 := true`.
    let start = |_: &mut TermStore, x: &[TermId]| (vec![], vec![TermId::TRUE, x[1]]);
    let (space, image) = image_of(2, start, true);
    assert_eq!(image.set, space.literal(0, true));
}

#[test]
fn ex_a3_an_impossible_state_takes_one_question() {
    let (_, image) = image_of(8, |_, x| (vec![TermId::FALSE], x.to_vec()), true);
    assert!(image.set.is_empty());
    assert_eq!(image.calls, 1);
}

#[test]
fn ex_a3_implied_predicates_are_not_split_on() {
    let all = |_: &mut TermStore, x: &[TermId]| (x.to_vec(), x.to_vec());
    let (space, image) = image_of(8, all, false);
    assert_eq!(image.set, space.valuation(&[true; 8]));
    assert_eq!(image.calls, 1 + 8);
}

#[test]
fn independent_predicates_add_up_and_do_not_multiply() {
    let free = |_: &mut TermStore, x: &[TermId]| (vec![], x.to_vec());
    let (_, image) = image_of(10, free, true);
    assert!(image.set.is_full());
    assert_eq!(image.calls, 1 + 10);
    // Without knowing what is asserted, they might depend on each other.
    let (_, image) = image_of(10, free, false);
    assert!(image.set.is_full());
    assert_eq!(image.calls, 1 << 10);
}

#[test]
fn predicates_that_depend_on_each_other_through_what_is_asserted_are_not_taken_apart() {
    let equal = |store: &mut TermStore, x: &[TermId]| {
        let pairs = (0..3).map(|place| store.mk_iff(x[place], x[place + 3])).collect();
        (pairs, x.to_vec())
    };
    let (space, image) = image_of(6, equal, true);
    assert_eq!(image.set.count(&[0, 1, 2, 3, 4, 5]), 8);
    for place in 0..3 {
        let (one, other) = (space.literal(place, true), space.literal(place + 3, true));
        assert!(image.set.intersect(&one).implies(&other));
        assert!(image.set.intersect(&other).implies(&one));
    }
    // Three pairs, each with three questions at most.
    assert!(image.calls <= 1 + 9, "{} questions", image.calls);
}

#[test]
fn ex_t4_a_branch_that_may_be_empty_is_not_remembered() {
    // The second and the third predicate say the same. Whatever the solver forgets, no valuation may be lost.
    let same = |store: &mut TermStore, x: &[TermId]| {
        let never = store.mk_and([x[0], x[1]]);
        (vec![store.mk_not(never)], vec![x[0], x[1], x[2], x[3]])
    };
    let mut store = TermStore::new();
    let symbols: Vec<SymbolId> =
        (0..4).map(|number| store.declare(&format!("x{number}"), SortId::BOOL, Role::State)).collect();
    let terms: Vec<TermId> = symbols.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
    let (asserted, posts) = same(&mut store, &terms);
    for seed in tenet_chance::seeds(0..2000) {
        let mut solver = Brute::new(&store, &[], &symbols, LIMIT).expect("few models");
        asserted.iter().for_each(|&formula| solver.assert(&store, formula));
        solver.forget(2 + seed % 3, seed);
        let space = Space::new(4);
        let image = recursion::image(&space, &mut store, &mut solver, &posts, None, Some(&asserted));
        let wanted = space.cube(&[(0, true), (1, true)]).complement();
        assert!(wanted.implies(&image.set), "seed {seed}: {:?}", image.set);
    }
}

#[test]
fn valuations_have_one_bit_for_each_predicate() {
    let space = Space::new(3);
    let set: Valuations = [0b001, 0b110 as Valuation].into();
    let wanted = space.valuation(&[true, false, false]).union(&space.valuation(&[false, true, true]));
    assert_eq!(to_set(&space, &set, 3), wanted);
}

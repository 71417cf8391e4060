//! Acceptance checks of the exact abstraction with indexed predicates (QI-A1 to QI-A5, QI-A11 and QI-A12).

mod common;

use std::collections::BTreeSet;

use common::formulas::Choices;
use common::random::{Random, Shape, systems};
use common::{LIMIT, at, size};
use proptest::prelude::*;
use tenet_abstraction::exact::{Exact, States, Valuation, Valuations};
use tenet_abstraction::finite::FiniteError;
use tenet_system::{Bounds, IndexVar, Predicate, Start, StateVar, System};
use tenet_term::{Role, SymbolId, TermId, TermStore};

const SHAPE: Shape = Shape { indices: 2, predicates: 4, quantifiers: true };

fn exact(random: &Random, nodes: u32) -> Exact<'_> {
    Exact::new(&random.system, &size(random.node, nodes), LIMIT).expect("random systems are small")
}

/// A random subset.
fn some<T: Ord>(items: impl IntoIterator<Item = T>, choices: &mut Choices) -> BTreeSet<T> {
    items.into_iter().filter(|_| choices.below(2) == 1).collect()
}

fn all_valuations(random: &Random) -> impl Iterator<Item = Valuation> + use<> {
    0..1 << random.system.predicates.len()
}

/// For each rule, substitutions of elements that there are names for; never none.
fn substitutions(system: &mut System, choices: &mut Choices) -> Vec<Vec<Vec<TermId>>> {
    let indices: Vec<SymbolId> = system.indices.iter().map(|index| index.symbol).collect();
    let Some(&first) = indices.first() else { return vec![vec![Vec::new()]; system.rules.len()] };
    let node = system.store.symbol(first).sort;
    let is_node = |store: &TermStore, symbol: SymbolId| store.symbol(symbol).sort == node;
    let fixed = system.consts.iter().copied().chain(system.state.iter().map(|var| var.symbol));
    let mut names: Vec<SymbolId> = fixed.filter(|&symbol| is_node(&system.store, symbol)).collect();
    names.extend(&indices);
    let mut all = Vec::new();
    for rule in &system.rules {
        let names: Vec<SymbolId> = names.iter().chain(&rule.params).copied().collect();
        let mut tuple = || -> Vec<TermId> {
            indices.iter().map(|_| system.store.mk_symbol(choices.of(&names))).collect()
        };
        all.push((0..3).map(|_| tuple()).collect());
    }
    all
}

proptest! {
    #![proptest_config(tenet_chance::cases(48))]

    #[test]
    fn qi_a1_alpha_and_gamma_are_a_galois_connection(
        random in systems(SHAPE), nodes in 1..=3u32, bytes in prop::collection::vec(any::<u8>(), 600),
    ) {
        let exact = exact(&random, nodes);
        let mut choices = Choices::new(bytes);
        for _ in 0..4 {
            let set = some(all_valuations(&random), &mut choices);
            let gamma = exact.gamma(&set);
            // Some within gamma, so that both sides are true at times, and some not.
            for states in [some(gamma.iter().copied(), &mut choices), some(exact.states().take(5), &mut choices)] {
                prop_assert_eq!(exact.alpha(&states).is_subset(&set), states.is_subset(&gamma));
            }
        }
    }

    #[test]
    fn qi_a3_alpha_and_gamma_are_monotone(
        random in systems(SHAPE), bytes in prop::collection::vec(any::<u8>(), 600),
    ) {
        let exact = exact(&random, 2);
        let mut choices = Choices::new(bytes);
        let large = some(all_valuations(&random), &mut choices);
        let small = some(large.iter().copied(), &mut choices);
        prop_assert!(exact.gamma(&small).is_subset(&exact.gamma(&large)));
        let large = some(exact.states(), &mut choices);
        let small = some(large.iter().copied(), &mut choices);
        prop_assert!(exact.alpha(&small).is_subset(&exact.alpha(&large)));
        prop_assert!(large.is_subset(&exact.gamma(&exact.alpha(&large))));
    }

    #[test]
    fn qi_a5_abstract_successors_simulate_and_instances_give_more(
        mut random in systems(SHAPE), bytes in prop::collection::vec(any::<u8>(), 600),
    ) {
        let mut choices = Choices::new(bytes);
        let pi = substitutions(&mut random.system, &mut choices);
        let exact = exact(&random, 2);
        prop_assert!(exact.next(&Valuations::new()).is_empty());
        prop_assert!(exact.next_instantiated(&Valuations::new(), &pi).unwrap().is_empty());
        let states = some(exact.states(), &mut choices);
        prop_assert!(exact.alpha(&exact.image(&states)).is_subset(&exact.next(&exact.alpha(&states))));
        let large = some(all_valuations(&random), &mut choices);
        let small = some(large.iter().copied(), &mut choices);
        prop_assert!(exact.next(&small).is_subset(&exact.next(&large)));
        for set in [small, large] {
            prop_assert!(exact.next(&set).is_subset(&exact.next_instantiated(&set, &pi).unwrap()));
        }
        let refused = exact.next_instantiated(&Valuations::new(), &vec![Vec::new(); pi.len()]);
        prop_assert!(matches!(refused, Err(FiniteError::Unsupported(_))));
    }

    #[test]
    fn qi_a5_the_limit_with_instances_contains_the_exact_one(
        mut random in systems(SHAPE), bytes in prop::collection::vec(any::<u8>(), 40),
    ) {
        let pi = substitutions(&mut random.system, &mut Choices::new(bytes));
        let exact = exact(&random, 2);
        let (precise, rough) = (exact.abstract_reachability(), exact.instantiated_reachability(&pi).unwrap());
        prop_assert!(precise[precise.len() - 1].is_subset(&rough[rough.len() - 1]));
    }

    #[test]
    fn qi_a11_what_some_inductive_formula_proves_is_proved(
        random in systems(SHAPE), bytes in prop::collection::vec(any::<u8>(), 40),
    ) {
        let exact = exact(&random, 2);
        let mask = |set: &mut dyn Iterator<Item = Valuation>| set.fold(0u32, |mask, valuation| mask | 1 << valuation);
        let pairs: BTreeSet<(u32, u32)> = exact
            .states()
            .map(|state| {
                let after: States = exact.steps(state).iter().map(|step| step.to).collect();
                (mask(&mut exact.valuations(state)), mask(&mut exact.alpha(&after).into_iter()))
            })
            .collect();
        let start = mask(&mut exact.alpha(exact.initial()).into_iter());
        let inductive = |chi: u32| {
            start & !chi == 0 && pairs.iter().all(|(before, after)| before & !chi != 0 || after & !chi == 0)
        };
        let reached = exact.abstract_reachability();
        let reached = mask(&mut reached[reached.len() - 1].iter().copied());
        let inductive: Vec<u32> = (0..=mask(&mut all_valuations(&random))).filter(|&chi| inductive(chi)).collect();
        let mut choices = Choices::new(bytes);
        for _ in 0..8 {
            let psi = mask(&mut some(all_valuations(&random), &mut choices).into_iter());
            prop_assert_eq!(reached & !psi == 0, inductive.iter().any(|chi| chi & !psi == 0));
        }
        for &chi in &inductive {
            prop_assert!(reached & !chi == 0, "{chi:b} is inductive and not implied by {reached:b}");
        }
    }

    #[test]
    fn qi_a11_a_complete_induction_hypothesis_suffices_as_the_only_predicate(random in systems(SHAPE)) {
        let reached = exact(&random, 2).abstract_reachability().pop().unwrap();
        let mut single = random.clone();
        let formulas: Vec<TermId> = random.system.predicates.iter().map(|predicate| predicate.formula).collect();
        let store = &mut single.system.store;
        let mut valuations = Vec::new();
        for valuation in reached {
            let literals: Vec<TermId> = formulas
                .iter()
                .enumerate()
                .map(|(place, &formula)| if valuation >> place & 1 == 1 { formula } else { store.mk_not(formula) })
                .collect();
            valuations.push(store.mk_and(literals));
        }
        let formula = store.mk_or(valuations);
        single.system.predicates = vec![Predicate { name: "all".into(), source: Default::default(), formula }];
        let holds: Valuations = [1].into();
        let reached = exact(&single, 2).abstract_reachability();
        prop_assert!(reached.len() == 1 && reached[0].is_subset(&holds), "{reached:?}");
    }

    #[test]
    fn qi_a12_states_of_some_depth_are_in_the_set_of_that_iteration(random in systems(SHAPE), nodes in 1..=3u32) {
        let exact = exact(&random, nodes);
        let sets = exact.abstract_reachability();
        for (depth, states) in exact.reachability().iter().enumerate() {
            prop_assert!(exact.alpha(states).is_subset(&sets[depth.min(sets.len() - 1)]), "depth {depth}");
        }
    }
}

/// The running example of Lahiri and Bryant without its rule, with the integers from -2 to 1. About one element at a time,
/// the predicates can tell four cases, and all four exist here as they do over all integers; different elements have
/// nothing to do with each other. So the same sets of valuations have states.
fn shift() -> System {
    let mut store = TermStore::new();
    let number = store.range_sort(-2, 1);
    let sort = store.function_sort(&[number], number);
    let function = store.declare("F", sort, Role::State);
    let x = store.declare("x", number, Role::Index);
    let (value, zero, place) = (at(&mut store, function, &[x]), store.mk_int(0), store.mk_symbol(x));
    let formulas = [store.mk_ge(value, zero), store.mk_ge(place, zero)];
    let predicates =
        formulas.map(|formula| Predicate { name: store.print(formula), source: Default::default(), formula });
    let u = store.bound_avoiding("u", number, &[]);
    let body = store.mk_symbol(u);
    let identity = store.mk_lambda(&[u], body);
    let (source, constraint) = (Default::default(), TermId::TRUE);
    let start = Start { name: "start".into(), source, params: vec![], constraint, values: vec![identity] };
    System {
        store,
        state: vec![StateVar { symbol: function, args: vec![Bounds::default()], value: Bounds::default() }],
        starts: vec![start],
        indices: vec![IndexVar { symbol: x, bounds: Bounds::default() }],
        predicates: predicates.into(),
        ..System::default()
    }
}

// Valuations of (p, q): `F(x) >= 0` is bit 0, `x >= 0` is bit 1.
const FF: Valuation = 0b00;
const TF: Valuation = 0b01;
const TT: Valuation = 0b11;

/// The states in which each entry of `F`, at -2, -1, 0 and 1, is as wanted.
fn functions(exact: &Exact, system: &System, wanted: impl Fn(i32, bool) -> bool) -> States {
    let value = |state: usize, place: i32| {
        let model = exact.model(state);
        let function = model.get(system.state[0].symbol).expect("F has a value").clone();
        let tenet_term::Value::Function(table) = function else { panic!("F is a function") };
        table.get(&[tenet_term::Value::int(place)]) >= &tenet_term::Value::int(0)
    };
    exact.states().filter(|&state| (-2..=1).all(|place| wanted(place, value(state, place)))).collect()
}

#[test]
fn qi_a2_the_identity_abstracts_to_all_functions_that_keep_the_sign() {
    let system = shift();
    let exact = Exact::new(&system, &[], LIMIT).expect("256 functions");
    assert_eq!(exact.initial().len(), 1);
    let abstracted = exact.alpha(exact.initial());
    assert_eq!(abstracted, [FF, TT].into());
    let concretised = exact.gamma(&abstracted);
    assert_eq!(concretised, functions(&exact, &system, |place, positive| positive == (place >= 0)));
    assert_eq!(concretised.len(), 16);
    assert!(exact.initial().is_subset(&concretised));
}

#[test]
fn qi_a3_gamma_does_not_distribute_over_union() {
    let system = shift();
    let exact = Exact::new(&system, &[], LIMIT).expect("256 functions");
    assert!(exact.gamma(&[TF].into()).is_empty());
    assert!(exact.gamma(&[TT].into()).is_empty());
    let positive = functions(&exact, &system, |_, positive| positive);
    assert_eq!(exact.gamma(&[TF, TT].into()), positive);
    assert_eq!(positive.len(), 16);
}

#[test]
fn qi_a4_table_of_the_sixteen_sets() {
    let system = shift();
    let exact = Exact::new(&system, &[], LIMIT).expect("256 functions");
    let sets: Vec<Valuations> =
        (0..16).map(|mask| (0..4).filter(|valuation| mask >> valuation & 1 == 1).collect()).collect();
    for set in &sets {
        let has = |q: Valuation| set.iter().any(|valuation| valuation >> 1 == q);
        assert_eq!(exact.gamma(set).is_empty(), !(has(0) && has(1)), "{set:?}");
    }
    assert_eq!(sets.iter().filter(|set| exact.gamma(set).is_empty()).count(), 7);
    for empty in [[TT].into(), [TF].into(), Valuations::from([TF, FF])] {
        assert!(exact.gamma(&empty).is_empty(), "{empty:?}");
    }
    let never_negative = functions(&exact, &system, |_, positive| positive);
    assert_eq!(exact.gamma(&[TT, TF].into()), never_negative);
    let not_behind_zero = functions(&exact, &system, |place, positive| place < 0 || positive);
    assert_eq!(exact.gamma(&[TT, TF, FF].into()), not_behind_zero);
}

#[test]
fn index_variables_keep_to_their_bounds() {
    // Only elements from 0 on are looked at, so the sign of the others says nothing (QI-T5).
    let mut system = shift();
    system.indices[0].bounds.lo = Some(system.store.mk_int(0));
    let exact = Exact::new(&system, &[], LIMIT).expect("256 functions");
    assert_eq!(exact.alpha(exact.initial()), [TT].into());
    assert_eq!(
        exact.gamma(&[TT].into()),
        functions(&exact, &system, |place, positive| place < 0 || positive)
    );
}

#[test]
fn what_is_too_much_or_leaves_a_type_is_an_error() {
    let mut system = shift();
    let refused = Exact::new(&system, &[], 255).unwrap_err();
    assert_eq!(refused, FiniteError::TooMany { what: "states", limit: 255 });
    let (u, one) =
        (system.store.bound_avoiding("u", system.store.symbol(system.indices[0].symbol).sort, &[]), 1);
    let (place, one) = (system.store.mk_symbol(u), system.store.mk_int(one));
    let body = system.store.mk_add([place, one]);
    system.starts[0].values = vec![system.store.mk_lambda(&[u], body)];
    let refused = Exact::new(&system, &[], LIMIT).unwrap_err();
    assert_eq!(refused, FiniteError::OutsideSort { name: "start".into() });
}

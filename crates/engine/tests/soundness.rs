//! The engine against going through all states of small instances: what it calls proved holds (QI-A10), what is
//! reachable is in its sets (QI-A12), and where everything is finite its sets are exactly those that its substitutions
//! allow (QI-A5, X-A1).

#[path = "../../abstraction/tests/common/mod.rs"]
mod common;

mod chance;
mod small;

use chance::{all_elements, force, sets, some_substitutions};
use common::formulas::Choices;
use common::random::{Nodes, Random, Shape, systems, systems_over};
use common::{LIMIT, size};
use proptest::prelude::*;
use small::{details, run_with as run, sizes};
use tenet_abstraction::exact::{Exact, Valuations};
use tenet_engine::Outcome;
use tenet_engine::reach::{Image, Instances, Options};
use tenet_system::{Axiom, System};
use tenet_term::TermId;

const SHAPE: Shape = Shape { indices: 2, predicates: 4, quantifiers: true };

fn lengths(sets: &[Valuations]) -> Vec<u128> {
    // The engine's last iteration confirms the one before.
    sets.iter().chain(sets.last()).map(|set| set.len() as u128).collect()
}

fn finite(random: &Random) -> Exact<'_> {
    Exact::new(&random.system, &[], LIMIT).expect("random systems are small")
}

fn strict() -> Options {
    Options { strict: true, instances: Instances::Forced, simplify: false, ..Options::default() }
}

/// Every other range gets a bound, so that half of its elements are out of it.
fn narrow(random: &mut Random, choices: &mut Choices) {
    let one = random.system.store.mk_int(1);
    for index in &mut random.system.indices {
        if choices.below(2) == 1 {
            index.bounds.lo = Some(one);
        }
    }
}

fn add_axiom(system: &mut System, formula: TermId) {
    system.axioms.push(Axiom { name: "axiom".into(), source: Default::default(), formula });
}

/// Everything reachable satisfies the invariant, and what is proved.
fn check_outcome(
    system: &mut System,
    outcome: &Outcome,
    sizes: &[(tenet_term::SortId, u32)],
) -> Result<bool, TestCaseError> {
    prop_assert!(details(outcome).is_complete);
    let lemmas: Vec<TermId> = outcome.lemmas().iter().map(|lemma| lemma.formula(&mut system.store)).collect();
    let proved = small::is_proved(outcome);
    let exact = Exact::new(system, sizes, LIMIT).expect("random systems are small");
    let layers = exact.reachability();
    for &state in &layers[layers.len() - 1] {
        for &lemma in &lemmas {
            prop_assert!(
                exact.holds(state, lemma).expect("a value"),
                "not invariant: {}",
                system.store.print(lemma)
            );
        }
        if proved {
            prop_assert!(
                exact.holds(state, system.properties[0].formula).expect("a value"),
                "proved, but false"
            );
        }
    }
    Ok(proved)
}

proptest! {
    #![proptest_config(tenet_chance::cases(48))]

    #[test]
    fn qi_a5_the_sets_are_those_of_the_substitutions(
        mut random in systems_over(Nodes::Enum, SHAPE), bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        let pi = some_substitutions(&mut random.system, &mut Choices::new(bytes));
        let found = sets(&mut random.system.clone(), &pi, Image::Cubes);
        prop_assert_eq!(&finite(&random).instantiated_reachability(&pi).unwrap(), &found);
        force(&mut random.system, &pi);
        prop_assert_eq!(sizes(&run(&mut random.system, &strict())), lengths(&found));
    }

    #[test]
    fn qi_a5_instances_at_all_elements_are_the_exact_abstraction(
        mut random in systems_over(Nodes::Enum, SHAPE),
    ) {
        let pi = all_elements(&mut random.system);
        let found = sets(&mut random.system.clone(), &pi, Image::Cubes);
        prop_assert_eq!(&finite(&random).abstract_reachability(), &found);
        force(&mut random.system, &pi);
        prop_assert_eq!(sizes(&run(&mut random.system, &strict())), lengths(&found));
    }

    #[test]
    fn qi_a5_instances_out_of_bounds_say_nothing(
        mut random in systems_over(Nodes::Range, SHAPE), bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        let mut choices = Choices::new(bytes);
        narrow(&mut random, &mut choices);
        let pi = some_substitutions(&mut random.system, &mut choices);
        let found = sets(&mut random.system.clone(), &pi, Image::Cubes);
        let wanted = finite(&random).instantiated_reachability(&pi).unwrap();
        prop_assert_eq!(&wanted, &found);
    }

    #[test]
    fn qi_a5_axioms_restrict_both_ends_of_a_step(
        mut random in systems_over(Nodes::Enum, SHAPE), bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        let formula = random.system.properties[0].formula;
        add_axiom(&mut random.system, formula);
        let pi = some_substitutions(&mut random.system, &mut Choices::new(bytes));
        let found = sets(&mut random.system.clone(), &pi, Image::Cubes);
        prop_assert_eq!(&finite(&random).instantiated_reachability(&pi).unwrap(), &found);
    }

    #[test]
    fn x_a1_without_index_variables_the_set_is_that_of_closed_predicates(
        mut random in systems_over(Nodes::Enum, Shape { indices: 0, predicates: 5, quantifiers: true }),
    ) {
        let closed = finite(&random).closed_reachability(true).unwrap();
        let pi = all_elements(&mut random.system);
        prop_assert_eq!(&sets(&mut random.system.clone(), &pi, Image::Cubes), &closed);
        prop_assert_eq!(sizes(&run(&mut random.system, &strict())), lengths(&closed));
        for strict in [false, true] {
            let options = Options { strict, ..Options::default() };
            let outcome = run(&mut random.system, &options);
            prop_assert_eq!(sizes(&outcome).pop(), lengths(&closed).pop());
        }
    }

    #[test]
    fn qi_a10_a12_what_is_proved_holds_for_all_small_sizes(mut random in systems(SHAPE), strict in any::<bool>()) {
        let outcome = run(&mut random.system, &Options { strict, ..Options::default() });
        for nodes in 1..=3 {
            check_outcome(&mut random.system, &outcome, &size(random.node, nodes))?;
        }
    }

    #[test]
    fn qi_a10_a12_with_axioms(mut random in systems(SHAPE), which in 0..4usize) {
        // An axiom that says something: a guard or the property, as if it were known.
        let formula = match random.system.rules.get(which) {
            Some(rule) if chance::is_about_state(&random.system, rule.guard) => rule.guard,
            _ => random.system.predicates.iter().map(|predicate| predicate.formula)
                .find(|&formula| chance::is_about_state(&random.system, formula))
                .unwrap_or(random.system.properties[0].formula),
        };
        add_axiom(&mut random.system, formula);
        let outcome = run(&mut random.system, &Options::default());
        for nodes in 1..=3 {
            check_outcome(&mut random.system, &outcome, &size(random.node, nodes))?;
        }
    }

    #[test]
    fn qi_a10_a12_with_ranges_and_bounds(
        mut random in systems_over(Nodes::Range, SHAPE), bytes in prop::collection::vec(any::<u8>(), 4),
    ) {
        narrow(&mut random, &mut Choices::new(bytes));
        let outcome = run(&mut random.system, &Options::default());
        check_outcome(&mut random.system, &outcome, &[])?;
    }

    #[test]
    fn qi_a12_states_of_each_depth_are_in_the_set_of_that_iteration(
        mut random in systems(SHAPE), nodes in 1..=3u32, bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        let pi = some_substitutions(&mut random.system, &mut Choices::new(bytes));
        let found = sets(&mut random.system, &pi, Image::Cubes);
        let exact = Exact::new(&random.system, &size(random.node, nodes), LIMIT).unwrap();
        for (depth, states) in exact.reachability().iter().enumerate() {
            let set = &found[depth.min(found.len() - 1)];
            prop_assert!(exact.alpha(states).is_subset(set), "at depth {}", depth);
        }
    }
}

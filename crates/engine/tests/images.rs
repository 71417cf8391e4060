//! All ways to compute an image give the same sets (Das, Dill and Park, section 2, and Lahiri and Bryant, section 7): by
//! recursion over the predicates, by solutions that are generalised, and by eliminating everything else from a Boolean problem.

#[path = "../../abstraction/tests/common/mod.rs"]
mod common;

mod chance;
mod small;

use chance::{sets, sets_if_small, some_substitutions};
use common::formulas::Choices;
use common::random::{Nodes, Random, Shape, systems, systems_over};
use proptest::prelude::*;
use small::{details, f_shift, frontier, is_proved, run_with, sizes};
use tenet_engine::Outcome;
use tenet_engine::reach::{Details, Image, Instances, Options};
use tenet_solve::{Solver, Z3Solver};
use tenet_system::System;

fn run(system: &mut System, image: Image, strict: bool) -> Outcome {
    let instances = Instances::Generated { deepenings: 0 };
    run_with(system, &Options { strict, image, instances, ..Options::default() })
}

const OTHERS: [Image; 2] = [Image::Recursion, Image::Elimination];

/// The engine says the same each way.
fn agree(system: &System, strict: bool) -> Result<(), TestCaseError> {
    let cubes = run(&mut system.clone(), Image::Cubes, strict);
    prop_assert!(details(&cubes).is_complete);
    for image in OTHERS {
        let other = run(&mut system.clone(), image, strict);
        if image == Image::Elimination && Details::of(&other).is_none() {
            continue; // A diagram is too large.
        }
        prop_assert!(details(&other).is_complete, "{:?}", image);
        prop_assert_eq!(sizes(&cubes), sizes(&other), "{:?}", image);
        prop_assert_eq!(&details(&cubes).iterations, &details(&other).iterations, "{:?}", image);
        prop_assert_eq!(is_proved(&cubes), is_proved(&other), "{:?}", image);
    }
    Ok(())
}

/// The sets themselves are the same, iteration by iteration.
fn agree_on_sets(random: &mut Random, bytes: Vec<u8>) -> Result<(), TestCaseError> {
    let pi = some_substitutions(&mut random.system, &mut Choices::new(bytes));
    let cubes = sets(&mut random.system.clone(), &pi, Image::Cubes);
    for image in OTHERS {
        let solver = &|| -> Box<dyn Solver> { Box::new(Z3Solver::ground()) };
        if let Some(other) = sets_if_small(&mut random.system.clone(), &pi, image, solver) {
            prop_assert_eq!(&cubes, &other, "{:?}", image);
        }
    }
    Ok(())
}

#[test]
fn all_images_agree_on_the_small_systems() {
    let (frontier, ..) = frontier();
    for system in [f_shift().builder.system, frontier.system] {
        for strict in [false, true] {
            agree(&system, strict).expect("all images agree");
        }
    }
}

const SHAPE: Shape = Shape { indices: 2, predicates: 5, quantifiers: true };

/// Where a state has one valuation, images are taken by way of a relation.
const CLOSED: Shape = Shape { indices: 0, predicates: 5, quantifiers: true };

proptest! {
    #![proptest_config(tenet_chance::cases(24))]

    #[test]
    fn all_images_agree_on_random_systems(random in systems(SHAPE), strict in any::<bool>()) {
        agree(&random.system, strict)?;
    }

    #[test]
    fn all_images_agree_on_random_systems_with_closed_predicates(
        mut random in prop_oneof![systems(CLOSED), systems_over(Nodes::Range, CLOSED)],
        strict in any::<bool>(),
        bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        agree(&random.system, strict)?;
        agree_on_sets(&mut random, bytes)?;
    }

    #[test]
    fn all_images_give_the_same_sets(
        mut random in prop_oneof![
            systems(SHAPE), systems_over(Nodes::Enum, SHAPE), systems_over(Nodes::Range, SHAPE)
        ],
        bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        agree_on_sets(&mut random, bytes)?;
    }
}

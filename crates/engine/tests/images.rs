//! Both ways to compute an image give the same sets (Das, Dill and Park, section 2, and Lahiri and Bryant, section 7): by
//! recursion over the predicates, and by solutions that are generalised.

#[path = "../../abstraction/tests/common/mod.rs"]
mod common;

mod chance;
mod small;

use chance::{sets, some_substitutions};
use common::formulas::Choices;
use common::random::{Nodes, Random, Shape, systems, systems_over};
use proptest::prelude::*;
use small::{details, f_shift, frontier, is_proved, run_with, sizes};
use tenet_engine::Outcome;
use tenet_engine::reach::{Image, Instances, Options};
use tenet_system::System;

fn run(system: &mut System, image: Image, strict: bool) -> Outcome {
    let instances = Instances::Generated { deepenings: 0 };
    run_with(system, &Options { strict, image, instances, ..Options::default() })
}

/// The engine says the same either way.
fn agree(system: &System, strict: bool) -> Result<(), TestCaseError> {
    let [cubes, recursion] =
        [Image::Cubes, Image::Recursion].map(|image| run(&mut system.clone(), image, strict));
    prop_assert!(details(&cubes).is_complete && details(&recursion).is_complete);
    prop_assert_eq!(sizes(&cubes), sizes(&recursion));
    prop_assert_eq!(&details(&cubes).iterations, &details(&recursion).iterations);
    prop_assert_eq!(is_proved(&cubes), is_proved(&recursion));
    Ok(())
}

/// The sets themselves are the same, iteration by iteration.
fn agree_on_sets(random: &mut Random, bytes: Vec<u8>) -> Result<(), TestCaseError> {
    let pi = some_substitutions(&mut random.system, &mut Choices::new(bytes));
    let found = [Image::Cubes, Image::Recursion].map(|image| sets(&mut random.system.clone(), &pi, image));
    prop_assert_eq!(&found[0], &found[1]);
    Ok(())
}

#[test]
fn both_images_agree_on_the_small_systems() {
    let (frontier, ..) = frontier();
    for system in [f_shift().builder.system, frontier.system] {
        for strict in [false, true] {
            agree(&system, strict).expect("both images agree");
        }
    }
}

const SHAPE: Shape = Shape { indices: 2, predicates: 5, quantifiers: true };

/// Where a state has one valuation, images are taken by way of a relation.
const CLOSED: Shape = Shape { indices: 0, predicates: 5, quantifiers: true };

proptest! {
    #![proptest_config(tenet_chance::cases(24))]

    #[test]
    fn both_images_agree_on_random_systems(random in systems(SHAPE), strict in any::<bool>()) {
        agree(&random.system, strict)?;
    }

    #[test]
    fn both_images_agree_on_random_systems_with_closed_predicates(
        mut random in prop_oneof![systems(CLOSED), systems_over(Nodes::Range, CLOSED)],
        strict in any::<bool>(),
        bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        agree(&random.system, strict)?;
        agree_on_sets(&mut random, bytes)?;
    }

    #[test]
    fn both_images_give_the_same_sets(
        mut random in prop_oneof![
            systems(SHAPE), systems_over(Nodes::Enum, SHAPE), systems_over(Nodes::Range, SHAPE)
        ],
        bytes in prop::collection::vec(any::<u8>(), 60),
    ) {
        agree_on_sets(&mut random, bytes)?;
    }
}

//! Random walks: reproducible, and made of steps that exist.

use crate::generate::Generator;
use crate::reference;
use crate::symmetric::Symmetric;
use crate::tape::{Tape, tape};
use proptest::prelude::*;
use tenet_system::finite::program::Program;
use tenet_system::finite::simulate::{Simulator, WalkEnd};
use tenet_system::finite::trace::{Step, replay};
use tenet_system::random::Random;

fn walk(program: &Program, seed: u64) -> (Vec<Step>, WalkEnd) {
    let mut simulator = Simulator::new(program);
    let end = simulator.walk(30, &mut Random::new(seed));
    let steps = simulator.steps().to_vec();
    if let WalkEnd::Found(finding) = &end {
        assert_eq!(replay(program, &simulator.into_trace(*finding)), Ok(()), "{finding:?}");
    }
    (steps, end)
}

fn programs(tape: Tape, symmetric: bool) -> Program {
    if symmetric { Symmetric::new(tape).build() } else { Generator::new(tape).system() }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 2000, ..tenet_chance::cases(500) })]

    #[test]
    fn walks_are_reproducible_and_real(tape in tape(300), symmetric in any::<bool>(), seed in any::<u64>()) {
        let program = programs(tape, symmetric);
        let (steps, end) = walk(&program, seed);
        prop_assert_eq!(walk(&program, seed), (steps.clone(), end.clone()));
        let Some(search) = reference::search(&program, 400) else { return Ok(()) };
        for step in &steps {
            prop_assert!(search.states.contains(&step.state), "{:?} is not reachable", step.state);
        }
        match end {
            WalkEnd::Steps => prop_assert_eq!(steps.len(), 31),
            WalkEnd::NoStart => prop_assert!(search.states.is_empty() && steps.is_empty()),
            WalkEnd::Excluded => prop_assert!(!steps.is_empty()),
            WalkEnd::Found(_) => {}
        }
    }

    #[test]
    fn choices_can_be_taken_back(tape in tape(300), choices in prop::collection::vec(any::<u64>(), 1..12)) {
        let program = programs(tape, true);
        let mut simulator = Simulator::new(&program);
        for number in choices {
            let before = simulator.steps().to_vec();
            let offered = simulator.choices();
            if offered.is_empty() {
                break;
            }
            let choice = offered[number as usize % offered.len()].clone();
            let taken = choice.1.is_ok();
            simulator.take(choice.clone());
            prop_assert_eq!(simulator.steps().len(), before.len() + usize::from(taken));
            if taken {
                simulator.back();
                prop_assert_eq!(simulator.steps(), &before[..]);
                prop_assert_eq!(simulator.choices(), offered);
                simulator.take(choice);
            }
        }
    }
}

#[test]
fn random_numbers_stay_below_their_limit() {
    let mut random = Random::new(7);
    let mut seen = [0; 5];
    for _ in 0..1000 {
        seen[random.below(5)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

//! The oracle itself against another one: the states of a finite instance as the explicit-state explorer finds them.

mod common;

use common::random::{Shape, systems};
use common::{LIMIT, size};
use proptest::prelude::*;
use tenet_abstraction::exact::Exact;
use tenet_system::finite::explore::{Deadlock, End, Options, explore};
use tenet_system::instance::{Sizes, instance};
use tenet_system::{Axiom, System};
use tenet_term::TermId;

proptest! {
    #![proptest_config(tenet_chance::cases(64))]

    #[test]
    fn reachable_states_are_those_of_the_explorer(
        random in systems(Shape { indices: 0, predicates: 1, quantifiers: true }), nodes in 1..=3u32,
    ) {
        let exact = Exact::new(&random.system, &size(random.node, nodes), LIMIT).unwrap();
        let layers = exact.reachability();
        let sizes = Sizes { sorts: vec![("NODE".to_string(), nodes)], consts: vec![] };
        let program = instance(&random.system, &sizes).unwrap();
        let options =
            Options { symmetry: false, deadlock: Deadlock::Off, keep_going: true, ..Options::default() };
        let outcome = explore(&program, &options, &mut |_| true);
        prop_assert!(matches!(outcome.end, End::Complete | End::Found));
        // The explorer gives a constant element one value, as all are alike; here it has every value.
        let values = (nodes as usize).pow(random.system.consts.len() as u32);
        let reached = &layers[layers.len() - 1];
        prop_assert_eq!(reached.len(), outcome.statistics.states as usize * values);
        prop_assert_eq!(layers.len(), outcome.statistics.depth as usize + 1);
        let property = random.system.properties[0].formula;
        let holds = reached.iter().all(|&state| exact.holds(state, property).unwrap());
        prop_assert_eq!(holds, outcome.traces.is_empty());
    }

    #[test]
    fn what_violates_an_axiom_is_no_state(
        random in systems(Shape { indices: 1, predicates: 3, quantifiers: true }),
    ) {
        let formula = random.system.properties[0].formula;
        let with = restricted(&random.system, formula);
        let sizes = size(random.node, 2);
        let (free, bound) =
            (Exact::new(&random.system, &sizes, LIMIT).unwrap(), Exact::new(&with, &sizes, LIMIT).unwrap());
        let allowed: Vec<usize> = free.states().filter(|&state| free.holds(state, formula).unwrap()).collect();
        prop_assert_eq!(bound.states().collect::<Vec<_>>(), &allowed[..]);
        let is_allowed = |state: usize| allowed.binary_search(&state).is_ok();
        for &state in &allowed {
            let kept: Vec<_> = free.steps(state).iter().filter(|step| is_allowed(step.to)).collect();
            prop_assert_eq!(bound.steps(state).iter().collect::<Vec<_>>(), kept);
        }
        prop_assert!(bound.initial().iter().all(|&state| is_allowed(state)));
        prop_assert!(bound.gamma(&(0..8).collect()).into_iter().all(is_allowed));
    }
}

fn restricted(system: &System, formula: TermId) -> System {
    let mut system = system.clone();
    system.axioms.push(Axiom { name: "axiom".into(), source: Default::default(), formula });
    system
}

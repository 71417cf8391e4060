//! The whole chain on random systems: what the engine calls proved, a certificate confirms; and no certificate about
//! something false is accepted, whoever made it (SPEC QI-A10).

#[path = "../../abstraction/tests/common/mod.rs"]
mod common;

use common::random::{Nodes, Random, Shape, systems, systems_over};
use common::{LIMIT, size};
use proptest::prelude::*;
use tenet_abstraction::exact::Exact;
use tenet_engine::Alone;
use tenet_engine::reach::{Instances, Options, Outcome, Verdict, reach};
use tenet_proof::{Advice, Backend, Origin, certify, verify_against};
use tenet_solve::Z3Solver;
use tenet_system::{Lemma, System};

fn is_proved(outcome: &Outcome) -> bool {
    outcome.complete && outcome.properties.iter().all(|property| matches!(property.verdict, Verdict::Proved))
}

/// Does the property hold in every reachable state, in instances of up to three elements?
fn holds(random: &Random) -> bool {
    let is_fixed = !matches!(random.system.store.sort(random.node), tenet_term::Sort::Index { .. });
    (1..=if is_fixed { 1 } else { 3 }).all(|nodes| {
        let sizes = size(random.node, nodes);
        let sizes = if is_fixed { &[][..] } else { &sizes[..] };
        let exact = Exact::new(&random.system, sizes, LIMIT).expect("random systems are small");
        let states = exact.reachability().pop().expect("there is a first set");
        let formula = random.system.properties[0].formula;
        states.iter().all(|&state| exact.holds(state, formula).expect("the property has a value"))
    })
}

/// The text of a certificate of the property, by way of these lemmas.
fn certificate(system: &mut System, lemmas: &[Lemma], outcome: &Outcome) -> Result<String, String> {
    let origin = Origin {
        file: "random.m".into(),
        text: b"random".to_vec(),
        options: Vec::new(),
        engine: "abstract".into(),
    };
    let advice = Advice { rules: outcome.substitutions.clone(), ..Advice::default() };
    let certificate = certify(system, lemmas, &[0], &advice, &origin, &|| Box::new(Z3Solver::ground()));
    certificate.map(|certificate| certificate.text).map_err(|gap| gap.reason)
}

fn is_accepted(system: &mut System, text: &str) -> bool {
    verify_against(text, system, &Backend::Z3).is_ok()
}

fn check(mut random: Random, options: &Options) -> Result<(), TestCaseError> {
    let plain = random.system.clone();
    let outcome = reach(&mut random.system, options, &mut Alone);
    let (holds, proved) = (holds(&random), is_proved(&outcome));
    prop_assert!(holds || !proved, "the engine calls proved what is false");
    match certificate(&mut random.system, &outcome.invariant, &outcome) {
        // What was made is accepted, and it is about something true.
        Ok(text) => {
            prop_assert!(is_accepted(&mut plain.clone(), &text), "a certificate is rejected");
            prop_assert!(holds, "a certificate of something false is accepted");
        }
        // Not everything that the engine can show is found again by way of instances, but this here is.
        Err(reason) => prop_assert!(!proved, "a gap: {}", reason),
    }
    // The property itself as a lemma: inductive or not, nothing false may come of it.
    let mut lemmas = outcome.invariant.clone();
    lemmas.push(Lemma { vars: Vec::new(), body: random.system.properties[0].formula });
    for lemmas in [&lemmas[..], &lemmas[lemmas.len() - 1..]] {
        if let Ok(text) = certificate(&mut random.system, lemmas, &outcome) {
            prop_assert!(
                holds || !is_accepted(&mut plain.clone(), &text),
                "an accepted certificate is wrong"
            );
        }
    }
    Ok(())
}

const SHAPE: Shape = Shape { indices: 2, predicates: 4, quantifiers: true };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn qi_a10_what_is_certified_holds(random in systems(SHAPE)) {
        check(random, &Options { instances: Instances::Generated { deepenings: 1 }, ..Options::default() })?;
    }

    #[test]
    fn qi_a10_what_is_certified_holds_over_ranges_and_enumerations(
        random in prop_oneof![systems_over(Nodes::Enum, SHAPE), systems_over(Nodes::Range, SHAPE)],
        strict in any::<bool>(),
    ) {
        check(random, &Options { strict, ..Options::default() })?;
    }
}

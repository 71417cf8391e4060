//! The whole chain on random systems: what the engine claims to be proved, a certificate confirms; and no certificate
//! of a false claim is accepted, whichever way it was made (QI-A10).

#[path = "../../abstraction/tests/common/mod.rs"]
mod common;

use common::random::{Nodes, Random, Shape, systems, systems_over};
use common::{LIMIT, size};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tenet_abstraction::exact::Exact;
use tenet_engine::direct::{self, Direct};
use tenet_engine::reach::{Instances, Options, reach};
use tenet_engine::{Alone, Engine, Evidence, Outcome, Progress, Stop, Subject, Watch};
use tenet_proof::{Advice, Backend, Origin, certify, verify_against};
use tenet_solve::Z3Solver;
use tenet_system::{Lemma, System};

/// What a certificate may use of what an engine says of an invariant.
fn advice(outcome: &Outcome) -> Advice {
    match &outcome.evidence {
        Evidence::Invariant { advice, .. } => advice.clone(),
        _ => Advice::default(),
    }
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

/// The text of a certificate of the property with these lemmas.
fn certificate(system: &mut System, lemmas: &[Lemma], advice: &Advice) -> Result<String, String> {
    let origin = Origin {
        file: "random.m".into(),
        text: b"random".to_vec(),
        options: Vec::new(),
        engine: "abstract".into(),
    };
    let certificate = certify(system, lemmas, &[0], advice, &origin, &|| Box::new(Z3Solver::ground()));
    certificate.map(|certificate| certificate.text).map_err(|gap| gap.reason)
}

fn is_accepted(system: &mut System, text: &str) -> bool {
    verify_against(text, system, &Backend::Z3).is_ok()
}

fn check(mut random: Random, options: &Options) -> Result<(), TestCaseError> {
    let plain = random.system.clone();
    let outcome = reach(&mut random.system, &[0], options, &mut Alone);
    let advice = advice(&outcome);
    let (holds, proved) = (holds(&random), outcome.is_proof());
    prop_assert!(holds || !proved, "the engine calls proved what is false");
    match certificate(&mut random.system, outcome.lemmas(), &advice) {
        // An accepted certificate is about something true.
        Ok(text) => {
            prop_assert!(is_accepted(&mut plain.clone(), &text), "a certificate is rejected");
            prop_assert!(holds, "a certificate of something false is accepted");
        }
        // Not everything that the engine can prove is found again by instantiation, but this is.
        Err(reason) => prop_assert!(!proved, "a gap: {}", reason),
    }
    // The property itself as a lemma: inductive or not, nothing false may be accepted.
    let mut lemmas = outcome.lemmas().to_vec();
    lemmas.push(Lemma { vars: Vec::new(), body: random.system.properties[0].formula });
    for lemmas in [&lemmas[..], &lemmas[lemmas.len() - 1..]] {
        if let Ok(text) = certificate(&mut random.system, lemmas, &advice) {
            prop_assert!(
                holds || !is_accepted(&mut plain.clone(), &text),
                "an accepted certificate is wrong"
            );
        }
    }
    Ok(())
}

/// The same with the engine that needs no predicates. Removing any lemma gives either no proof, or one without it.
fn check_direct(mut random: Random, seed: u64) -> Result<(), TestCaseError> {
    let plain = random.system.clone();
    let engine = Direct::new(direct::Options::with_seed(seed));
    let outcome = engine.run(Subject::System(&mut random.system), &[0], &mut StepLimit::new());
    let holds = holds(&random);
    if !outcome.is_proof() {
        return Ok(());
    }
    prop_assert!(holds, "the engine calls proved what is false");
    let (lemmas, advice) = (outcome.lemmas(), advice(&outcome));
    let text = certificate(&mut random.system, lemmas, &advice);
    let text = text.map_err(|reason| TestCaseError::fail(format!("a gap: {reason}")))?;
    prop_assert!(text.lines().any(|line| line == "; steps together"));
    prop_assert!(is_accepted(&mut plain.clone(), &text), "a certificate is rejected");
    for place in 0..lemmas.len() {
        let mut fewer = lemmas.to_vec();
        fewer.remove(place);
        if let Ok(text) =
            certificate(&mut random.system, &fewer, &Advice { uses: Some(Vec::new()), ..advice.clone() })
        {
            prop_assert!(is_accepted(&mut plain.clone(), &text), "what was certified is rejected");
        }
    }
    // The lines of one lemma cannot be taken out of a finished certificate.
    let without = |number: usize| -> String {
        let prefix = format!("; lemma {number} ");
        text.lines().filter(|line| !line.starts_with(&prefix)).map(|line| format!("{line}\n")).collect()
    };
    for number in 1..=lemmas.len() {
        prop_assert!(!is_accepted(&mut plain.clone(), &without(number)), "lemma {} is not missed", number);
    }
    Ok(())
}

/// Cancels an engine after a fixed number of polls.
struct StepLimit(AtomicU64);

impl StepLimit {
    fn new() -> StepLimit {
        StepLimit(AtomicU64::new(100_000))
    }
}

impl Watch for StepLimit {
    fn progress(&mut self, _: &Progress) {}

    fn stop(&self) -> Option<Stop> {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        (left == 0).then_some(Stop::Timeout)
    }

    fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::default()
    }
}

const SHAPE: Shape = Shape { indices: 2, predicates: 4, quantifiers: true };

proptest! {
    #![proptest_config(tenet_chance::cases(32))]

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

    #[test]
    fn qi_a10_what_needs_no_predicates_holds(random in systems(SHAPE), seed in any::<u64>()) {
        check_direct(random, seed)?;
    }

    #[test]
    fn qi_a10_what_needs_no_predicates_holds_over_ranges_and_enumerations(
        random in prop_oneof![systems_over(Nodes::Enum, SHAPE), systems_over(Nodes::Range, SHAPE)],
        seed in any::<u64>(),
    ) {
        check_direct(random, seed)?;
    }
}

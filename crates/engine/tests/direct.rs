//! The engine `direct` against going through all states of small instances: every lemma of its invariant holds in every
//! state that is reached, what it proves is true, and what is false it never proves (QI-A10). The same seed gives the
//! same invariant, whatever else runs meanwhile.

#[path = "../../abstraction/tests/common/mod.rs"]
mod common;

use common::random::{Nodes, Random, Shape, systems, systems_over};
use common::{LIMIT, size};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tenet_abstraction::exact::Exact;
use tenet_engine::direct::{Direct, Options};
use tenet_engine::{Engine, Evidence, Outcome, Progress, Reason, Stop, Subject, Watch};
use tenet_system::{Axiom, Lemma, Property, PropertyKind, System};
use tenet_term::{Sort, SortId, Substitution, TermId};

const SHAPE: Shape = Shape { indices: 2, predicates: 4, quantifiers: true };

/// Cancels after a number of polls, so that a hard system takes no longer than others and every run ends the same
/// way.
struct CallLimit {
    left: AtomicU64,
}

impl Watch for CallLimit {
    fn progress(&mut self, _: &Progress) {}

    fn stop(&self) -> Option<Stop> {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
        (left == 0).then_some(Stop::Timeout)
    }

    fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::default()
    }
}

fn run(system: &mut System, seed: u64) -> Outcome {
    let properties: Vec<usize> = (0..system.properties.len()).collect();
    let mut watch = CallLimit { left: AtomicU64::new(100_000) };
    Direct::new(Options::with_seed(seed)).run(Subject::System(system), &properties, &mut watch)
}

/// The instances of a random system: all up to this size, or the only one if its elements are given.
fn instances(random: &Random, largest: u32) -> Vec<Vec<(SortId, u32)>> {
    match random.system.store.sort(random.node) {
        Sort::Index { .. } => (1..=largest).map(|nodes| size(random.node, nodes).to_vec()).collect(),
        _ => vec![Vec::new()],
    }
}

/// A lemma as a formula about values that there are: arrays mean nothing at integers out of their bounds.
fn within(random: &mut Random, lemma: &Lemma) -> TermId {
    let (node, store) = (random.node, &mut random.system.store);
    let mut bound = Vec::new();
    let mut values = Substitution::new();
    for var in &lemma.vars {
        let info = store.symbol(var.symbol).clone();
        let sort = if info.sort == SortId::INT { node } else { info.sort };
        let symbol = store.bound_avoiding(&info.name, sort, &bound);
        let term = store.mk_symbol(symbol);
        values.insert(store, var.symbol, term);
        bound.push(symbol);
    }
    let body = store.substitute(lemma.body, &values);
    store.mk_forall(&bound, body)
}

/// Everything that is reached satisfies every lemma, and the properties if they are proved. True if they are.
fn check(random: &mut Random, outcome: &Outcome, largest: u32) -> Result<bool, TestCaseError> {
    let lemmas: Vec<TermId> = outcome.lemmas().iter().map(|lemma| within(random, lemma)).collect();
    let properties: Vec<TermId> = random.system.properties.iter().map(|property| property.formula).collect();
    let claims = if outcome.is_proof() { &properties[..] } else { &[] };
    let mut is_reached_violated = false;
    for sizes in instances(random, largest) {
        let Ok(exact) = Exact::new(&random.system, &sizes, LIMIT) else { break };
        let layers = exact.reachability();
        for &state in &layers[layers.len() - 1] {
            for &formula in lemmas.iter().chain(claims) {
                let holds = exact.holds(state, formula).expect("a value");
                prop_assert!(
                    holds,
                    "{sizes:?} reaches a violation of {}",
                    random.system.store.print(formula)
                );
            }
            is_reached_violated |=
                properties.iter().any(|&formula| !exact.holds(state, formula).expect("a value"));
        }
    }
    // It looks at instances of two elements itself, so that a proof of what is false there is not even tried.
    prop_assert!(!(is_reached_violated && outcome.is_proof()));
    Ok(outcome.is_proof())
}

fn printed(system: &mut System, outcome: &Outcome) -> Result<Vec<String>, String> {
    if let Some(open) = outcome.first_open() {
        return Err(format!("{open:?}"));
    }
    let formulas: Vec<TermId> =
        outcome.lemmas().iter().map(|lemma| lemma.formula(&mut system.store)).collect();
    Ok(formulas.into_iter().map(|formula| system.store.print(formula)).collect())
}

proptest! {
    #![proptest_config(tenet_chance::cases(40))]

    #[test]
    fn qi_a10_what_is_proved_holds_for_all_small_sizes(mut random in systems(SHAPE), seed in any::<u64>()) {
        let outcome = run(&mut random.system, seed);
        check(&mut random, &outcome, 4)?;
    }

    #[test]
    fn qi_a10_over_enumerations_and_ranges(
        mut random in prop_oneof![systems_over(Nodes::Enum, SHAPE), systems_over(Nodes::Range, SHAPE)],
        seed in any::<u64>(),
    ) {
        let outcome = run(&mut random.system, seed);
        check(&mut random, &outcome, 1)?;
    }

    #[test]
    fn qi_a10_with_axioms_and_another_property(mut random in systems(SHAPE), which in 0..4usize) {
        let formulas: Vec<TermId> =
            random.system.predicates.iter().map(|predicate| predicate.formula).collect();
        let closed = formulas.into_iter().find(|&formula| {
            let symbols = random.system.store.symbols_in(formula);
            let role = |symbol| random.system.store.symbol(symbol).role;
            let is_of_state = |role| matches!(role, tenet_term::Role::State | tenet_term::Role::Const);
            symbols.into_iter().all(|symbol| is_of_state(role(symbol)))
                && random.system.store.free_bound(formula).is_empty()
        });
        if let Some(formula) = closed {
            let (name, source) = ("axiom".into(), Default::default());
            match which % 2 {
                0 => random.system.axioms.push(Axiom { name, source, formula }),
                _ => {
                    let kind = PropertyKind::Invariant;
                    random.system.properties.push(Property { name, source, kind, formula });
                }
            }
        }
        let outcome = run(&mut random.system, 7);
        check(&mut random, &outcome, 3)?;
    }

    #[test]
    fn the_same_seed_gives_the_same_lemmas(random in systems(SHAPE), seed in any::<u64>()) {
        let once = |mut system: System| {
            let outcome = run(&mut system, seed);
            let uses: Vec<usize> = match &outcome.evidence {
                Evidence::Invariant { advice, .. } => advice.uses.iter().flatten().map(Vec::len).collect(),
                _ => Vec::new(),
            };
            (printed(&mut system, &outcome), uses, outcome.statistics.solver_calls)
        };
        // Each in a thread of its own, for what Z3 remembers of earlier questions belongs to a thread: one alone, then
        // two at once.
        let in_threads = |count: usize| -> Vec<_> {
            std::thread::scope(|scope| {
                let systems = std::iter::repeat_n(&random.system, count).cloned();
                let threads: Vec<_> = systems.map(|system| scope.spawn(|| once(system))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
            })
        };
        let alone = in_threads(1);
        for other in in_threads(2) {
            prop_assert_eq!(&other, &alone[0]);
        }
    }
}

/// Random systems are no use if nothing can be proved of them: about as many proofs as failures.
#[test]
fn random_systems_are_proved_and_refuted() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut proved, mut refuted) = (0, 0);
    for _ in 0..60 {
        let mut random = systems(SHAPE).new_tree(&mut runner).expect("a system").current();
        let outcome = run(&mut random.system, 1);
        match outcome.first_open().map(|open| open.reason) {
            None => proved += usize::from(!outcome.lemmas().is_empty()),
            Some(Reason::SeemsViolated) => refuted += 1,
            Some(_) => {}
        }
    }
    assert!(proved >= 6 && refuted >= 6, "{proved} proved, {refuted} refuted");
}

//! The tests: many programs of each family.

use super::generate::{Family, program};
use super::language::{Entailment, PLACES, Program};
use super::least::Least;
use crate::support::{Run, run_for};
use num_bigint::BigInt;
use tenet_chance::Random;
use tenet_engine::recursive::Counterexample;
use tenet_engine::{Claim, Violation};
use tenet_system::recursive::{Known, Step};
use tenet_term::{Model, TermId, TermStore, Value};

/// The number of polls for cancellation that the engine may make for one program.
const MAX_EFFORT: usize = 60;

/// The results.
#[derive(Debug, Default)]
struct Tally {
    proved: usize,
    refuted: usize,
    open: usize,
    /// Wrong conclusions that the checker was given.
    refused: usize,
}

#[test]
fn ra_a7_few_numbers() {
    let tally = fuzz(Family::Few, 10_000, 1_000);
    assert!(tally.proved * 10 >= tally.all(), "{tally:?}");
}

#[test]
fn ra_a7_integers() {
    let tally = fuzz(Family::Integers, 20_000, 1_000);
    assert!(tally.proved * 10 >= tally.all(), "{tally:?}");
}

#[test]
fn ra_a7_arrays() {
    let tally = fuzz(Family::Arrays, 30_000, 200);
    assert!(tally.proved * 10 >= tally.all(), "{tally:?}");
}

#[test]
fn ra_a7_processes() {
    let mut tally = Tally::default();
    for seed in tenet_chance::seeds(40_000..40_100) {
        process(seed, &mut tally);
    }
    println!("processes: {tally:?}");
    assert!(tally.proved * 10 >= tally.all(), "{tally:?}");
}

impl Tally {
    fn all(&self) -> usize {
        self.proved + self.refuted + self.open
    }
}

fn fuzz(family: Family, first: u64, count: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in first..first + count {
        one(family, seed, &mut tally);
    }
    println!("{family:?}: {tally:?}");
    tally
}

fn one(family: Family, seed: u64, tally: &mut Tally) {
    let (program, least) = program(&mut Random::new(seed), family);
    let text = program.to_string();
    let mut run = run_for(&text, MAX_EFFORT);
    let place = |position: usize| format!("{family:?}, seed {seed}, entailment {}:\n{text}", position + 1);
    let proof = run.proof().clone();
    let checked = run.check(&proof);
    for (position, entailment) in program.entailments.iter().enumerate() {
        match run.claim(position).clone() {
            Claim::Proof => {
                let found = least.contradiction(entailment);
                assert_eq!(found, None, "proved ({checked:?}), but false: {}", place(position));
                tally.proved += 1;
            }
            Claim::Violation(Violation::Entailment(found)) => {
                let values = values(&mut run, position, entailment, &found);
                let is_right = least.may_contradict(entailment, &values);
                assert!(is_right, "refuted, but true at {values:?}: {}", place(position));
                tally.refuted += 1;
            }
            Claim::Violation(_) | Claim::Open(_) => tally.open += 1,
        }
    }
    assert!(checked.is_ok(), "{checked:?}: {}", place(0));
    wrong_conclusions(&mut run, &program, &least, tally, &text);
}

/// A property that is proved holds in all reachable states, and one that is violated is violated in the reported state.
fn process(seed: u64, tally: &mut Tally) {
    let (program, least) = program(&mut Random::new(seed), Family::Processes);
    let text = program.to_string();
    let mut run = run_for(&text, 10 * MAX_EFFORT);
    let proof = run.proof().clone();
    let checked = run.check(&proof);
    for (position, entailment) in program.entailments.iter().enumerate() {
        let place = format!("seed {seed}, property {}:\n{text}", position + 1);
        match run.claim_of_property(position).clone() {
            Claim::Proof => {
                assert_eq!(least.contradiction(entailment), None, "proved ({checked:?}), but false: {place}");
                tally.proved += 1;
            }
            Claim::Violation(Violation::Process(found)) => {
                let last = found.states.last().expect("there is a first state");
                let values: Vec<i64> = last.iter().map(|&term| number(&run.program.store, term)).collect();
                assert!(
                    least.may_contradict(entailment, &values),
                    "violated, but not at {values:?}: {place}"
                );
                tally.refuted += 1;
            }
            Claim::Violation(_) | Claim::Open(_) => tally.open += 1,
        }
    }
    assert!(checked.is_ok(), "{checked:?}: seed {seed}\n{text}");
}

/// A proof of one entailment is no proof of another that is false.
fn wrong_conclusions(run: &mut Run, program: &Program, least: &Least, tally: &mut Tally, text: &str) {
    let proof = run.proof().clone();
    for (position, step) in proof.obligations.iter().enumerate() {
        let Some(Step::Recall(recall, _)) = step else { continue };
        let Known::Lemma(lemma) = recall.known else { continue };
        for (other, entailment) in program.entailments.iter().enumerate() {
            let is_false = other != position && least.contradiction(entailment).is_some();
            let is_nonsense = other == position && least.has_instance(entailment);
            if !is_false && !is_nonsense {
                continue;
            }
            let mut wrong = proof.clone();
            wrong.lemmas.truncate(lemma + 1);
            wrong.obligations.iter_mut().for_each(|step| *step = None);
            wrong.lemmas[lemma].entailment = run.program.obligations[other].clone();
            if is_nonsense {
                wrong.lemmas[lemma].entailment.right.constraint = TermId::FALSE;
            }
            assert!(run.check(&wrong).is_err(), "proof {position} for {other}:\n{text}");
            tally.refused += 1;
        }
    }
}

/// The values of a counterexample, in the order of the variables here.
fn values(run: &mut Run, position: usize, entailment: &Entailment, found: &Counterexample) -> Vec<i64> {
    let store = &mut run.program.store;
    let known = &run.program.obligations[position].variables;
    assert_eq!(known.len(), found.values.len());
    let value = |variable: usize| {
        let names = [format!("X{variable}"), format!("A{variable}")];
        let (_, term) =
            found.values.iter().find(|(symbol, _)| names.contains(&store.symbol(*symbol).name)).copied()?;
        Some(bits(store, term).unwrap_or_else(|| number(store, term)))
    };
    // A variable that does not occur in the text is arbitrary.
    (0..entailment.universal).map(value).map(|value| value.unwrap_or_default()).collect()
}

fn number(store: &TermStore, term: TermId) -> i64 {
    let value = Model::new().evaluate(store, term).expect("a counterexample has values");
    let Value::Int(number) = value else { panic!("{value:?} is no number") };
    i64::try_from(number).expect("it is small")
}

fn bits(store: &mut TermStore, term: TermId) -> Option<i64> {
    let is_number = store.sort(store.sort_of(term)).is_integer();
    if is_number {
        return None;
    }
    let mut all = 0;
    for place in 0..PLACES {
        let at = store.mk_int(BigInt::from(place));
        let entry = store.mk_apply(term, &[at]);
        let entry = number(store, entry);
        // Entries that are not bits make an array that is not one here.
        all += if (0..=1).contains(&entry) { entry << place } else { 1 << PLACES };
    }
    Some(all)
}

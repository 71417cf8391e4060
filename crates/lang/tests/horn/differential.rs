//! The small system against the clauses of the file, by brute force: `false` is derivable iff `error` is reachable; a run gives a
//! derivation; and the reachable states, as an invariant, give an interpretation of all the relations.

use crate::generate::{Taste, file};
use crate::support::{derived, error, exactly, least, reach, run, tables};
use std::collections::BTreeSet;
use tenet_chance::Random;
use tenet_lang::codes;
use tenet_lang::horn::derivation::{Fact, derivation};
use tenet_lang::horn::interpretation::interpretation;
use tenet_lang::horn::{Horn, read};

/// The number of files by result.
#[derive(Default, Debug)]
struct Count {
    safe: usize,
    unsafe_: usize,
    refused: usize,
    calls: usize,
    large: usize,
}

/// Products of many relations have more arguments, and resolvents of many clauses more parameters, than can be
/// enumerated.
const MAX_VALUES: usize = 6;

fn check(text: &str, count: &mut Count) {
    let horn = match read(text) {
        Ok((horn, _)) => horn,
        Err(found) => {
            let only_nonlinear = found.iter().all(|found| found.explanation == &codes::horn::NONLINEAR);
            assert!(only_nonlinear, "{found:?}\n{text}");
            count.refused += 1;
            return;
        }
    };
    // Too many states to enumerate.
    let starts = horn.system().starts.iter().map(|start| start.params.len());
    let params = horn.system().rules.iter().map(|rule| rule.params.len()).chain(starts);
    let args = horn.places.iter().map(|place| place.sorts.len());
    if params.chain(args).any(|count| count > MAX_VALUES) {
        count.large += 1;
        return;
    }
    count.calls += usize::from(horn.places.len() > horn.relations.len());
    let store = &horn.system().store;
    let (_, violated) = least(store, &horn.clauses, horn.relations.len());
    let reached = reach(horn.system());
    match error(&horn, &reached) {
        Some(last) => {
            assert!(violated, "reached although it cannot be derived\n{text}");
            count.unsafe_ += 1;
            let facts = derivation(store, &horn, &run(&reached, last)).unwrap();
            check_derivation(&horn, &facts, text);
        }
        None => {
            assert!(!violated, "derived but not reached\n{text}");
            count.safe += 1;
            let mut store = store.clone();
            let invariant = exactly(&mut store, &horn, &reached);
            let definitions = interpretation(&mut store, &horn, invariant);
            for relation in &horn.relations {
                let all = definitions.iter().filter(|definition| definition.symbol == relation.symbol);
                assert_eq!(all.count(), 1, "`{}`\n{text}", relation.name);
            }
            let tables = tables(&store, &horn, &definitions);
            for clause in &horn.clauses {
                for fact in derived(&store, clause, &tables) {
                    let holds = fact.is_some_and(|(relation, args)| tables[relation].contains(&args));
                    assert!(holds, "{clause:?} does not hold in {tables:?}\n{text}");
                }
            }
        }
    }
}

/// Each fact follows from earlier ones by its clause, and the last one is false.
fn check_derivation(horn: &Horn, facts: &[Fact], text: &str) {
    assert!(facts.last().is_some_and(|fact| fact.atom.is_none()), "{facts:?}\n{text}");
    for (position, fact) in facts.iter().enumerate() {
        let clause = &horn.clauses[fact.clause];
        assert_eq!(fact.premises.len(), clause.body.len(), "{text}");
        let mut known = vec![BTreeSet::new(); horn.relations.len()];
        for (&premise, atom) in fact.premises.iter().zip(&clause.body) {
            assert!(premise < position);
            let (relation, args) = facts[premise].atom.clone().unwrap();
            assert_eq!(relation, atom.relation);
            known[relation].insert(args);
        }
        let follows = derived(&horn.system().store, clause, &known).contains(&fact.atom);
        assert!(follows, "fact {position} of {facts:?}\n{text}");
    }
}

#[test]
fn linear_clauses_and_their_systems_agree() {
    let mut count = Count::default();
    for seed in tenet_chance::seeds(0..1500) {
        check(&file(&mut Random::new(seed), Taste { body: 1, facts: 30 }), &mut count);
    }
    assert!(count.safe > 300 && count.unsafe_ > 300 && count.refused == 0, "{count:?}");
}

#[test]
fn clauses_with_calls_and_their_systems_agree() {
    let mut count = Count::default();
    for seed in tenet_chance::seeds(0..1500) {
        check(&file(&mut Random::new(seed), Taste { body: 3, facts: 35 }), &mut count);
    }
    assert!(count.safe > 200 && count.unsafe_ > 200 && count.calls > 20 && count.large < 100, "{count:?}");
}

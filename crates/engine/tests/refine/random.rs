//! Random small programs: theorems about the methods, and exactness of the operators against plain execution.

use crate::build::Build;
use crate::forgetful::Forgetful;
use crate::support::{is_bad, is_invariant, layers, run, run_with, state_model, success, successors};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use tenet_chance::Random;
use tenet_engine::Alone;
use tenet_engine::reach::{self, reach};
use tenet_engine::refine::methods::formula::Disjunct;
use tenet_engine::refine::methods::{
    Alpha, Conclusion, Direction, Method, Options, OracleChoice, PostForm, Pruning, forward, iterate,
};
use tenet_solve::{Answer, Solver, Z3Solver};
use tenet_system::run::replay_violation;
use tenet_system::{Predicate, System};
use tenet_term::{TermId, Value};

const LOCATIONS: [&str; 3] = ["l1", "l2", "error"];
const GUARDS: [&str; 11] = [
    "",
    "",
    "& x >= 1",
    "& x < 0",
    "& x = 1",
    "& x != 1",
    "& x = y",
    "& x <= y",
    "& y > 2",
    "& 2*x <= y",
    "& 3*x > 2*y",
];
const UPDATES: [&str; 11] = [
    "",
    "",
    ", x := 0",
    ", x := x + 1",
    ", x := x - 1",
    ", x := y",
    ", y := x + 1",
    ", y := 2",
    ", x := y, y := x",
    ", x := x + y",
    ", x := 2*x",
];
const CHOICES: [(&str, &str); 5] = [
    ("& i? >= 0 & i? <= 2", ", x := i?"),
    ("& i? >= x & i? <= 2", ", y := i?"),
    ("& i? >= 0 & i? <= 2 & i? != x", ", y := y + i?"),
    ("& i? >= -1 & 2*i? >= x & 3*i? <= y + 4 & i? <= 4", ", x := i?"),
    ("& i? >= -1 & i? <= 4 & 2*i? = x + 1", ", y := y - i?"),
];

/// What inputs can be in a few steps from the states of the window: some are only bounded by `x` from below.
const INPUTS: std::ops::RangeInclusive<i64> = -40..=4;

/// A program that starts with `x = 0 & y = 1`.
pub fn program(seed: u64, has_inputs: bool) -> System {
    let mut random = Random::new(seed);
    let mut build = Build::new(&LOCATIONS, &["x", "y"]).start("x = 0 & y = 1");
    let count = 3 + random.below(2);
    for number in 0..count {
        let (mut guard, mut update) = (random.pick(&GUARDS), random.pick(&UPDATES));
        if has_inputs && number == 0 {
            (guard, update) = CHOICES[random.below(5)];
        }
        // Somewhere there has to be a way to the error.
        let (from, to) = match number {
            0 => ("l1", random.pick(&LOCATIONS[..2])),
            1 => ("l2", "error"),
            _ => (random.pick(&LOCATIONS[..2]), random.pick(&LOCATIONS)),
        };
        build = build.command(&format!("pc = {from} {guard} -> pc := {to}{update}"));
    }
    build.never("pc = error").system
}

fn start() -> Vec<Value> {
    vec![Value::Enum(0), Value::int(0), Value::int(1)]
}

/// The states with small numbers.
fn window() -> Vec<Vec<Value>> {
    let numbers = || -3..=4;
    let all = (0..3)
        .flat_map(move |location| numbers().flat_map(move |x| numbers().map(move |y| (location, x, y))));
    all.map(|(location, x, y)| vec![Value::Enum(location), Value::int(x), Value::int(y)]).collect()
}

fn holds(system: &System, disjuncts: &[Disjunct], state: &[Value]) -> bool {
    let model = state_model(system, state);
    disjuncts.iter().any(|one| one.atoms().iter().all(|&atom| model.holds(&system.store, atom) == Ok(true)))
}

/// How many steps it takes from a state to a violation, if it takes at most `limit`.
fn distance(system: &System, state: &[Value], limit: usize) -> Option<usize> {
    let layers = layers(system, state.to_vec(), limit, INPUTS);
    layers.iter().position(|layer| layer.iter().any(|state| is_bad(system, state)))
}

#[test]
fn post_is_exact_in_every_form() {
    let forms = [(PostForm::Solved, false), (PostForm::Inverse, false), (PostForm::Solved, true)];
    for seed in tenet_chance::seeds(0..40) {
        for (post, split_equalities) in forms {
            let mut system = program(seed, seed % 2 == 0);
            let options = Options { post, split_equalities, ..Options::default() };
            let solver = Box::new(Z3Solver::ground());
            let lists = iterate(&mut system, &[0], &options, Direction::Forward, 3, solver);
            let lists = lists.unwrap_or_else(|refused| panic!("{seed}: {refused}"));
            let layers = layers(&system, start(), 3, INPUTS);
            for (step, layer) in layers.iter().enumerate() {
                let so_far = lists[..=step].concat();
                for state in window() {
                    let is_reached = holds(&system, &so_far, &state);
                    assert_eq!(
                        is_reached,
                        layer.contains(&state),
                        "{seed}, {post:?}, step {step}: {state:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn pre_is_exact_however_it_is_pruned() {
    for seed in tenet_chance::seeds(0..16) {
        for (pre, split_equalities) in [
            (Pruning::Literal, false),
            (Pruning::Control, false),
            (Pruning::Control, true),
            (Pruning::Unsatisfiable, false),
        ] {
            let mut system = program(seed, seed % 2 == 0);
            let options = Options { pre, split_equalities, ..Options::default() };
            let solver = Box::new(Z3Solver::ground());
            let lists = iterate(&mut system, &[0], &options, Direction::Backward, 3, solver);
            let lists = lists.unwrap_or_else(|refused| panic!("{seed}: {refused}"));
            let all: Vec<(usize, Disjunct)> = lists
                .into_iter()
                .enumerate()
                .flat_map(|(step, list)| list.into_iter().map(move |one| (step, one)))
                .collect();
            for state in window().iter().step_by(5) {
                let found = all.iter().filter(|(_, one)| holds(&system, std::slice::from_ref(one), state));
                let steps = found.map(|(step, _)| *step).min();
                assert_eq!(steps, distance(&system, state, 3), "{seed}, {pre:?}: {state:?}");
            }
        }
    }
}

#[test]
fn rc_t9_inputs_do_not_survive_a_step() {
    let mut system = program(2, true);
    let solver = Box::new(Z3Solver::ground());
    let options = Options::default();
    let lists =
        iterate(&mut system, &[0], &options, Direction::Backward, 3, solver).expect("it is a program");
    for atom in lists.concat().iter().flat_map(|one| one.atoms().to_vec()) {
        for symbol in system.store.free_symbols(atom) {
            assert_eq!(
                system.store.symbol(symbol).role,
                tenet_term::Role::State,
                "{}",
                system.store.print(atom)
            );
        }
    }
}

/// Successes of Method II: seeds of programs, with the index of the fixpoint. Random widenings also drop locations, for which
/// nothing is promised if `pre` is pruned (RC-T6).
fn widened_successes(pre: Pruning) -> Vec<(u64, usize)> {
    let mut found = Vec::new();
    for seed in tenet_chance::seeds(0..100) {
        let mut oracles = ["x", "y"].map(|name| OracleChoice::Drop(name.to_string())).to_vec();
        if pre == Pruning::Literal {
            oracles.extend([0, 1, 2].map(|one| OracleChoice::Random(seed.wrapping_mul(3).wrapping_add(one))));
        }
        for oracle in oracles {
            let method = Method::Two(Direction::Backward, oracle);
            let options = Options { method, pre, iterations: 4, ..Options::default() };
            // The last formula only shows that the one before is a fixpoint.
            if let Some(index @ 1..) = success(&run(&mut program(seed, false), &options)) {
                found.push((seed, index - 1));
            }
        }
    }
    // The best widening of each program is the strongest demand.
    found.sort();
    found.dedup_by_key(|(seed, _)| *seed);
    found
}

fn what_widening_proves_refinement_proves(pre: Pruning) {
    let found = widened_successes(pre);
    assert!(found.len() >= 10, "only {} programs say something", found.len());
    for (seed, index) in found {
        for method in [Method::One(Direction::Backward), Method::Three] {
            let options = Options { method, pre, iterations: index, ..Options::default() };
            let mut system = program(seed, false);
            let outcome = run(&mut system, &options);
            let Conclusion::Proved(lemmas) = &outcome.conclusion else {
                panic!("{seed}: {:?} does not succeed by {index}", options.method)
            };
            assert!(is_invariant(&mut system, lemmas), "{seed}");
        }
    }
}

#[test]
fn rc_a8_rc_a9_with_literal_pre_refinement_proves_what_any_widening_proves() {
    what_widening_proves_refinement_proves(Pruning::Literal);
}

#[test]
fn rc_a8_rc_a9_with_pruned_pre_refinement_proves_what_widening_of_data_proves() {
    what_widening_proves_refinement_proves(Pruning::Control);
}

#[test]
fn rc_a13_incorrect_programs_are_found_out_by_every_method() {
    let methods = [
        Method::One(Direction::Backward),
        Method::One(Direction::Forward),
        Method::Two(Direction::Backward, OracleChoice::Random(1)),
        Method::Two(Direction::Forward, OracleChoice::Drop("x".to_string())),
        Method::Three,
    ];
    let mut incorrect = 0;
    for seed in tenet_chance::seeds(0..60) {
        let system = program(seed, seed % 2 == 0);
        let Some(length) = distance(&system, &start(), 4) else { continue };
        incorrect += 1;
        for method in &methods {
            let mut system = system.clone();
            let options = Options { method: method.clone(), iterations: length, ..Options::default() };
            let outcome = run(&mut system, &options);
            let Conclusion::Incorrect(violation) = outcome.conclusion else {
                panic!("{seed}: {method:?} finds nothing")
            };
            assert_eq!(violation.run.rules.len(), length, "{seed}: {method:?}");
            let states = replay_violation(&mut system, &violation).expect("it is a run");
            assert_eq!(states[0], start());
            for pair in states.windows(2) {
                let next = successors(&system, &pair[0], -1..=4);
                assert!(next.contains(&pair[1]), "{seed}: {method:?}: no such step");
            }
            assert!(is_bad(&system, &states[length]));
        }
    }
    assert!(incorrect >= 15, "only {incorrect} programs are incorrect");
}

/// A solver that often does not know.
pub fn crippled(seed: u64) -> Forgetful {
    Forgetful { inner: Z3Solver::ground(), one_in: 4, seed: Rc::new(Cell::new(seed)) }
}

#[test]
fn rc_a14_a_prover_that_does_not_know_proves_nothing_wrong() {
    let mut proofs = 0;
    for seed in tenet_chance::seeds(0..60) {
        let methods = [
            Method::One(Direction::Backward),
            Method::One(Direction::Forward),
            Method::Two(Direction::Backward, OracleChoice::Drop("x".to_string())),
            Method::Three,
        ];
        for method in methods {
            let mut system = program(seed, seed % 2 == 0);
            let options = Options { method, iterations: 3, ..Options::default() };
            let solver = crippled(seed);
            let outcome = run_with(&mut system, &options, Box::new(solver));
            match outcome.conclusion {
                Conclusion::Proved(lemmas) => {
                    proofs += 1;
                    assert!(is_invariant(&mut system, &lemmas), "{seed}: {:?}", options.method);
                }
                Conclusion::Incorrect(violation) => {
                    let states = replay_violation(&mut system, &violation).expect("it is a run");
                    assert!(is_bad(&system, &states[states.len() - 1]), "{seed}: {:?}", options.method);
                }
                Conclusion::Open(_) => {}
            }
        }
    }
    assert!(proofs >= 10, "only {proofs} proofs: the test says nothing");
}

#[test]
fn x_a3_over_atoms_closed_under_negation_the_fixpoint_is_the_reachable_set() {
    for seed in tenet_chance::seeds(0..40) {
        let mut system = program(seed, seed % 2 == 0);
        let mut build = Build { system, ..Build::new(&LOCATIONS, &["x", "y"]) };
        let positive: Vec<TermId> =
            ["pc = l1", "pc = error", "x >= 1", "x = y", "y <= 2"].map(|text| build.formula(text)).to_vec();
        system = build.system;
        let mut atoms = positive.clone();
        for &atom in &positive {
            atoms.push(system.store.mk_not(atom));
            let name = system.store.print(atom);
            system.predicates.push(Predicate { name, source: Default::default(), formula: atom });
        }
        let formula = forward(&mut system, &atoms, Box::new(Z3Solver::ground())).expect("it is a program");
        let outcome = reach(&mut system, &[0], &reach::Options::default(), &mut Alone);
        let details = reach::Details::of(&outcome).expect("they are those of `reach`");
        assert!(details.is_complete);
        let states = details.iterations.last().map_or(0, |last| last.states);
        assert_eq!(formula.disjuncts().len() as u128, states, "{seed}");
        let bodies: Vec<TermId> = outcome.lemmas().iter().map(|lemma| lemma.body).collect();
        let (left, right) = (formula.term(&mut system.store), system.store.mk_and(bodies));
        let different = system.store.mk_iff(left, right);
        let different = system.store.mk_not(different);
        let mut solver = Z3Solver::new();
        solver.assert(&system.store, different);
        assert_eq!(solver.check(&system.store, &[]), Answer::Unsat, "{seed}");
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let answer = |seed| {
        let mut system = program(seed, true);
        let outcome =
            run(&mut system, &Options { alpha: Alpha::Complete, iterations: 3, ..Options::default() });
        let shown =
            |atoms: &Vec<TermId>| atoms.iter().map(|&atom| system.store.print(atom)).collect::<Vec<_>>();
        let iterations = outcome.iterations.iter();
        iterations
            .map(|one| (shown(&one.predicates), one.invariant.iter().map(shown).collect::<BTreeSet<_>>()))
            .collect::<Vec<_>>()
    };
    for seed in tenet_chance::seeds(0..10) {
        assert_eq!(answer(seed), answer(seed));
    }
}

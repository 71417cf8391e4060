//! Programs (a) and (b), configuration by configuration.

use crate::build::{Build, program_a, program_b};
use crate::support::{counts, is_invariant, predicates, run, success};
use std::collections::BTreeSet;
use tenet_engine::refine::methods::{
    Alpha, Conclusion, Direction, Method, Options, OracleChoice, PostForm, Pruning, Reason, iterate, oracle,
};
use tenet_solve::Z3Solver;

fn backward(pre: Pruning, alpha: Alpha) -> Options {
    Options { pre, alpha, iterations: 6, ..Options::default() }
}

fn forward(post: PostForm, split_equalities: bool) -> Options {
    let method = Method::One(Direction::Forward);
    Options { method, post, split_equalities, iterations: 8, ..Options::default() }
}

fn widening(direction: Direction, oracle: OracleChoice) -> Options {
    Options { method: Method::Two(direction, oracle), iterations: 8, ..Options::default() }
}

fn texts(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(|text| text.to_string()).collect()
}

#[test]
fn rc_a3_syntactic_pre_keeps_contradictions() {
    let mut system = program_a();
    let options = backward(Pruning::Control, Alpha::Complete);
    let solver = Box::new(Z3Solver::ground());
    let lists =
        iterate(&mut system, &[0], &options, Direction::Backward, 3, solver).expect("it is a program");
    let shown: Vec<BTreeSet<String>> =
        lists.iter().map(|list| list.iter().map(|one| one.print(&system.store)).collect()).collect();
    assert_eq!(shown[0], texts(&["pc = error"]));
    assert_eq!(shown[1], texts(&["pc = l6 & z = 0"]));
    assert_eq!(shown[2], texts(&["pc = l6 & z != 0 & z = 1", "pc = l5 & -1 = 0"]));
    let third = ["pc = l6 & z != 0 & z != 1 & z = 2", "pc = l5 & -1 = 1", "pc = l4 & y != 25 & -1 = 0"];
    assert_eq!(shown[3], texts(&third));
}

#[test]
fn rc_a4_control_pruned_pre_with_a_complete_prover() {
    let mut system = program_a();
    let outcome = run(&mut system, &backward(Pruning::Control, Alpha::Complete));
    assert_eq!(success(&outcome), Some(3));
    assert_eq!(counts(&outcome), [1, 3, 7, 12]);
}

#[test]
fn rc_a4_control_pruned_pre_with_a_syntactic_alpha() {
    let mut system = program_a();
    let outcome = run(&mut system, &backward(Pruning::Control, Alpha::Syntactic));
    assert_eq!(success(&outcome), Some(4));
    assert_eq!(counts(&outcome), [1, 3, 7, 12, 17]);
    let needed = texts(&["y = 25", "y != 25", "pc = error", "pc = l6", "pc = l5", "pc = l4"]);
    assert!(predicates(&system, &outcome, 4).is_superset(&needed));
    let contradiction = |conjunction: &Vec<_>| {
        let shown: BTreeSet<String> = conjunction.iter().map(|&atom| system.store.print(atom)).collect();
        shown.is_superset(&texts(&["y = 25", "y != 25"]))
    };
    assert!(outcome.iterations[4].invariant.iter().any(contradiction), "the text is all that counts");
}

#[test]
fn rc_a4_literal_pre() {
    let complete = run(&mut program_a(), &backward(Pruning::Literal, Alpha::Complete));
    assert_eq!(success(&complete), Some(1));
    let syntactic = run(&mut program_a(), &backward(Pruning::Literal, Alpha::Syntactic));
    assert_eq!(success(&syntactic), Some(2));
}

#[test]
fn rc_a5_without_contradictions_only_z_is_learned() {
    let mut system = program_a();
    let options = Options { iterations: 7, ..backward(Pruning::Unsatisfiable, Alpha::Complete) };
    let outcome = run(&mut system, &options);
    assert!(matches!(outcome.conclusion, Conclusion::Open(Reason::Iterations(7))));
    assert_eq!(counts(&outcome), [1, 3, 5, 7, 9, 11, 13, 15]);
    let last = predicates(&system, &outcome, 7);
    let others: BTreeSet<String> = last.into_iter().filter(|text| !text.starts_with("z ")).collect();
    assert_eq!(others, texts(&["pc = error", "pc = l6"]));
}

#[test]
fn rc_a6_elimination_diverges() {
    let mut system = program_a();
    let outcome = run(&mut system, &forward(PostForm::Solved, false));
    assert!(matches!(outcome.conclusion, Conclusion::Open(Reason::Iterations(8))));
    let numbers = (0..8).map(|k| format!("x = {k}"));
    let expected: BTreeSet<String> = texts(&["pc = l1", "pc = l2"]).into_iter().chain(numbers).collect();
    assert_eq!(predicates(&system, &outcome, 8), expected);
}

#[test]
fn rc_a6_split_equalities_succeed_at_1() {
    let outcome = run(&mut program_a(), &forward(PostForm::Solved, true));
    assert_eq!(success(&outcome), Some(1));
}

#[test]
fn rc_a6_shifted_guards_succeed_at_2() {
    let outcome = run(&mut program_a(), &forward(PostForm::Inverse, false));
    assert_eq!(success(&outcome), Some(2));
}

#[test]
fn rc_a7_widening_drops_conjuncts() {
    let mut build = Build::new(&["l"], &["x", "n"]);
    let formula = build.formula("x >= 0 & x <= n");
    let store = &mut build.system.store;
    let parts = store.conjuncts(formula);
    let disjunct = tenet_engine::refine::methods::formula::Disjunct::new(store, parts, false);
    let formula = [disjunct].into_iter().collect();
    let shown: BTreeSet<String> = (0..4_u32)
        .map(|guess| {
            let widened = oracle::widen(&formula, &guess.into());
            assert_eq!(widened.disjuncts().len(), 1, "no disjunct is added");
            widened.disjuncts().next().expect("there is one").print(store)
        })
        .collect();
    assert_eq!(shown, texts(&["0 <= x & x <= n", "0 <= x", "x <= n", "true"]));
}

#[test]
fn rc_a7_dropping_the_right_variable_succeeds() {
    for (direction, variable) in [(Direction::Backward, "z"), (Direction::Forward, "x")] {
        let mut system = program_a();
        let outcome = run(&mut system, &widening(direction, OracleChoice::Drop(variable.to_string())));
        let Conclusion::Proved(lemmas) = &outcome.conclusion else { panic!("{variable}: no proof") };
        assert!(is_invariant(&mut system, lemmas), "{variable}");
    }
}

#[test]
fn rc_a7_without_widening_neither_direction_ends() {
    for direction in [Direction::Backward, Direction::Forward] {
        let outcome = run(&mut program_a(), &widening(direction, OracleChoice::List(Vec::new())));
        assert!(matches!(outcome.conclusion, Conclusion::Open(Reason::Iterations(8))), "{direction:?}");
    }
}

#[test]
fn rc_a7_a_schedule_can_be_given_again() {
    let found = run(&mut program_a(), &widening(Direction::Backward, OracleChoice::Drop("z".to_string())));
    let again =
        run(&mut program_a(), &widening(Direction::Backward, OracleChoice::List(found.schedule.clone())));
    assert!(success(&found).is_some());
    assert_eq!(success(&again), success(&found));
    assert_eq!(again.iterations, found.iterations);
}

#[test]
fn rc_a9_method_three_succeeds_at_3() {
    let mut system = program_a();
    let outcome = run(&mut system, &Options { method: Method::Three, ..Options::default() });
    assert_eq!(success(&outcome), Some(3));
    let dual = texts(&["pc != error", "pc != l6", "z != 0"]);
    assert_eq!(predicates(&system, &outcome, 1), dual, "atoms are those of the backward iteration, negated");
}

#[test]
fn rc_a10_forward_refinement_is_not_relatively_complete() {
    let widened = run(&mut program_a(), &widening(Direction::Forward, OracleChoice::Drop("x".to_string())));
    assert!(success(&widened).is_some());
    let refined = run(&mut program_a(), &forward(PostForm::Solved, false));
    assert_eq!(success(&refined), None);
}

#[test]
fn rc_a11_the_converse_fails() {
    let refined = run(&mut program_b(), &forward(PostForm::Solved, false));
    assert_eq!(success(&refined), Some(5), "predicates of one branch are used in the other");
    // Conjuncts about the loops say what a variable is, or is not; without them nothing is known there.
    let mut oracles: Vec<OracleChoice> = (0..6).map(OracleChoice::Random).collect();
    oracles.extend(["x", "y"].map(|name| OracleChoice::Drop(name.to_string())));
    oracles.push(OracleChoice::Exhaustive);
    for oracle in oracles {
        let outcome = run(&mut program_b(), &widening(Direction::Forward, oracle.clone()));
        assert_eq!(success(&outcome), None, "{oracle:?}");
    }
}

#[test]
fn rc_a12_every_success_is_an_invariant() {
    let three = Options { method: Method::Three, ..Options::default() };
    let configurations = [
        backward(Pruning::Control, Alpha::Complete),
        backward(Pruning::Control, Alpha::Syntactic),
        backward(Pruning::Literal, Alpha::Complete),
        backward(Pruning::Literal, Alpha::Syntactic),
        forward(PostForm::Solved, true),
        forward(PostForm::Inverse, false),
        three.clone(),
        Options { split_equalities: true, ..three },
    ];
    for options in configurations {
        let mut system = program_a();
        let outcome = run(&mut system, &options);
        let Conclusion::Proved(lemmas) = &outcome.conclusion else { panic!("{options:?}: no proof") };
        assert!(is_invariant(&mut system, lemmas), "{options:?}");
    }
}

#[test]
fn an_exhaustive_oracle_finds_what_to_drop() {
    let mut system = Build::new(&["loop", "error"], &["x"])
        .start("x = 0")
        .commands(&["pc = loop -> x := x + 1", "pc = loop & x < 0 -> pc := error"])
        .never("pc = error")
        .system;
    let options =
        Options { split_equalities: true, ..widening(Direction::Forward, OracleChoice::Exhaustive) };
    let outcome = run(&mut system, &options);
    let Conclusion::Proved(lemmas) = &outcome.conclusion else {
        panic!("no proof: {:?}", outcome.conclusion)
    };
    assert!(is_invariant(&mut system, lemmas));
    let again = widening(Direction::Forward, OracleChoice::List(outcome.schedule.clone()));
    assert!(success(&run(&mut system, &Options { split_equalities: true, ..again })).is_some());
}

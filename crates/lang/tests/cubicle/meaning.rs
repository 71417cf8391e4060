//! The semantics of the language, one point at a time, on models whose states can be counted by hand.

use crate::support::{program, search, states, system, violated, with_consts};
use tenet_lang::cubicle::check::Settings;
use tenet_lang::cubicle::{finite, read};
use tenet_term::TermId;

fn none(source: &str, size: u64) -> bool {
    violated(source, &[("proc", size)], &[]).is_empty()
}

#[test]
fn parameters_of_a_transition_are_different_processes() {
    const PAIR: &str = "array A[proc] : bool init (x) { A[x] = False } unsafe (x) { A[x] = True }
        transition t (x y) { A[x] := True }";
    assert_eq!(states(PAIR, 1), 1);
    assert_eq!(states(PAIR, 2), 4);
}

#[test]
fn variables_of_a_cube_are_different_processes() {
    const ONE: &str =
        "array A[proc] : bool init (x) { A[x] = False } unsafe (x y) { A[x] = True && A[y] = True }
        transition t (x) requires { forall_other y. A[y] = False } { A[x] := True }";
    assert!(none(ONE, 3));
    assert_eq!(states(ONE, 3), 4);
}

#[test]
fn variables_of_init_may_be_the_same_process() {
    const SQUARE: &str =
        "array M[proc, proc] : bool init (x y) { M[x, y] = False } unsafe (x) { M[x, x] = True }";
    assert_eq!(states(SQUARE, 3), 1);
}

#[test]
fn forall_other_leaves_out_every_parameter() {
    const TWO: &str = "array A[proc] : bool init (x) { A[x] = False } unsafe (x) { A[x] = True }
        transition t (x y) requires { forall_other j. A[j] = True } { A[x] := True }";
    assert_eq!(states(TWO, 3), 1);
    assert_eq!(states(TWO, 2), 4);
}

#[test]
fn an_unused_variable_asks_for_another_process() {
    const CROWD: &str = "var B : bool init () { B = True } unsafe (x y z) { B = True }";
    assert!(none(CROWD, 2));
    assert!(!none(CROWD, 3));
}

#[test]
fn updates_are_simultaneous() {
    const SWAP: &str = "var X : int var Y : int init () { X = 1 && Y = 2 } unsafe () { X = Y }
        transition swap () { X := Y; Y := X }";
    assert_eq!(search(&program(SWAP, &[], &[]), false, None).statistics.states, 2);
    assert!(violated(SWAP, &[], &[]).is_empty());
}

#[test]
fn the_first_branch_that_fits_decides() {
    const FIRST: &str = "var X : int init () { X = 0 } unsafe () { X = 2 }
        transition t () { X := case | X = 0 : 1 | X = 0 : 2 | _ : X }";
    assert!(violated(FIRST, &[], &[]).is_empty());
}

#[test]
fn without_a_default_the_value_is_free_where_nothing_fits() {
    const OPEN: &str = "type t = A | B | C array S[proc] : t init (x) { S[x] = A } unsafe (x) { S[x] = C }
        transition t (x) { S[j] := case | j = x : S[j] }";
    assert_eq!(states(OPEN, 1), 1);
    assert_eq!(states(OPEN, 3), 27);
}

#[test]
fn free_choices_have_every_value() {
    const FREE: &str =
        "type t = A | B | C var X : t array S[proc] : t init (x) { X = A && S[x] = A } unsafe () { X = C }
        transition one () { X := . } transition two (x) { S[x] := ? }";
    assert_eq!(states(FREE, 2), 27);
}

#[test]
fn what_init_leaves_open_is_arbitrary() {
    const OPEN: &str =
        "type t = A | B array S[proc] : t var P : proc init (x) { S[x] = S[x] } unsafe (x) { S[x] = B }";
    assert_eq!(states(OPEN, 3), 8 * 3);
}

#[test]
fn alternatives_of_init_are_chosen_by_each_process() {
    const EACH: &str =
        "type t = A | B | C array S[proc] : t init (x) { S[x] = A || S[x] = B } unsafe (x) { S[x] = C }";
    assert_eq!(states(EACH, 3), 8);
    assert!(none(EACH, 3));
    const ALL: &str = "type t = A | B array S[proc] : t var N : int
        init (x) { S[x] = A && (N = 4 || N = 7 || N = 9) } unsafe (x) { S[x] = B }";
    assert_eq!(states(ALL, 2), 3);
}

#[test]
fn processes_are_in_a_total_order_and_told_apart() {
    const FIRST: &str = "array A[proc] : bool init (x) { A[x] = False }
        unsafe (x y) { A[x] = True && y < x }
        unsafe (x y) { x < y && y < x }
        unsafe (x y) { not (x < y) && not (y < x) }
        transition t (x) requires { forall_other j. x < j } { A[x] := True }";
    assert!(none(FIRST, 3));
    let instance = program(FIRST, &[("proc", 3)], &[]);
    assert!(!instance.layout.scalarsets[0].symmetric);
    assert_eq!(search(&instance, true, None).statistics.states, 2);
    let system = system(FIRST, &Settings::default());
    assert_eq!((system.orders.len(), system.axioms.len(), system.consts.len()), (1, 1, 1));
}

#[test]
fn an_order_that_nobody_asks_for_is_not_there() {
    let system = system(
        "array A[proc] : int init (x) { A[x] = 0 } unsafe (x y) { A[x] < A[y] }",
        &Settings::default(),
    );
    assert!(system.orders.is_empty() && system.axioms.is_empty());
}

#[test]
fn real_numbers_are_followed_as_long_as_they_are_whole() {
    const CLOCK: &str = "const Tick : real var T : real init () { T = 1.0 } unsafe () { T = 5.0 }
        transition t () requires { T < 6 && 0.0 < Tick } { T := T + 2 * Tick }";
    assert_eq!(violated(CLOCK, &[], &[("Tick", 1)]), ["unsafe".to_string()].into());
    assert!(violated(CLOCK, &[], &[("Tick", 3)]).is_empty());
    let halves = CLOCK.replace("5.0", "2.5");
    assert!(finite::program(&system(&halves, &with_consts(&[("Tick", 1)])), &[]).is_err());
}

#[test]
fn an_invariant_is_a_candidate_unless_it_is_about_constants() {
    const WRONG: &str =
        "const Limit : int var X : int init () { X = 0 } invariant () { X = 1 } invariant () { Limit < 2 }
        unsafe () { X = Limit } transition t () requires { X < 5 } { X := X + 1 }";
    let system = system(WRONG, &Settings::default());
    assert_eq!((system.candidates.len(), system.axioms.len()), (1, 1));
    assert_eq!(violated(WRONG, &[], &[("Limit", 3)]), ["unsafe".to_string()].into());
    // A value that the axiom forbids leaves no state.
    assert_eq!(search(&program(WRONG, &[], &[("Limit", 1)]), false, None).statistics.states, 0);
}

#[test]
fn constants_that_are_no_numbers_keep_what_they_start_with() {
    const KEPT: &str = "type t = A | B const C : t var X : t init () { X = C } unsafe () { X <> C }
        transition t () { X := C }";
    assert_eq!(search(&program(KEPT, &[], &[]), false, None).statistics.states, 2);
    assert!(violated(KEPT, &[], &[]).is_empty());
}

#[test]
fn number_procs_fixes_the_processes() {
    const TWO: &str =
        "number_procs 2 array A[proc] : bool var T : proc init () { A[#1] = True && A[#2] = False && T = #2 }
        unsafe (x) { A[x] = False && T = x } unsafe () { A[#2] = True } unsafe (x y z) { A[x] = A[x] }
        transition t (x y) requires { x < y } { T := x }";
    let outcome = search(&program(TWO, &[], &[]), true, None);
    assert_eq!(outcome.statistics.states, 2);
    assert_eq!(violated(TWO, &[], &[]), ["unsafe".to_string()].into());
}

#[test]
fn a_fixed_size_is_read_like_number_procs() {
    const RING: &str =
        "array A[proc] : bool init (x) { A[x] = False } unsafe (x y) { A[x] = True && A[y] = True && x < y }
        transition t (x) requires { forall_other j. x < j } { A[x] := True }";
    let settings = Settings { sizes: vec![("proc".to_string(), 3)], fix_sizes: true, ..Settings::default() };
    let (fixed, _) = read(RING, &settings).unwrap();
    let fixed = search(&finite::program(&fixed, &[]).unwrap(), false, None).statistics.states;
    assert_eq!(fixed, states(RING, 3));
}

#[test]
fn a_process_apart_takes_part_in_nothing() {
    const APART: &str = "var Home : proc var Owner : proc array A[proc] : bool
        init (x) { Home <> x && Owner = Home && A[x] = False }
        unsafe (x) { Home = x }
        unsafe (x) { A[x] = True && Owner = Home }
        unsafe (x y) { A[x] = True && A[y] = True }
        transition take (x) requires { Owner = Home } { Owner := x; A[x] := True }
        transition give (x) requires { Owner = x } { Owner := Home; A[x] := False }";
    // One of the four is apart, the others take turns.
    assert_eq!(states(APART, 4), 1 + 3);
    assert!(none(APART, 4));
    // There is a way to start: the formula is not read as false.
    let system = system(APART, &Settings::default());
    assert_eq!(system.starts[0].constraint, TermId::TRUE);
}

#[test]
fn quantifiers_of_predicates_leave_out_the_processes_around_them() {
    const OTHERS: &str = "array A[proc] : bool predicate alone(x) { forall y. A[y] = False }
        init (x) { A[x] = False } unsafe (x) { A[x] = True && alone(x) }
        transition t (x) { A[x] := True }";
    assert!(!none(OTHERS, 2));
}

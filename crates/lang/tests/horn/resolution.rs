//! The clauses that are left when relations are resolved away: the documented cases.

use tenet_lang::horn::inline::{Change, Fate};
use tenet_lang::horn::{Horn, read};

fn model(text: &str) -> Horn {
    read(text).unwrap_or_else(|found| panic!("{}", found[0].message)).0
}

fn names(horn: &Horn) -> Vec<&str> {
    horn.lowered.locations.iter().map(|location| horn.places[location.place].name.as_str()).collect()
}

#[test]
fn a_loop_of_several_relations_has_one_location() {
    let horn = model(
        "(declare-fun head (Int) Bool)(declare-fun body (Int) Bool)(declare-fun back (Int) Bool)\
         (assert (head 0))\
         (assert (forall ((x Int)) (=> (and (head x) (< x 9)) (body x))))\
         (assert (forall ((x Int)) (=> (body x) (back (+ x 1)))))\
         (assert (forall ((x Int)) (=> (back x) (head x))))\
         (assert (forall ((x Int)) (=> (and (head x) (>= x 9)) (= x 9))))(check-sat)",
    );
    assert_eq!(horn.lowered.locations.len(), 1);
    let kinds: Vec<usize> = horn.system().rules.iter().map(|rule| rule.params.len()).collect();
    assert_eq!(kinds, [0, 0], "everything is determined");
    assert_eq!(horn.lowered.rules.iter().map(|rule| rule.steps.len()).max(), Some(3));
}

#[test]
fn what_cannot_matter_is_dropped() {
    let horn = model(
        "(declare-fun p (Int) Bool)(declare-fun from_nowhere (Int) Bool)(declare-fun to_nowhere (Int) Bool)\
         (assert (p 0))(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\
         (assert (forall ((x Int)) (=> (and (p x) (from_nowhere x)) false)))\
         (assert (forall ((x Int)) (=> (p x) (to_nowhere x))))\
         (assert (forall ((x Int)) (=> (p x) (>= x 0))))(check-sat)",
    );
    assert_eq!(names(&horn), ["p"]);
    let fates: Vec<(usize, bool)> = horn
        .history
        .iter()
        .map(|change| match change {
            Change::Gone(place, Fate::Underivable) => (*place, false),
            Change::Gone(place, Fate::Irrelevant) => (*place, true),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(fates, [(1, false), (2, true)]);
}

#[test]
fn arguments_that_nobody_looks_at_have_no_variable() {
    let horn = model(
        "(declare-fun p (Int Int Int) Bool)(assert (forall ((a Int) (b Int)) (p 0 a b)))\
         (assert (forall ((x Int) (a Int) (b Int)) (=> (p x a b) (p (+ x 1) (+ a b) b))))\
         (assert (forall ((x Int) (a Int) (b Int)) (=> (p x a b) (>= x 0))))(check-sat)",
    );
    let vars: Vec<bool> = horn.lowered.locations[0].vars.iter().map(Option::is_some).collect();
    assert_eq!(vars, [true, false, false]);
}

#[test]
fn a_precondition_of_a_call_is_the_callers_own_state() {
    // The callee is entered from the caller's state, so the caller occurs twice in the clause that returns.
    let horn = model(
        "(declare-fun main (Int Int) Bool)(declare-fun enter (Int) Bool)(declare-fun leave (Int Int) Bool)\
         (assert (main 0 0))\
         (assert (forall ((x Int) (n Int)) (=> (main x n) (enter x))))\
         (assert (forall ((x Int)) (=> (enter x) (leave x (+ x 2)))))\
         (assert (forall ((x Int) (n Int) (y Int)) (=> (and (main x n) (leave x y)) (main y (+ n 1)))))\
         (assert (forall ((x Int) (n Int)) (=> (main x n) (= x (* 2 n)))))(check-sat)",
    );
    assert_eq!(names(&horn), ["main"]);
    assert_eq!(horn.places.len(), horn.relations.len(), "no product is needed");
}

#[test]
fn division_by_zero_is_a_clause_of_its_own() {
    let horn = model(
        "(declare-fun p (Int Int) Bool)(assert (p 8 2))\
         (assert (forall ((x Int) (y Int)) (=> (p x y) (p (div x y) (- y 1)))))\
         (assert (forall ((x Int) (y Int)) (=> (p x y) (>= (+ (div x 2) (mod x (- 3))) 0))))(check-sat)",
    );
    let open: Vec<bool> = (0..horn.system().rules.len()).map(|rule| horn.is_open_rule(rule)).collect();
    assert_eq!(open, [false, true, false], "divisors that are numbers other than zero are no matter");
    assert!(!horn.is_open_start(0));
    assert!(horn.system().rules[0].params.is_empty());
    assert_eq!(horn.system().rules[1].params.len(), 1, "the value is arbitrary");
}

#[test]
fn places_have_different_names() {
    // A relation with the name of a product, and one with the name of the query's location.
    let horn = model(
        "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun p*q (Int) Bool)(declare-fun error (Int) Bool)\
         (assert (p 0))(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\
         (assert (q 0))(assert (forall ((x Int)) (=> (q x) (q (+ x 2)))))\
         (assert (forall ((x Int) (y Int)) (=> (and (p x) (q y)) (p*q (+ x y)))))\
         (assert (forall ((x Int)) (=> (p*q x) (p*q (+ x 1)))))\
         (assert (forall ((x Int)) (=> (p*q x) (error x))))\
         (assert (forall ((x Int)) (=> (error x) (error (+ x 1)))))\
         (assert (forall ((x Int)) (=> (error x) (>= x 0))))(check-sat)",
    );
    let mut names = names(&horn);
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(names.contains(&"error") && names.contains(&"p*q"), "{names:?}");
}

//! Computation trees that are closed, and those that only seem so.

use tenet_proof::recursive::proved;
use tenet_system::recursive::tree::Fate;

use crate::cases::COUNTING;
use crate::support::{accept, program, proof, refused};

const TOGGLE: &str = "
    sys(X) :- X = 0, sys(1).
    sys(X) :- X = 1, sys(0).
    start sys(X), X = 0.
    property \"small\": sys(X) |= X <= 1.
    property \"zero\": sys(X) |= X = 0.";

/// Two nodes, each of which is the successor of the other.
const CLOSED: &str = "
    (proof (variable X Int) (variable A Int) (variable B Int) (variable C Int) (variable D Int) (variable P Int)
           (variable Y Int) (variable Z Int) (bound X? Int X) (bound Y? Int Y) (bound Z? Int Z)
      (tree
        (node start
          (expanded
            (to 2 (A) (choose ((Y? 1))) close)
            (impossible (B) close)
            (property 1 (P) close)
            (property 2 (P) close)))
        (node
          (state (Y) (Y) (() (= Y 1)))
          (expanded
            (impossible (C) close)
            (to 3 (D) (choose ((Z? 0))) close)
            (property 1 (P) close)))
        (node
          (state (Z) (Z) (() (= Z 0)))
          (subsumed 1 (choose ((X? Z))) close))))";

#[test]
fn a_closed_tree_is_accepted() {
    let mut program = program(TOGGLE);
    let proof = proof(&mut program, CLOSED);
    accept(&mut program, &proof).expect("the tree is closed");
    let proved = proved(&program, &proof);
    assert_eq!((proved.properties, proved.terminates), (vec![true, false], false));
}

/// The tree with one part replaced.
fn with(part: &str, other: &str) -> String {
    assert!(CLOSED.contains(part), "{part}");
    CLOSED.replacen(part, other, 1)
}

/// RA-A8, RA-T4: leaves that subsume each other prove nothing, here that X is always zero.
#[test]
fn leaves_do_not_subsume_each_other() {
    let leaves = "
    (proof (variable X Int) (variable A Int) (variable B Int) (variable P Int) (variable Y Int) (bound Y? Int Y)
      (tree
        (node start
          (expanded
            (to 2 (A) (choose ((Y? 1))) close)
            (impossible (B) close)
            (property 2 (P) close)))
        (node (state (Y) (Y) (() (= Y 1))) (FATE 3 (choose ((Y? Y))) close))
        (node (state (Y) (Y) (() (= Y 1))) (FATE 2 (choose ((Y? Y))) close))))";
    let found = refused(TOGGLE, &leaves.replace("FATE", "subsumed"));
    assert_eq!(found, "node 2: node 3 subsumes it, but is not expanded");
    let found = refused(TOGGLE, &leaves.replace("FATE", "abstracted found"));
    assert_eq!(found, "node 3: node 2 takes its place, but is dealt with by others and stands before it");
    let found = refused(TOGGLE, &leaves.replace("FATE 3", "subsumed 2").replace("FATE", "abstracted found"));
    assert_eq!(found, "node 2: node 2 subsumes it, but is not expanded");
}

/// The same tree, whose second node is split.
const SPLIT: &str = "
    (proof (variable X Int) (variable A Int) (variable B Int) (variable C Int) (variable D Int) (variable E Int) (variable F Int)
           (variable P Int) (variable Y Int) (variable Z Int) (variable W Int) (variable V Int)
           (bound X? Int X) (bound Y? Int Y) (bound Z? Int Z) (bound W? Int W)
      (tree
        (node start
          (expanded
            (to 2 (A) (choose ((Y? 1))) close)
            (impossible (B) close)
            (property 1 (P) close)))
        (node
          (state (Y) (Y) (() (and (<= 0 Y) (<= Y 1))))
          (split
            (cover close)
            (when (= Y 0) 1 (choose ((X? Y))) close)
            (when (= Y 1) 3 (choose ((Z? Y))) close)))
        (node
          (state (Z) (Z) (() (= Z 1)))
          (expanded
            (impossible (C) close)
            (to 4 (D) (choose ((W? 0))) close)
            (property 1 (P) close)))
        (node
          (state (W) (W) (() (= W 0)))
          (subsumed 1 (choose ((X? W))) close))))";

#[test]
fn every_state_of_a_split_node_is_in_one_of_its_cases() {
    let mut program = program(TOGGLE);
    let proof = proof(&mut program, SPLIT);
    accept(&mut program, &proof).expect("the tree is closed");
    let refused = |part: &str, other: &str| {
        assert!(SPLIT.contains(part), "{part}");
        refused(TOGGLE, &SPLIT.replacen(part, other, 1))
    };
    let found = refused("(when (= Y 0) 1 (choose ((X? Y))) close)", "");
    assert_eq!(found, "node 2, cases: the constraint of the right holds: it does not follow");
    let found = refused("(when (= Y 0) 1", "(when (<= Y 1) 1");
    assert_eq!(found, "node 2, case 1: the constraint of the right holds: it does not follow");
    let found = refused("(when (= Y 0)", "(when (= Z 0)");
    assert_eq!(found, "node 2: `Z` is not a variable here");
    let found = refused("(when (= Y 0) 1", "(when (= Y 0) 9");
    assert_eq!(found, "node 2: there is no node 9");
    // A node that is a case of itself would be shown by nothing.
    let found = refused("(when (= Y 0) 1 (choose ((X? Y)))", "(when (= Y 0) 2 (choose ((Y? Y)))");
    assert_eq!(found, "node 2: node 2 takes its place, but is dealt with by others and stands before it");
}

#[test]
fn every_successor_is_somewhere() {
    let found = refused(TOGGLE, &with("(choose ((Y? 1)))", "(choose ((Y? 0)))"));
    assert_eq!(found, "node 1, transition 1: the constraint of the right holds: it does not follow");
    let found = refused(TOGGLE, &with("(to 2 (A) (choose ((Y? 1))) close)", "(impossible (A) close)"));
    assert_eq!(found, "node 1, transition 1: the constraint of the right holds: it does not follow");
    let found = refused(TOGGLE, &with("(impossible (B) close)", ""));
    assert_eq!(found, "node 1: it does not have one child for each transition");
    let found = refused(TOGGLE, &with("(to 2", "(to 4"));
    assert_eq!(found, "node 1: there is no node 4");
    let found = refused(TOGGLE, &with("(subsumed 1", "(subsumed 2"));
    assert!(found.starts_with("node 3: "), "{found}");
    let found = refused(TOGGLE, &with("(choose ((X? Z)))", "(choose ((X? 1)))"));
    assert_eq!(found, "node 3: the constraint of the right holds: it does not follow");
    let found = refused(TOGGLE, &with("(subsumed 1", "(abstracted 1 1"));
    assert_eq!(found, "node 3: there is no such abstraction");
}

#[test]
fn properties_are_of_every_expanded_node() {
    let (small, zero) = ("(property 1 (P) close)))", "(property 2 (P) close)))");
    let second = CLOSED.rfind(small).expect("it is there");
    let wrong = format!("{}{zero}{}", &CLOSED[..second], &CLOSED[second + small.len()..]);
    let found = refused(TOGGLE, &wrong);
    assert_eq!(found, "node 2, property 2: the constraint of the right holds: it does not follow");
}

#[test]
fn names_of_transitions_are_new() {
    let found = refused(TOGGLE, &with("(to 2 (A)", "(to 2 (X)"));
    assert_eq!(found, "node 1, transition 1: `X` is not new");
    let found = refused(TOGGLE, &with("(impossible (B)", "(impossible (A)"));
    assert_eq!(found, "node 1, transition 2: `A` is not new");
    let found = refused(TOGGLE, &with("(to 2 (A)", "(to 2 ()"));
    assert_eq!(found, "node 1, transition 1: the names for the variables do not fit");
    let found = refused(TOGGLE, &with("(property 1 (P)", "(property 1 (X)"));
    assert_eq!(found, "node 1, property 1: `X` is not new");
}

#[test]
fn states_speak_of_their_own_variables() {
    let found = refused(TOGGLE, &with("(state (Y) (Y)", "(state (Y) (X)"));
    assert_eq!(found, "node 2: `X` is not a variable here");
    let found = refused(TOGGLE, &with("(state (Y) (Y)", "(state (Y) (Y Y)"));
    assert_eq!(found, "node 2: there are 2 terms in place of 1");
}

/// The root of the tree is the start, and nothing less.
#[test]
fn the_root_is_the_start() {
    let mut program = program(TOGGLE);
    let mut proof = proof(&mut program, CLOSED);
    let tree = proof.tree.as_mut().expect("there is a tree");
    tree.nodes[0].state.goal.constraint = program.store.mk_bool(false);
    let found = accept(&mut program, &proof).expect_err("the root is empty").to_string();
    assert_eq!(found, "the tree: its root is not the start of the process");
    proof.tree.as_mut().expect("there is a tree").nodes.clear();
    let found = accept(&mut program, &proof).expect_err("there is no root").to_string();
    assert_eq!(found, "the tree: it has no nodes");
}

/// Without a proof of a property in some expanded node it is not proved; everything else still is.
#[test]
fn what_is_not_shown_is_not_proved() {
    let (mut program, mut proof) = COUNTING.read();
    let tree = proof.tree.as_mut().expect("there is a tree");
    let Fate::Expanded { properties, .. } = &mut tree.nodes[2].fate else { panic!("node 3 is expanded") };
    properties[0] = None;
    tree.termination = None;
    accept(&mut program, &proof).expect("what is left is right");
    let proved = proved(&program, &proof);
    assert_eq!((proved.properties, proved.terminates), (vec![false], false));
    assert_eq!(proved.obligations, [true; 3]);
}

const COUNTDOWN: &str = "
    sys(X,Y) :- Y > 0, sys(X,Y-1).
    sys(X,Y) :- X > 0, Y <= 0, sys(X-1,Z).
    start sys(X,Y).
    property sys(X,Y) |= true.";

/// Every state is in one node, which is its own successor.
const ENDS: &str = "
    (proof (variable X Int) (variable Y Int) (variable A Int) (variable B Int) (variable C Int) (variable D Int) (variable E Int)
           (bound X? Int X) (bound Y? Int Y)
      (tree
        (node start
          (expanded
            (to 1 (A B) (choose ((X? A) (Y? (+ B (- 1))))) close)
            (to 1 (C D E) (choose ((X? (+ C (- 1))) (Y? E))) close)))
        (termination (X? Y?)
          (decrease close)
          (decrease close))))";

#[test]
fn runs_that_end_do_so_lexicographically() {
    let mut program = program(COUNTDOWN);
    let proof = proof(&mut program, ENDS);
    accept(&mut program, &proof).expect("every run ends");
    assert!(proved(&program, &proof).terminates);
    let found = refused(COUNTDOWN, &ENDS.replace("(X? Y?)", "(Y? X?)"));
    assert!(found.starts_with("termination, node 1, transition 2"), "{found}");
    let found = refused(COUNTDOWN, &ENDS.replace("(X? Y?)", "(X?)"));
    assert!(found.starts_with("termination, node 1, transition 1"), "{found}");
    // An infinite descent has no end.
    let bottomless = COUNTDOWN.replace("Y > 0, ", "");
    let found = refused(&bottomless, ENDS);
    assert!(found.starts_with("termination, node 1, transition 1"), "{found}");
    let found = refused(COUNTDOWN, &ENDS.replacen("(decrease close)", "", 1));
    assert_eq!(found, "termination, node 1, transition 2: there is no proof");
    let found =
        refused(COUNTDOWN, &ENDS.replacen("(decrease close)", "(decrease close) (decrease close)", 1));
    assert_eq!(found, "termination: there are more proofs than transitions");
    let found = refused(COUNTDOWN, &ENDS.replace("(X? Y?)", "(X Y?)"));
    assert_eq!(found, "termination: `X` is not a variable here");
}

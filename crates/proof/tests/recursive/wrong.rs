//! Proofs of false claims, and incomplete proofs. Each is rejected for its own reason.

use crate::cases::EVEN;
use crate::support::refused;

const NAT: &str = "nat(0).  nat(X+1) :- nat(X).  prove nat(X) |= false.";

/// RA-A5: the hypothesis is recalled before anything was unfolded.
#[test]
fn a_hypothesis_is_not_there_before_it_is_made() {
    let found = refused(
        NAT,
        "(proof (variable X Int)
          (obligation 1
            (recall (hypothesis 1) ((X X)) (1) ())
            close))",
    );
    assert_eq!(found, "obligation 1: there is no hypothesis 1");
}

/// RA-A5: something else was unfolded, so the same atoms are no smaller instance.
#[test]
fn a_hypothesis_is_not_recalled_for_itself() {
    let found = refused(
        "nat(0).  nat(X+1) :- nat(X).  t(0).  prove nat(X), t(Y) |= false.",
        "(proof (variable X Int) (variable Y Int) (variable Z Int)
          (obligation 1
            (unfold 2
              (case ()
                (recall (hypothesis 1) ((X X) (Y Y)) (1 1) ())
                close))))",
    );
    assert_eq!(found, "obligation 1, case 1: atom 1 of the left is used twice");
    let found = refused(
        "nat(0).  nat(X+1) :- nat(X).  t(0).  t(Y) :- t(Y).  prove nat(X), t(Y) |= false.",
        "(proof (variable X Int) (variable Y Int) (variable Z Int)
          (lemma (Y) (((t Y)) true) () (((t Y)) true) close)
          (obligation 1
            (recall (lemma 1) ((Y Y)) (2) ())               ; a second t(Y)
            (restate ((1 X) (2 Y)) true (() false))
            (unfold 2
              (case () close)
              (case (Z)
                (recall (lemma 1) ((Y Z)) (2) ())
                (recall (hypothesis 1) ((X X) (Y Z)) (1 3) ())
                close))))",
    );
    assert_eq!(found, "obligation 1, case 2: atom 3 does not descend from the hypothesis");
}

/// RA-A5: the step case alone is right, the base case is not.
#[test]
fn the_base_case_has_to_hold() {
    let found = refused(
        NAT,
        "(proof (variable X Int) (variable Y Int)
          (obligation 1
            (unfold 1
              (case () close)
              (case (Y)
                (recall (hypothesis 1) ((X Y)) (1) ())
                close))))",
    );
    assert_eq!(found, "obligation 1, case 1: the constraint of the right holds: it does not follow");
}

/// RA-A6, step by step as the printed rules allow it.
const PROGRESS: &str = "p(0).  p(X+1) :- p(X).  t(0).  q(X) :- p(X+1), t(X).  prove p(X) |= q(X).";

#[test]
fn what_a_hypothesis_brings_descends_from_nothing() {
    let found = refused(
        PROGRESS,
        "(proof (variable X Int) (variable Y Int) (variable Z Int)
          (obligation 1
            (unfold 1                                       ; p(X)
              (case ()                                      ; X = 0: q(0) from p(1), t(0)
                (right 1 1 X)
                (each
                  (part (right 1 2 0) (right 1 1) close)
                  (part (right 1 1) close)
                  (part close)))
              (case (Y)                                     ; p(Y), X = Y+1
                (recall (hypothesis 1) ((X Y)) (1) ())      ; q(Y)
                (unfold 2                                   ; p(Z+1), t(Z), Y = Z
                  (case (Z)
                    (recall (hypothesis 1) ((X (+ Z 1))) (2) ())
                    close))))))",
    );
    assert_eq!(found, "obligation 1, case 2, case 1: atom 2 does not descend from the hypothesis");
}

/// The same, with the atom that does descend: there the arguments do not match.
#[test]
fn a_hypothesis_needs_its_own_instance() {
    let found = refused(
        PROGRESS,
        "(proof (variable X Int) (variable Y Int)
          (obligation 1
            (unfold 1
              (case ()
                (right 1 1 X)
                (each
                  (part (right 1 2 0) (right 1 1) close)
                  (part (right 1 1) close)
                  (part close)))
              (case (Y)
                (recall (hypothesis 1) ((X (+ Y 1))) (1) ())
                close))))",
    );
    let expected =
        "obligation 1, case 2: atom 1 of the left is the one that what is recalled needs: it does not follow";
    assert_eq!(found, expected);
}

/// Two atoms that swap places: each is unfolded once, but neither tuple is smaller than the other.
#[test]
fn atoms_do_not_trade_places() {
    let found = refused(
        "p(X) :- p(X).  p(0).  prove p(X), p(Y) |= false.",
        "(proof (variable X Int) (variable Y Int) (variable Z Int)
          (obligation 1
            (unfold 1
              (case (Z)
                (recall (hypothesis 1) ((X Y) (Y Z)) (2 1) ())
                close)
              (case ()
                close))))",
    );
    assert_eq!(found, "obligation 1, case 1: atom 2 does not descend from the hypothesis");
}

/// An unfolded atom is gone: it is replaced by a smaller one.
#[test]
fn the_unfolded_atom_is_gone() {
    let found = refused(
        "nat(0).  nat(X+1) :- nat(X).  t(0).  prove nat(X) |= t(X).",
        "(proof (variable X Int) (variable Y Int)
          (lemma (X) (((nat X)) true) () (((nat X)) true) close)
          (obligation 1
            (recall (lemma 1) ((X X)) (1) ())
            (restate ((1 X) (2 X)) true (((t X)) true))
            (unfold 2
              (case () (right 1 1) close)
              (case (Y)
                (recall (hypothesis 1) ((X X)) (1 2) ())
                close))))",
    );
    let expected =
        "obligation 1, case 2: atom 2 of the left is the one that what is recalled needs: it does not follow";
    assert_eq!(found, expected);
}

/// RA-A10, RA-T2: every rule has a case on the left.
#[test]
fn a_case_is_missing_on_the_left() {
    let found = refused(
        EVEN.program,
        "(proof (variable X Int)
          (obligation 1
            (unfold 1
              (case () (right 1 1) close))))",
    );
    assert_eq!(found, "obligation 1: 1 cases are given for 2 rules");
}

/// RA-A10, RA-T2: a rule that is claimed not to apply does.
#[test]
fn a_case_is_called_impossible() {
    let found = refused(
        EVEN.program,
        "(proof (variable X Int) (variable Y Int)
          (obligation 1
            (unfold 1
              (case () (right 1 1) close)
              (void (Y)))))",
    );
    assert_eq!(found, "obligation 1, case 2: the rule does not apply: it does not follow");
}

/// RA-T3: the witness of a hypothesis's existential cannot be chosen.
#[test]
fn what_exists_is_not_chosen() {
    let program = "p(0).  q(X) :- X >= 0.  prove p(X) |= q(?Z), ?Z > X.  prove p(X) |= false.";
    let lemma =
        "(lemma (X) (((p X)) true) (Z?) (((q Z?)) (< X Z?)) (choose ((Z? (+ X 1)))) (right 1 1 (+ X 1))
                   (unfold 1 (case () close)))";
    let proof = |fresh: &str, declared: &str| {
        format!(
            "(proof (variable X Int) (bound Z? Int Z) {declared} {lemma}
              (obligation 2 (recall (lemma 1) ((X X)) (1) ({fresh})) close))"
        )
    };
    assert_eq!(refused(program, &proof("X", "")), "obligation 2: `X` is not new");
    let found = refused(program, &proof("Z?", ""));
    assert_eq!(found, "obligation 2: `Z` has the wrong role or sort");
    let found = refused(program, &proof("Z", "(variable Z Int)"));
    assert_eq!(found, "obligation 2: the constraint of the right holds: it does not follow");
    let found = refused(program, &proof("Z", "(variable Z Bool)"));
    assert_eq!(found, "obligation 2: `Z` has the wrong role or sort");
}

/// An existential variable does not occur on the left.
#[test]
fn existentials_are_chosen_first() {
    let program = "p(0).  prove p(X) |= p(?Z).";
    let proof = |steps: &str| format!("(proof (variable X Int) (bound Z? Int Z) (obligation 1 {steps}))");
    let reason = "obligation 1: the right still has existential variables";
    for steps in ["close", "(each (part close) (part close))", "(right 1 1) close"] {
        assert_eq!(refused(program, &proof(steps)), reason);
    }
    assert_eq!(
        refused(program, &proof("(choose ((Z? Z?))) close")),
        "obligation 1: `Z` is not a variable here"
    );
    let each = "obligation 1: the terms are not for the existential variables, each of them";
    assert_eq!(refused(program, &proof("(choose ()) close")), each);
    assert_eq!(refused(program, &proof("(choose ((X X))) close")), each);
    let twice = refused(program, &proof("(choose ((Z? X) (Z? X))) close"));
    assert_eq!(twice, "obligation 1: `Z` gets two terms");
}

const LOOP: &str = "
    (proof (variable X Int) (variable Y Int)
      (lemma (X) (((nat X)) true) () (() false) (measure X)
        (unfold 1
          (case () close)
          (case (Y)
            STEP
            close))))";

/// A measure replaces hypotheses, and has to decrease.
#[test]
fn a_measure_is_held_to() {
    let program = "nat(0).  nat(X+1) :- nat(X).  prove nat(X) |= false.";
    let with = |step: &str| LOOP.replace("STEP", step);
    assert_eq!(
        refused(program, &with("(recall (hypothesis 1) ((X Y)) (1) ())")),
        "lemma 1, case 2: there are no hypotheses in a proof by a measure"
    );
    assert_eq!(
        refused(program, &with("(recall itself ((X Y)) (1) ())")),
        "lemma 1: the measure is not negative: it does not follow"
    );
    let natural = with("(recall itself ((X X)) (1) ())").replace("((nat X)) true)", "((nat X)) (<= 0 X))");
    let found = refused(program, &natural);
    assert!(found.contains("case 1: the constraint of the right holds"), "{found}");
    let based = natural.replace("(case () close)", "(void ())").replace("(<= 0 X)", "(<= 1 X)");
    let found = refused("nat(0).  nat(X+1) :- nat(X+1).  prove nat(X) |= false.", &based);
    assert_eq!(found, "lemma 1, case 2: the measure decreases: it does not follow");
}

/// Circular proofs are rejected.
#[test]
fn lemmas_do_not_use_themselves_or_later_ones() {
    let proof = |known: &str| {
        format!(
            "(proof (variable X Int)
              (lemma (X) (((nat X)) true) () (() false) (recall {known} ((X X)) (1) ()) close)
              (lemma (X) (((nat X)) true) () (() false) (recall (lemma 1) ((X X)) (1) ()) close))"
        )
    };
    assert_eq!(refused(NAT, &proof("(lemma 1)")), "lemma 1: there is no lemma 1 before");
    assert_eq!(refused(NAT, &proof("(lemma 2)")), "lemma 1: there is no lemma 2 before");
    let itself = "lemma 1: what is being proved is no lemma with a measure";
    assert_eq!(refused(NAT, &proof("itself")), itself);
}

/// Splits are complete, restatements are weaker on the left and stronger on the right.
#[test]
fn other_words_mean_the_same() {
    let program = "p(0).  p(1).  prove p(X) |= X = 0.";
    let proof = |steps: &str| format!("(proof (variable X Int) (variable Y Int) (obligation 1 {steps}))");
    assert_eq!(
        refused(program, &proof("(split (when (= X 0) close))")),
        "obligation 1: the cases are all there are: it does not follow"
    );
    assert_eq!(
        refused(program, &proof("(split)")),
        "obligation 1: the cases are all there are: it does not follow"
    );
    assert_eq!(
        refused(program, &proof("(restate ((1 X)) (= X 0) (() (= X 0))) close")),
        "obligation 1: the left implies its new constraint: it does not follow"
    );
    assert_eq!(
        refused(program, &proof("(restate ((1 X)) true (() true)) close")),
        "obligation 1: the new constraint of the right implies the old one: it does not follow"
    );
    let found = refused(program, &proof("(restate ((1 0)) true (() (= X 0))) close"));
    assert_eq!(found, "obligation 1: atom 1 of the left is the same in other words: it does not follow");
    let found = refused(program, &proof("(restate ((1 X) (1 X)) true (() (= X 0))) close"));
    assert_eq!(found, "obligation 1: atom 1 of the left is kept twice");
    let found = refused(program, &proof("(restate ((2 X)) true (() (= X 0))) close"));
    assert_eq!(found, "obligation 1: the left has no atom 2");
    let found = refused(program, &proof("(restate ((1 X)) true (((p X)) (= X 0))) close"));
    assert_eq!(found, "obligation 1: the atoms of the right are others");
    let found = refused(program, &proof("(restate ((1 X)) (= Y Y) (() (= X 0))) close"));
    assert_eq!(found, "obligation 1: `Y` is not a variable here");
}

/// Positions, numbers of arguments, sorts.
#[test]
fn everything_has_its_place() {
    let program = "p(0).  p(X+1) :- p(X).  q(K,X) :- K[X]=0.  prove p(X), q(K,X) |= p(X).";
    let proof = |steps: &str| {
        format!(
            "(proof (variable X Int) (variable K (-> Int Int)) (variable Y Int) (variable B Bool) (obligation 1 {steps}))"
        )
    };
    for (steps, reason) in [
        ("(unfold 3 (void ()) (void (Y)))", "the left has no atom 3"),
        ("(unfold 1 (case () close) (case () close))", "0 names are given for 1 variables"),
        ("(unfold 1 (case () close) (case (X) close))", "`X` is not new"),
        ("(unfold 1 (case () close) (case (K) close))", "`K` has the wrong role or sort"),
        ("(right 2 1) close", "the right has no atom 2"),
        ("(right 1 3) close", "the predicate has no rule 3"),
        ("(right 1 2) close", "there are 0 terms in place of 1"),
        ("(right 1 2 Y) close", "`Y` is not a variable here"),
        ("(right 1 2 K) close", "a term is of sort `[integer] -> integer` and should be of sort `integer`"),
        ("(each (part close))", "1 proofs are given for 2 parts"),
        ("(split (when X close))", "a term is of sort `integer` and should be of sort `boolean`"),
        ("(split (when B close) (when (not B) close))", "`B` is not a variable here"),
        ("(restate ((1 X X)) true (((p X)) true)) close", "there are 2 terms in place of 1"),
        ("(restate ((1 X)) true (((q K X)) true)) close", "the atoms of the right are others"),
    ] {
        assert_eq!(refused(program, &proof(steps)), format!("obligation 1: {reason}"), "{steps}");
    }
}

/// What is recalled gets all its variables, each once, and atoms of its own predicates.
#[test]
fn recalls_are_complete() {
    let program = "p(0).  p(X+1) :- p(X).  t(0).  prove p(X), t(Y) |= p(X).";
    let proof = |recall: &str| {
        format!(
            "(proof (variable X Int) (variable Y Int) (variable Z Int)
              (lemma (X Y) (((p X) (t Y)) (= X X)) () (((p X)) true) close)
              (obligation 1 (recall (lemma 1) {recall}) close))"
        )
    };
    let all = "the terms are not for the variables of what is recalled, each of them";
    for (recall, reason) in [
        ("((X X)) (1 2) ()", all),
        ("((X X) (Z X)) (1 2) ()", all),
        ("((X X) (Y Y) (Z X)) (1 2) ()", all),
        ("((X X) (Y Y) (X X)) (1 2) ()", "`X` gets two terms"),
        ("((X X) (Y Z)) (1 2) ()", "`Z` is not a variable here"),
        ("((X X) (Y Y)) (1) ()", "1 atoms are given for 2"),
        ("((X X) (Y Y)) (1 3) ()", "the left has no atom 3"),
        ("((X X) (Y Y)) (2 1) ()", "atom 2 of the left is of another predicate"),
        ("((X X) (Y Y)) (1 2) (Z)", "1 names are given for 0 variables"),
    ] {
        assert_eq!(refused(program, &proof(recall)), format!("obligation 1: {reason}"), "{recall}");
    }
}

/// The lemmas of a proof say something about the program.
#[test]
fn lemmas_are_well_formed() {
    let proof = |lemma: &str| {
        format!("(proof (variable X Int) (variable Y Int) (bound Z? Int Z) (lemma {lemma} close))")
    };
    for (lemma, reason) in [
        ("(X) (((nat Y)) true) () (() true)", "`Y` is not a variable here"),
        ("(X X) (((nat X)) true) () (() true)", "the variable `X` is there twice"),
        ("(X) (((nat X)) true) () (() (= Z? 0))", "`Z` is not a variable here"),
        ("(X Z?) (((nat X)) true) () (() true)", "`Z` has the wrong role to be a variable here"),
        ("(X) (((nat X)) true) (Y) (() true)", "`Y` has the wrong role to be a variable here"),
        ("(X) (((nat X X)) true) () (() true)", "there are 2 terms in place of 1"),
        ("(X) (((nat X)) X) () (() true)", "a term is of sort `integer` and should be of sort `boolean`"),
        (
            "(X) (((nat X)) true) () (() true) (measure (= X 0))",
            "a term is of sort `boolean` and should be of sort `integer`",
        ),
        ("(X) (((nat X)) true) () (() true) (measure Y)", "`Y` is not a variable here"),
    ] {
        assert_eq!(refused(NAT, &proof(lemma)), format!("lemma 1: {reason}"), "{lemma}");
    }
}

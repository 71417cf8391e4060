//! Certificates with one check for each step. All lemmas after a step are checked at once there, so the attacks are
//! others: a lemma hidden among those that a step does not touch, a header that claims another form, a missing
//! instance.

mod support;

use support::unsound::Unsound;
use support::*;
use tenet_proof::{Advice, Certificate, Gap, Obligation, certify};
use tenet_solve::Z3Solver;
use tenet_system::{Lemma, System};

/// No advice about instances, but one check for each step.
fn advice() -> Advice {
    Advice { uses: Some(Vec::new()), ..Advice::default() }
}

fn together(case: &Case, lemmas: &[Lemma], system: &mut System) -> Result<Certificate, Gap> {
    let all: Vec<usize> = (0..system.properties.len()).collect();
    certify(system, lemmas, &all, &advice(), &case.origin(), &|| Box::new(Z3Solver::new()))
}

fn certificate(case: &Case) -> String {
    let mut system = case.system();
    let lemmas = invariants(&system);
    together(case, &lemmas, &mut system).unwrap_or_else(|gap| panic!("{}: {gap:?}", case.file)).text
}

/// Why a certificate of these invariants, by number, made by the unsound solver, is rejected.
fn forged(case: &Case, lemmas: &[usize]) -> String {
    let mut system = case.system();
    let stated = invariants(&system);
    let lemmas: Vec<Lemma> = lemmas.iter().map(|&number| stated[number].clone()).collect();
    let made = certify(&mut system, &lemmas, &[0], &advice(), &case.origin(), &|| Box::new(Unsound));
    let text = made.expect("the unsound solver proves everything").text;
    case.verify(&text).expect_err("nothing of it is true").reason
}

#[test]
fn honest_certificates_are_accepted_in_both_forms() {
    for case in small_cases().into_iter().chain([german()]) {
        let text = certificate(&case);
        assert!(text.lines().any(|line| line == "; steps together"), "{}", case.file);
        let one = case.verify(&text).unwrap_or_else(|rejection| panic!("{}: {rejection}", case.file));
        let other = case.verify(&case.certificate()).expect("the other form is one, too");
        assert_eq!(one.lemmas, other.lemmas);
        assert!(one.checks < other.checks, "{} and {}", one.checks, other.checks);
    }
}

#[test]
fn the_header_decides_the_form_and_nothing_else_does() {
    let case = case("mutex.m", MUTEX);
    let (joint, apart) = (certificate(&case), case.certificate());
    let steps = "; steps together\n";
    for (text, expected) in [
        (joint.replace(steps, ""), "the part about"),
        (joint.replace(steps, "; steps apart\n"), "bad `steps`"),
        (joint.replace(steps, "; steps\n"), "bad `steps`"),
        (joint.replace(steps, "; steps together \n"), "bad `steps`"),
        (joint.replace(steps, &steps.repeat(2)), "`steps` twice"),
        (joint.replace("; lemmas 2\n; steps together\n", "; steps together\n; lemmas 2\n"), "should say"),
        (apart.replace("; lemmas 2\n", &format!("; lemmas 2\n{steps}")), "the part about"),
    ] {
        assert!(text != joint && text != apart);
        let found = case.verify(&text).expect_err(expected).reason;
        assert!(found.contains(expected), "{expected}: {found}");
    }
}

#[test]
fn dropped_doubled_and_swapped_lines() {
    for case in small_cases() {
        let original = certificate(&case);
        let lines: Vec<&str> = original.lines().collect();
        let is_free = |line: &str| {
            line.starts_with("; engine \"")
                || line.starts_with("; tool \"")
                || (line.starts_with("(assert ") && !line.starts_with("(assert (not "))
        };
        let mut needed = 0;
        for position in 0..lines.len() {
            let mut dropped = lines.clone();
            dropped.remove(position);
            let mut doubled = lines.clone();
            doubled.insert(position, lines[position]);
            for (mutant, what) in [(dropped, "dropping"), (doubled, "doubling")] {
                let is_accepted = case.verify(&(mutant.join("\n") + "\n")).is_ok();
                let line = lines[position];
                assert!(!is_accepted || is_free(line), "{}: accepted after {what} `{line}`", case.file);
                let is_instance = line.starts_with("(assert (lemma-") || line.starts_with("(assert lemma-");
                needed += usize::from(is_instance && what == "dropping" && !is_accepted);
            }
        }
        // Instances were chosen because they are needed.
        assert!(needed > 0, "{}: no instance is missed", case.file);
    }
}

/// A step that changes one thing only, and lemmas about that thing and about another one.
const TWO: &str = r#"
type NODE : scalarset(3);
var a, b : array [NODE] of boolean; fixed : boolean; free : boolean;
startstate "start" for n : NODE do a[n] := false; b[n] := false; end; fixed := true; undefine free; end;
ruleset n : NODE do
  rule "change a" true ==> a[n] := !a[n]; end;
  rule "change b" a[n] ==> b[n] := true; end;
end;
rule "nothing" fixed ==> free := free; end;
invariant "b is false" forall n : NODE do !b[n] end;
invariant "a is false" forall n : NODE do !a[n] end;
invariant "free" free;
invariant "fixed" fixed;
invariant "some a" exists n : NODE do a[n] end;
"#;

#[test]
fn what_a_step_does_not_touch_is_shown_elsewhere_or_not_at_all() {
    let case = case("two.m", TWO);
    // Each is the reason of another obligation: no lemma is lost between those that are skipped.
    for (lemmas, expected) in [
        (&[0][..], "rule \"change b\", what it has to keep"),
        (&[0, 1], "rule \"change a\", what it has to keep"),
        (&[0, 2], "startstate \"start\", what it has to keep"),
        (&[0, 3, 4], "startstate \"start\", what it has to keep"),
        (&[3], "property 1 \"b is false\""),
        (&[], "property 1 \"b is false\""),
    ] {
        let found = forged(&case, lemmas);
        assert!(found.contains(expected), "{lemmas:?}: {found}");
    }
}

/// Variables of one name in several lemmas, and twice in one: the constants that stand for them must not be mixed up.
const NAMES: &str = r#"
type NODE : scalarset(3); COLOR : scalarset(2);
var left, right : array [NODE] of boolean; seen : array [COLOR] of boolean; spoiled : boolean;
startstate "start"
  for n : NODE do left[n] := false; right[n] := false; end;
  for c : COLOR do seen[c] := false; end;
  spoiled := false;
end;
ruleset n : NODE do
  rule "set" true ==> left[n] := true; right[n] := true; end;
end;
ruleset c : COLOR do
  rule "see" true ==> seen[c] := true; end;
end;
invariant "same" forall x : NODE do left[x] = right[x] end;
invariant "spoiled" !spoiled;
invariant "other names" forall x : NODE do forall y : NODE do left[x] & !left[y] -> x != y & !right[y] end end;
invariant "turned" forall y : NODE do forall x : NODE do left[x] & !left[y] -> x != y & right[x] end end;
invariant "twice" forall x : NODE do left[x] -> (forall x : NODE do left[x] = right[x] end) end;
invariant "wrong" forall x : NODE do forall y : NODE do left[x] = left[y] end end;
invariant "wrong colors" forall x : COLOR do !seen[x] end;
"#;

#[test]
fn variables_of_one_name_are_kept_apart() {
    let case = case("names.m", NAMES);
    let mut system = case.system();
    let stated = invariants(&system);
    let origin = case.origin();
    let made = certify(&mut system, &stated[..5], &[0, 1, 2, 3, 4], &advice(), &origin, &|| {
        Box::new(Z3Solver::new())
    });
    let text = made.expect("all of these hold").text;
    case.verify(&text).expect("the certificate is right");
    for (lemmas, rule) in [(&[0, 1, 2, 3, 4, 5][..], 0), (&[5, 0, 3, 2], 0), (&[0, 6, 2], 1), (&[6, 5], 0)] {
        let lemmas: Vec<Lemma> = lemmas.iter().map(|&number| stated[number].clone()).collect();
        let made = certify(&mut system, &lemmas, &[0], &advice(), &origin, &|| Box::new(Z3Solver::new()));
        let gap = made.expect_err("one of the lemmas is not kept");
        assert!(matches!(gap.obligation, Obligation::Step { rule: found, .. } if found == rule), "{gap:?}");
    }
    let found = forged(&case, &[1, 6]);
    assert!(found.contains("rule \"see\", what it has to keep"), "{found}");
}

#[test]
fn a_lemma_that_is_needed_cannot_be_left_out() {
    let case = german();
    let mut system = case.system();
    let lemmas = invariants(&system);
    let (mut missed, all) = (0, lemmas.len());
    for place in 0..all {
        let mut fewer = lemmas.clone();
        fewer.remove(place);
        match together(&case, &fewer, &mut system) {
            Err(_) => missed += 1,
            Ok(certificate) => assert!(case.verify(&certificate.text).is_ok()),
        }
    }
    assert!(missed >= 8, "{missed} of {all} lemmas are needed");
}

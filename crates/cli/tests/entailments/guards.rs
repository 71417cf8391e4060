//! Small programs: what is proved, what must not be, and which proofs are rejected (RA-A1, RA-A5, RA-A6, RA-A8, RA-A9, RA-A10).

use crate::support::{Run, read, run, run_briefly};
use tenet_engine::{Claim, Violation};
use tenet_proof::recursive::{certify, verify_against};
use tenet_proof::{Backend, Origin};
use tenet_system::recursive::tree::Fate;
use tenet_system::recursive::{Proof, Step};
use tenet_term::TermId;

const EVEN: &str = "even(0). even(X+2) :- even(X). ";

/// The first unfolding in a proof, if there is one.
fn unfolding(step: &mut Step) -> Option<&mut Step> {
    let mut waiting = vec![step];
    while let Some(step) = waiting.pop() {
        match step {
            Step::Unfold { .. } => return Some(step),
            Step::Close => {}
            Step::Each(parts) => waiting.extend(parts),
            Step::Split(parts) => waiting.extend(parts.iter_mut().map(|(_, part)| part)),
            Step::Choose(_, next) | Step::Recall(_, next) | Step::Restate(_, next) => waiting.push(next),
            Step::Right { next, .. } => waiting.push(next),
        }
    }
    None
}

/// Demands that a change of the first unfolding of each proof is rejected.
fn refuses_unfolding(run: &mut Run, change: impl Fn(&mut Step)) {
    let mut changed = 0;
    for lemma in 0..run.proof().lemmas.len() {
        let mut proof: Proof = run.proof().clone();
        if let Some(step) = unfolding(&mut proof.lemmas[lemma].proof) {
            change(step);
            assert!(run.check(&proof).is_err(), "lemma {lemma}");
            changed += 1;
        }
    }
    assert!(changed > 0, "there is nothing to change");
}

#[test]
fn ra_a1_multiples_of_four_are_even() {
    let mut run =
        run(&format!("m4(0). m4(X+4) :- m4(X). {EVEN} prove \"even\": m4(X) |= even(X).")).checked();
    assert_eq!(run.open(), [""; 0]);
    run.refuses_contradictions(&[]);
    let one = run.program.store.mk_int(1);
    let argument = run.program.obligations[0].right.atoms[0].args[0];
    let argument = run.program.store.mk_add([argument, one]);
    run.refuses("even", |entailment| entailment.right.atoms[0].args[0] = argument);
}

#[test]
fn ra_a1_without_the_fact_there_are_none() {
    let mut run =
        run(&format!("m4(X+4) :- m4(X). {EVEN} prove m4(X) |= even(X). prove m4(X) |= false.")).checked();
    assert!(run.is_proved("entailment 1"));
    // The induction says that nothing is derived without end.
    assert!(run.is_proved("entailment 2"));
    run.refuses("entailment 1", |entailment| entailment.left.atoms.clear());
}

#[test]
fn ra_a1_not_all_even_numbers_are_multiples_of_four() {
    let run = run(&format!("m4(0). m4(X+4) :- m4(X). {EVEN} prove even(X) |= m4(X).")).checked();
    let Claim::Violation(Violation::Entailment(found)) = run.claim(0) else { panic!("{:?}", run.claim(0)) };
    let value = run.program.store.as_int(found.values[0].1).expect("a number").clone();
    let value = i64::try_from(value).expect("a small number");
    assert!(value >= 0 && value % 2 == 0 && value % 4 != 0, "{value}");
}

#[test]
fn ra_a5_circularity() {
    for right in ["false", "X < 0", "X = X+1", "nat(X), false", "none(X)"] {
        let text = format!("nat(0). nat(X+1) :- nat(X). none(X) :- none(X). prove nat(X) |= {right}.");
        let run = run_briefly(&text).checked();
        assert!(!run.is_proved("entailment 1"), "{right}");
    }
}

#[test]
fn ra_a6_progress() {
    let text =
        "p(0). p(X+1) :- p(X). t(0). q(X) :- p(X+1), t(X). prove p(X) |= q(X). prove p(X), X = 0 |= q(X).";
    let run = run_briefly(text).checked();
    assert!(!run.is_proved("entailment 1"));
    assert!(run.is_proved("entailment 2"));
}

#[test]
fn ra_a6_progress_through_two_predicates() {
    // As above, with the detour in a predicate that is recursive itself.
    let text = "p(0). p(X+1) :- p(X). t(0). q(X) :- r(X+1), t(X). r(X) :- p(X). r(X) :- q(X), t(X). prove p(X) |= q(X).
        prove r(X) |= q(X). prove q(X) |= X = 0.";
    let run = run_briefly(text).checked();
    assert!(!run.is_proved("entailment 1"));
    assert!(!run.is_proved("entailment 2"));
}

#[test]
fn ra_a8_two_leaves_that_subsume_each_other() {
    let mut run = run("sys(X) :- sys(1-X). start sys(X), X = 0. property sys(X) |= 0 <= X <= 1.").checked();
    assert!(run.is_safe(0));
    let tree = run.proof().tree.clone().expect("there is a tree");
    let leaves: Vec<(usize, usize)> = tree
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(number, node)| match node.fate {
            Fate::Subsumed { by, .. } => Some((number, by)),
            _ => None,
        })
        .collect();
    assert!(!leaves.is_empty());
    for (leaf, by) in leaves {
        let mut proof = run.proof().clone();
        let Fate::Subsumed { proof: step, .. } = tree.nodes[leaf].fate.clone() else { panic!() };
        let nodes = &mut proof.tree.as_mut().expect("there is a tree").nodes;
        // Both have the same states, so the inclusions hold; but neither is expanded.
        let state = nodes[by].state.clone();
        nodes[leaf].state = state;
        nodes[by].fate = Fate::Subsumed { by: leaf, proof: step };
        assert!(run.check(&proof).is_err());
    }
}

#[test]
fn ra_a8_a_leaf_that_subsumes_itself() {
    let mut run =
        run_briefly("sys(X) :- sys(X+2). start sys(X), X = 0. property \"never\": sys(X) |= X != 51.")
            .checked();
    assert!(!run.is_safe(0));
    let mut proof = run.proof().clone();
    let tree = proof.tree.as_mut().expect("there is a tree");
    for (number, node) in tree.nodes.iter_mut().enumerate() {
        if let Fate::Open = node.fate {
            node.fate = Fate::Subsumed { by: number, proof: Step::Close };
        }
    }
    assert!(
        run.check(&proof).is_err() || !tenet_proof::recursive::proved(&run.program, &proof).properties[0]
    );
}

#[test]
fn ra_a9_certificates() {
    let text = include_str!("programs/counting.clp");
    let mut run = run(text).checked();
    let (file, engine) = ("counting.clp".to_owned(), "recursive".to_owned());
    let origin = Origin { file, text: text.as_bytes().to_vec(), options: Vec::new(), engine };
    let proof = run.proof().clone();
    let certificate = certify(&mut run.program, &proof, &origin).expect("there is a certificate").text;
    verify_against(&certificate, &read(text), &Backend::Z3).expect("the certificate is right");
    // The same proof says nothing about another program.
    let other = read(&text.replace("X+1)", "X+2)"));
    assert!(verify_against(&certificate, &other, &Backend::Z3).is_err());
}

#[test]
fn ra_a10_no_rules_to_unfold() {
    let mut run = run("none(X) :- 1 = 0. none(X) :- X < 0, X > 3. even(0). even(X+2) :- even(X).
        prove \"nothing\": none(X) |= false. prove \"both\": none(X), even(Y) |= X = Y, even(Y+1).")
    .checked();
    assert_eq!(run.open(), [""; 0]);
    run.refuses("nothing", |entailment| entailment.left.atoms.clear());
}

#[test]
fn ra_a10_all_rules_on_the_left() {
    let mut run = run(&format!("m4(0). m4(X+4) :- m4(X). {EVEN} prove m4(X) |= even(X).")).checked();
    // A missing case, a case that is claimed to be impossible, and two that are one.
    refuses_unfolding(&mut run, |step| {
        let Step::Unfold { cases, .. } = step else { return };
        cases.pop();
    });
    refuses_unfolding(&mut run, |step| {
        let Step::Unfold { cases, .. } = step else { return };
        cases.iter_mut().for_each(|(_, proof)| *proof = None);
    });
    refuses_unfolding(&mut run, |step| {
        let Step::Unfold { cases, .. } = step else { return };
        cases.swap(0, 1);
    });
}

#[test]
fn ra_a10_any_rule_on_the_right() {
    let text = format!(
        "{EVEN} odd(1). odd(X+2) :- odd(X). nat(X) :- even(X). nat(X) :- odd(X).
        prove even(X) |= nat(X). prove odd(X) |= nat(X). prove nat(X) |= even(X)."
    );
    let mut run = run(&text).checked();
    assert!(run.is_proved("entailment 1") && run.is_proved("entailment 2"));
    assert!(!run.is_proved("entailment 3"));
    run.refuses("entailment 1", |entailment| entailment.right.constraint = TermId::FALSE);
}

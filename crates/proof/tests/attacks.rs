//! Forged certificates. Each is rejected, and for its own reason.

mod support;

use support::unsound::Unsound;
use support::*;
use tenet_proof::{Advice, certify};
use tenet_system::{Lemma, System};
use tenet_term::TermId;

fn reason(case: &Case, text: &str) -> String {
    let rejection = case.verify(text).expect_err("the certificate is wrong");
    match rejection.line {
        Some(line) => format!("{line}: {}", rejection.reason),
        None => rejection.reason,
    }
}

/// The reason for which a certificate with these lemmas, made by the unsound solver, is rejected.
fn forged(case: &Case, lemmas: impl FnOnce(&mut System) -> Vec<Lemma>, properties: &[usize]) -> String {
    let mut system = case.system();
    let lemmas = lemmas(&mut system);
    let made =
        certify(&mut system, &lemmas, properties, &Advice::default(), &case.origin(), &|| Box::new(Unsound));
    reason(case, &made.expect("the unsound solver proves everything").text)
}

fn closed(body: TermId) -> Vec<Lemma> {
    vec![Lemma { vars: Vec::new(), body }]
}

fn mutex() -> Case {
    case("mutex.m", MUTEX)
}

/// The certificate with one line replaced by others.
fn with(text: &str, line: &str, others: &[&str]) -> String {
    assert!(text.lines().any(|known| known == line), "there is no line `{line}`");
    let mut replaced = false;
    let mut lines: Vec<&str> = Vec::new();
    for known in text.lines() {
        if known == line && !replaced {
            lines.extend(others);
            replaced = true;
        } else {
            lines.push(known);
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_lemma_that_is_false_fails_at_the_start() {
    let found = forged(&mutex(), |_| closed(TermId::FALSE), &[0]);
    assert_eq!(found, "the check of startstate \"all idle\", lemma 1 fails: it does not follow (`sat`)");
}

#[test]
fn a_lemma_that_says_nothing_fails_at_the_property() {
    let found = forged(&mutex(), |_| closed(TermId::TRUE), &[0]);
    assert_eq!(found, "the check of property 1 \"exclusion\" fails: it does not follow (`sat`)");
}

#[test]
fn a_lemma_that_is_not_kept_fails_at_the_rule() {
    let found = forged(&mutex(), |system| closed(system.properties[0].formula), &[0]);
    assert_eq!(found, "the check of rule \"ask\", lemma 1 fails: it does not follow (`sat`)");
}

#[test]
fn no_lemmas_at_all() {
    let found = forged(&mutex(), |_| Vec::new(), &[0]);
    assert_eq!(found, "the check of property 1 \"exclusion\" fails: it does not follow (`sat`)");
}

#[test]
fn an_honest_certificate_for_another_model() {
    let text = mutex().certificate();
    let changed = case("mutex.m", &MUTEX.replace("& !locked", ""));
    assert_eq!(
        reason(&changed, &text),
        "the model `mutex.m` is not the one that was proved: its hash differs"
    );
    let own = changed.origin();
    let hash = |text: &str| text.lines().nth(2).expect("a hash").to_owned();
    let other = certify(&mut changed.system(), &[], &[], &Advice::default(), &own, &|| Box::new(Unsound))
        .expect("nothing to show");
    let forged = text.replace(&hash(&text), &hash(&other.text));
    assert!(
        reason(&changed, &forged).contains("in rule \"enter\": it should be"),
        "{}",
        reason(&changed, &forged)
    );
}

#[test]
fn weaker_and_stronger_definitions_of_a_lemma() {
    let (case, text) = (mutex(), mutex().certificate());
    let start = "(define-fun lemma-2 ";
    let line = text.lines().find(|line| line.starts_with(start)).expect("a lemma");
    for body in ["true", "false"] {
        let other = format!("(define-fun lemma-2 ((i PROC)) Bool {body})");
        assert!(reason(&case, &with(&text, line, &[&other])).contains("it should be `(define-fun lemma-2"));
        // Shadowing: a second definition after the first.
        let found = reason(&case, &with(&text, line, &[line, &other]));
        assert!(found.contains("before the part about startstate \"all idle\", there is"), "{found}");
    }
}

#[test]
fn other_words_for_a_lemma_must_still_be_proved() {
    let (case, text) = (mutex(), mutex().certificate());
    let comment = text.lines().find(|line| line.starts_with("; lemma 2 ")).expect("a lemma");
    assert!(reason(&case, &with(&text, comment, &["; lemma 2 false"])).contains("it should be"));
    let found = reason(&case, &with(&text, comment, &["; lemma 2 (nonsense)"]));
    assert!(found.contains("lemma 2 is no formula over the model"), "{found}");
    let found = reason(&case, &with(&text, comment, &["; lemma 2 owner"]));
    assert!(found.contains("it is not true or false"), "{found}");
    let found = reason(&case, &with(&text, comment, &[]));
    assert!(found.contains("promises 2 lemmas, but there are 1"), "{found}");
}

#[test]
fn what_is_no_instance() {
    let (case, text) = (mutex(), mutex().certificate());
    let goal = text.lines().find(|line| line.starts_with("(assert (not (lemma-2.next")).expect("a goal");
    for (line, expected) in [
        ("(assert false)", "`false` may not be assumed here"),
        ("(assert (not lemma-1))", "it should be"),
        ("(assert (lemma-2.next sk.i))", "`lemma-2.next` may not be assumed here"),
        ("(assert (and (lemma-2 sk.i) false))", "`and` may not be assumed here"),
        ("(assert (or))", "it has the wrong form"),
        ("(assert)", "it should be"),
    ] {
        let found = reason(&case, &with(&text, goal, &[line, goal]));
        assert!(found.contains(expected), "{line}: {found}");
    }
}

#[test]
fn instances_at_terms_that_do_not_exist() {
    let (case, text) = (mutex(), mutex().certificate());
    let line = "(assert (lemma-2 sk.i))";
    for (other, expected) in [
        ("(assert (lemma-2 stranger))", "`stranger` means nothing here"),
        ("(assert (lemma-2 sk.j))", "`sk.j` is not declared here"),
        ("(assert (lemma-2 locked))", "its terms are not of the sorts"),
        ("(assert (lemma-2 sk.i sk.i))", "its terms are not of the sorts"),
        ("(assert lemma-2)", "its terms are not of the sorts"),
        ("(assert (lemma-2 (state sk.i)))", "its terms are not of the sorts"),
        ("(assert (lemma-2 (owner sk.i)))", "is no instance of a fact"),
        ("(assert (lemma-2  sk.i))", "this instance is written"),
        ("(assert (lemma-2 (let ((x sk.i)) x)))", "this instance is written"),
        ("(assert (lemma-2 (ite (forall ((i PROC)) locked) sk.i p)))", "bound variables"),
        ("(assert (lemma-2 (choose)))", "is applied to nothing"),
    ] {
        let found = reason(&case, &with(&text, line, &[other]));
        assert!(found.contains(expected), "{other}: {found}");
    }
}

#[test]
fn the_old_state_of_a_startstate_may_not_be_assumed() {
    let (case, text) = (mutex(), mutex().certificate());
    let goal = text.lines().find(|line| line.starts_with("(assert (not (lemma-1.next")).expect("a goal");
    let found = reason(&case, &with(&text, goal, &["(assert (lemma-1 sk.i sk.j))", goal]));
    assert!(found.contains("`lemma-1` may not be assumed here"), "{found}");
}

#[test]
fn edited_headers() {
    let (case, text) = (mutex(), mutex().certificate());
    for (line, other, expected) in [
        ("; tenet-certificate 1", "; tenet-certificate 2", "no certificate of a format that is known"),
        ("; model \"mutex.m\"", "; model \"other.m\"", "cannot read the model `other.m`"),
        ("; model \"mutex.m\"", "; model mutex.m", "bad `model`"),
        ("; property 1 \"exclusion\"", "; property 1 \"peace\"", "no property 1 `peace`"),
        ("; property 1 \"exclusion\"", "; property 9 \"exclusion\"", "no property 9 `exclusion`"),
        ("; property 2 \"owner\"", "; property 1 \"exclusion\"", "not in the order of the model"),
        (
            "; assumes condition \"no undefined value is read\"",
            "; assumes axiom \"x\"",
            "the header should say `; assumes condition \"no undefined value is read\"`",
        ),
        ("; lemmas 2", "; lemmas 1", "promises 1 lemmas"),
        ("; checks 10", "; checks 9", "the header should say `; checks 10`"),
        ("; engine \"none\"", "; option size \"PROC=2\"", "does not say `engine`"),
        ("; engine \"none\"", "; engine \"none\"\n; option bribe \"x\"", "option that is not known"),
        ("; engine \"none\"", "; engine \"none\"\n; remark", "bad `remark`"),
        ("; engine \"none\"", "; engine \"none\"\n; engine \"none\"", "`engine` twice"),
    ] {
        let found = reason(&case, &with(&text, line, &[other]));
        assert!(found.contains(expected), "{other}: {found}");
    }
    let sized = with(&text, "; engine \"none\"", &["; option size \"PROC=2\"", "; engine \"none\""]);
    assert!(case.verify(&sized).is_err(), "a proof for every size says nothing of how it was read");
}

#[test]
fn a_certificate_of_nothing() {
    let found = forged(&mutex(), |_| Vec::new(), &[]);
    assert_eq!(found, "the header names no property: nothing is proved");
}

#[test]
fn obligations_dropped_with_their_count() {
    let (case, text) = (mutex(), mutex().certificate());
    let lines: Vec<&str> = text.lines().collect();
    let begin = lines.iter().position(|line| *line == "; rule \"enter\", lemma 1").expect("a check");
    let length = lines[begin..].iter().position(|line| *line == "(pop 1)").expect("its end") + 1;
    let mut fewer = lines.clone();
    fewer.drain(begin..begin + length);
    let fewer = with(&(fewer.join("\n") + "\n"), "; checks 10", &["; checks 9"]);
    let found = reason(&case, &fewer);
    assert!(
        found.contains("the part about rule \"enter\", lemma 1 is missing or not in its place"),
        "{found}"
    );
    let found = reason(&case, &with(&text, "; property 1 \"exclusion\"", &[]));
    assert!(found.contains("that property 2 \"owner\" holds is missing or not in its place"), "{found}");
    let found = reason(&case, &(lines[..lines.len() - 3].join("\n") + "\n"));
    assert!(found.contains("the file ends before property 2 \"owner\" is done"), "{found}");
}

#[test]
fn commands_that_fool_a_solver() {
    let (case, text) = (mutex(), mutex().certificate());
    for (line, others, expected) in [
        ("(check-sat)", &["(echo \"unsat\")"][..], "has no place in a certificate"),
        ("(check-sat)", &["(check-sat-assuming (false))"], "has no place in a certificate"),
        ("(check-sat)", &[], "is never asked"),
        ("(check-sat)", &["(check-sat)", "(check-sat)"], "it should be `(pop 1)`"),
        ("(pop 1)", &["(pop 5)"], "has no place in a certificate"),
        ("(push 1)", &["(reset)", "(push 1)"], "has no place in a certificate"),
        ("(push 1)", &["(push 1) (assert false)"], "it should be `(push 1)`"),
        ("(set-logic ALL)", &["(set-logic QF_UF)"], "it should be `(set-logic ALL)`"),
        (
            "(set-logic ALL)",
            &["(set-option :smt.arith.solver 0)", "(set-logic ALL)"],
            "it should be `(set-logic ALL)`",
        ),
        ("(set-info :status unsat)", &["(set-info :status sat)"], "it should be `(set-info :status unsat)`"),
        ("(set-info :status unsat)", &["(set-info :status unsat)", "(exit)"], "`(exit)`"),
        (
            "(declare-const locked Bool)",
            &["(define-fun locked () Bool false)"],
            "it should be `(declare-const locked Bool)`",
        ),
        ("(declare-const locked Bool)", &["(declare-const locked Bool)", "(assert false)"], "it should be"),
        ("; the state", &["; the state", "; (assert false)"], "it should be"),
        ("; the state", &["; the state", "", "(assert false)"], "has no place"),
    ] {
        let found = reason(&case, &with(&text, line, others));
        assert!(found.contains(expected), "{others:?}: {found}");
    }
    for text in [
        format!("{text}(assert false)\n"),
        format!("{text}\n"),
        text.replace('\n', "\r\n"),
        text.trim_end().to_owned(),
    ] {
        assert!(case.verify(&text).is_err());
    }
}

#[test]
fn texts_that_are_no_certificates() {
    let case = mutex();
    for text in [
        "",
        "\n",
        "hello",
        "(assert false)\n(check-sat)\n",
        "; tenet-certificate 1",
        "; tenet-certificate 1\n",
    ] {
        assert!(case.verify(text).is_err(), "{text}");
    }
    // A file that is not UTF-8, converted with replacement characters.
    let mut bytes = case.certificate().into_bytes();
    bytes[700] = 0xff;
    assert!(case.verify(&String::from_utf8_lossy(&bytes)).is_err());
}

#[test]
fn deep_nesting_is_refused_and_does_no_harm() {
    let (case, text) = (mutex(), mutex().certificate());
    let comment = text.lines().find(|line| line.starts_with("; lemma 2 ")).expect("a lemma");
    for depth in [1_000, 1_000_000] {
        let deep = format!("; lemma 2 {}locked{}", "(not ".repeat(depth), ")".repeat(depth));
        assert!(case.verify(&with(&text, comment, &[&deep])).is_err());
        let bars = format!("; lemma 2 {}", "(".repeat(depth));
        assert!(case.verify(&with(&text, comment, &[&bars])).is_err());
    }
    // As deep as is allowed, and consistent: the generated text and the solver can handle it.
    let found = forged(&case, |system| closed(nested(system, 1_500)), &[0]);
    assert!(found.contains("it does not follow"), "{found}");
}

fn nested(system: &mut System, depth: usize) -> TermId {
    let locked = system.state[1].symbol;
    let mut formula = system.store.mk_symbol(locked);
    for _ in 0..depth {
        formula = system.store.raw_not(formula);
    }
    formula
}

//! The front end must survive anything: noise, mutilated files, nesting and length beyond reason.

use crate::golden::files;
use proptest::prelude::*;
use std::fs;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::horn::read;
use tenet_lang::render::{Style, render};

/// Reads and renders; asserts what holds for every input.
fn survive(source: &str) -> Vec<Diagnostic> {
    let found = match read(source) {
        Ok((horn, found)) => {
            let system = horn.system();
            assert!(system.rules.iter().all(|rule| system.store.is_bool(rule.guard)));
            assert!(found.iter().all(|found| !found.is_error()));
            found
        }
        Err(found) => {
            assert!(found.iter().any(Diagnostic::is_error));
            found
        }
    };
    for label in found.iter().flat_map(|diagnostic| &diagnostic.labels) {
        assert!(source.get(label.span.range()).is_some(), "{label:?} is outside the text");
    }
    render(&found, "model.smt2", source, Style::Plain);
    found
}

fn samples() -> Vec<String> {
    let all = files("accept").into_iter().chain(files("reject"));
    all.map(|path| fs::read_to_string(path).unwrap()).filter(|text| text.len() < 2000).collect()
}

#[test]
fn truncated_anywhere() {
    for sample in samples() {
        for (cut, _) in sample.char_indices() {
            survive(&sample[..cut]);
        }
    }
}

#[test]
fn nested_and_long_beyond_reason() {
    let declared = "(declare-fun p (Int) Bool)(declare-fun q () Bool)";
    let steps = [
        "(",
        "(not ",
        "(and q ",
        "(=> q ",
        "(or (p 1) ",
        "(let ((x 1)) ",
        "(! ",
        "(forall ((x Int)) ",
        "(exists ((x Int)) ",
        "(ite q q ",
        "(p (+ 1 ",
        "(p (- ",
        "(p (ite (> 1 ",
        "|",
        "\"",
        "#",
        "; ",
    ];
    for step in steps {
        for middle in ["q", "1", ""] {
            let count = 20_000;
            let open = step.repeat(count);
            let close = ")".repeat(step.matches('(').count() * count);
            survive(&format!("{declared}(assert {open}{middle}{close})(check-sat)"));
            survive(&format!("{declared}(assert {open}"));
        }
    }
}

#[test]
fn definitions_of_definitions_are_not_read_again_and_again() {
    let mut text = String::from("(declare-fun p (Int) Bool)(define-fun f0 ((x Int)) Int (+ x 1))");
    for at in 1..200 {
        text.push_str(&format!("(define-fun f{at} ((x Int)) Int (+ (f{0} x) (f{0} x)))", at - 1));
    }
    text.push_str("(assert (p (f199 1)))(assert (forall ((x Int)) (=> (p x) (> x 0))))(check-sat)");
    assert!(survive(&text).is_empty());
}

#[test]
fn a_chain_of_diamonds_does_not_explode() {
    let mut text = String::from("(declare-fun p0 (Int) Bool)(assert (p0 0))");
    for at in 1..150 {
        text.push_str(&format!("(declare-fun p{at} (Int) Bool)"));
        for (guard, by) in [(">", 1), ("<=", 2), ("=", 3)] {
            let before = at - 1;
            text.push_str(&format!(
                "(assert (forall ((x Int)) (=> (and (p{before} x) ({guard} x {at})) (p{at} (+ x {by})))))"
            ));
        }
    }
    text.push_str("(assert (forall ((x Int)) (=> (p149 x) (> x 0))))(check-sat)");
    let (horn, _) = read(&text).unwrap();
    assert!(horn.system().rules.len() < 1000);
}

#[test]
fn a_long_chain_becomes_one_step() {
    let mut text = String::from("(declare-fun p0 (Int) Bool)(assert (p0 0))");
    for at in 1..300 {
        let before = at - 1;
        text.push_str(&format!("(declare-fun p{at} (Int) Bool)"));
        text.push_str(&format!("(assert (forall ((x Int)) (=> (p{before} x) (p{at} (+ x 1)))))"));
    }
    text.push_str("(assert (forall ((x Int)) (=> (p299 x) (= x 299))))(check-sat)");
    let (horn, _) = read(&text).unwrap();
    assert_eq!(horn.system().rules.len(), 0);
    assert!(horn.system().starts.iter().all(|start| start.name == "nothing"), "no way to be wrong is left");
}

proptest! {
    #![proptest_config(tenet_chance::cases(300))]

    #[test]
    fn noise(source in "\\PC{0,200}") {
        survive(&source);
    }

    #[test]
    fn words(words in prop::collection::vec(prop::sample::select(WORDS), 0..120)) {
        survive(&words.join(" "));
    }

    #[test]
    fn mutilated(which in 0usize..64, from in 0usize..2000, to in 0usize..2000, with in prop::sample::select(WORDS)) {
        let samples = samples();
        let mut text: Vec<char> = samples[which % samples.len()].chars().collect();
        let (from, to) = (from % (text.len() + 1), to % (text.len() + 1));
        text.splice(from.min(to)..from.max(to).min(from.min(to) + 12), with.chars());
        survive(&text.into_iter().collect::<String>());
    }
}

const WORDS: &[&str] = &[
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    "assert",
    "declare-fun",
    "declare-rel",
    "declare-var",
    "rule",
    "query",
    "check-sat",
    "exit",
    "forall",
    "exists",
    "let",
    "and",
    "or",
    "not",
    "=>",
    "=",
    "p",
    "q",
    "x",
    "y",
    "Int",
    "Bool",
    "Real",
    "_",
    "BitVec",
    "8",
    "bv1",
    "#xff",
    "#b1",
    "1",
    "0",
    "1.5",
    "+",
    "-",
    "*",
    "div",
    "mod",
    "/",
    "<",
    "ite",
    "distinct",
    "true",
    "false",
    "!",
    "extract",
    "concat",
    "bvadd",
    "((x Int))",
    "(p x)",
    "(declare-fun p (Int) Bool)",
    "(assert (p 0))",
    "(check-sat)",
];

//! The front end must survive anything: noise, mutilated files, nesting and length beyond reason.

use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tenet_lang::cubicle::check::{Settings, check};
use tenet_lang::cubicle::{finite, lower, parse};
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::render::{Style, render};

/// Parses, checks, lowers if there is no error, and renders; asserts what holds for every input.
fn survive(source: &str) -> Vec<Diagnostic> {
    let (tree, mut found) = parse(source);
    assert!(found.len() <= 41, "{} diagnostics", found.len());
    let starts: Vec<u32> = found.iter().filter_map(|it| it.labels.first()).map(|it| it.span.start).collect();
    assert!(starts.is_sorted(), "diagnostics are in source order");
    let (model, more) = check(&tree, &Settings::default());
    found.extend(more);
    for label in found.iter().flat_map(|diagnostic| &diagnostic.labels) {
        assert!(source.get(label.span.range()).is_some(), "{label:?} is outside the text");
    }
    render(&found, "model.cub", source, Style::Plain);
    if !found.iter().any(Diagnostic::is_error) {
        let system = lower::lower(model);
        assert!(system.rules.iter().all(|rule| system.store.is_bool(rule.guard)));
        let _ = finite::program(&system, &[("proc".to_string(), 1), ("data".to_string(), 1)]);
    }
    found
}

fn samples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cubicle");
    let mut samples = Vec::new();
    for part in ["accept", "reject"] {
        let entries = fs::read_dir(folder.join(part)).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> =
            entries.filter(|path| path.extension().is_some_and(|it| it == "cub")).collect();
        files.sort();
        samples.extend(files.iter().map(|path| fs::read_to_string(path).unwrap()));
    }
    samples
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
    let heads =
        ["init () { ", "transition t (x) { X := ", "transition t (x) { A[j] := case | ", "type t = ", ""];
    let steps = [
        "(",
        "not ",
        "- ",
        "a(",
        "A[",
        "a => ",
        "a <=> ",
        "if a then ",
        "if a then b else ",
        "forall x. ",
        "forall_other x <> ",
        "A && ",
        "A || ",
        "X + ",
        "X * ",
        "A < ",
        "| ",
        "(* ",
        "let x = ",
        "{ ",
        "#",
        "1.",
    ];
    for head in heads {
        for step in steps {
            assert!(!survive(&format!("{head}{}", step.repeat(2000))).is_empty(), "{head}{step}…");
        }
    }
}

#[test]
fn long_chains_are_no_deep_trees() {
    let chain = |operator: &str| vec!["X"; 20_000].join(operator);
    let found = survive(&format!(
        "var X : int\nvar B : bool\ninit () {{ {} = 0 }}\nunsafe () {{ {} }}",
        chain(" + "),
        vec!["B = True"; 20_000].join(" && ")
    ));
    assert!(found.is_empty());
}

#[test]
fn predicates_that_double_are_refused() {
    let mut source =
        "predicate p0(x) { x = 1 }\nvar X : int\ninit () { X = 0 }\nunsafe () { p30(X) }\n".to_string();
    for level in 1..=30 {
        let below = level - 1;
        source.push_str(&format!("predicate p{level}(x) {{ p{below}(x) || p{below}(x + 1) }}\n"));
    }
    assert!(survive(&source).iter().any(|found| found.explanation.code == "E0825"));
}

proptest! {
    #![proptest_config(tenet_chance::cases(256))]

    #[test]
    fn noise(source in "\\PC{0,80}") {
        survive(&source);
    }

    #[test]
    fn words_in_any_order(words in prop::collection::vec(prop::sample::select(vec![
        "init", "unsafe", "invariant", "transition", "requires", "type", "var", "array", "const", "predicate", "case",
        "forall_other", "exists", "forall", "if", "then", "else", "not", "let", "in", "true", "number_procs", "proc",
        "int", "bool", "real", "x", "y", "t", "X", "A", "B", "True", "(", ")", "{", "}", "[", "]", "|", "||", "&&", "=",
        "<>", "<", ":=", ":", ";", ",", ".", "?", "_", "+", "-", "*", "1", "2.5", "#1", "=>", "<=>",
    ]), 0..60)) {
        survive(&words.join(" "));
    }

    #[test]
    fn damaged_samples(sample in prop::sample::select(samples()), at in 0usize..4000, drop in 0usize..12, with in "[ -~]{0,3}") {
        let at = at.min(sample.len());
        let end = (at + drop).min(sample.len());
        if let (Some(before), Some(after)) = (sample.get(..at), sample.get(end..)) {
            survive(&format!("{before}{with}{after}"));
        }
    }
}

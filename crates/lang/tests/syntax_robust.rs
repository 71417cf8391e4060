//! The parser must survive anything: noise, mutilated models, nesting and length beyond reason.
//!
//! Every result also goes through the renderer and, being recursive, through the printer; both run on the small stack of
//! a test thread. What fuzzing finds is kept in `syntax/regress`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::murphi::unparse::unparse;
use tenet_lang::murphi::{Dialect, parse};
use tenet_lang::render::{Style, render};

/// Parses, renders, prints; asserts what holds for every input.
fn survive(source: &str) -> Vec<Diagnostic> {
    let (model, diagnostics) = parse(source, Dialect::Murphi);
    assert!(diagnostics.len() <= 41, "{} diagnostics", diagnostics.len());
    for label in diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        assert!(source.get(label.span.range()).is_some(), "{label:?} is outside the text");
    }
    let starts: Vec<u32> =
        diagnostics.iter().filter_map(|it| it.labels.first()).map(|it| it.span.start).collect();
    assert!(starts.is_sorted(), "diagnostics are in source order");
    render(&diagnostics, "model.m", source, Style::Plain);
    unparse(&model);
    parse(source, Dialect::Tenet);
    diagnostics
}

fn codes(source: &str) -> Vec<&'static str> {
    survive(source).iter().map(|diagnostic| diagnostic.explanation.code).collect()
}

fn samples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax");
    let mut samples = Vec::new();
    for part in ["accept", "reject", "regress"] {
        let mut files: Vec<_> =
            fs::read_dir(folder.join(part)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let models = files.iter().filter(|path| path.extension().is_none_or(|it| it != "out"));
        samples.extend(models.map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()));
    }
    samples
}

#[test]
fn every_sample_and_everything_the_fuzzer_found() {
    samples().iter().for_each(|sample| {
        survive(sample);
    });
}

#[test]
fn truncated_anywhere() {
    for sample in samples() {
        for (cut, _) in sample.char_indices() {
            survive(&sample[..cut]);
            survive(&sample[cut..]);
        }
    }
}

#[test]
fn empty_is_fine_here() {
    assert!(survive("").is_empty());
    assert!(survive(" \n-- nothing\n/* at all */ ;;").is_empty());
    assert!(survive("\u{feff}var x : boolean;").is_empty());
}

#[test]
fn nested_beyond_reason() {
    let heads = ["invariant ", "rule ", "const N : ", "type T : ", "startstate x := ", "startstate ", ""];
    let steps = [
        "(",
        "!",
        "- ",
        "+",
        "a[",
        "f(",
        "a & (",
        "a -> ",
        "a ? ",
        "a ? b : ",
        "forall i : T do ",
        "exists i : 0.. ( ",
        "forall i : T; ",
        "isundefined(",
        "ismember(a, array [0..",
        "multisetcount(i : m, ",
        "x - (",
        "if a then ",
        "if a then else ",
        "for i : T do ",
        "while a do ",
        "switch a case 1: ",
        "alias x : y do ",
        "ruleset i : T do ",
        "choose i : m do ",
        "array [",
        "array [T] of ",
        "array [T, ",
        "union { ",
        "multiset [1] of ",
        "record a : ",
        "procedure p(a : ",
        "[",
        "{",
    ];
    for head in heads {
        for step in steps {
            let source = format!("{head}{}", step.repeat(2000));
            assert!(!survive(&source).is_empty(), "{head}{step}…");
        }
    }
}

#[test]
fn nesting_within_reason() {
    let deep = |open: &str, close: &str| format!("invariant {}a{};", open.repeat(100), close.repeat(100));
    assert!(codes(&deep("(", ")")).is_empty());
    assert!(codes(&deep("!", "")).is_empty());
    assert!(codes(&deep("forall i : T do ", " end")).is_empty());
    assert!(codes(&deep("(b & (c | ", "))")).contains(&"E0118"));
    assert_eq!(codes(&format!("invariant {}a", "(".repeat(300))), ["E0118"]);
    assert_eq!(codes(&format!("invariant a{};", ".b".repeat(300))), ["E0118"]);
    assert_eq!(codes(&format!("invariant a{};", "[b]".repeat(300))), ["E0118"]);
    assert_eq!(codes(&format!("invariant a[b{}];", ", b".repeat(300))), ["E0118"]);
    assert_eq!(codes(&format!("var a : array [T{}] of T;", ", T".repeat(300))), ["E0118"]);
}

#[test]
fn long_chains() {
    for operator in [" & ", " | ", " || ", " && ", " + ", " * "] {
        let source = format!("invariant {};", vec!["a"; 100_000].join(operator));
        assert!(codes(&source).is_empty(), "{operator}");
    }
    for operator in [" - ", " / ", " % ", " + b - ", " -> ", " ? b : "] {
        let source = format!("invariant {};", vec!["a"; 100_000].join(operator));
        assert_eq!(codes(&source), ["E0118"], "{operator}");
    }
    let flat = format!("startstate if a then {} end; end;", "elsif a then x := 1; ".repeat(50_000));
    assert!(codes(&flat).is_empty());
}

#[test]
fn too_large_or_not_text() {
    assert_eq!(codes(&"-".repeat((16 << 20) + 1)), ["E0119"]);
    assert_eq!(codes("var x : \0 boolean;"), ["E0120"]);
}

#[test]
fn masses_of_errors_stop_early() {
    for line in
        ["x ", "end ", "rule ", "var a b;", "@ ", "\"\n", "1a ", ") ", "if ", "/* ", "invariant ", "é"]
    {
        let source = line.repeat(200_000);
        assert!(!survive(&source).is_empty(), "{line}");
    }
}

#[test]
fn one_mistake_gives_one_message() {
    let sound = "const N : 3;\ntype T : 0..N;\nvar x, y : T; a : array [T] of T;\n\
        function f(i : T; var j : T) : T; begin j := i; return i; end;\n\
        startstate \"s\" begin x := 0; for i : T do a[i] := 0; end; end;\n\
        ruleset i : T do rule \"r\" x = i & (y = 1 | a[i] = 2) ==> begin\n\
        if x = 1 then y := f(1, x); elsif y = 2 then clear x; else x := y + 1; end;\n\
        switch x case 1, 2: y := 1; else y := 2; end; while x < 2 do x := x + 1; end; end;\n\
        invariant \"p\" forall j : T do x = j -> y != i end; end;\n";
    assert!(survive(sound).is_empty());
    let words: Vec<&str> = sound.split_inclusive([' ', '\n']).collect();
    let mut total = 0;
    for gone in 0..words.len() {
        let broken: String =
            words.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, word)| *word).collect();
        let found = survive(&broken);
        total += found.len();
        assert!(found.len() <= 5, "without word {gone}, {:?}: {}", words[gone], report(&found, &broken));
    }
    // On average, a missing word causes little more than one message.
    assert!(total * 10 <= words.len() * 13, "{total} messages for {} missing words", words.len());
}

fn report(diagnostics: &[Diagnostic], source: &str) -> String {
    render(diagnostics, "model.m", source, Style::Plain)
}

/// Words and symbols that make noise look like a model.
fn soup() -> impl Strategy<Value = String> {
    let words = "rule ruleset startstate invariant function procedure const type var begin end endif endrule endruleset \
        endfor if then else elsif switch case for while do alias choose forall exists record enum array of union multiset \
        scalarset ( ) [ ] { } : := ; , . .. = < & | ! -> ==> + - * ? x T 1 \"s\" clear put return assert by to \
        isundefined ismember multisetadd multisetcount ruel edn @ /*"
        .split_whitespace()
        .collect::<Vec<_>>();
    prop::collection::vec(prop::sample::select(words), 0..200).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(tenet_chance::cases(256))]

    #[test]
    fn noise(source in "\\PC*") {
        survive(&source);
    }

    #[test]
    fn any_characters(source in prop::collection::vec(any::<char>(), 0..200)) {
        survive(&source.into_iter().collect::<String>());
    }

    #[test]
    fn word_soup(source in soup()) {
        survive(&source);
    }

    #[test]
    fn words_deleted_doubled_and_swapped(which in any::<prop::sample::Index>(), edits in prop::collection::vec((0..3, any::<prop::sample::Index>()), 1..8)) {
        let samples = samples();
        let sample = which.get(&samples);
        let mut words: Vec<&str> = sample.split_inclusive(|character: char| !character.is_alphanumeric()).collect();
        for (edit, place) in edits {
            if words.is_empty() {
                break;
            }
            let place = place.index(words.len());
            match edit {
                0 => drop(words.remove(place)),
                1 => words.insert(place, words[place]),
                _ => {
                    let middle = words.len() / 2;
                    words.swap(place, middle);
                }
            }
        }
        survive(&words.concat());
    }
}

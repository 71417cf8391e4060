//! The front end must survive anything: noise, mutilated files, nesting and length beyond reason.

use crate::golden::files;
use crate::models::models;
use proptest::prelude::*;
use std::fs;
use tenet_lang::clp::{print, read};
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::render::{Style, render};

/// Reads, prints and renders; asserts what holds for every input.
fn survive(source: &str) -> Vec<Diagnostic> {
    let found = match read(source) {
        Ok((clp, found)) => {
            print::program(&clp.program);
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
    render(&found, "program.clp", source, Style::Plain);
    found
}

fn samples() -> Vec<String> {
    let all = ["accept", "reject", "warn"].into_iter().flat_map(files);
    let texts = all.map(|path| fs::read_to_string(path).unwrap()).filter(|text| text.len() < 2000);
    texts.chain(models().into_iter().map(|(_, text)| text)).collect()
}

#[test]
fn truncated_anywhere() {
    for sample in samples().into_iter().filter(|sample| sample.len() < 1200) {
        for (cut, _) in sample.char_indices() {
            survive(&sample[..cut]);
        }
    }
}

#[test]
fn nested_beyond_reason() {
    let pairs = [
        ("(", ")"),
        ("~", ""),
        ("not ", ""),
        ("-", ""),
        ("<K,", ",1>"),
        ("<", ",1,1>"),
        ("K[", "]"),
        ("p(", ")"),
        ("(1, ", ")"),
        ("if X = 1 then 1 else ", ""),
        ("if ", " then 1 else 2"),
        ("X = 1, (", ")"),
        ("X = 1 \\/ (", ")"),
        ("X + (", ")"),
        ("2 * (", ")"),
        ("X < ", ""),
        ("\"", ""),
        ("/*", ""),
        ("?", ""),
        ("prove ", ""),
        ("p(X) :- ", ""),
    ];
    for (open, close) in pairs {
        for middle in ["X", "X = 1", "p(X)", ""] {
            let (open, close) = (open.repeat(20_000), close.repeat(20_000));
            survive(&format!("p(X) :- {open}{middle}{close}. prove p(X) |= X = 1."));
            survive(&format!("p(X) :- {open}"));
        }
    }
    let reads = "[1]".repeat(20_000);
    assert_eq!(survive(&format!("p(K) :- K{reads} = 1. prove p(K) |= true."))[0].explanation.code, "E1206");
}

#[test]
fn long_beyond_reason() {
    let body = ["X = 1", "X + 1 = 2", "p(X)", "X < 2"].join(", ");
    for (glue, part) in [(", ", body.as_str()), (" \\/ ", "X = 1"), (" + ", "X"), (" = ", "X"), (" < ", "X")]
    {
        let text = vec![part; 5000].join(glue);
        survive(&format!("p(X) :- X = 0, ({text}). p(X) :- {text}. prove p(X) |= X = 1."));
    }
    let tuple = |letter: &str| vec![letter; 3000].join(", ");
    let text = format!("p(X, Y) :- ({}) < ({}). prove p(X, Y) |= X < Y.", tuple("X"), tuple("Y"));
    assert!(survive(&text).is_empty());
}

#[test]
fn reads_of_writes_of_reads_are_cut_off() {
    // As a tree this has more nodes than there are atoms in the universe.
    let mut place = "X".to_string();
    for _ in 0..50 {
        place = format!("<K,3,1>[{place} + 1]");
    }
    let text = format!("p(K, X, Y) :- {place} = Y. prove p(K, X, Y) |= X = 1.");
    let (clp, _) = read(&text).unwrap();
    let printed = print::program(&clp.program);
    assert!(printed.contains('…') && printed.len() < 1 << 23, "{}", printed.len());
}

#[test]
fn many_rules_are_read_in_time() {
    let mut text = String::from("p0(0).\n");
    for at in 1..3000 {
        let before = at - 1;
        text.push_str(&format!("p{at}(X) :- X > 0, (p{before}(X-1) \\/ X < {at}), p{at}(X-2).\n"));
    }
    text.push_str("prove p2999(X) |= X >= 0.");
    // Each becomes two rules, which are too many together.
    assert_eq!(survive(&text)[0].explanation.code, "E1219");
    let found = survive(&text.replace(" \\/ ", ", "));
    assert!(found.is_empty());
}

proptest! {
    #![proptest_config(tenet_chance::cases(400))]

    #[test]
    fn noise(source in "\\PC{0,200}") {
        survive(&source);
    }

    #[test]
    fn words(words in prop::collection::vec(prop::sample::select(WORDS), 0..120)) {
        survive(&words.join(" "));
    }

    #[test]
    fn mutilated(which in 0usize..64, from in 0usize..6000, to in 0usize..12, with in prop::sample::select(WORDS)) {
        let samples = samples();
        let mut text: Vec<char> = samples[which % samples.len()].chars().collect();
        let from = from % (text.len() + 1);
        text.splice(from..(from + to).min(text.len()), with.chars());
        survive(&text.into_iter().collect::<String>());
    }
}

const WORDS: &[&str] = &[
    "",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "<=",
    ">=",
    "=",
    "!=",
    ",",
    ".",
    ".",
    ":-",
    "|=",
    ":",
    ";",
    "/\\",
    "\\/",
    "~",
    "+",
    "-",
    "*",
    "not",
    "if",
    "then",
    "else",
    "true",
    "false",
    "prove",
    "start",
    "abstract",
    "by",
    "property",
    "p",
    "p(X)",
    "q(K, X)",
    "sys(X)",
    "sys(X) :- sys(X+1).",
    "start sys(0).",
    "p(0).",
    "q(K, 0).",
    "X",
    "Y",
    "K",
    "K'",
    "?Z",
    "_",
    "0",
    "1",
    "42",
    "K[X]",
    "<K,X,1>",
    "\"name\"",
    "\"a\":",
    "X = 1",
    "% comment\n",
    "/* comment */",
    "ä",
    "'",
];

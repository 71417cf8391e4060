//! Printing and parsing again gives the same document.

use crate::circuits::{circuit, recipes};
use crate::golden_files;
use proptest::prelude::*;
use std::fs;
use tenet_lang::btor2::{Document, lower, parse, print};
use tenet_lang::murphi::unbounded::describe;

fn document(text: &str) -> Document {
    parse::parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}")).0
}

fn comes_back(text: &str) {
    let first = document(text);
    let printed = print::print(&first);
    let second = document(&printed);
    assert_eq!(first, second);
    assert_eq!(print::print(&second), printed);
    let [before, after] = [&first, &second].map(|document| lower::lower(document).system);
    // Terms are numbered as they are made, so equal systems have equal terms in every place.
    assert!(before.terms().eq(after.terms()));
    assert!(before.store.symbols().eq(after.store.symbols()));
}

proptest! {
    #![proptest_config(tenet_chance::cases(200))]

    #[test]
    fn random_circuits_come_back(recipes in recipes(), seed in any::<u64>()) {
        comes_back(&circuit(&recipes, seed));
    }

    #[test]
    fn no_text_is_too_much(text in "[ -~\n;]{0,80}") {
        let _ = parse::parse(&text);
    }

    #[test]
    fn broken_circuits_are_refused_in_peace(
        recipes in recipes(),
        seed in any::<u64>(),
        at in any::<prop::sample::Index>(),
        put in "(|-|0|9|x| |\n|4294967296|bad 1|state)",
    ) {
        let mut text = circuit(&recipes, seed);
        let at = at.index(text.len());
        text.replace_range(at..=at, &put);
        if let Ok((document, _)) = parse::parse(&text) {
            lower::lower(&document);
        }
    }
}

#[test]
fn accepted_files_come_back_and_are_understood_as_recorded() {
    for path in golden_files::files("btor2/accept", "btor2") {
        let text = fs::read_to_string(&path).unwrap();
        comes_back(&text);
        comes_back(&text.replace('\n', "\r\n"));
        let system = lower::lower(&document(&text)).system;
        let branches = system
            .branches
            .iter()
            .map(|branch| format!("\nbranch {}\n  {}\n", branch.name, system.store.print(branch.formula)));
        golden_files::compare(&path, &format!("{}{}", describe(&system), branches.collect::<String>()));
    }
}

/// Sharing is kept: a chain in which each line uses the one above twice would be of size 2^2000 otherwise.
#[test]
fn deep_circuits_stay_small() {
    let mut text = "1 sort bitvec 8\n2 state 1 s\n3 input 1 i\n4 xor 1 2 3\n".to_string();
    for id in 5..2005 {
        let word = ["add", "mul", "and", "sub"][id % 4];
        text += &format!("{id} {word} 1 {} {}\n", id - 1, id - 2);
    }
    text += "2005 next 1 2 2004\n2006 sort bitvec 1\n2007 redor 2006 2004\n2008 bad 2007\n";
    comes_back(&text);
    let system = lower::lower(&document(&text)).system;
    assert!(system.store.len() < 20_000, "{} terms", system.store.len());
}

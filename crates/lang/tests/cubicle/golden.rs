//! Golden files: `accept/X.cub` is compared with its system, `reject/E08xx_what.cub` with its diagnostics.
//!
//! A first line `(* check: --const N=3 --size proc=2 *)` gives options. With `UPDATE_EXPECT=1` in the environment the
//! `.txt` files are written instead; read the difference before you keep it.

use crate::golden_files::{self, compare};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use tenet_lang::codes;
use tenet_lang::cubicle::check::{Settings, check};
use tenet_lang::cubicle::{finite, lower, parse};
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::murphi::unbounded::describe;
use tenet_lang::render::{Style, render};
use tenet_system::System;

fn files(folder: &str) -> Vec<PathBuf> {
    golden_files::files(&format!("cubicle/{folder}"), "cub")
}

fn settings(source: &str) -> Settings {
    let flags = source.lines().next().and_then(|line| line.strip_prefix("(* check: ")).unwrap_or("");
    let mut settings = Settings { fix_sizes: true, ..Settings::default() };
    let mut words = flags.split_whitespace();
    while let (Some(flag), Some(value)) = (words.next(), words.next()) {
        let (name, number) = value.split_once('=').unwrap();
        match flag {
            "--const" => settings.consts.push((name.to_owned(), number.parse().unwrap())),
            "--size" => settings.sizes.push((name.to_owned(), number.parse().unwrap())),
            _ => panic!("unknown flag {flag}"),
        }
    }
    settings
}

/// The diagnostics of a file, or else of its instance with two processes.
fn diagnose(source: &str) -> (Vec<Diagnostic>, Option<System>) {
    let is_wrong = |found: &[Diagnostic]| found.iter().any(Diagnostic::is_error);
    let (tree, mut found) = parse(source);
    if is_wrong(&found) {
        return (found, None);
    }
    let (model, more) = check(&tree, &settings(source));
    found.extend(more);
    if is_wrong(&found) {
        return (found, None);
    }
    (found, Some(lower::lower(model)))
}

#[test]
fn accepted_files_are_understood_as_recorded() {
    for path in files("accept") {
        let source = fs::read_to_string(&path).unwrap();
        let (found, system) = diagnose(&source);
        assert!(found.is_empty(), "{}", render(&found, "model.cub", &source, Style::Plain));
        let system = system.unwrap();
        let beliefs =
            system.candidates.iter().map(|&term| format!("\ncandidate\n  {}\n", system.store.print(term)));
        compare(&path, &format!("{}{}", describe(&system), beliefs.collect::<String>()));
    }
}

#[test]
fn rejected_files_say_why() {
    for path in files("reject") {
        let source = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (mut found, system) = diagnose(&source);
        if let Some(system) = system {
            found.extend(finite::program(&system, &[]).err());
        }
        let code = name.split('_').next().unwrap();
        assert!(found.iter().any(|found| found.explanation.code == code), "{name}: no {code}");
        compare(&path, &render(&found, &name, &source, Style::Plain));
    }
}

#[test]
fn every_code_has_a_rejected_file() {
    let names = files("reject").into_iter().map(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.split('_').next().unwrap().to_owned()
    });
    let covered: BTreeSet<String> = names.filter(|code| code.starts_with("E08")).collect();
    let all: BTreeSet<String> = codes::cubicle::ALL.iter().map(|known| known.code.to_owned()).collect();
    // Options that do not apply are refused where files are opened.
    let missing: Vec<&String> = all.difference(&covered).collect();
    assert_eq!(missing, ["E0827"]);
}

#[test]
fn windows_line_ends_make_no_difference() {
    for path in files("accept") {
        let source = fs::read_to_string(&path).unwrap();
        let [unix, windows] = [source.clone(), source.replace('\n', "\r\n")].map(|source| {
            let (found, system) = diagnose(&source);
            (found.len(), describe(&system.unwrap()))
        });
        assert_eq!(unix, windows);
    }
}

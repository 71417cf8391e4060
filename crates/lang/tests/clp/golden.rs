//! Golden files: `accept/X.clp` is compared with its program, `warn/E12xx_what.clp` and `reject/E12xx_what.clp` with their
//! diagnostics.
//!
//! With `UPDATE_EXPECT=1` in the environment the `.txt` files are written instead; read the difference before you keep it.

use crate::golden_files::{self, compare};
use crate::roundtrip::survives;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tenet_lang::clp::{print, read};
use tenet_lang::codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::render::{Style, render};
use tenet_system::recursive::Program;
use tenet_term::{SortId, SymbolId};

pub fn files(folder: &str) -> Vec<PathBuf> {
    golden_files::files(&format!("clp/{folder}"), "clp")
}

fn code(path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    name.split('_').next().unwrap().to_owned()
}

/// The program as text, and properties that the text does not show.
fn describe(program: &Program) -> String {
    let sorts = |sorts: &[SortId]| -> String {
        let names: Vec<String> = sorts.iter().map(|&sort| program.store.sort_name(sort)).collect();
        names.join(", ")
    };
    let mut text = String::new();
    for predicate in &program.predicates {
        text.push_str(&format!("{}({})\n", predicate.name, sorts(&predicate.sorts)));
    }
    if let Some(process) = &program.process {
        let name = |&symbol: &SymbolId| program.store.symbol(symbol).name.as_str();
        let parameters: Vec<&str> = process.parameters.iter().map(name).collect();
        text.push_str(&format!("transition system {}({})", process.name, sorts(&process.sorts)));
        text.push_str(&format!(" of {}\n", parameters.join(", ")));
    }
    format!("{text}\n{}", print::program(program))
}

#[test]
fn accepted_files_are_understood_as_recorded() {
    for path in files("accept") {
        let source = fs::read_to_string(&path).unwrap();
        let (clp, found) = read(&source)
            .unwrap_or_else(|found| panic!("{}", render(&found, "program.clp", &source, Style::Plain)));
        assert!(found.is_empty(), "{}", render(&found, "program.clp", &source, Style::Plain));
        compare(&path, &describe(&clp.program));
        survives(&source);
    }
}

fn diagnosed(path: &Path, found: &[Diagnostic], source: &str) {
    let (name, code) = (path.file_name().unwrap().to_string_lossy().into_owned(), code(path));
    assert!(found.iter().any(|found| found.explanation.code == code), "{name}: no {code}");
    compare(path, &render(found, &name, source, Style::Plain));
}

#[test]
fn rejected_files_say_why() {
    for path in files("reject") {
        let source = fs::read_to_string(&path).unwrap();
        let found = read(&source).map(|_| path.clone()).expect_err("it is wrong");
        diagnosed(&path, &found, &source);
    }
}

#[test]
fn warnings_do_not_reject() {
    for path in files("warn") {
        let source = fs::read_to_string(&path).unwrap();
        let (_, found) = read(&source).unwrap();
        assert!(found.iter().all(|found| !found.is_error()));
        diagnosed(&path, &found, &source);
        survives(&source);
    }
}

#[test]
fn every_code_has_a_file() {
    let covered: BTreeSet<String> =
        files("reject").iter().chain(&files("warn")).map(|path| code(path)).collect();
    let all: BTreeSet<String> = codes::clp::ALL.iter().map(|known| known.code.to_owned()).collect();
    // Options and commands that do not apply are refused where files are opened; engines that cannot read a program, by the commands.
    let missing: Vec<&String> = all.difference(&covered).collect();
    assert_eq!(missing, ["E1240", "E1241", "E1242"]);
    assert_eq!(covered.difference(&all).count(), 0);
}

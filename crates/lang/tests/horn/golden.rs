//! Golden files: `accept/X.smt2` is compared with its system, `reject/E09xx_what.smt2` with its diagnostics.
//!
//! With `UPDATE_EXPECT=1` in the environment the `.txt` files are written instead; read the difference before you keep it.

use crate::golden_files::{self, compare};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use tenet_lang::codes;
use tenet_lang::horn::read;
use tenet_lang::murphi::unbounded::describe;
use tenet_lang::render::{Style, render};

pub fn files(folder: &str) -> Vec<PathBuf> {
    golden_files::files(&format!("horn/{folder}"), "smt2")
}

#[test]
fn accepted_files_are_understood_as_recorded() {
    for path in files("accept") {
        let source = fs::read_to_string(&path).unwrap();
        let (horn, found) = read(&source).unwrap();
        assert!(found.is_empty(), "{}", render(&found, "model.smt2", &source, Style::Plain));
        compare(&path, &describe(horn.system()));
    }
}

#[test]
fn rejected_files_say_why() {
    for path in files("reject") {
        let source = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let found = read(&source).unwrap_err();
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
    let covered: BTreeSet<String> = names.collect();
    let all: BTreeSet<String> = codes::horn::ALL.iter().map(|known| known.code.to_owned()).collect();
    // Options and commands that do not apply are refused where files are opened.
    let missing: Vec<&String> = all.difference(&covered).collect();
    assert_eq!(missing, ["E0913", "E0914", "E0915"]);
}

#[test]
fn warnings_do_not_reject() {
    let nothing = "(declare-fun p (Int) Bool)\n(assert (p 0))\n(check-sat)\n";
    let (_, found) = read(nothing).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].explanation.code, "E0909");
    let behind =
        "(declare-fun p (Int) Bool)\n(assert (=> (p 0) false))\n(check-sat)\n(exit)\n(assert (p 0))\n";
    let (horn, found) = read(behind).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].explanation.code, found[0].is_error()), ("E0910", false));
    assert_eq!(horn.clauses.len(), 1, "what stands behind is not read");
}

//! Golden files for the parser: accepted models and their trees, rejected ones and the messages.
//!
//! `accept/X.m` is compared with `X.out`, the same model in full parentheses; `reject/X.m` with the rendered diagnostics.
//! With `BLESS=1` in the environment the `.out` files are written instead.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use tenet_lang::murphi::unparse::unparse;
use tenet_lang::murphi::{Dialect, ast, parse};
use tenet_lang::render::{Style, render};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax").join(name)
}

/// The models of a folder, by name.
fn models(name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|it| it != "out")).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn dialect(path: &Path) -> Dialect {
    if path.extension().is_some_and(|it| it == "tenet") { Dialect::Tenet } else { Dialect::Murphi }
}

fn check_golden(path: &Path, actual: &str) {
    let golden = path.with_extension("out");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&golden, actual).unwrap();
    }
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    assert!(expected == actual, "{} differs; got:\n{actual}", golden.display());
}

/// The tree without its spans, and without the layout of predicates.
fn shape(model: &ast::Model) -> String {
    let mut model = model.clone();
    for item in &mut model.items {
        if let ast::Item::Predicate(predicate) = item {
            predicate.text = predicate.formula.to_string();
        }
    }
    let text = format!("{model:?}");
    let mut parts = text.split("Span {");
    let mut shape = parts.next().unwrap().to_string();
    for part in parts {
        shape.push_str(part.split_once('}').unwrap().1);
    }
    shape
}

#[test]
fn accepted_models_are_understood_as_recorded() {
    for path in models("accept") {
        let source = fs::read_to_string(&path).unwrap();
        let (model, diagnostics) = parse(&source, dialect(&path));
        let report = render(&diagnostics, "model", &source, Style::Plain);
        assert!(diagnostics.is_empty(), "{}\n{report}", path.display());
        let printed = unparse(&model);
        check_golden(&path, &printed);
        let (again, diagnostics) = parse(&printed, dialect(&path));
        assert!(diagnostics.is_empty());
        assert_eq!(shape(&again), shape(&model), "{}", path.display());
    }
}

#[test]
fn rejected_models_are_explained_as_recorded() {
    for path in models("reject") {
        let source = fs::read_to_string(&path).unwrap();
        let (_, diagnostics) = parse(&source, dialect(&path));
        assert!(diagnostics.iter().any(|diagnostic| diagnostic.is_error()), "{}", path.display());
        let name = path.file_name().unwrap().to_string_lossy();
        check_golden(&path, &render(&diagnostics, &name, &source, Style::Plain));
    }
}

#[test]
fn windows_line_ends_make_no_difference() {
    for path in models("accept") {
        let source = fs::read_to_string(&path).unwrap();
        let unix = parse(&source, dialect(&path));
        let windows = parse(&source.replace('\n', "\r\n"), dialect(&path));
        assert_eq!(shape(&unix.0), shape(&windows.0));
        assert!(windows.1.is_empty());
    }
}

//! Rejected models, with the exact text of the diagnostics, and models that are accepted without diagnostics.
//!
//! A file `check/reject/E0207_mismatch.m` must give the code it is named after and print what stands in the `.txt` beside it. A
//! `.pred` beside it is a predicates file for it. Options stand in a first line `-- check: --const N=3 --size T=2`. To write the
//! texts anew, set `UPDATE_EXPECT=1` and read the difference before you keep it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tenet_lang::codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::murphi::check::{Settings, check_with};
use tenet_lang::murphi::{Dialect, parse, parse_predicates};
use tenet_lang::render::{File, Style, render, render_files};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check").join(folder);
    let entries = fs::read_dir(folder).expect("the folder of test models");
    let paths = entries.map(|entry| entry.expect("a test model").path());
    let mut models: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending != "txt" && ending != "pred"))
        .collect();
    models.sort();
    models
}

fn settings(path: &Path, source: &str) -> Settings {
    let is_tenet = path.extension().is_some_and(|extension| extension == "tenet");
    let mut settings = Settings::new(if is_tenet { Dialect::Tenet } else { Dialect::Murphi });
    let flags = source.lines().next().and_then(|line| line.strip_prefix("-- check: ")).unwrap_or("");
    let mut words = flags.split_whitespace();
    while let (Some(flag), Some(value)) = (words.next(), words.next()) {
        let (name, number) = value.split_once('=').expect("NAME=VALUE");
        match flag {
            "--const" => settings.consts.push((name.to_owned(), number.parse().expect("an integer"))),
            "--size" => settings.sizes.push((name.to_owned(), number.parse().expect("a size"))),
            _ => panic!("unknown flag {flag}"),
        }
    }
    settings
}

fn diagnose(path: &Path, source: &str) -> Vec<Diagnostic> {
    let settings = settings(path, source);
    let (ast, mut syntax) = parse(source, settings.dialect);
    let predicates = predicates(path).map(|predicates| {
        let (predicates, found) = parse_predicates(&format!("{source}{predicates}"), source.len());
        syntax.extend(found);
        predicates
    });
    let name = path.display();
    assert!(syntax.is_empty(), "{name}: {}", render(&syntax, "", source, Style::Plain));
    check_with(&ast, predicates.as_ref(), &settings).1
}

/// The predicates file beside a model.
fn predicates(path: &Path) -> Option<String> {
    fs::read_to_string(path.with_extension("pred")).ok()
}

#[test]
fn rejected_models_say_why() {
    for path in files("reject") {
        let source = fs::read_to_string(&path).expect("readable");
        let file_name = path.file_name().expect("a file").to_string_lossy();
        let diagnostics = diagnose(&path, &source);
        let code = file_name.split('_').next().expect("a code");
        assert!(diagnostics.iter().any(|found| found.explanation.code == code), "{file_name}: no {code}");
        let mut parts = vec![File { name: &file_name, content: &source, start: 0 }];
        let predicates = predicates(&path);
        if let Some(predicates) = &predicates {
            parts.push(File { name: "predicates", content: predicates, start: source.len() });
        }
        let text = render_files(&diagnostics, &parts, Style::Plain);
        let expected = path.with_extension("txt");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected, &text).expect("writable");
        }
        let expected = fs::read_to_string(&expected).expect("the expected text");
        assert_eq!(text, expected, "{file_name}");
    }
}

#[test]
fn every_code_has_a_rejected_model() {
    let names = files("reject").into_iter().filter_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some(name.split('_').next()?.to_owned())
    });
    let covered: BTreeSet<String> = names.collect();
    let families = codes::types::ALL.iter().chain(codes::options::ALL).chain(codes::abstraction::ALL);
    let all: BTreeSet<String> = families.map(|explanation| explanation.code.to_owned()).collect();
    assert_eq!(covered, all);
}

#[test]
fn accepted_models_give_no_diagnostics() {
    for path in files("accept") {
        let source = fs::read_to_string(&path).expect("readable");
        let diagnostics = diagnose(&path, &source);
        assert!(
            diagnostics.is_empty(),
            "{}",
            render(&diagnostics, &path.display().to_string(), &source, Style::Plain)
        );
    }
}

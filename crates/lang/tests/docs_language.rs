//! The examples of `docs/language.md` are accepted, and do what the text says.
//!
//! * All blocks marked `tenet` together are one model. It must be accepted without diagnostics, have a reading for every size,
//!   and exploring it with two clients must find no violation.
//! * A block marked `predicates` is a predicates file for the model in the block marked `murphi`.

use std::fs;
use std::path::Path;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::murphi::check::{Settings, check, check_with};
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, finite, parse, parse_predicates};
use tenet_lang::render::{Style, render};
use tenet_system::HintTarget;
use tenet_system::finite::explore::{End, Options, explore};

/// The blocks of a language, joined.
fn block(language: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/language.md");
    let page = fs::read_to_string(path).expect("the page");
    // Every second part stands inside fences.
    let inside = page.split("\n```").skip(1).step_by(2);
    let all = inside.map(|part| part.split_once('\n').expect("a fence ends with its line"));
    let own: Vec<&str> = all.filter(|(words, _)| *words == language).map(|(_, text)| text).collect();
    assert!(!own.is_empty(), "the page is not read as it should be");
    own.join("\n")
}

fn shown(diagnostics: &[Diagnostic], source: &str) -> String {
    render(diagnostics, "docs/language.md", source, Style::Plain)
}

#[test]
fn the_model_of_the_page_has_a_reading_for_every_size() {
    let source = block("tenet");
    let (ast, mut diagnostics) = parse(&source, Dialect::Tenet);
    let (model, found) = check(&ast, &Settings::new(Dialect::Tenet));
    diagnostics.extend(found);
    assert!(diagnostics.is_empty(), "{}", shown(&diagnostics, &source));
    let (system, warnings) =
        read(&model, &Unbounded::default()).unwrap_or_else(|errors| panic!("{}", shown(&errors, &source)));
    assert!(warnings.is_empty(), "{}", shown(&warnings, &source));
    assert_eq!((system.definitions.len(), system.indices.len(), system.predicates.len()), (1, 3, 6));
    let about_rules = system.hints.iter().filter(|hint| hint.rule.is_some()).count();
    let whole = |target: &HintTarget| matches!(target, HintTarget::Indices(indices) if indices.len() == 2);
    assert_eq!((about_rules, system.hints.len()), (1 + 3 + 1, 11));
    assert_eq!(system.hints.iter().filter(|hint| whole(&hint.target)).count(), 3);
}

#[test]
fn the_model_of_the_page_is_safe_with_two_clients() {
    let source = block("tenet");
    let settings = Settings {
        consts: vec![("LIMIT".to_owned(), 1.into())],
        sizes: vec![("CLIENT".to_owned(), 2)],
        dialect: Dialect::Tenet,
    };
    let (ast, _) = parse(&source, Dialect::Tenet);
    let (model, diagnostics) = check(&ast, &settings);
    assert!(diagnostics.is_empty(), "{}", shown(&diagnostics, &source));
    let (program, warnings) =
        finite::lower(&model).unwrap_or_else(|errors| panic!("{}", shown(&errors, &source)));
    assert!(warnings.is_empty(), "{}", shown(&warnings, &source));
    let outcome = explore(&program, &Options::default(), &mut |_| true);
    assert_eq!((outcome.end, &outcome.traces), (End::Complete, &Vec::new()));
    assert!(outcome.fired.iter().all(|fired| *fired > 0), "{:?}", outcome.fired);
}

#[test]
fn the_predicates_file_of_the_page_is_about_its_model() {
    let (source, predicates) = (block("murphi"), block("predicates"));
    let text = format!("{source}{predicates}");
    let (ast, mut diagnostics) = parse(&source, Dialect::Murphi);
    let (about, found) = parse_predicates(&text, source.len());
    diagnostics.extend(found);
    let (model, found) = check_with(&ast, Some(&about), &Settings::new(Dialect::Murphi));
    diagnostics.extend(found);
    assert!(diagnostics.is_empty(), "{}", shown(&diagnostics, &text));
    let (system, _) =
        read(&model, &Unbounded::default()).unwrap_or_else(|errors| panic!("{}", shown(&errors, &text)));
    let names: Vec<&str> = system.predicates.iter().map(|predicate| predicate.name.as_str()).collect();
    assert_eq!(names, ["crit[i]", "crit[j]", "i = j", "lock"]);
    assert_eq!(system.hints.len(), 4);
}

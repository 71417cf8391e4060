//! The examples of `docs/murphi.md` are accepted, and do what the text says.
//!
//! * All blocks marked `murphi` together are one model. It must be accepted without diagnostics, and exploring it must
//!   find no violation and reach its covers.
//! * A block marked `murphi alone` is a model of its own; the words behind it say what is special about it: the code of
//!   a warning, or `fault`.
//! * A block marked `tenet` is a model in Tenet's own language that has no finite instance.

use std::fs;
use std::path::Path;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::{Dialect, finite, hir, parse};
use tenet_lang::render::{Style, render};
use tenet_system::finite::explore::{End, Options, Outcome, explore};
use tenet_system::finite::program::{FaultKind, Program, PropertyKind};
use tenet_system::finite::trace::{replay, site};

/// The words behind the fence, and the text.
struct Block {
    words: Vec<String>,
    text: String,
}

fn blocks(language: &str) -> Vec<Block> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/murphi.md");
    let page = fs::read_to_string(path).expect("the page");
    // Every second part stands inside fences.
    let inside = page.split("\n```").skip(1).step_by(2);
    let all = inside.map(|part| part.split_once('\n').expect("a fence ends with its line"));
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let all = all.map(|(line, text)| Block { words: words(line), text: text.to_owned() });
    all.filter(|block| block.words[0] == language).collect()
}

/// The checked model; any diagnostic is a failure.
fn checked(source: &str, dialect: Dialect) -> hir::Model {
    let (ast, mut diagnostics) = parse(source, dialect);
    let (model, found) = check(&ast, &Settings::new(dialect));
    diagnostics.extend(found);
    assert!(diagnostics.is_empty(), "{}", shown(&diagnostics, source));
    model
}

fn shown(diagnostics: &[Diagnostic], source: &str) -> String {
    render(diagnostics, "docs/murphi.md", source, Style::Plain)
}

/// The finite program and the codes of the warnings.
fn lowered(source: &str) -> (Program, Vec<&'static str>) {
    match finite::lower(&checked(source, Dialect::Murphi)) {
        Ok((program, warnings)) => {
            (program, warnings.iter().map(|warning| warning.explanation.code).collect())
        }
        Err(errors) => panic!("{}", shown(&errors, source)),
    }
}

fn explored(program: &Program) -> Outcome {
    let outcome = explore(program, &Options::default(), &mut |_| true);
    outcome.traces.iter().for_each(|trace| assert_eq!(replay(program, trace), Ok(())));
    outcome
}

#[test]
fn the_model_of_the_page_is_safe_and_covered() {
    let pieces = blocks("murphi");
    let pieces: Vec<&str> =
        pieces.iter().filter(|piece| piece.words.len() == 1).map(|piece| piece.text.as_str()).collect();
    assert!(pieces.len() >= 7, "the page is not read as it should be");
    let source = pieces.join("\n");
    let (program, warnings) = lowered(&source);
    assert!(warnings.is_empty(), "{warnings:?}");
    let outcome = explored(&program);
    assert_eq!((outcome.end, &outcome.traces), (End::Complete, &Vec::new()));
    let covers = program.properties.iter().filter(|property| property.kind == PropertyKind::Cover).count();
    assert_eq!(outcome.covered.iter().filter(|covered| **covered).count(), covers);
    assert!(covers > 0 && outcome.cover_statements == [true]);
    assert!(outcome.fired.iter().all(|fired| *fired > 0), "{:?}", outcome.fired);
}

#[test]
fn models_that_stand_alone_do_what_is_said() {
    let alone: Vec<Block> = blocks("murphi").into_iter().filter(|block| block.words.len() > 1).collect();
    assert!(alone.len() >= 2);
    for block in alone {
        assert_eq!(block.words[1], "alone");
        let (program, warnings) = lowered(&block.text);
        let outcome = explored(&program);
        match block.words[2].as_str() {
            "fault" => {
                let fault = outcome.traces[0].finding.fault().expect("a fault");
                assert_eq!(site(&program, &fault).kind, FaultKind::Undefined);
            }
            code => {
                assert_eq!(warnings, [code]);
                assert_eq!((outcome.end, outcome.traces.len()), (End::Complete, 0));
            }
        }
    }
}

#[test]
fn models_without_bounds_have_no_finite_instance() {
    for block in blocks("tenet") {
        let model = checked(&block.text, Dialect::Tenet);
        let errors = finite::lower(&model).map(|_| ()).expect_err("the page says that this has no instance");
        let codes: Vec<&str> = errors.iter().map(|error| error.explanation.code).collect();
        assert!(codes.contains(&"E0501") && codes.contains(&"E0502"), "{codes:?}");
    }
}

//! Transition systems as text, and models that have no unbounded reading with the exact text of the diagnostics.
//!
//! `unbounded/read/NAME.m` is read and printed; `unbounded/reject/E0304_counter.m` must give the code it is named after. A
//! `.pred` beside a model is a predicates file for it. Options stand in a first line `-- read: --unbounded T --size S=2`. To
//! write the texts anew, set `UPDATE_EXPECT=1` and read the difference before you keep it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tenet_lang::codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::murphi::check::{Settings, check_with};
use tenet_lang::murphi::hir::Model;
use tenet_lang::murphi::unbounded::{CandidateKind, Unbounded, candidates, describe, read};
use tenet_lang::murphi::{Dialect, parse, parse_predicates};
use tenet_lang::render::{Style, render};
use tenet_system::System;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unbounded").join(folder);
    let entries = fs::read_dir(folder).expect("the folder of test models");
    let paths = entries.map(|entry| entry.expect("a test model").path());
    let mut models: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending != "txt" && ending != "pred"))
        .collect();
    models.sort();
    models
}

fn model(path: &Path, source: &str) -> (Model, Unbounded) {
    let is_tenet = path.extension().is_some_and(|extension| extension == "tenet");
    let mut settings = Settings::new(if is_tenet { Dialect::Tenet } else { Dialect::Murphi });
    let mut options = Unbounded::default();
    let flags = source.lines().next().and_then(|line| line.strip_prefix("-- read: ")).unwrap_or("");
    let mut words = flags.split_whitespace();
    while let (Some(flag), Some(value)) = (words.next(), words.next()) {
        match (flag, value.split_once('=')) {
            ("--unbounded", None) => options.names.push(value.to_owned()),
            ("--size", Some((name, size))) => {
                settings.sizes.push((name.to_owned(), size.parse().expect("a size")));
                options.sizes.push(name.to_owned());
            }
            _ => panic!("unknown flag {flag} {value}"),
        }
    }
    let (ast, mut syntax) = parse(source, settings.dialect);
    let predicates = fs::read_to_string(path.with_extension("pred")).ok().map(|predicates| {
        let (predicates, found) = parse_predicates(&format!("{source}{predicates}"), source.len());
        syntax.extend(found);
        predicates
    });
    let (model, diagnostics) = check_with(&ast, predicates.as_ref(), &settings);
    let errors: Vec<Diagnostic> =
        syntax.into_iter().chain(diagnostics).filter(|found| found.is_error()).collect();
    assert!(errors.is_empty(), "{}: {}", path.display(), render(&errors, "", source, Style::Plain));
    (model, options)
}

fn expect(path: &Path, text: &str) {
    let expected = path.with_extension("txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&expected, text).expect("writable");
    }
    let expected = fs::read_to_string(&expected).expect("the expected text");
    assert_eq!(text, expected, "{}", path.display());
}

/// Guards and updates speak of the state, constants and their own parameters; properties and axioms are closed.
fn check_roles(system: &System) {
    let store = &system.store;
    let free = |term| store.free_symbols(term).into_iter();
    let defined = |symbol| system.definitions.iter().any(|definition| definition.symbol == symbol);
    let known = |symbol| {
        system.consts.contains(&symbol)
            || system.state.iter().any(|variable| variable.symbol == symbol)
            || defined(symbol)
    };
    for definition in &system.definitions {
        let fine = |symbol| {
            definition.params.contains(&symbol) || system.consts.contains(&symbol) || defined(symbol)
        };
        assert!(free(definition.body).all(fine), "{}", definition.name);
    }
    for predicate in &system.predicates {
        let fine = |symbol| known(symbol) || system.indices.iter().any(|index| index.symbol == symbol);
        assert!(free(predicate.formula).all(fine), "{}", predicate.name);
    }
    for hint in &system.hints {
        let params = hint.rule.map_or(&[][..], |rule| &system.rules[rule].params);
        let fine = |symbol| {
            known(symbol)
                || params.contains(&symbol)
                || system.indices.iter().any(|index| index.symbol == symbol)
        };
        assert!(hint.terms.iter().copied().flat_map(free).all(fine));
    }
    for rule in &system.rules {
        let terms = rule.updates.iter().map(|(_, value)| *value).chain([rule.guard]);
        assert!(
            terms.flat_map(free).all(|symbol| known(symbol) || rule.params.contains(&symbol)),
            "{}",
            rule.name
        );
    }
    for start in &system.starts {
        let terms = start.values.iter().copied().chain([start.constraint]);
        let fine =
            |symbol| system.consts.contains(&symbol) || start.params.contains(&symbol) || defined(symbol);
        assert!(terms.flat_map(free).all(fine), "{}", start.name);
    }
    for axiom in &system.axioms {
        assert!(free(axiom.formula).all(known), "{}", axiom.name);
    }
    for property in &system.properties {
        let fine =
            |symbol| known(symbol) || matches!(property.kind, tenet_system::PropertyKind::Start { .. });
        assert!(free(property.formula).all(fine), "{}", property.name);
    }
}

#[test]
fn systems_are_as_printed() {
    for path in files("read") {
        let source = fs::read_to_string(&path).expect("readable");
        let name = path.file_name().expect("a file").to_string_lossy();
        let (model, options) = model(&path, &source);
        match read(&model, &options) {
            Ok((system, warnings)) => {
                check_roles(&system);
                expect(&path, &(render(&warnings, &name, &source, Style::Plain) + &describe(&system)));
            }
            Err(errors) => panic!("{}", render(&errors, &name, &source, Style::Plain)),
        }
    }
}

#[test]
fn what_has_no_reading_says_why() {
    for path in files("reject") {
        let source = fs::read_to_string(&path).expect("readable");
        let name = path.file_name().expect("a file").to_string_lossy();
        let (model, options) = model(&path, &source);
        let errors = read(&model, &options).err().unwrap_or_else(|| panic!("{name} has a reading"));
        let code = name.split('_').next().expect("a code");
        assert!(errors.iter().any(|found| found.explanation.code == code), "{name}: no {code}");
        expect(&path, &render(&errors, &name, &source, Style::Plain));
    }
}

/// The checker refuses side effects in formulas, so that code guards against a front end that does not.
const NOT_FROM_SOURCE: &str = "E0315";

#[test]
fn every_code_has_a_rejected_model() {
    let names = files("reject").into_iter().filter_map(|path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some(name.split('_').next()?.to_owned())
    });
    let covered: BTreeSet<String> = names.chain([NOT_FROM_SOURCE.to_owned()]).collect();
    let all: BTreeSet<String> =
        codes::unbounded::ALL.iter().map(|explanation| explanation.code.to_owned()).collect();
    assert_eq!(covered, all);
}

#[test]
fn reading_twice_gives_the_same_text() {
    for path in files("read") {
        let source = fs::read_to_string(&path).expect("readable");
        let (model, options) = model(&path, &source);
        let print = || read(&model, &options).map(|(system, _)| describe(&system)).expect("a reading");
        assert_eq!(print(), print());
    }
}

#[test]
fn candidates_are_what_nothing_forbids() {
    let source = "const N : 3; M : 2; type A : 0..N; B : 0..M; C : enum {x};
        var a : array [A] of boolean; b : B; c : C; at : A;
        startstate at := 0; b := 0; c := x; for i : A do a[i] := i = at; end; end;
        rule b < M ==> b := b + 1; a[at] := false; end;";
    let (model, _) = model(Path::new("candidates.m"), source);
    let found: Vec<(String, CandidateKind)> =
        candidates(&model).into_iter().map(|candidate| (candidate.name, candidate.kind)).collect();
    let expected =
        [("A", CandidateKind::Index), ("N", CandidateKind::Constant), ("M", CandidateKind::Constant)];
    assert_eq!(found, expected.map(|(name, kind)| (name.to_owned(), kind)));
}

#[test]
fn long_chains_of_branches_need_no_deep_stack() {
    let mut source =
        String::from("var n : 0..2000; startstate n := 0; end; rule true ==> if n = 0 then n := 1;\n");
    for number in 1..900 {
        source.push_str(&format!("elsif n = {number} then n := {};\n", number + 1));
    }
    source.push_str("end; end;");
    let (model, options) = model(Path::new("chain.m"), &source);
    let (system, _) = read(&model, &options).expect("a reading");
    assert_eq!(system.rules[0].updates.len(), 1);
}

#[test]
fn deep_nesting_is_read() {
    let depth = 70;
    let mut source = String::from("type N : scalarset(2); var f : boolean; a : array [N] of boolean;\n");
    source.push_str("startstate f := false; for i : N do a[i] := f; end; end; rule true ==>\n");
    (0..depth).for_each(|_| source.push_str("if f then for i : N do a[i] := !a[i]; end; else "));
    source.push_str("f := ");
    source.push_str(&"!(f & ".repeat(depth / 2));
    source.push('f');
    source.push_str(&")".repeat(depth / 2));
    source.push(';');
    (0..depth).for_each(|_| source.push_str(" end;"));
    source.push_str(" end;");
    let (model, options) = model(Path::new("deep.m"), &source);
    assert!(read(&model, &options).is_ok());
}

#[test]
fn a_long_chain_of_calls_is_refused_in_time() {
    let mut source = String::from("var f : boolean; function f0() : boolean; begin return f; end;\n");
    for number in 1..3000 {
        let inner = format!("{}f{}(){}", "!(".repeat(100), number - 1, ")".repeat(100));
        source.push_str(&format!("function f{number}() : boolean; begin return {inner}; end;\n"));
    }
    source.push_str("startstate f := false; end; rule true ==> f := f2999(); end;");
    let (model, options) = model(Path::new("calls.m"), &source);
    let errors = read(&model, &options).expect_err("too deep");
    assert!(errors.iter().all(|error| error.explanation.code == "E0312"), "{errors:?}");
}

/// QI-T9: `tl := hd` with `hd` unassigned gives both the same arbitrary value.
#[test]
fn qi_t9_shared_initial_values_stay_shared() {
    let source = "var hd, tl : integer; q, pos : array [integer] of integer;
                  startstate tl := hd; pos := q; q := q[hd := tl]; end;
                  rule hd < tl ==> hd := hd + 1; end;
                  invariant hd <= tl;";
    let (ast, _) = parse(source, Dialect::Tenet);
    let (model, diagnostics) = check_with(&ast, None, &Settings::new(Dialect::Tenet));
    assert!(diagnostics.iter().all(|found| !found.is_error()), "{diagnostics:?}");
    let (system, _) = read(&model, &Unbounded::default()).expect("a reading");
    let start = &system.starts[0];
    assert_eq!(start.params.len(), 2, "one value for `hd` and one function for `q`");
    let [hd, tl, q, pos] = start.values[..] else { panic!("four variables") };
    assert_eq!(hd, tl);
    assert_eq!(system.store.as_symbol(hd), Some(start.params[0]));
    assert_eq!(system.store.as_symbol(pos), Some(start.params[1]));
    let symbols: BTreeSet<_> = system.store.free_symbols(q).into_iter().collect();
    assert_eq!(symbols, start.params.iter().copied().collect());
}

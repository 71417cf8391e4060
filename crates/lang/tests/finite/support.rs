//! From source text to a lowered program, and single runs of it.

use std::collections::BTreeMap;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::murphi::{Dialect, check, finite, hir, parse};
use tenet_system::finite::explore::{Deadlock, Options, Outcome, explore};
use tenet_system::finite::program::{FaultKind, Program};
use tenet_system::finite::trace::{Action, Replayer, replay};

/// Parses and checks; there must be no errors.
pub fn model(source: &str, dialect: Dialect) -> hir::Model {
    let (ast, diagnostics) = parse(source, dialect);
    assert!(!diagnostics.iter().any(Diagnostic::is_error), "{diagnostics:#?}");
    let (model, diagnostics) = check::check(&ast, &check::Settings::new(dialect));
    assert!(!diagnostics.iter().any(Diagnostic::is_error), "{diagnostics:#?}");
    model
}

/// The program and its warnings.
pub fn lower(source: &str) -> (Program, Vec<Diagnostic>) {
    finite::lower(&model(source, Dialect::Murphi)).unwrap()
}

/// The program of a model without warnings.
pub fn program(source: &str) -> Program {
    let (program, warnings) = lower(source);
    assert_eq!(warnings, Vec::new());
    program
}

/// Why a model has no finite program: the codes.
pub fn errors(source: &str) -> Vec<&'static str> {
    let errors = finite::lower(&model(source, Dialect::Tenet)).unwrap_err();
    errors.iter().map(|error| error.explanation.code).collect()
}

/// The first startstate, as a person would write it.
pub fn start(source: &str) -> BTreeMap<String, String> {
    let program = program(source);
    let state = Replayer::new(&program).start(Action { rule: 0, instance: 0 });
    show(&program, &state.unwrap().unwrap())
}

/// A state as a person would write it, slots in order of their names.
pub fn show(program: &Program, state: &[i64]) -> BTreeMap<String, String> {
    let slots = program.layout.slots.iter().zip(state);
    slots.map(|(slot, value)| (slot.name.clone(), program.layout.show(slot.domain, *value))).collect()
}

/// Asserts some slots of the first startstate, written `name = value`.
pub fn check_start(source: &str, expected: &[&str]) {
    let state = start(source);
    for line in expected {
        let (name, value) = line.split_once(" = ").unwrap();
        assert_eq!(state.get(name).map(String::as_str), Some(value), "{name} in {state:#?}");
    }
}

/// The fault of the first startstate: kind, detail, source text.
pub fn start_fault(source: &str) -> (FaultKind, String, String) {
    let program = program(source);
    let fault = Replayer::new(&program).start(Action { rule: 0, instance: 0 }).unwrap_err();
    let site = &program.sites[fault.site.0 as usize];
    let text = &source[site.source.start as usize..site.source.end as usize];
    (site.kind, site.detail.clone(), text.to_string())
}

/// Searches all states of a model in Tenet's own language, which must have no warnings about symmetry.
pub fn search_tenet(source: &str, consts: &[(&str, i64)]) -> (Program, Outcome) {
    let (ast, diagnostics) = parse(source, Dialect::Tenet);
    assert!(!diagnostics.iter().any(Diagnostic::is_error), "{diagnostics:#?}");
    let mut settings = check::Settings::new(Dialect::Tenet);
    settings.consts.extend(consts.iter().map(|&(name, value)| (name.to_owned(), value.into())));
    let (model, diagnostics) = check::check(&ast, &settings);
    assert!(!diagnostics.iter().any(Diagnostic::is_error), "{diagnostics:#?}");
    let (program, warnings) = finite::lower(&model).unwrap();
    assert_eq!(warnings, Vec::new());
    searched(program)
}

/// Searches all states; every run that is found must replay.
pub fn search(source: &str) -> (Program, Outcome) {
    let (program, _) = lower(source);
    searched(program)
}

fn searched(program: Program) -> (Program, Outcome) {
    let outcome = explore(
        &program,
        &Options { keep_going: true, deadlock: Deadlock::Off, ..Options::default() },
        &mut |_| true,
    );
    for trace in &outcome.traces {
        replay(&program, trace).unwrap();
    }
    (program, outcome)
}

//! The claims in the headers of `models/recursive`: true ones have no counterexample among small numbers and arrays, and are not
//! vacuous; those in a line `% False: "name"` have a counterexample.

use crate::interpreter::{Answer, Interpreter, State, Value};
use crate::roundtrip::survives;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tenet_lang::clp::read;
use tenet_lang::render::{Style, render};
use tenet_system::recursive::{Entailment, Goal, Process, Program};
use tenet_term::{SymbolId, TermId, TermStore};

/// Every model that must be there, so that a lost file is noticed.
const MODELS: &[&str] = &[
    "bakery_atomic",
    "bakery_original",
    "bakery_original_printed",
    "count",
    "counting_ones",
    "false_arrays_differ",
    "false_bakery_guard",
    "false_base_case",
    "false_even_m4",
    "false_half",
    "false_insert",
    "false_nat",
    "false_negative",
    "false_order_range",
    "false_progress",
    "false_sum",
    "false_sum_range",
    "gc_accessible",
    "m4_even",
    "reachability",
    "sorted",
    "sorting",
    "sum",
];

/// The number of random instances of each entailment that are searched for, and how many are enough.
const TRIES: usize = 800;
const ENOUGH: usize = 10;
/// The number of attempts for what is claimed to be impossible.
const TRIES_OF_NOTHING: usize = 200;
/// The number of random walks, and their length.
const WALKS: usize = 200;
const STEPS: usize = 50;
/// The least number of instances of an entailment.
const FEW: usize = 3;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/recursive")
}

/// All models, by name.
pub fn models() -> Vec<(String, String)> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.sort();
    let name = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    let models: Vec<_> = files.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect();
    assert_eq!(models.iter().map(|(name, _)| name).collect::<Vec<_>>(), MODELS);
    models
}

fn program(name: &str, source: &str) -> Program {
    match read(source) {
        Ok((clp, found)) => {
            assert!(found.is_empty(), "{}", render(&found, name, source, Style::Plain));
            clp.program
        }
        Err(found) => panic!("{}", render(&found, name, source, Style::Plain)),
    }
}

/// The names in the line `% False: "a", "b"`.
fn listed_as_false(source: &str) -> BTreeSet<String> {
    let line = source.lines().find_map(|line| line.strip_prefix("% False: ")).unwrap_or("");
    line.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn models_are_read_without_a_word_and_survive_printing() {
    for (name, source) in models() {
        program(&name, &source);
        survives(&source);
    }
}

#[test]
fn false_models_are_called_so() {
    for (name, source) in models() {
        let is_false = name.starts_with("false_") || name == "bakery_original_printed";
        assert_eq!(!listed_as_false(&source).is_empty(), is_false, "{name}");
        assert!(source.lines().any(|line| line.starts_with("% Expect: ")), "{name}");
    }
}

#[test]
fn models_keep_their_promises() {
    for (name, source) in models() {
        let program = program(&name, &source);
        let (mut found, expected) = (BTreeSet::new(), listed_as_false(&source));
        for (position, entailment) in program.obligations.iter().enumerate() {
            let is_false = expected.contains(&entailment.name);
            let enough = if is_false { usize::MAX } else { ENOUGH };
            let (instances, counterexample) = try_entailment(&program, entailment, position as u64, enough);
            // That something is impossible has no instances.
            let is_possible = entailment.right.constraint != TermId::FALSE;
            let is_tried = counterexample.is_some() || instances >= FEW || !is_possible;
            assert!(is_tried, "{name}: {} has {instances} instances", entailment.name);
            found.extend(counterexample.map(|_| entailment.name.clone()));
        }
        if let Some(process) = &program.process {
            found.extend(try_process(&name, &program, process));
        }
        assert_eq!(found, expected, "{name}");
    }
}

/// A random value: small arrays with few different entries.
fn random(interpreter: &mut Interpreter<'_>, store: &TermStore, symbol: SymbolId) -> Value {
    let dice = interpreter.dice();
    if store.sort(store.symbol(symbol).sort).is_integer() {
        let most = 3 + dice.below(5);
        return Value::Int(dice.below(most) as i64 - 1);
    }
    if dice.below(4) == 0 {
        let value = dice.below(4) as i64;
        return Value::Array((-1..=5).map(|place| (place, value)).filter(|_| value != 0).collect());
    }
    let (low, values) = (dice.below(2) as i64, 1 + dice.below(4));
    let entries = (-1..=5).map(|place| (place, dice.below(values) as i64 - low * (dice.below(3) / 2) as i64));
    Value::Array(entries.filter(|(_, value)| *value != 0).collect::<BTreeMap<_, _>>())
}

/// Random values for some of the variables.
fn some_values(
    interpreter: &mut Interpreter<'_>,
    store: &TermStore,
    symbols: &[SymbolId],
) -> Vec<(SymbolId, Value)> {
    let mut chosen = Vec::new();
    for &symbol in symbols {
        let is_number = store.sort(store.symbol(symbol).sort).is_integer();
        let is_chosen = interpreter.dice().below(if is_number { 3 } else { 8 }) > 0;
        if !is_chosen {
            continue;
        }
        // Definitions relate arrays to each other: the same one twice is often an instance.
        let last = chosen.iter().rev().map(|(_, value): &(SymbolId, Value)| value);
        let last = last.into_iter().find(|value| matches!(value, Value::Array(_))).cloned();
        match last.filter(|_| !is_number && interpreter.dice().below(2) == 0) {
            Some(array) => chosen.push((symbol, array)),
            None => chosen.push((symbol, random(interpreter, store, symbol))),
        }
    }
    chosen
}

/// All variables of a solution; those that nothing determined get any value.
fn completed(
    interpreter: &mut Interpreter<'_>,
    store: &TermStore,
    solved: &State,
    symbols: &[SymbolId],
) -> Vec<(SymbolId, Value)> {
    let mut values = Vec::new();
    for &symbol in symbols {
        let value = solved.get(symbol).cloned();
        values.push((symbol, value.unwrap_or_else(|| random(interpreter, store, symbol))));
    }
    values
}

/// Tries instances of the left-hand side; gives how many there were, and one that is none of the right-hand side.
fn try_entailment(
    program: &Program,
    entailment: &Entailment,
    seed: u64,
    enough: usize,
) -> (usize, Option<Vec<(SymbolId, Value)>>) {
    let mut interpreter = Interpreter::new(program, seed);
    let mut instances = 0;
    let is_nothing = entailment.right.constraint == TermId::FALSE;
    for _ in 0..if is_nothing { TRIES_OF_NOTHING } else { TRIES } {
        let values = some_values(&mut interpreter, &program.store, &entailment.variables);
        let state = State::new(values).with_goal(&entailment.left);
        let Answer::Solved(solved) = interpreter.solve(state, false) else { continue };
        let values = completed(&mut interpreter, &program.store, &solved, &entailment.variables);
        instances += 1;
        if is_refuted(&mut interpreter, &values, &entailment.right, &entailment.name) {
            return (instances, Some(values));
        }
        if instances >= enough {
            break;
        }
    }
    (instances, None)
}

fn is_refuted(
    interpreter: &mut Interpreter<'_>,
    values: &[(SymbolId, Value)],
    right: &Goal,
    name: &str,
) -> bool {
    let state = State::new(values.to_vec()).with_goal(right);
    match interpreter.solve(state, true) {
        Answer::Solved(_) => false,
        Answer::None => true,
        Answer::GivenUp => panic!("{name}: too much to try"),
    }
}

/// Walks at random, and returns the properties that are violated on the way.
fn try_process(name: &str, program: &Program, process: &Process) -> BTreeSet<String> {
    let mut interpreter = Interpreter::new(program, 7);
    let mut violated = BTreeSet::new();
    let mut spoken_of: BTreeSet<String> = BTreeSet::new();
    let starts: Vec<Vec<Value>> =
        (0..TRIES).filter_map(|_| start(&mut interpreter, program, process)).take(WALKS).collect();
    assert!(starts.len() >= FEW, "{name} has {} starts", starts.len());
    for mut state in starts {
        for _ in 0..STEPS {
            for property in &process.properties {
                let left = State::new([]).with_equations(&property.state.args, &state);
                let left = left.with_goal(&property.state.goal);
                let Answer::Solved(solved) = interpreter.solve(left, true) else { continue };
                spoken_of.insert(property.name.clone());
                let values = completed(&mut interpreter, &program.store, &solved, &property.state.variables);
                if is_refuted(&mut interpreter, &values, &property.right, &property.name) {
                    violated.insert(property.name.clone());
                }
            }
            let Some(next) = step(&mut interpreter, program, process, &state) else { break };
            state = next;
        }
    }
    let vacuous: Vec<&String> = process
        .properties
        .iter()
        .map(|property| &property.name)
        .filter(|known| !spoken_of.contains(*known) && *known != "mutual exclusion")
        .collect();
    assert!(vacuous.is_empty(), "{name}: no state is spoken of by {vacuous:?}");
    violated
}

fn start(interpreter: &mut Interpreter<'_>, program: &Program, process: &Process) -> Option<Vec<Value>> {
    let values = some_values(interpreter, &program.store, &process.start.variables);
    let state = State::new(values).with_goal(&process.start.goal);
    let Answer::Solved(solved) = interpreter.solve(state, false) else { return None };
    let values = completed(interpreter, &program.store, &solved, &process.start.variables);
    let state = State::new(values);
    process.start.args.iter().map(|&arg| state.value(&program.store, arg)).collect()
}

/// A step that changes something.
fn step(
    interpreter: &mut Interpreter<'_>,
    program: &Program,
    process: &Process,
    state: &[Value],
) -> Option<Vec<Value>> {
    let order = interpreter.dice().shuffled(&process.transitions);
    order.into_iter().find_map(|transition| {
        let before = State::new([]).with_equations(&transition.from, state).with_goal(&transition.goal);
        let Answer::Solved(solved) = interpreter.solve(before, true) else { return None };
        let after: Option<Vec<Value>> =
            transition.to.iter().map(|&term| solved.value(&program.store, term)).collect();
        after.filter(|after| after != state)
    })
}

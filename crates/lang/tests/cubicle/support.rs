//! What the tests share: from text to systems, programs and searches.

use std::collections::BTreeSet;
use tenet_lang::cubicle::check::Settings;
use tenet_lang::cubicle::{finite, read};
use tenet_lang::render::{Style, render};
use tenet_system::System;
use tenet_system::finite::explore::{Deadlock, End, Options, Outcome, explore};
use tenet_system::finite::program::Program;
use tenet_system::finite::trace::{Finding, replay};

/// The system of a file that has no errors.
pub fn system(source: &str, settings: &Settings) -> System {
    match read(source, settings) {
        Ok((system, _)) => system,
        Err(found) => panic!("{}", render(&found, "model.cub", source, Style::Plain)),
    }
}

/// Settings with values of constants.
pub fn with_consts(consts: &[(&str, i64)]) -> Settings {
    let consts = consts.iter().map(|&(name, value)| (name.to_string(), value.into())).collect();
    Settings { consts, ..Settings::default() }
}

/// An instance.
pub fn program(source: &str, sizes: &[(&str, u64)], consts: &[(&str, i64)]) -> Program {
    let sizes: Vec<(String, u64)> = sizes.iter().map(|&(name, size)| (name.to_string(), size)).collect();
    finite::program(&system(source, &with_consts(consts)), &sizes).expect("the file has this instance")
}

/// Searches an instance without deadlocks, which Cubicle does not have, and replays the findings.
pub fn search(program: &Program, symmetry: bool, depth: Option<u32>) -> Outcome {
    let deadlock = Deadlock::Off;
    let options = Options { symmetry, keep_going: true, deadlock, max_depth: depth, ..Options::default() };
    let outcome = explore(program, &options, &mut |_| true);
    assert!(depth.is_some() || matches!(outcome.end, End::Complete | End::Found));
    assert!(outcome.traces.iter().all(|trace| replay(program, trace).is_ok()));
    outcome
}

/// The number of reachable states, every process for itself.
pub fn states(source: &str, size: u64) -> u64 {
    search(&program(source, &[("proc", size)], &[]), false, None).statistics.states
}

/// The names of the properties that are violated in an instance.
pub fn violated(source: &str, sizes: &[(&str, u64)], consts: &[(&str, i64)]) -> BTreeSet<String> {
    let program = program(source, sizes, consts);
    let outcome = search(&program, true, None);
    let broken = outcome.traces.iter().filter_map(|trace| match trace.finding {
        Finding::Property(position) => Some(program.properties[position].name.clone()),
        _ => None,
    });
    broken.collect()
}

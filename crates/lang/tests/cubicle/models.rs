//! The claims in the headers of the Cubicle models of `models/`, in lines such as
//!
//! ```text
//!   tenet explore models/mutex.cub --size proc=3   safe, 10 states (32 with --no-symmetry)
//! ```

use crate::support::{program, search};
use std::fs;
use std::path::{Path, PathBuf};
use tenet_system::finite::explore::End;
use tenet_system::finite::trace::Finding;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// Every model that must be there, so that a lost file is noticed.
const MODELS: &[&str] = &["bakery.cub", "german.cub", "mutex.cub", "mutex_buggy.cub"];

fn number(text: &str) -> u64 {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

/// Checks one line: the part after the file name.
fn keep_promise(source: &str, line: &str) {
    let (options, promise) = line.split_once("  ").unwrap();
    let mut words = options.split_whitespace();
    let (mut size, mut depth) = (0, None);
    while let (Some(option), Some(value)) = (words.next(), words.next()) {
        match option {
            "--size" => size = number(value.strip_prefix("proc=").unwrap()),
            "--depth" => depth = Some(number(value) as u32),
            _ => panic!("unknown option {option}"),
        }
    }
    let program = program(source, &[("proc", size)], &[]);
    let outcome = search(&program, true, depth);
    let states = |text: &str| number(text.split_once(", ").unwrap().1);
    match promise.trim().split(',').next().unwrap() {
        "safe" => {
            assert_eq!((outcome.end, outcome.statistics.states), (End::Complete, states(promise)), "{line}");
            let all = number(promise.split_once('(').unwrap().1);
            assert_eq!(search(&program, false, depth).statistics.states, all, "{line}");
        }
        "unknown" => assert_eq!(outcome.statistics.states, states(promise), "{line}"),
        "unsafe" => {
            let name = promise.split('"').nth(1).unwrap();
            let trace = &outcome.traces[0];
            let Finding::Property(position) = trace.finding else { panic!("{line}") };
            assert_eq!(program.properties[position].name, name, "{line}");
            let steps = number(promise.split_once("after ").unwrap().1) as usize;
            assert_eq!(trace.steps.len(), steps + 1, "{line}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn models_keep_their_promises() {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(".cub"));
    names.sort();
    assert_eq!(names, MODELS);
    for name in names {
        let source = fs::read_to_string(folder().join(&name)).unwrap();
        let start = format!("tenet explore models/{name} ");
        let lines: Vec<&str> = source.lines().filter_map(|line| line.trim().strip_prefix(&start)).collect();
        assert!(lines.len() >= 2, "{name}");
        lines.iter().for_each(|line| keep_promise(&source, line));
    }
}

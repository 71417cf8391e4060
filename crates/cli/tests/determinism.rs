//! Two runs print the same thing, whatever the number of threads, up to the one line with times.

use std::process::Command;

fn printed(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tenet")).args(arguments).output().expect("tenet starts");
    let text = String::from_utf8(output.stdout).expect("the output is text");
    let is_stable = |line: &&str| {
        !["  time ", "    \"seconds", "      \"seconds", "    \"peak", "    \"states_per", "    \"bytes_per"]
            .iter()
            .any(|unstable| line.starts_with(unstable))
    };
    (output.status.code(), text.lines().filter(is_stable).collect::<Vec<_>>().join("\n"))
}

fn model(path: &str) -> String {
    format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))
}

fn same(arguments: &[&str]) {
    let with = |threads: &str| printed(&[arguments, &["--threads", threads]].concat());
    let first = with("1");
    assert!(first.1.lines().count() > 2, "{}", first.1);
    assert_eq!(first, with("1"));
    assert_eq!(first, with("2"));
    assert_eq!(first, with("3"));
}

#[test]
fn small_models() {
    for name in ["counter.m", "lamp.m", "deadlock.m", "assertion.m", "undefined.m", "vacuous.m", "endless.m"]
    {
        let file = model(&format!("tests/models/{name}"));
        same(&["explore", &file]);
        same(&["explore", &file, "--keep-going"]);
        same(&["explore", &file, "--json"]);
    }
}

#[test]
fn models_that_keep_several_threads_busy() {
    same(&["explore", &model("../../models/german.m"), "--no-symmetry"]);
    same(&["explore", &model("../../models/two_phase_commit_broken.m"), "--no-symmetry"]);
    same(&["explore", &model("../../models/szymanski_broken.m"), "--keep-going"]);
    same(&["explore", &model("tests/models/messages.tenet"), "--depth", "2000"]);
}

#[test]
fn the_same_seed_gives_the_same_walk() {
    let file = model("../../models/german.m");
    let walk = |seed| printed(&["simulate", &file, "--seed", seed]);
    assert_eq!(walk("7"), walk("7"));
    assert_ne!(walk("7"), walk("8"));
}

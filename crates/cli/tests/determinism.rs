//! Two runs print the same, whatever the number of threads and however busy the machine, up to the one line with times.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, thread};

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

/// The output of a proof, and its certificate.
fn proof(file: &str, certificate: &str) -> (Option<i32>, String, Option<Vec<u8>>) {
    // The folder is that of the build, and each file has a name of its own: nothing else writes there.
    let path = format!("{}/{certificate}.cert", env!("CARGO_TARGET_TMPDIR"));
    let (code, text) = printed(&["prove", file, "--certificate", &path, "--timeout", "600"]);
    let written = fs::read(&path).ok();
    let _ = fs::remove_file(&path);
    (code, text.replace(&path, "CERTIFICATE"), written)
}

/// Runs something with all cores busy.
fn under_load<T>(work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 * thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = work();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

/// One model for each engine, including those whose proofs or runs were once not deterministic.
#[test]
fn a_busy_machine_finds_the_same() {
    let models = [
        "mutex.m",
        "german.cub",
        "papers/german.tenet",
        "programs/phases.tenet",
        "programs/cruise_control.smt2",
        "programs/cruise_control_broken.smt2",
        "programs/division_broken.tenet",
        "recursive/counting_ones.clp",
        "recursive/sum.clp",
        "recursive/false_sum.clp",
    ];
    for name in models {
        let file = model(&format!("../../models/{name}"));
        let certificate = name.replace('/', "_");
        let calm = proof(&file, &certificate);
        assert!(matches!(calm.0, Some(0 | 10)), "{name}: {calm:?}");
        assert!(calm.0 != Some(0) || calm.2.is_some(), "{name}");
        let busy = under_load(|| proof(&file, &certificate));
        assert_eq!(calm, busy, "{name}");
    }
}

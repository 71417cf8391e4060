//! `tenet prove` on the designs of `models/rtl`: the claims of their headers. Needs Yosys, and fails without it.

use std::path::PathBuf;
use std::process::{Command, Output};

const SAFE: i32 = 0;
const UNSAFE: i32 = 10;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Proves a design, with the Yosys that `tools/setup` provides for tests if there is one.
fn prove(design: &str, options: &[&str]) -> Output {
    let file = root().join("models/rtl").join(design);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenet"));
    let provided = root().join(".deps/yosys/bin/yosys");
    if std::env::var_os("TENET_YOSYS").is_none() && provided.is_file() {
        command.env("TENET_YOSYS", provided);
    }
    command.args(["prove", "--timeout", "60"]).arg(file).args(options).output().expect("tenet starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn assert_safe(design: &str, options: &[&str]) {
    let output = prove(design, options);
    assert_eq!(output.status.code(), Some(SAFE), "{design} {options:?}: {}", text(&output));
}

/// Checks the length of the shortest run to the violation.
fn assert_unsafe(design: &str, property: &str, steps: usize, options: &[&str]) {
    let output = prove(design, &[options, &["--property", property]].concat());
    let plural = if steps == 1 { "" } else { "s" };
    let wanted = format!("unsafe: invariant \"{property}\" is false, after {steps} step{plural}");
    assert_eq!(output.status.code(), Some(UNSAFE), "{design} {property}: {}", text(&output));
    assert!(text(&output).contains(&wanted), "{design} {property}: {}", text(&output));
}

#[test]
fn the_filter_has_seven_true_properties_and_two_false_ones() {
    let hybrid = ["--engine", "hybrid"];
    for property in ["prop2", "prop3", "prop7", "prop8", "prop9", "prop10", "prop12"] {
        assert_safe("pfir.v", &[hybrid[0], hybrid[1], "--property", property]);
    }
    assert_unsafe("pfir.v", "scr1", 15, &hybrid);
    assert_unsafe("pfir.v", "prop5", 16, &hybrid);
}

#[test]
fn a_search_without_abstraction_agrees_about_the_filter() {
    assert_unsafe("pfir.v", "scr1", 15, &[]);
    assert_unsafe("pfir.v", "prop5", 16, &[]);
    assert_safe("pfir.v", &["--property", "prop3", "--property", "prop8", "--property", "prop9"]);
}

#[test]
fn designs_are_proved() {
    assert_safe("arbiter.v", &[]);
    assert_safe("fetch.v", &["--const", "ADDRESS=8"]);
    for design in ["fifo.v", "cache.v", "lock.v"] {
        assert_safe(design, &["--const", "WIDTH=8"]);
    }
}

#[test]
fn broken_variants_come_with_shortest_runs() {
    assert_unsafe("arbiter_broken.v", "bounded_waiting", 12, &[]);
    assert_unsafe("fetch_broken.v", "no_stale_bytes", 1, &[]);
    assert_unsafe("fetch_broken.v", "trap_is_quiet", 3, &[]);
    assert_unsafe("fifo_broken.v", "watched_comes_out", 3, &[]);
    assert_unsafe("lock_broken.v", "blocked_is_closed", 4, &[]);
    assert_unsafe("lock_broken.v", "opens_by_codes", 18, &["--const", "WIDTH=8"]);
    assert_unsafe("cache_broken.v", "reads_what_was_written", 8, &["--const", "WIDTH=8"]);
}

//! `tenet prove` on the programs of `models/programs`: those that are not called broken are proved, with certificates that Z3 and
//! cvc5 accept; the others get a run. Also the output for long runs, limits and options.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SAFE: i32 = 0;
const UNSAFE: i32 = 10;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn tenet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tenet")).args(arguments).output().expect("tenet starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The programs, in order.
fn programs() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join("models/programs")).expect("the programs exist");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "tenet" || end == "smt2"));
    files.sort();
    files
}

fn is_broken(file: &Path) -> bool {
    file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("_broken"))
}

#[test]
fn every_program_is_proved_or_refuted() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = folder.path().join("loop.cert");
    let certificate = certificate.to_str().expect("a path of text");
    let cvc5 = root().join("tools/cvc5");
    let cvc5 = cvc5.to_str().expect("a path of text");
    let programs = programs();
    assert!(programs.len() >= 24, "a dozen loops, each with a broken variant");
    for (number, file) in programs.iter().enumerate() {
        let name = file.to_str().expect("a path of text");
        let output = tenet(&["prove", name, "--timeout", "60", "--certificate", certificate]);
        if is_broken(file) {
            assert_eq!(output.status.code(), Some(UNSAFE), "{name}: {}", text(&output));
            assert!(text(&output).contains("  0. "), "{name} comes with a run: {}", text(&output));
            continue;
        }
        assert_eq!(output.status.code(), Some(SAFE), "{name}: {}", text(&output));
        let verified = tenet(&["verify", certificate]);
        assert_eq!(verified.status.code(), Some(SAFE), "{name}: {}", text(&verified));
        if number % 4 == 0 {
            let verified = tenet(&["verify", certificate, "--with", cvc5]);
            assert_eq!(verified.status.code(), Some(SAFE), "{name}: {}", text(&verified));
        }
    }
}

#[test]
fn long_runs_are_shown_in_part() {
    let file = root().join("models/programs/saturating_broken.smt2");
    let name = file.to_str().expect("a path of text");
    let shown = text(&tenet(&["prove", name]));
    assert!(shown.contains("steps left out (-v shows all)"), "{shown}");
    assert!(shown.lines().count() < 80, "{shown}");
    let all = text(&tenet(&["prove", name, "-v"]));
    assert!(!all.contains("left out") && all.lines().count() > 500, "{all}");
}

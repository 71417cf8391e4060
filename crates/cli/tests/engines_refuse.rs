//! Engines refuse models that they do not support, and a model is read once.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engines_refuse").join(name);
    // Left over from an earlier run, if it exists.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder of the build can be written to");
    folder
}

/// What is printed.
fn prove(file: &Path, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tenet")).arg("prove").arg(file).args(options).output();
    let printed = String::from_utf8(output.expect("tenet starts").stdout).expect("it is text");
    assert!(printed.starts_with("unknown: "), "{printed}");
    printed
}

/// What it says to try.
fn hint(printed: &str) -> &str {
    printed.lines().find_map(|line| line.trim().strip_prefix("try: ")).unwrap_or_default()
}

#[test]
fn refine_on_a_protocol_speaks_of_no_option_that_it_does_not_have() {
    let text = prove(&root().join("models/mutex.m"), &["--engine", "refine"]);
    let hint = hint(&text);
    assert!(text.contains("the engine `refine` cannot read it"), "{text}");
    assert!(hint.contains("leave `--engine` out"), "{hint}");
    assert!(!hint.contains("--iterations") && !hint.contains("--method"), "{hint}");
}

#[test]
fn circuit_on_a_protocol_says_its_own_name() {
    let text = prove(&root().join("models/mutex.m"), &["--engine", "circuit"]);
    let hint = hint(&text);
    assert!(text.contains("the engine `circuit` cannot read it"), "{text}");
    assert!(hint.contains("leave `--engine` out"), "{hint}");
}

#[test]
fn direct_on_a_circuit_does_not_send_the_user_to_a_command_that_refuses_circuits() {
    // Two counters that differ by one for ever: `direct` has no lemmas for that.
    let file = folder("circuit").join("apart.btor2");
    let text = "1 sort bitvec 32\n2 sort bitvec 1\n3 zero 1\n4 one 1\n5 state 1 a\n6 state 1 b\n7 init 1 5 3\n\
                8 init 1 6 4\n9 mul 1 5 5\n10 add 1 9 6\n11 mul 1 6 5\n12 next 1 5 10\n13 next 1 6 11\n\
                14 constd 1 77777\n15 eq 2 5 14\n16 bad 15 met\n";
    std::fs::write(&file, text).expect("it can be written");
    let printed = prove(&file, &["--engine", "direct", "--timeout", "10"]);
    assert!(hint(&printed).contains("leave `--engine` out"), "{printed}");
    assert!(!printed.contains("tenet explore"), "{printed}");
}

#[test]
fn what_is_missing_is_said_once() {
    let file = folder("nothing").join("nothing.m");
    std::fs::write(&file, "var x : boolean; startstate x := true end; rule x ==> x := !x end;")
        .expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_tenet")).arg("prove").arg(&file).output();
    let told = String::from_utf8(output.expect("tenet starts").stderr).expect("it is text");
    let warnings = told.lines().filter(|line| line.starts_with("warning")).count();
    assert_eq!(warnings, 1, "{told}");
}

/// A pipe can be read once; opening it again would block for ever.
#[cfg(unix)]
#[test]
fn a_model_is_opened_once() {
    let pipe = folder("pipe").join("mutex.m");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenet"));
    command.arg("prove").arg(&pipe).args(["--timeout", "60", "--json"]).stdout(Stdio::piped());
    let tenet = command.spawn().expect("tenet starts");
    let text = std::fs::read(root().join("models/mutex.m")).expect("the model is there");
    std::fs::File::options()
        .write(true)
        .open(&pipe)
        .and_then(|mut pipe| pipe.write_all(&text))
        .expect("it is read");
    let output = tenet.wait_with_output().expect("it ends");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    assert_eq!(object["verdict"], "safe", "{object:#}");
}

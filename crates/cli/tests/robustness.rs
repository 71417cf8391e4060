//! Malformed input and adverse circumstances: the answer is a diagnostic and exit code 3, quickly and in little memory,
//! never a panic.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder for the files of one test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

fn tenet(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenet"));
    command.args(arguments).stdin(Stdio::null()).env_remove("RUST_BACKTRACE");
    command
}

fn model(name: &str) -> String {
    format!("{}/tests/models/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn run(arguments: &[&str]) -> Output {
    tenet(arguments).output().expect("tenet starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Every command must reject this content, as text and as JSON, with one of these codes.
fn rejected(test: &str, content: &[u8], codes: &[&str]) {
    let file = folder(test).join("model.m");
    fs::write(&file, content).expect("the file can be written");
    let file = file.to_str().expect("the path is text");
    for command in ["check", "explore", "simulate"] {
        let output = run(&[command, file]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{command}: {}", &message[..message.len().min(500)]);
        assert!(codes.iter().any(|code| message.contains(&format!("error[{code}]"))), "{command}: {message}");
        assert!(message.len() < 20_000, "{command} prints {} bytes", message.len());
        let output = run(&[command, file, "--json"]);
        assert_eq!(output.status.code(), Some(3), "{command}");
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("this is JSON");
        assert_eq!(object["verdict"], serde_json::Value::Null);
        assert_eq!(object["diagnostics"][0]["severity"], "error");
    }
}

#[test]
fn an_empty_file() {
    rejected("empty", b"", &["E0232"]);
}

#[test]
fn a_binary_file() {
    let bytes: Vec<u8> =
        (0..10_000u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    rejected("binary", &bytes, &["E0120"]);
    rejected("zeros", &[0; 1000], &["E0120"]);
}

#[test]
fn a_file_in_an_old_encoding() {
    let mut bytes = b"-- one\n-- caf\xe9\n".to_vec();
    bytes.extend(fs::read(model("../../../../models/mutex.m")).expect("the model can be read"));
    let file = folder("latin1").join("model.m");
    fs::write(&file, bytes).expect("the folder can be written");
    let certificate = folder("latin1").join("lamp.cert");
    let (file, certificate) = (file.to_str().expect("text"), certificate.to_str().expect("text"));
    let output = run(&["prove", file, "--certificate", certificate]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(run(&["verify", certificate]).status.code(), Some(0));
}

#[test]
fn a_byte_order_mark_and_foreign_line_ends_change_nothing() {
    let source = fs::read_to_string(model("lamp.m")).expect("the model can be read");
    let variants = [
        source.clone(),
        format!("\u{feff}{source}"),
        source.replace('\n', "\r\n"),
        source.replace("  ", "\t"),
        source.trim_end().to_string(),
    ];
    let answers: Vec<String> = variants
        .iter()
        .map(|content| {
            let file = folder("a variant").join("my model.m");
            fs::write(&file, content).expect("the file can be written");
            let output = run(&["explore", file.to_str().expect("the path is text"), "-q"]);
            assert_eq!(output.status.code(), Some(10));
            text(&output.stdout)
        })
        .collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[test]
fn a_truncated_file() {
    let whole = fs::read(model("lamp.m")).expect("the model can be read");
    rejected("truncated", &whole[..whole.len() / 2], &["E0101", "E0105"]);
}

#[test]
fn deep_nesting() {
    let open =
        format!("var x : boolean; startstate x := {}true{}; end;", "(".repeat(100_000), ")".repeat(100_000));
    rejected("parentheses", open.as_bytes(), &["E0118"]);
    let nots = format!("var x : boolean; startstate x := {}true; end;", "!".repeat(100_000));
    rejected("negations", nots.as_bytes(), &["E0118"]);
    let arrays = format!("var x : {}boolean;", "array [0..0] of ".repeat(100_000));
    rejected("arrays", arrays.as_bytes(), &["E0118"]);
    let blocks = format!("rule {}", "if true then ".repeat(100_000));
    rejected("blocks", blocks.as_bytes(), &["E0118"]);
}

#[test]
fn a_file_of_fifty_megabytes_is_not_read() {
    let file = folder("huge").join("model.m");
    let handle = fs::File::create(&file).expect("the file can be made");
    // A sparse file: it has the length without taking the space.
    handle.set_len(50 << 20).expect("the file can be enlarged");
    let output = run(&["check", file.to_str().expect("the path is text")]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("52428800 bytes"), "{}", text(&output.stderr));
}

#[test]
fn many_errors_are_cut() {
    rejected("many", "rule x := ; end;\n".repeat(100_000).as_bytes(), &["E0101"]);
}

#[test]
fn folders_and_unknown_endings() {
    let folder = folder("endings");
    let output = run(&["check", folder.to_str().expect("the path is text")]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("folder"));
    for name in ["model.txt", "model"] {
        let file = folder.join(name);
        fs::write(&file, "var x : boolean;").expect("the file can be written");
        let output = run(&["check", file.to_str().expect("the path is text")]);
        assert_eq!(output.status.code(), Some(3));
        let message = text(&output.stderr);
        assert!(
            message.contains("E0602") && message.contains("`.m`") && message.contains("`.tenet`"),
            "{message}"
        );
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let mut child = tenet(&["explore", &model("lamp.m")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("tenet starts");
    drop(child.stdout.take());
    let mut log = String::new();
    child.stderr.take().expect("stderr is piped").read_to_string(&mut log).expect("stderr is text");
    assert_eq!((child.wait().expect("tenet ends").code(), log.as_str()), (Some(10), ""));
}

#[test]
fn the_run_is_written_as_itf() {
    let file = folder("itf").join("run.itf.json");
    let path = file.to_str().expect("the path is text");
    let output = run(&["explore", &model("lamp.m"), "--property", "never green", "--trace", path]);
    assert_eq!(output.status.code(), Some(10));
    let trace: serde_json::Value =
        serde_json::from_slice(&fs::read(&file).expect("it was written")).expect("JSON");
    assert_eq!(trace["#meta"]["format"], "ITF");
    assert_eq!(trace["vars"], serde_json::json!(["lamp"]));
    assert_eq!(trace["states"].as_array().map(Vec::len), Some(3));
    let last = &trace["states"][2]["lamp"]["#map"][0];
    assert_eq!(*last, serde_json::json!(["LAMP_1", { "colour": "Green", "broken": false }]));
}

#[test]
fn an_interactive_walk() {
    let mut child = tenet(&["simulate", &model("counter.m"), "--interactive"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("tenet starts");
    child.stdin.take().expect("stdin is piped").write_all(b"1\n1\ns\nb\nx\n7\nq\n").expect("tenet reads");
    let output = child.wait_with_output().expect("tenet ends");
    assert_eq!(output.status.code(), Some(0));
    let printed = text(&output.stdout);
    for expected in
        ["1  zero", "x = 0", "there is no step 7", "1. step\n       x: 0 -> 1", "> 1. step", "x = 1"]
    {
        let expected = expected.trim_start_matches("> ");
        assert!(printed.contains(expected), "no {expected:?} in:\n{printed}");
    }
}

/// Interrupting is tested where the process can be watched: the signal is sent once its handler is in place.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_gives_the_partial_result() {
    interrupted(&["explore", &model("messages.tenet")], "unknown: the search was interrupted");
    let (large, expected) = ("../../models/flash_data.m", "interrupted before enough lemmas were found");
    interrupted(&["prove", large, "--timeout", "1000"], expected);
}

#[cfg(target_os = "linux")]
fn interrupted(arguments: &[&str], expected: &str) {
    let child = tenet(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tenet starts");
    let id = child.id().to_string();
    while !catches_interrupts(&id) {
        std::thread::yield_now();
    }
    let sent = Command::new("kill").args(["-INT", &id]).status().expect("kill runs");
    assert!(sent.success());
    let output = child.wait_with_output().expect("tenet ends");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains(expected), "{}", text(&output.stdout));
}

#[cfg(target_os = "linux")]
fn catches_interrupts(id: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("the process runs");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("Linux tells");
    u64::from_str_radix(mask.trim(), 16).expect("a mask") & 0b10 != 0
}

#[test]
fn terms_that_share_parts_are_not_written_out_for_ever() {
    let mut body = String::from("(P a (+ n 1))");
    for _ in 0..60 {
        body = format!("(let ((a (ite (> a 0) (+ a y) (- a y)))) {body})");
    }
    let text = format!(
        "(declare-fun P (Int Int) Bool)(assert (P 0 0))(assert (forall ((a Int) (n Int) (y Int)) (=> (and (P a n) (< n 3)) \
         {body})))(assert (forall ((a Int) (n Int)) (=> (P a n) (< n 4))))"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lets.smt2");
    std::fs::write(&file, text).expect("it can be written");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tenet"))
        .args(["check", "--system"])
        .arg(&file)
        .output()
        .expect("tenet starts");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.len() < 200_000);
}

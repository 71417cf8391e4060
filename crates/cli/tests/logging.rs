//! `--log` and `--dump-smt`: what they write is correct, and nothing else depends on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An empty folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("logging").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder of the build can be written to");
    folder
}

fn tenet(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tenet"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("tenet starts")
}

fn model(name: &str) -> String {
    root().join(name).display().to_string()
}

/// The z3 that `tools/setup` provides for tests, else the one on the `PATH`.
fn z3() -> Option<PathBuf> {
    let provided = root().join(".deps/solvers/z3");
    let found = tenet_solve::find_solvers().into_iter().find(|program| program.ends_with("z3"));
    if provided.is_file() { Some(provided) } else { found }
}

/// Without its times.
fn text(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter(|line| !line.starts_with("  time ")).collect::<Vec<_>>().join("\n")
}

/// Every kind of input, with the engine that proves it.
const MODELS: [(&str, &[&str]); 8] = [
    ("models/german.m", &[]),
    ("models/two_phase_commit.m", &["--seed", "3"]),
    ("models/papers/mutex.tenet", &[]),
    ("crates/cli/tests/models/loop.smt2", &[]),
    ("crates/cli/tests/models/loop_broken.smt2", &[]),
    ("crates/cli/tests/models/handshake.btor2", &[]),
    ("crates/cli/tests/models/handshake.btor2", &["--engine", "hybrid"]),
    ("crates/cli/tests/models/count.clp", &[]),
];

#[test]
fn nothing_depends_on_who_watches() {
    let folder = folder("watched");
    for (number, (file, options)) in MODELS.into_iter().enumerate() {
        let file = model(file);
        let arguments = [&["prove", &file, "-v", "--certificate", "cert"], options].concat();
        let (log, dump) = (format!("{number}.log"), format!("{number}.questions"));
        let watching: [&str; 6] = ["--log", &log, "--log-level", "trace", "--dump-smt", &dump];
        let answers = [arguments.clone(), [&arguments[..], &watching].concat()].map(|arguments| {
            let output = tenet(&folder, &arguments);
            let files = ["cert", "cert.reads"].map(|name| fs::read(folder.join(name)).ok());
            for name in ["cert", "cert.reads"] {
                let _ = fs::remove_file(folder.join(name));
            }
            (output.status.code(), text(&output), files)
        });
        let [alone, watched] = answers;
        assert!(matches!(alone.0, Some(0 | 10)), "{file}: {}", alone.1);
        assert_eq!(alone, watched, "{file}");
        let log = fs::read_to_string(folder.join(&log)).expect("there is a log");
        assert!(log.contains("engine begins") && log.contains("engine ends"), "{log}");
        assert!(fs::read_dir(folder.join(&dump)).expect("there is a folder").count() > 0, "{file}");
    }
}

#[test]
fn a_log_names_the_lemmas() {
    let folder = folder("lemmas");
    tenet(&folder, &["prove", &model("models/mutex.m"), "--log", "log"]);
    let log = fs::read_to_string(folder.join("log")).expect("there is a log");
    assert!(log.starts_with("# tenet log, version "), "{log}");
    let has = |parts: &[&str]| log.lines().any(|line| parts.iter().all(|part| line.contains(part)));
    let rule = "prove: direct: rule{name=\"give the semaphore back\"}: ";
    assert!(has(&["DEBUG", rule, "counterexample to induction", "cube=\"step[i] = Critical"]), "{log}");
    assert!(has(&["DEBUG", rule, "lemma learned number=2 lemma=\"forall i, j. "]), "{log}");
    assert!(has(&["INFO", "prove: verify: certificate accepted"]), "{log}");
    assert!(!log.contains("TRACE"), "{log}");
    let seconds = |line: &str| line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    let times: Vec<f64> = log.lines().skip(1).map(|line| seconds(line).expect("a time")).collect();
    assert!(times.is_sorted(), "times are relative, and one thread tells of one thing after the other");
    tenet(&folder, &["prove", &model("models/mutex.m"), "--log", "log", "--log-level", "info"]);
    let log = fs::read_to_string(folder.join("log")).expect("a log is replaced");
    assert!(log.contains("engine begins") && !log.contains("lemma learned"), "{log}");
}

#[test]
fn frames_and_refinements_are_told() {
    let folder = folder("frames");
    for (file, told) in [
        ("models/programs/gcd.tenet", ["frame{level=1}: frame begins", "predicate added location="]),
        ("models/papers/mutex.tenet", ["reach: iteration ends", "reach: lemma learned lemma="]),
        ("crates/cli/tests/models/handshake.btor2", ["circuit: bounded: ", "engine ends with a proof"]),
        ("crates/cli/tests/models/count.clp", ["entailment{name=", "lemma learned number=0"]),
    ] {
        tenet(&folder, &["prove", &model(file), "--log", "log"]);
        let log = fs::read_to_string(folder.join("log")).expect("there is a log");
        for what in told {
            assert!(log.contains(what), "{file}: {what}\n{log}");
        }
    }
    tenet(&folder, &["explore", &model("models/mutex.m"), "--log", "log"]);
    let log = fs::read_to_string(folder.join("log")).expect("there is a log");
    assert!(log.contains("explore: search ends states=10"), "{log}");
}

/// Each question about small models of every kind, checked with the z3 of set-up.
#[test]
fn a_dumped_question_has_the_recorded_answer() {
    let Some(z3) = z3() else { return };
    let folder = folder("questions");
    for (number, (file, asker)) in [
        ("models/mutex.m", "direct: rule{name="),
        ("crates/cli/tests/models/loop.smt2", "refine: "),
        ("crates/cli/tests/models/handshake.btor2", "circuit: "),
        ("models/papers/mutex.tenet", "reach: "),
    ]
    .into_iter()
    .enumerate()
    {
        let dump = folder.join(number.to_string());
        let name = dump.display().to_string();
        let output = tenet(&folder, &["prove", &model(file), "--dump-smt", &name]);
        assert_eq!(output.status.code(), Some(0), "{file}");
        let mut names: Vec<String> = fs::read_dir(&dump)
            .expect("there is a folder")
            .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        let expected: Vec<String> = (1..=names.len()).map(|number| format!("{number:06}.smt2")).collect();
        assert_eq!(names, expected, "{file}");
        let texts = names.iter().map(|name| fs::read_to_string(dump.join(name)).expect("it can be read"));
        let texts: Vec<String> = texts.collect();
        assert!(texts.iter().any(|text| text.starts_with(&format!("; asked by prove: {asker}"))), "{file}");
        for (name, text) in names.iter().zip(&texts) {
            let status =
                text.lines().find_map(|line| line.strip_prefix("(set-info :status ")?.strip_suffix(')'));
            let answered = Command::new(&z3).arg(dump.join(name)).output().expect("z3 runs");
            assert_eq!(
                String::from_utf8_lossy(&answered.stdout).trim(),
                status.expect("a status"),
                "{file} {name}"
            );
        }
    }
}

#[test]
fn nothing_is_written_over() {
    let folder = folder("safe");
    let original = fs::read(model("models/mutex.m")).expect("there is a model");
    fs::write(folder.join("mutex.m"), &original).expect("it can be written");
    let refused = |arguments: &[&str], code: i32, why: &str| {
        let output = tenet(&folder, arguments);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains(why), "{told}");
        assert_eq!(fs::read(folder.join("mutex.m")).ok(), Some(original.clone()));
    };
    refused(&["prove", "mutex.m", "--log", "./mutex.m"], 2, "it is what the command reads");
    refused(&["prove", "mutex.m", "--log", "x", "--certificate", "x"], 2, "would be written twice");
    refused(&["prove", "mutex.m", "--dump-smt", "."], 4, "the folder is not empty");
    refused(&["prove", "mutex.m", "--log-level", "trace"], 2, "--log <FILE>");
    // The model of a certificate is known only after it has been read.
    assert_eq!(tenet(&folder, &["prove", "mutex.m", "--certificate", "cert"]).status.code(), Some(0));
    refused(&["verify", "cert", "--log", "mutex.m"], 4, "it is no log");
    refused(&["verify", "cert", "--log", "cert"], 2, "it is what the command reads");
    let checked = tenet(&folder, &["verify", "cert", "--log", "log", "--dump-smt", "questions"]);
    assert_eq!(checked.status.code(), Some(0));
    assert!(folder.join("questions/000001.smt2").is_file());
}

//! `tenet prove` on the models of `models`: what their headers claim for every size is proved, and the broken ones are broken.
//! The proofs are accepted from files, too, and edited ones are not. Time limits hold.

use std::path::PathBuf;
use std::process::{Command, Output};

const SAFE: i32 = 0;
const UNSAFE: i32 = 10;
const UNKNOWN: i32 = 5;

/// Proved without any help. The header of each that has one says `every …: safe`.
const PROVED: [&str; 18] = [
    "mutex.m",
    "szymanski.m",
    "mesi.m",
    "moesi.m",
    "lock_server.m",
    "two_phase_commit.m",
    "german.m",
    "german_data.m",
    "german_fifo.tenet",
    "ooo.tenet",
    "bakery.tenet",
    "bakery_atomic.tenet",
    "selection_sort.tenet",
    "token_ring.tenet",
    "ricart_agrawala.tenet",
    "mutex.cub",
    "bakery.cub",
    "german.cub",
];

/// Broken, with a run that is found within seconds.
const BROKEN: [&str; 20] = [
    "bakery_atomic_broken.tenet",
    "bakery_broken.m",
    "bakery_broken.tenet",
    "bakery_nonatomic_broken.tenet",
    "flash_broken.m",
    "flash_data_broken.m",
    "german_broken.m",
    "german_data_broken.m",
    "german_fifo_broken.tenet",
    "mesi_broken.m",
    "moesi_broken.m",
    "mutex_broken.m",
    "mutex_buggy.cub",
    "ooo_broken.tenet",
    "ricart_agrawala_broken.tenet",
    "selection_sort_broken.tenet",
    "szymanski_broken.m",
    "token_ring_broken.tenet",
    "lock_server_broken.m",
    "two_phase_commit_broken.m",
];

fn model(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models")).join(name)
}

fn tenet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tenet")).args(arguments).output().expect("tenet starts")
}

fn prove(name: &str, more: &[&str]) -> (Option<i32>, String) {
    let file = model(name);
    let output = tenet(&[&["prove", file.to_str().expect("a path of text")], more].concat());
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

/// The header's claim for every size: `every NODE: safe`, `every CACHE >= 2: unsafe`.
fn expected(name: &str) -> Option<i32> {
    let text = std::fs::read_to_string(model(name)).expect("the model exists");
    let line = text.lines().find_map(|line| line.trim_start_matches("--").trim().strip_prefix("every "))?;
    match line.rsplit_once(": ")?.1 {
        "safe" => Some(SAFE),
        "unsafe" => Some(UNSAFE),
        _ => None,
    }
}

#[test]
fn models_are_proved_for_every_size_without_help() {
    for name in PROVED {
        assert!(name.ends_with(".cub") || expected(name) == Some(SAFE), "the header of {name}");
        let (code, text) = prove(name, &["--timeout", "60"]);
        assert_eq!(code, Some(SAFE), "{name}: {text}");
        assert!(text.starts_with("safe: ") && text.contains("for every "), "{name}: {text}");
    }
}

#[test]
fn broken_models_are_never_proved() {
    for name in BROKEN {
        let (code, text) = prove(name, &["--timeout", "60"]);
        assert_eq!(code, Some(UNSAFE), "{name}: {text}");
        assert!(text.contains("  0. "), "{name} comes with a run: {text}");
    }
    let all = std::fs::read_dir(model("")).expect("the models exist");
    let names = all.map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
    let others: Vec<String> =
        names.filter(|name| name.contains("_broken.") && !BROKEN.contains(&name.as_str())).collect();
    for name in others {
        let (code, text) = prove(&name, &["--timeout", "3"]);
        assert!([Some(UNSAFE), Some(UNKNOWN)].contains(&code), "{name}: {text}");
    }
}

#[test]
fn certificates_of_models_pass_and_edited_ones_do_not() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in
        ["mutex.m", "szymanski.m", "two_phase_commit.m", "bakery_atomic.tenet", "mutex.cub", "german.cub"]
    {
        let file = folder.path().join(name).with_extension("cert");
        let file = file.to_str().expect("a path of text");
        let (code, text) = prove(name, &["--certificate", file]);
        assert_eq!(code, Some(SAFE), "{name}: {text}");
        assert_eq!(tenet(&["verify", file]).status.code(), Some(SAFE), "{name}");
        let honest = std::fs::read_to_string(file).expect("the certificate is there");
        assert!(honest.lines().any(|line| line == "; steps together"));
        // Without the lemmas' instances, without the form of the checks, with an additional check.
        let kept = |is_dropped: &dyn Fn(&str) -> bool| -> String {
            honest.lines().filter(|line| !is_dropped(line)).map(|line| format!("{line}\n")).collect()
        };
        for edited in [
            kept(&|line| line.starts_with("(assert (lemma-") || line.starts_with("(assert lemma-")),
            kept(&|line| line == "; steps together"),
            honest.replacen("(check-sat)\n", "", 1),
            honest.replacen("; lemma 1 ", "; lemma 1 true ; ", 1),
            honest.replacen("; sha256 ", "; sha256 0", 1),
        ] {
            assert_ne!(edited, honest, "{name}");
            std::fs::write(file, edited).expect("it can be written");
            assert_ne!(tenet(&["verify", file]).status.code(), Some(SAFE), "{name}");
        }
    }
}

/// That the limit holds within a second is tested in `limits.rs`, where how busy the machine is is measured as well.
#[test]
fn a_limit_of_time_is_named() {
    // Those whose proofs take longest, at different stages of the work.
    for (name, limit) in [("flash_data.m", "4"), ("flash.m", "1"), ("german_fifo.tenet", "2")] {
        let (code, text) = prove(name, &["--timeout", limit]);
        assert!([Some(UNKNOWN), Some(SAFE)].contains(&code), "{name}: {text}");
        assert!(code == Some(SAFE) || text.contains("time limit"), "{name}: {text}");
    }
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let report = |threads: &str| {
        let (code, text) = prove("two_phase_commit.m", &["--seed", "3", "--threads", threads]);
        let is_stable = |line: &&str| !line.starts_with("  time ");
        (code, text.lines().filter(is_stable).map(str::to_owned).collect::<Vec<_>>())
    };
    let first = report("1");
    assert!(first.0 == Some(SAFE) && first.1.len() > 5);
    assert_eq!(first, report("1"));
    assert_eq!(first, report("2"));
}

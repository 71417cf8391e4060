//! The refinement methods on the models of the literature (RC-A3 to RC-A11): what the headers of `models/papers/refine_*` say.
//!
//! ```text
//! --   tenet prove models/papers/refine_loops.tenet --engine refine --method I
//! --     safe, iteration 3: predicates 1, 3, 7, 12
//! --   tenet prove models/papers/refine_loops_broken.tenet --engine refine --method III
//! --     unsafe, 2 steps
//! ```

use crate::support::{paper, root};
use serde_json::Value;
use std::process::Command;

/// The report on what is typed, as JSON.
fn report(line: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_tenet"))
        .args(line.split_whitespace().skip(1))
        .arg("--json")
        .current_dir(root())
        .output()
        .expect("the binary runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn keep(name: &str) {
    let paper = paper(name);
    let header = paper.header();
    let lines: Vec<&str> = header.lines().map(|line| line.trim_start_matches("--").trim()).collect();
    let promises: Vec<(&str, &str)> = lines
        .windows(2)
        .filter(|pair| pair[0].starts_with("tenet prove"))
        .map(|pair| (pair[0], pair[1]))
        .collect();
    assert!(!promises.is_empty(), "{name}: no line about `tenet prove`");
    for (line, promise) in promises {
        check(line, promise);
    }
}

fn check(line: &str, promise: &str) {
    let report = report(line);
    let verdict: String = promise.chars().take_while(|letter| letter.is_alphabetic()).collect();
    assert_eq!(report["verdict"], verdict.as_str(), "{line}");
    let iterations = report["iterations"].as_array().expect("iterations are listed");
    let counts: Vec<String> = iterations
        .iter()
        .map(|one| one["predicates"].as_array().expect("predicates are listed").len().to_string())
        .collect();
    if let Some(number) = promise.split("iteration ").nth(1) {
        let number: usize = number.split(':').next().and_then(|text| text.parse().ok()).expect("a number");
        assert_eq!(iterations.len(), number + 1, "{line}");
    }
    if let Some(expected) = promise.split("predicates ").nth(1).filter(|text| text.contains(", ")) {
        assert_eq!(counts.join(", "), expected, "{line}");
    }
    if let Some(steps) = promise.strip_prefix("unsafe, ") {
        let trace = &report["properties"][0]["trace"];
        let taken = trace["steps"].as_array().expect("there is a run").len() - 1;
        assert_eq!(format!("{taken} steps"), steps, "{line}");
        assert_eq!(trace["replayed"], true, "{line}");
    }
}

#[test]
fn rc_a4_rc_a5_rc_a6_rc_a9_the_program_between_two_loops() {
    keep("refine_loops");
}

#[test]
fn rc_a11_the_branch_that_helps_another() {
    keep("refine_branches");
    keep("refine_branches_backward");
}

#[test]
fn rc_a13_broken_programs_have_runs() {
    keep("refine_loops_broken");
    keep("refine_branches_broken");
    keep("refine_branches_backward_broken");
}

#[test]
fn certificates_pass_both_checkers() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (number, method) in
        ["I", "III", "I --direction forward --split-equalities", "II --oracle drop:z"].iter().enumerate()
    {
        let file = folder.path().join(format!("{number}.cert"));
        let line = format!(
            "tenet prove models/papers/refine_loops.tenet --engine refine --method {method} --certificate {}",
            file.display()
        );
        assert_eq!(report(&line)["verdict"], "safe", "{method}");
        for solver in ["z3", "tools/cvc5"] {
            let verified = Command::new(env!("CARGO_BIN_EXE_tenet"))
                .args(["verify", "--with", solver])
                .arg(&file)
                .current_dir(root())
                .output()
                .expect("the binary runs");
            let said = String::from_utf8_lossy(&verified.stdout).into_owned();
            assert!(verified.status.success(), "{method}, {solver}: {said}");
        }
    }
}

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

#[test]
fn large_designs_are_decided_by_hybrid_abstraction() {
    let hybrid = ["--engine", "hybrid"];
    for property in ["trap_is_quiet", "filled_line_is_invalid"] {
        assert_safe("instruction_unit.v", &["--engine", "hybrid", "--property", property]);
    }
    assert_safe("load_store_unit.v", &["--engine", "hybrid", "--property", "stopped_is_silent"]);
    assert_unsafe("load_store_unit.v", "refused_once", 5, &hybrid);
}

#[test]
fn the_extended_counterexample_of_figure_two_is_in_json_and_html() {
    let figure = "../papers/hybrid_refinement.v";
    let options = ["--engine", "hybrid", "--clusters", "off"];
    let output = prove(figure, &[&options[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(UNSAFE), "{}", text(&output));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let work = &answer["hybrid"][0];
    assert_eq!((&work["register_bits"], &work["gates"]), (&5.into(), &4.into()));
    let refinement = &work["refinements"][0];
    assert_eq!((&refinement["length"], &refinement["dead_end"]), (&3.into(), &1.into()));
    let cells = |row: &serde_json::Value| {
        ["formula", "standing", "values"]
            .map(|key| row[key].as_str().unwrap_or_default().to_string())
            .join(" ")
    };
    let table: Vec<String> = refinement["table"].as_array().expect("it has rows").iter().map(cells).collect();
    let wanted = ["b1 known 101", "b2 known 0x1", "b3 chosen 11", "b4 chosen 0x", "b5 candidate 01"];
    assert_eq!(table, wanted);

    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let page = folder.path().join("page.html");
    let name = page.display().to_string();
    let output = prove(figure, &[&options[..], &["--report", &name]].concat());
    assert_eq!(output.status.code(), Some(UNSAFE), "{}", text(&output));
    let page = std::fs::read_to_string(page).expect("the page is written");
    let row = "<tr class=\"chosen\"><th><code>b4</code></th><td class=\"v0\">0</td><td class=\"vx\">x</td><td class=\"v\"></td></tr>";
    assert!(page.contains(row), "{page}");
}

#[test]
fn clusters_are_drawn_with_the_registers_that_are_kept() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let drawing = folder.path().join("clusters.dot");
    let name = drawing.display().to_string();
    let output = prove("../papers/hybrid_clusters.v", &["--engine", "hybrid", "--report", &name]);
    assert_eq!(output.status.code(), Some(SAFE), "{}", text(&output));
    let drawing = std::fs::read_to_string(drawing).expect("the drawing is written");
    let together = "      p0_1 [label=\"bvult(x, y)\", shape=box];\n      p0_2 [label=\"bvult(y, x)\", shape=box];\n    }";
    assert!(drawing.contains(together), "{drawing}");
    for (register, is_kept) in [("x", true), ("y", true), ("z", false), ("w", false)] {
        let kept = format!("[label=\"{register}\", shape=ellipse, style=filled");
        assert_eq!(drawing.contains(&kept), is_kept, "{register}: {drawing}");
    }
}

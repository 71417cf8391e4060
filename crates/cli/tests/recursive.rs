//! `tenet prove` for constraint logic programs, as a user runs it: exit codes, certificates, and reports that other programs read.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of this test in the folder for such files.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn tenet(args: &[&str]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_tenet")).args(args).current_dir(root()).output();
    command.expect("tenet can be started")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it was not killed")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it prints text")
}

fn json(file: &str, expected: i32) -> Value {
    let output = tenet(&["prove", file, "--json"]);
    assert_eq!(code(&output), expected, "{}", text(&output));
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

#[test]
fn verdicts_have_their_exit_codes() {
    for (file, expected) in [
        ("models/recursive/m4_even.clp", 0),
        ("models/recursive/false_even_m4.clp", 10),
        ("crates/cli/tests/models/open.clp", 5),
        ("crates/cli/tests/models/misspelt.clp", 3),
    ] {
        assert_eq!(code(&tenet(&["prove", file, "-q"])), expected, "{file}");
    }
}

#[test]
fn certificates_are_checked_and_edited_ones_refused() {
    let file = scratch("even.cert");
    let name = file.to_str().expect("a plain name");
    let proved = tenet(&["prove", "models/recursive/m4_even.clp", "--certificate", name]);
    assert_eq!(code(&proved), 0);
    let verified = tenet(&["verify", name]);
    assert_eq!(code(&verified), 0);
    assert!(text(&verified).contains("\"multiples of four are even\""), "{}", text(&verified));
    let certificate = std::fs::read_to_string(&file).expect("it was written");
    for (from, to) in [("(hypothesis 1)", "(hypothesis 2)"), ("close", "(split)"), ("(assert", "; (assert")] {
        assert!(certificate.contains(from), "{from}");
        let edited = scratch("edited.cert");
        std::fs::write(&edited, certificate.replacen(from, to, 1)).expect("it can be written");
        let refused = tenet(&["verify", edited.to_str().expect("a plain name")]);
        assert_eq!(code(&refused), 6, "{from} -> {to}: {}", text(&refused));
    }
}

#[test]
fn the_published_derivation_is_printed_as_in_the_paper() {
    let printed = tenet(&["prove", "models/recursive/m4_even.clp", "--rules", "paper", "-v"]);
    assert_eq!(code(&printed), 0);
    let derivation = "\
lemma 1: m4(X) |= even(X)
  LU+I m4(X), which makes hypothesis 1
    - m4(0): X = 0
      RU even(0): even(X)
      CP
    - m4(X + 4) :- m4(X): m4(X_1), X = X_1 + 4
      CO 1, with X = X_1: even(X_1)
      RU even(X + 2) :- even(X), with X = X - 2: even(X)
      RU even(X + 2) :- even(X), with X = X - 4: even(X - 2)
      CP
";
    assert!(text(&printed).contains(derivation), "{}", text(&printed));
}

/// RA-A5 and RA-A6: figure 5 as it is printed derives both, and the published rules with the condition of descent do not.
#[test]
fn ra_a5_ra_a6_unsound_derivations_of_the_published_rules_are_refused() {
    let number = "nat(0). nat(X+1) :- nat(X). prove nat(X) |= false.";
    let detour = "p(0). p(X+1) :- p(X). t(0). q(X) :- p(X+1), t(X). prove p(X) |= q(X).";
    for (name, program, why) in [
        ("circular.clp", number, "uses the obligation for itself"),
        ("detour.clp", detour, "does not descend from what assumption 1 was made for"),
    ] {
        let file = scratch(name);
        std::fs::write(&file, program).expect("it can be written");
        let said = tenet(&["prove", file.to_str().expect("a plain name"), "--rules", "paper", "--json"]);
        assert_eq!(code(&said), 10, "{name}: {}", text(&said));
        let report: Value = serde_json::from_slice(&said.stdout).expect("it prints JSON");
        let refused = &report["properties"][0]["refused"];
        assert!(refused.as_str().is_some_and(|text| text.contains(why)), "{name}: {refused}");
    }
}

#[test]
fn a_tree_that_reaches_its_limit_says_which() {
    let program = "models/recursive/counting_ones.clp";
    let said = tenet(&["prove", program, "--max-nodes", "2"]);
    assert_eq!(code(&said), 5, "{}", text(&said));
    for part in ["it has reached the limit of 2 nodes", "try --max-nodes 4", "(U0118)"] {
        assert!(text(&said).contains(part), "{part}: {}", text(&said));
    }
}

#[test]
fn a_search_that_unfolds_too_seldom_names_its_limit() {
    let file = scratch("eight.clp");
    let program = "m8(0). m8(X+8) :- m8(X). even(0). even(X+2) :- even(X). prove m8(X) |= even(X).";
    std::fs::write(&file, program).expect("it can be written");
    let prove = |unfoldings| {
        let file = file.to_str().expect("a plain name");
        tenet(&["prove", file, "--rules", "paper", "--max-unfoldings", unfoldings])
    };
    let open = prove("1");
    assert_eq!(code(&open), 5, "{}", text(&open));
    assert!(text(&open).contains("search further with --max-unfoldings"), "{}", text(&open));
    assert_eq!(code(&prove("3")), 0);
}

#[test]
fn json_has_counterexamples_and_trees() {
    let refuted = json("models/recursive/false_even_m4.clp", 10);
    assert_eq!(refuted["verdict"], "unsafe");
    assert_eq!(refuted["properties"][0]["kind"], "entailment");
    assert_eq!(refuted["properties"][0]["counterexample"]["X"], "2");
    assert_eq!(refuted["recursive"]["tree"], Value::Null);
    let proved = json("models/recursive/counting_ones.clp", 0);
    let tree = &proved["recursive"]["tree"];
    assert_eq!(tree["closed"], true);
    let fates: Vec<&str> =
        tree["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["fate"].as_str()).collect();
    assert!(fates.contains(&"expanded") && fates.contains(&"subsumed"), "{fates:?}");
    assert_eq!(proved["properties"][3]["kind"], "property");
    assert!(proved["properties"].as_array().expect("a list").iter().all(|one| one["verdict"] == "safe"));
}

#[test]
fn the_page_is_well_formed_and_needs_no_network() {
    let file = scratch("ones.html");
    let name = file.to_str().expect("a plain name");
    assert_eq!(code(&tenet(&["prove", "models/recursive/counting_ones.clp", "--report", name, "-q"])), 0);
    let page = std::fs::read_to_string(&file).expect("it was written");
    balanced(&page);
    for wanted in
        ["<!DOCTYPE html>", "<svg", "<details>", "hypothesis", "subsumed", "&lt;K,Id,1&gt;", "id=\"node-2\""]
    {
        assert!(page.contains(wanted), "{wanted}");
    }
    for link in page.split("href=\"").skip(1) {
        let target = link.split('"').next().expect("a link ends");
        assert!(target.starts_with('#'), "{target}");
        assert!(page.contains(&format!("id=\"{}\"", &target[1..])), "{target}");
    }
    for loads in ["http:", "https:", "src=", "<script", "@import"] {
        assert!(!page.contains(loads), "{loads}");
    }
}

/// Every tag is closed in order. Texts are escaped, so every `<` begins a tag.
fn balanced(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let body = page.split_once("</style>").map_or(page, |(head, body)| {
        assert!(head.contains("<style>"));
        body
    });
    for tag in body.split('<').skip(1) {
        let inside = tag.split_once('>').expect("a tag ends").0;
        let name = inside.trim_start_matches('/').split([' ', '/']).next().expect("a tag has a name");
        if inside.starts_with('/') {
            // The head was opened before the style sheet ended.
            let expected = open.pop().unwrap_or(if name == "head" { "head" } else { "html" });
            assert_eq!(expected, name);
        } else if !inside.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn the_graph_is_well_formed() {
    let file = scratch("ones.dot");
    let name = file.to_str().expect("a plain name");
    assert_eq!(code(&tenet(&["prove", "models/recursive/counting_ones.clp", "--report", name, "-q"])), 0);
    let graph = std::fs::read_to_string(&file).expect("it was written");
    assert!(graph.starts_with("digraph tree {\n") && graph.ends_with("}\n"));
    assert_eq!(graph.replace("\\\\", "").replace("\\\"", "").matches('"').count() % 2, 0);
    assert!(graph.contains("n1 -> n2") && graph.contains("subsumed by"), "{graph}");
    // Graphviz itself is the better judge, where it is installed.
    if let Ok(drawn) = Command::new("dot").arg("-Tsvg").arg(&file).output() {
        assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    }
}

/// Do the comments of a model say that this is false?
fn is_said_to_be_false(model: &str, name: &str) -> bool {
    let said = model.lines().filter_map(|line| line.strip_prefix("% False: "));
    said.flat_map(|line| line.split(", ")).any(|known| known.trim_matches('"') == name)
}

#[test]
fn models_do_what_their_comments_say() {
    // The large ones are examples of the paper, and among the acceptance checks.
    let is_large = |name: &str| name.starts_with("bakery_") || name == "counting_ones.clp";
    let mut seen = 0;
    for entry in std::fs::read_dir(root().join("models/recursive")).expect("there are models") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        if is_large(name) {
            continue;
        }
        seen += 1;
        let model = std::fs::read_to_string(&path).expect("it can be read");
        let expected = if name.starts_with("false_") { 10 } else { 0 };
        let report = json(path.to_str().expect("a plain name"), expected);
        for property in report["properties"].as_array().expect("a list") {
            let is_false = is_said_to_be_false(&model, property["name"].as_str().expect("a name"));
            let verdict = if is_false { "unsafe" } else { "safe" };
            assert_eq!(property["verdict"], verdict, "{name}: {property}");
        }
    }
    assert!(seen >= 18, "{seen} models");
}

#[test]
fn a_run_says_what_was_chosen() {
    let report = json("models/recursive/false_bakery_guard.clp", 10);
    let properties = report["properties"].as_array().expect("a list");
    let broken = properties.iter().find(|one| one["name"] == "mutual exclusion").expect("it is there");
    let steps = broken["trace"]["steps"].as_array().expect("a run");
    let rules: Vec<&str> = steps.iter().filter_map(|step| step["rule"].as_str()).collect();
    // Two draw, two enter, in some order.
    assert_eq!(rules.len(), 5, "{rules:?}");
    assert_eq!(rules.iter().filter(|rule| rule.starts_with("draw")).count(), 2, "{rules:?}");
    assert_eq!(rules.iter().filter(|rule| rule.starts_with("enter")).count(), 2, "{rules:?}");
}

/// A program in a file of its own.
fn program(name: &str, text: &str) -> String {
    let file = scratch(name);
    std::fs::write(&file, text).expect("it can be written");
    file.to_str().expect("a plain name").to_owned()
}

#[test]
fn a_process_without_a_start_is_not_safe() {
    let text = "sys(X) :- sys(X+1). start sys(X), X = 0, X = 1. property \"p\": sys(X) |= false.";
    let report = json(&program("nowhere.clp", text), 5);
    assert_eq!(report["properties"][0]["code"], "U0115", "{report}");
}

#[test]
fn facts_are_derived_rule_by_rule() {
    let text = "p(-3). p(X-1) :- p(X), X > -9. prove \"low\": true |= p(-9). prove \"high\": p(X) |= X > -9.";
    let report = json(&program("far.clp", text), 10);
    assert_eq!(report["properties"][0]["verdict"], "safe", "{report}");
    assert_eq!(report["properties"][1]["counterexample"]["X"], "-9", "{report}");
}

#[test]
fn bounds_of_existential_variables_are_met() {
    let text = "p(0). p(X+1) :- p(X). prove \"above\": p(X) |= ?Y > X. prove \"between\": p(X), p(Z) |= ?Y >= X, ?Y > Z.";
    let report = json(&program("bounds.clp", text), 0);
    assert_eq!(report["properties"].as_array().map(Vec::len), Some(2), "{report}");
}

#[test]
fn an_entailment_about_nothing_says_so() {
    let file = scratch("about_nothing.clp");
    let text = "p(X) :- X > 0, X < 0.\nn(0).\nn(X + 2) :- n(X).\n\
                prove \"nothing\": p(X) |= X = 7.\nprove \"numbers\": n(X) |= X >= 0.\nprove \"empty\": p(X) |= false.\n";
    std::fs::write(&file, text).expect("it can be written");
    let report = json(file.to_str().expect("a plain name"), 0);
    let findings = report["trust"]["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0]["kind"], "antecedent");
    assert_eq!(findings[0]["property"], "nothing");
}

//! Acceptance checks EX-A7 to EX-A11: closed predicates, recursive definitions and axioms.

use crate::support::{Run, paper, root};
use std::process::Command;
use tenet_engine::reach::{Instances, Options};

fn run(name: &str) -> Run {
    paper(name).run(&Options::default())
}

#[test]
fn ex_a7_flash_without_predicates_about_putx_fails_when_one_is_delivered() {
    let run = paper("flash_first_try").fail("one exclusive");
    let failure = run.failure();
    let imprecision = failure.imprecision.as_ref().expect("there is a step to look at");
    let rule = failure.path[imprecision.step].rule.expect("it is no startstate");
    assert_eq!(run.system.rules[rule].name, "deliver PutX");
}

/// The step is shown with what the rule reads and writes and with witnesses, not with all elements that the question has.
#[test]
fn ex_a7_the_step_that_loses_precision_shows_what_matters() {
    let run = paper("flash_first_try").fail("one exclusive");
    let failure = run.failure();
    let imprecision = failure.imprecision.as_ref().expect("there is a step to look at");
    let places: Vec<&String> = imprecision.before.values.iter().map(|(place, _)| place).collect();
    assert!(places.iter().any(|place| place.starts_with("message[")), "{places:?}");
    let numbered: std::collections::BTreeSet<&str> =
        places.iter().filter_map(|place| place.split_once("NODE#")).map(|(_, number)| number).collect();
    assert!(numbered.len() <= 3, "{places:?}");
    // Who had the exclusive copy before is the witness of the predicate that changes.
    assert!(places.iter().any(|place| place.starts_with("cache[NODE#")), "{places:?}");
    let best = failure.candidates.first().expect("a predicate is proposed");
    assert!(best.excludes && best.text.contains("PutX"), "{}", best.text);
}

#[test]
fn ex_a7_flash_is_proved_from_its_properties_alone() {
    let mut run = paper("flash_property").run(&Options { suggestions: 20, ..Options::default() });
    assert!(run.is_proved());
    let rounds = &run.details().rounds;
    assert_eq!(rounds.len(), 8);
    let rules: Vec<&str> =
        rounds.iter().filter_map(|round| Some(run.system.rules[round.rule?].name.as_str())).collect();
    assert!(rules.contains(&"deliver PutX"), "{rules:?}");
    run.certificate();
}

#[test]
fn ex_a7_flash_with_a_mistake_is_not_proved() {
    paper("flash_broken").fail("one exclusive");
}

#[test]
fn ex_a8_garbage_collector_that_shades_first_is_refuted_with_a_run() {
    let model = root().join("models/papers/gc_broken.tenet");
    let mut tenet = Command::new(env!("CARGO_BIN_EXE_tenet"));
    let output = tenet.arg("abstract").arg(model).output().expect("tenet starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{text}");
    assert!(text.starts_with("unsafe: invariant \"nothing is lost\" is false"), "{text}");
    assert!(text.contains("(M = 3)") && text.contains("free a white node"), "{text}");
}

#[test]
fn ex_a9_garbage_collector_needs_the_cyclic_window() {
    let instances = Instances::Generated { deepenings: 0 };
    let run = paper("gc_interval").fail_with("nothing is lost", instances);
    // The first predicate is that a node is lost: the path ends with the damage and begins at the start.
    let path = &run.failure().path;
    let lost = path.iter().position(|step| step.state[0]);
    assert_eq!(lost, path.len().checked_sub(1));
    assert!(path[0].rule.is_none() && path.len() > 1);
    assert_eq!(run.system.predicates[0].name, "lost");
}

#[test]
fn ex_a10_axioms_are_proved() {
    for (name, limit) in [
        ("gc_axiom1", (0, 3)),
        ("gc_axiom2", (1, 15)),
        ("gc_axiom3", (1, 13)),
        ("gc_axiom4", (1, 9)),
        ("gc_axiom5", (1, 7)),
    ] {
        let mut run = run(name);
        assert_eq!(run.limit(), limit, "{name}");
        run.certificate();
    }
}

#[test]
fn ex_a11_a_missing_axiom_is_a_failure_and_not_a_proof() {
    let gc = paper("gc_conjuncts");
    let instances = Instances::Generated { deepenings: 0 };
    assert!(gc.run(&Options { instances, ..Options::default() }).is_proved());
    for axiom in ["black is closed", "black is closed in the old graph", "redirect left", "redirect right"] {
        let run = gc.clone().without_axiom(axiom).fail_with("nothing is lost", instances);
        assert!(!run.failure().path.is_empty(), "without \"{axiom}\"");
    }
}

//! Acceptance checks EX-A7 to EX-A10 of SPEC 2.3: closed predicates, recursive definitions and axioms.

use crate::support::{Run, paper};
use tenet_engine::reach::Options;

fn run(name: &str) -> Run {
    paper(name).run(&Options::default())
}

#[test]
fn ex_a7_flash_is_proved() {
    run("flash").certificate();
}

#[test]
fn ex_a7_flash_without_predicates_about_putx_fails_when_one_is_delivered() {
    let run = run("flash_first_try");
    assert!(!run.is_proved_of("one exclusive"));
    let introduced = run.failure().introduced.as_ref().expect("a step brought the offending state in");
    let rule = introduced.rule.expect("it is no startstate");
    assert_eq!(run.system.rules[rule].name, "deliver PutX");
}

#[test]
fn ex_a8_garbage_collector_is_proved() {
    assert!(run("gc").is_proved_of("nothing is lost"));
}

#[test]
fn ex_a10_axioms_are_proved() {
    for (name, limit) in [("gc_axiom1", (0, 3)), ("gc_axiom2", (0, 3)), ("gc_axiom3", (1, 13))] {
        let mut run = run(name);
        assert_eq!(run.limit(), limit, "{name}");
        run.certificate();
    }
}

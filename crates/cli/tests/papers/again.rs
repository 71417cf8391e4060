//! Repetition: two runs give the same (X-T5), and an invariant that is given back as one predicate is confirmed
//! (EX-A12).

use crate::support::{Paper, paper, root};
use std::process::Command;
use tenet_engine::reach::Options;
use tenet_report::lemma::{Group, groups};

#[test]
fn x_t5_two_runs_in_one_process_give_the_same_invariant() {
    let [one, other] = [(), ()].map(|()| {
        // In threads of their own: what Z3 finds first depends on its previous questions.
        let run = std::thread::spawn(|| paper("german").run(&Options::default()).invariant());
        run.join().expect("no panic")
    });
    assert!(one.len() > 10);
    assert_eq!(one, other);
}

#[test]
fn x_t5_two_processes_print_the_same_invariant() {
    let printed = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tenet"));
        let model = root().join("models/papers/german.tenet");
        let output = command.arg("abstract").arg(model).output().expect("tenet starts");
        assert_eq!(output.status.code(), Some(0));
        let text = String::from_utf8(output.stdout).expect("the output is text");
        text.lines().filter(|line| !line.starts_with("  time ")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(printed(), printed());
}

/// A printed group of lemmas as formulas of the language.
fn formulas(group: &Group) -> Vec<String> {
    let text = group.quantifier.trim_start_matches("forall ").trim_end_matches('.');
    let mut variables = Vec::new();
    for part in text.split("; ").filter(|part| !part.is_empty()) {
        let (names, domain) = part.split_once(" : ").expect("variables have a domain");
        variables.extend(names.split(", ").map(|name| format!("forall {name} : {domain} do ")));
    }
    let (before, after) = (variables.concat(), " end".repeat(variables.len()));
    group.lemmas.iter().map(|lemma| format!("({before}{lemma}{after})")).collect()
}

/// The model with its own invariant, as it is printed, as the only predicate.
fn resubmitted(paper: &Paper) -> Paper {
    let mut run = paper.run(&Options::default());
    let groups = groups(&mut run.system.store, run.outcome.lemmas());
    let lemmas: Vec<String> = groups.iter().flat_map(formulas).collect();
    paper.clone().without_predicates().with(&format!("predicate \"invariant\" {};", lemmas.join("\n& ")))
}

fn confirmed(name: &str) {
    let again = resubmitted(&paper(name));
    let mut run = again.run(&Options::default());
    assert_eq!(run.sizes(), [1], "{name}: it holds at the start, and no step adds its negation");
    assert_eq!(run.details().iterations.len(), 2, "{name}: one iteration confirms it");
    run.certificate();
}

#[test]
fn ex_a12_the_invariant_of_f_shift_is_confirmed_in_one_iteration() {
    confirmed("f_shift");
}

#[test]
fn ex_a12_the_invariant_of_mutex_is_confirmed_in_one_iteration() {
    confirmed("mutex");
}

#[test]
fn ex_a12_the_invariant_of_selection_sort_is_confirmed_in_one_iteration() {
    confirmed("selection_sort");
}

#[test]
fn ex_a12_the_invariant_of_german_is_confirmed_in_one_iteration() {
    confirmed("german");
}

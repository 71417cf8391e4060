//! The examples of the paper: counting ones, the bakery, the loop of the original bakery (RA-A2, RA-A3, RA-A4), and lemmas of others
//! (X-A6).

use crate::support::{Run, run, run_briefly};
use tenet_engine::{Claim, Details};

const COUNTING: &str = include_str!("programs/counting.clp");
const BAKERY: &str = include_str!("programs/bakery.clp");
const LOOP: &str = include_str!("programs/loop.clp");
const PRINTED: &str = include_str!("programs/loop_printed.clp");
const COLLECTOR: &str = include_str!("programs/collector.clp");

/// No program may take more work than this, counted in questions whether to stop; the hardest of these takes 7,000.
const MOST: usize = 20_000;

fn report(name: &str, run: &Run) {
    let Details::Recursive(details) = &run.outcome.statistics.details else { panic!("{name}: no details") };
    println!("{name}: {} questions, {:?}", run.asked, details.report);
    assert!(run.asked < MOST, "{name}: {}", run.asked);
}

#[test]
fn ra_a2_counting_ones() {
    let mut run = run(COUNTING).checked();
    report("counting ones", &run);
    assert_eq!(run.open(), [""; 0]);
    assert_eq!(run.tree(), "0>1 1~2 2>3 3<2");
    assert!(run.is_safe(0));
    run.refuses_contradictions(&[]);
}

/// The program without its hints: neither abstractions nor entailments, each of which begins a line.
fn bare(text: &str) -> String {
    let is_help = |statement: &&str| !statement.starts_with("abstract") && !statement.starts_with("prove");
    let statements: Vec<&str> = text.split_inclusive(".\n").collect();
    statements.into_iter().filter(|statement| is_help(&statement.trim_start())).collect()
}

#[test]
fn ra_a2_abstraction_is_found() {
    let run = run(&bare(COUNTING)).checked();
    report("counting ones alone", &run);
    assert!(run.program.obligations.is_empty());
    assert_eq!(run.tree(), "0>1 1~2 2>3 3<2");
    assert!(run.is_safe(0));
}

#[test]
fn ra_a2_counting_wrongly() {
    let run = run_briefly(&COUNTING.replace("sys(N, <K,Id,1>, X+1)", "sys(N, <K,Id,1>, X+2)")).checked();
    assert!(!run.is_safe(0));
    for (right, wrong) in [
        ("|= abs(N, <K,Id,1>, X+1)", "|= abs(N, <K,Id,1>, X)"),
        ("|= abs(N, K', X')", "|= abs(N, K', X)"),
        ("allones(N, K, Y) |= X = Y.\n\nprove \"abs", "allones(N, K, Y) |= X < Y.\n\nprove \"abs"),
    ] {
        assert_eq!(COUNTING.matches(right).count(), 1, "{right}");
        let run = run_briefly(&COUNTING.replace(right, wrong)).checked();
        let is_all = run.open().is_empty() && run.is_safe(0);
        assert!(!is_all, "{wrong}");
    }
}

#[test]
fn ra_a3_bakery() {
    let mut run = run(BAKERY).checked();
    report("bakery", &run);
    assert_eq!(run.open(), [""; 0]);
    // From the start, the processes can only draw. The abstraction: another one draws, or the first one enters. Then another one
    // draws, no other one enters, or the critical one leaves.
    assert_eq!(run.tree(), "0>1,-,- 1~2 2>3,4,- 3<2 4>5,-,6 5<4 6<2");
    assert!(run.is_safe(0));
    run.refuses_contradictions(&["INF"]);
    for atom in 0..3 {
        run.refuses("INF", |entailment| {
            entailment.left.atoms.remove(atom);
        });
    }
}

#[test]
fn ra_a3_abstraction_is_found() {
    let run = run(&bare(BAKERY)).checked();
    report("bakery alone", &run);
    assert!(run.program.obligations.is_empty());
    // Without the entailments of the file, the step that leaves is split: it is the critical process, or it is another one.
    assert_eq!(run.tree(), "0>1,-,- 1~2 2>3,4,- 3<2 4>5,-,6 5<4 6|7|8 7<4 8<2");
    assert!(run.is_safe(0));
}

#[test]
fn ra_a3_broken_bakeries() {
    for (right, wrong, is_violated) in [
        // The entering process does not look at the last process.
        (
            "crit(T, N, Id) :- N > 1, (Id = N \\/ T[N] = 0 \\/ T[N] > T[Id])",
            "crit(T, N, Id) :- N > 1, (Id = N \\/ T[N] = 0 \\/ T[N] > 0)",
            true,
        ),
        // Two may have the same ticket.
        ("sys(<K,Id,1>, <T,Id,X+1>, N)", "sys(<K,Id,1>, <T,Id,X>, N)", true),
        // Tickets are different, so that this is only harder to prove.
        ("T[N] > T[Id]), crit", "T[N] >= T[Id]), crit", false),
    ] {
        assert_eq!(BAKERY.matches(right).count(), 1, "{right}");
        let run = run_briefly(&BAKERY.replace(right, wrong)).checked();
        let is_all = run.open().is_empty() && run.is_safe(0);
        assert!(!is_all, "{wrong}");
        assert_eq!(matches!(run.claim_of_property(0), Claim::Violation(_)), is_violated, "{wrong}");
    }
}

#[test]
fn ra_a4_entry_loop() {
    let mut run = run(LOOP).checked();
    report("entry loop", &run);
    assert_eq!(run.open(), [""; 0]);
    run.refuses_contradictions(&["mutual exclusion"]);
    for atom in 0..2 {
        run.refuses("mutual exclusion", |entailment| {
            entailment.left.atoms.remove(atom);
        });
    }
}

#[test]
fn ra_a4_entry_loop_as_printed() {
    let run = run_briefly(PRINTED).checked();
    report("entry loop as printed", &run);
    for name in ["pass", "another one chooses", "another one leaves"] {
        assert!(!run.is_proved(name), "{name}");
    }
    let is_refuted = |position| matches!(run.claim(position), Claim::Violation(_));
    println!("{:?}", (0..run.program.obligations.len()).map(is_refuted).collect::<Vec<bool>>());
}

#[test]
fn x_a6_lemmas_of_the_collector() {
    let mut run = run(COLLECTOR).checked();
    report("collector", &run);
    assert_eq!(run.open(), [""; 0]);
    run.refuses_contradictions(&[]);
}

#[test]
fn x_a6_lemmas_need_their_premises() {
    for (right, wrong) in [
        ("C[0] = 1, closed(C, L, R, N), acc(L, R, N, X) |=", "closed(C, L, R, N), acc(L, R, N, X) |="),
        ("acc(L, R, N, P), 0 <= Q < N, acc(<L,Q,P>, R, N, X) |=", "0 <= Q < N, acc(<L,Q,P>, R, N, X) |="),
    ] {
        assert_eq!(COLLECTOR.matches(right).count(), 1, "{right}");
        let run = run_briefly(&COLLECTOR.replace(right, wrong)).checked();
        assert!(!run.open().is_empty(), "{wrong}");
    }
}

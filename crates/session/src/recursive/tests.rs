//! Claims of an engine that are wrong: none of them becomes a verdict.

use super::*;
use crate::{Budget, Problem, Question};
use std::sync::Arc;
use tenet_engine::recursive::{Counterexample, Recursive, Run};
use tenet_engine::{Alone, Claim, Violation};
use tenet_lang::frontend::{Reading, Source, Surroundings};
use tenet_report::view::{Report, Verdict};
use tenet_system::recursive::Step;

const EVEN: &str = "even(0). even(X+2) :- even(X).
    \"count\": sys(X) :- X < 9, sys(X+2).
    start sys(X), X = 0.
    property \"small\": sys(X) |= X <= 10.
    prove \"even\": even(X) |= X != 1.";

/// What becomes of claims about the program, which `wrong` changes.
fn concluded(wrong: impl FnOnce(&mut Program, &mut Outcome)) -> Option<Report> {
    let load = |around: &mut Surroundings<'_>| {
        Problem::load(Source::new("even.clp", EVEN), Reading::default(), around)
    };
    let problem = Surroundings::none(load).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut program = problem.model().recursive().expect("it is one").clone();
    let (question, budget) = (Question::default(), Budget::new(None, None, Arc::default()));
    let job = Job {
        problem: &problem,
        question: &question,
        reading: problem.reading(),
        budget: &budget,
        observer: &Unobserved::shared(),
        is_larger: false,
        is_about_reads: false,
        violated: &[],
    };
    let chosen = chosen(&[], &program).unwrap_or_else(|_| panic!("nothing is named"));
    let engine = Recursive::default();
    let mut outcome = engine.run(Subject::Program(&mut program), &chosen, &mut Alone);
    wrong(&mut program, &mut outcome);
    let found = Found { chosen, engine: engine.name(), outcome };
    conclude(&job, &mut program, &found, &mut Alone).ok().map(|answer| answer.report)
}

/// The proof that the engine has found.
fn proof(outcome: &mut Outcome) -> &mut Proof {
    match &mut outcome.evidence {
        Evidence::Derivations(proof) => proof,
        Evidence::Nothing | Evidence::Invariant { .. } => panic!("there is a proof"),
    }
}

fn verdicts(report: Option<Report>) -> Vec<(Verdict, Option<&'static str>)> {
    let report = report.expect("there is a report");
    let code = |property: &tenet_report::view::Property| property.reason.as_ref().map(|r| r.explanation.code);
    report.properties.iter().map(|property| (property.verdict, code(property))).collect()
}

#[test]
fn what_is_right_is_proved() {
    assert_eq!(verdicts(concluded(|_, _| {})), [(Verdict::Safe, None), (Verdict::Safe, None)]);
}

#[test]
fn a_wrong_derivation_is_no_verdict() {
    let report = concluded(|_, outcome| proof(outcome).obligations[0] = Some(Step::Close));
    assert!(report.is_none());
}

#[test]
fn a_claim_without_a_derivation_is_open() {
    let report = concluded(|_, outcome| proof(outcome).obligations[0] = None);
    assert_eq!(verdicts(report)[0], (Verdict::Unknown, Some("U0117")));
}

#[test]
fn an_open_tree_proves_nothing() {
    let report = concluded(|_, outcome| {
        let tree = proof(outcome).tree.as_mut().expect("there is a process");
        tree.nodes.last_mut().expect("there is a root").fate = Fate::Open;
    });
    assert_eq!(verdicts(report)[1], (Verdict::Unknown, Some("U0118")));
}

#[test]
fn a_wrong_counterexample_is_open() {
    for value in [1, 2] {
        let report = concluded(|program, outcome| {
            let values = vec![(program.obligations[0].variables[0], program.store.mk_int(value))];
            let found = Counterexample { values, rules: 1 };
            outcome.claims[0].claim = Claim::Violation(Violation::Entailment(found));
            proof(outcome).obligations[0] = None;
        });
        // The left is false for 1, the right true for 2.
        assert_eq!(verdicts(report)[0], (Verdict::Unknown, Some("U0114")));
    }
}

#[test]
fn a_wrong_run_is_open() {
    // No start, no step, and no violation.
    for (states, transitions) in [(vec![12], vec![]), (vec![0, 12], vec![0]), (vec![0, 2], vec![0])] {
        let report = concluded(|program, outcome| {
            let process = program.process.as_ref().expect("there is a process");
            let variable = process.properties[0].state.variables[0];
            let last = *states.last().expect("a run has states");
            let witness = vec![(variable, program.store.mk_int(last))];
            // A transition has no variable but the state before it.
            let before = [states[0]].into_iter().chain(states.iter().copied()).take(states.len());
            let choices = before.map(|state| vec![program.store.mk_int(state)]).collect();
            let states = states.iter().map(|&state| vec![program.store.mk_int(state)]).collect();
            let run = Run { states, transitions, choices, witness };
            outcome.claims[1].claim = Claim::Violation(Violation::Process(run));
            proof(outcome).tree = None;
        });
        assert_eq!(verdicts(report)[1], (Verdict::Unknown, Some("U0114")));
    }
}

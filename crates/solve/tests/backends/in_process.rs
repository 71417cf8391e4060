//! Z3 in this process.

use crate::suite;
use tenet_solve::Z3Solver;

#[test]
fn z3_in_process() {
    suite::all(&mut || Box::new(Z3Solver::new()));
}

#[test]
fn z3_in_process_decides_as_the_evaluator_does() {
    suite::random::ground(400, &mut || Box::new(Z3Solver::new()));
}

#[test]
fn z3_in_process_reports_models() {
    suite::random::models(400, &mut || Box::new(Z3Solver::new()));
}

#[test]
fn z3_in_process_keeps_its_limits() {
    suite::limits::goes_on_after_timeout(&mut Z3Solver::new());
    suite::limits::interrupt(&mut Z3Solver::new());
}

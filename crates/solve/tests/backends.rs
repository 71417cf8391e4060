//! Every back end passes the same suite.

mod suite;

use tenet_solve::Z3Solver;

#[test]
fn z3_in_process() {
    suite::all(&mut || Box::new(Z3Solver::new()));
}

//! Z3 is linked, loads, is the version the build asked for, and answers in this process.

use z3::ast::Int;
use z3::{SatResult, Solver};

#[test]
fn the_loaded_library_is_new_enough() {
    let reported = tenet_solve::z3_version();
    let version: Vec<u32> = reported.split('.').map_while(|number| number.parse().ok()).collect();
    assert!(version.as_slice() >= &[5, 4] && version.as_slice() < &[6], "loaded: {reported}");
}

#[test]
fn a_satisfiable_question_has_the_only_model() {
    let solver = Solver::new();
    let x = Int::new_const("x");
    solver.assert(x.gt(2));
    solver.assert(x.lt(4));
    assert_eq!(solver.check(), SatResult::Sat);
    let model = solver.get_model().expect("a model after sat");
    assert_eq!(model.eval(&x, true).and_then(|value| value.as_i64()), Some(3));
}

#[test]
fn an_unsatisfiable_question_is_refuted() {
    let solver = Solver::new();
    let x = Int::new_const("x");
    solver.assert(x.gt(2));
    solver.assert(x.lt(3));
    assert_eq!(solver.check(), SatResult::Unsat);
}

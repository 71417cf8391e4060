//! Solvers as processes: those that are there pass the suite, and broken ones are never believed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::suite;
use tenet_solve::{Answer, Limits, ProcessSolver, Solver, find_solvers};
use tenet_term::{Role, SortId, TermStore};

/// Few, because each starts a process.
const CASES: u32 = 16;

/// The solvers that `tools/setup` provides for tests, else those on the `PATH`.
fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join(".deps/solvers");
    // Z3 is a program there, cvc5 a library that a script of ours makes a program of.
    let provided = [(folder.join("z3"), folder.join("z3")), (folder.join("cvc5"), root.join("tools/cvc5"))];
    let provided: Vec<PathBuf> =
        provided.into_iter().filter(|(needed, _)| needed.exists()).map(|(_, program)| program).collect();
    if !provided.is_empty() {
        return provided;
    }
    find_solvers()
}

fn start(program: &Path) -> Box<dyn Solver> {
    Box::new(ProcessSolver::start(program).expect("the program starts"))
}

#[test]
fn there_is_a_solver_to_test() {
    assert!(
        !programs().is_empty(),
        "no solver found: run `make setup` with a network, or install z3 or cvc5"
    );
}

#[test]
fn processes_pass_the_suite() {
    for program in programs() {
        suite::all(&mut || start(&program));
    }
}

#[test]
fn processes_decide_as_the_evaluator_does() {
    for program in programs() {
        suite::random::ground(CASES, &mut || start(&program));
    }
}

#[test]
fn processes_report_models() {
    for program in programs() {
        suite::random::models(CASES, &mut || start(&program));
    }
}

#[test]
fn processes_keep_their_limits() {
    for program in programs() {
        suite::limits::timeout(&mut *start(&program));
        suite::limits::interrupt(&mut *start(&program));
    }
}

/// A formula that is true, and what a solver says about it and about its negation.
fn answers(mut solver: ProcessSolver) -> [Answer; 2] {
    let mut store = TermStore::new();
    let x = store.declare("x", SortId::INT, Role::State);
    let x = store.mk_symbol(x);
    let zero = store.mk_int(0);
    let (low, high) = (store.mk_lt(x, zero), store.mk_le(zero, x));
    // For the one that never finishes its answer.
    solver.set_limits(Limits { timeout: Some(Duration::from_secs(2)), ..Limits::default() });
    solver.assert(&store, low);
    let first = solver.check(&store, &[]);
    solver.push();
    solver.assert(&store, high);
    let second = solver.check(&store, &[high]);
    solver.pop();
    assert_eq!(solver.values(&store, &[x]), [None]);
    [first, second]
}

#[test]
fn a_broken_process_is_never_believed() {
    let scripts = [
        // Garbage of several kinds.
        "print('hello'); import sys; sys.stdin.read()",
        "print(')'); import sys; sys.stdin.read()",
        "print('(unsat'); import sys; sys.stdin.read()",
        "print('satisfied unsat'); import sys; sys.stdin.read()",
        "import sys; sys.stdout.buffer.write(b'\\xff\\xfe unsat '); sys.stdout.flush(); sys.stdin.read()",
        // An answer that belongs to no question: an error comes first.
        "print('(error \"no\") unsat unsat unsat'); import sys; sys.stdin.read()",
        // It ends, before or after reading.
        "pass",
        "import sys; sys.stdin.readline()",
        // An unfinished word is no answer.
        "import sys; sys.stdout.write('unsat'); sys.stdout.flush()",
    ];
    for script in scripts {
        let solver = ProcessSolver::start_with("python3", &["-c", script]).expect("python starts");
        for answer in answers(solver) {
            assert!(matches!(answer, Answer::Unknown(_)), "{script}: {answer:?}");
        }
    }
    let solver = ProcessSolver::start("false").expect("the program starts");
    assert!(answers(solver).iter().all(|answer| matches!(answer, Answer::Unknown(_))));
    assert!(ProcessSolver::start("/there/is/no/such/solver").is_err());
}

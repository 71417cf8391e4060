//! Program (a), configuration by configuration.

use crate::build::{program_a, program_b};
use tenet_engine::Alone;
use tenet_engine::refine::methods::{
    Alpha, Conclusion, Direction, Method, Options, OracleChoice, Outcome, PostForm, Pruning, Reason, refine,
};
use tenet_solve::Z3Solver;
use tenet_system::System;

pub fn run(system: &mut System, options: &Options) -> Outcome {
    let properties: Vec<usize> = (0..system.properties.len()).collect();
    refine(system, &properties, options, Box::new(Z3Solver::ground()), &mut Alone).expect("it is a program")
}

#[test]
fn explore() {
    let back = |pre, alpha| Options { method: Method::One(Direction::Backward), pre, alpha, iterations: 5, ..Options::default() };
    for (name, options) in [
        ("control complete", back(Pruning::Control, Alpha::Complete)),
        ("control syntactic", back(Pruning::Control, Alpha::Syntactic)),
        ("literal complete", back(Pruning::Literal, Alpha::Complete)),
        ("literal syntactic", back(Pruning::Literal, Alpha::Syntactic)),
        ("unsat complete", Options{iterations: 7, ..back(Pruning::Unsatisfiable, Alpha::Complete)}),
        ("forward solved", Options{ method: Method::One(Direction::Forward), iterations: 8, ..Options::default()}),
        ("forward split", Options{ method: Method::One(Direction::Forward), split_equalities: true, iterations: 8, ..Options::default()}),
        ("forward inverse", Options{ method: Method::One(Direction::Forward), post: PostForm::Inverse, iterations: 8, ..Options::default()}),
        ("three control", Options{ method: Method::Three, iterations: 8, ..Options::default()}),
        ("two back drop z", Options{ method: Method::Two(Direction::Backward, OracleChoice::Drop("z".into())), iterations: 8, ..Options::default()}),
        ("two forw drop x", Options{ method: Method::Two(Direction::Forward, OracleChoice::Drop("x".into())), iterations: 8, ..Options::default()}),
    ] {
        let mut system = program_a();
        let t = std::time::Instant::now();
        let outcome = run(&mut system, &options);
        let counts: Vec<usize> = outcome.iterations.iter().map(|i| i.predicates.len()).collect();
        println!("{name}: {counts:?} {} calls {:?}", outcome.solver_calls, t.elapsed());
        let last = outcome.iterations.last().unwrap();
        println!("  P = {}", last.predicates.iter().map(|&p| system.store.print(p)).collect::<Vec<_>>().join(", "));
        for c in last.invariant.iter().take(12) { println!("    | {}", c.iter().map(|&p| system.store.print(p)).collect::<Vec<_>>().join(" & ")); }
        match outcome.conclusion {
            Conclusion::Proved(l) => println!("  proved {} lemmas", l.len()),
            Conclusion::Incorrect(r) => println!("  incorrect {r:?}"),
            Conclusion::Open(r) => println!("  open {r:?}"),
        }
    }
    for (name, options) in [
        ("b back", back(Pruning::Control, Alpha::Complete)),
        ("b forward", Options{ method: Method::One(Direction::Forward), iterations: 5, ..Options::default()}),
        ("b forward drop x", Options{ method: Method::Two(Direction::Forward, OracleChoice::Drop("x".into())), iterations: 8, ..Options::default()}),
        ("b forward ex", Options{ method: Method::Two(Direction::Forward, OracleChoice::Exhaustive), iterations: 8, ..Options::default()}),
        ("b three", Options{ method: Method::Three, iterations: 5, ..Options::default()}),
    ] {
        let mut system = program_b();
        let t = std::time::Instant::now();
        let outcome = run(&mut system, &options);
        let counts: Vec<usize> = outcome.iterations.iter().map(|i| i.predicates.len()).collect();
        println!("{name}: {counts:?} {} calls {:?}", outcome.solver_calls, t.elapsed());
        match outcome.conclusion {
            Conclusion::Proved(l) => println!("  proved {} lemmas", l.len()),
            Conclusion::Incorrect(r) => println!("  incorrect {r:?}"),
            Conclusion::Open(r) => println!("  open {r:?}"),
        }
    }
}

//! Parts of the methods on their own, for experiments and for comparing them with other ways to compute the same.

use super::atom::normal;
use super::exact::Exact;
use super::fixpoint::{abstraction, fixpoint};
use super::formula::{Disjunct, Formula};
use super::operator::{Operator, Predicates};
use super::outcome::{Alpha, Direction, Early, Options, Unsupported};
use super::program::Program;
use super::prover::Prover;
use crate::common::watch::Alone;
use tenet_solve::Solver;
use tenet_system::System;
use tenet_term::TermId;

/// The exact iteration: the disjuncts of `phi_0` to `phi_n`, each list with what is new in it.
pub fn iterate(
    system: &mut System,
    properties: &[usize],
    options: &Options,
    direction: Direction,
    steps: usize,
    solver: Box<dyn Solver>,
) -> Result<Vec<Vec<Disjunct>>, Unsupported> {
    let program = Program::of(system, properties, options.split_equalities)?;
    let mut prover = Prover::new(solver, options.alpha);
    let operator = Operator::new(&program, direction, options);
    let mut exact = Exact::new(operator.start());
    let mut lists: Vec<Vec<Disjunct>> = vec![exact.formula.disjuncts().cloned().collect()];
    for _ in 0..steps {
        let known = exact.formula.disjuncts().len();
        unstopped(exact.advance(&mut system.store, &operator, &mut prover, &Alone))?;
        lists.push(exact.formula.disjuncts().skip(known).cloned().collect());
    }
    Ok(lists)
}

/// The least fixpoint of the abstract forward operator over given atoms, from the abstraction of the initial states; as a
/// formula.
pub fn forward(
    system: &mut System,
    atoms: &[TermId],
    solver: Box<dyn Solver>,
) -> Result<Formula, Unsupported> {
    let program = Program::of(system, &[], false)?;
    let mut prover = Prover::new(solver, Alpha::Complete);
    let operator = Operator::new(&program, Direction::Forward, &Options::default());
    let store = &mut system.store;
    let mut atoms: Vec<TermId> = atoms.iter().flat_map(|&atom| normal(store, atom, false)).collect();
    atoms.sort_unstable();
    atoms.dedup();
    let predicates = Predicates::new(store, &operator, atoms);
    let start = abstraction(store, &mut prover, &predicates, &program.init);
    let fixpoint = unstopped(fixpoint(store, &operator, &mut prover, &predicates, start, &Alone))?;
    Ok(predicates.formula(&fixpoint.element))
}

fn unstopped<T, E: Into<Early>>(result: Result<T, E>) -> Result<T, Unsupported> {
    result.map_err(|early| match early.into() {
        Early::Unsupported(unsupported) => unsupported,
        Early::Stopped(_) => unreachable!("never cancelled"),
    })
}

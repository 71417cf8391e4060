//! The methods of Ball, Podelski and Rajamani, "Relative Completeness of Abstraction Refinement for Software Model Checking"
//! (TACAS 2002), as published.
//!
//! A program is a set of guarded commands over scalars ([`program`]); formulas are disjunctions of conjunctions of atoms
//! ([`formula`]), whose normal form ([`atom`]) decides which predicates there are. Method I computes the least fixpoint of the
//! abstract operator over the free distributive lattice of the predicates and takes more predicates from the exact
//! iteration until the fixpoint proves the property. Method II iterates the exact operator and drops conjuncts as an
//! oracle says. Method III computes forward with predicates from the dual backward iteration. The first is complete
//! relative to the second if both go backward, because `pre` is computed without looking whether its result makes sense.
//!
//! Their claims are no verdicts: invariants have to be certified, and runs have been replayed.
//!
//! `eliminate` and `cooper` remove a variable from a conjunction, `pre` and `post` are the operators, and `operator` has both
//! directions behind one interface. `exact` is the iteration that predicates and runs come from, `fixpoint` the one over the
//! lattice. Refinement never looks whether a disjunct makes sense, abstraction always may; stability of a fixpoint is a question
//! to the lattice, success one to the solver. Inputs of a step never get into a formula about states.

pub mod atom;
mod cooper;
mod eliminate;
mod engine;
mod exact;
mod fixpoint;
pub mod formula;
mod method_one;
mod method_three;
mod method_two;
mod operator;
pub mod oracle;
mod outcome;
mod parts;
mod post;
mod pre;
pub mod program;
mod prover;
mod run;

pub use engine::{Details, Methods};
pub use outcome::{
    Alpha, Conclusion, Direction, Iteration, Method, Options, OracleChoice, Outcome, PostForm, Pruning,
    Reason, Unsupported,
};

pub use parts::{forward, iterate};

use crate::common::watch::{Progress, Watch};
use exact::Exact;
use formula::Formula;
use method_one::Refinement;
use num_bigint::BigUint;
use operator::Operator;
use outcome::Early;
use program::Program;
use prover::Prover;
use tenet_solve::{Answer, Limits, Solver};
use tenet_system::{Lemma, System};
use tenet_term::TermId;
use tracing::{debug, info, info_span};

/// Proves or refutes the properties (by position) with one of the methods.
///
/// The system is changed only by terms and symbols added to its store. The solver must have no assertions.
pub fn refine(
    system: &mut System,
    properties: &[usize],
    options: &Options,
    solver: Box<dyn Solver>,
    watch: &mut dyn Watch,
) -> Result<Outcome, Unsupported> {
    let _span = info_span!("refine").entered();
    info!(method = ?options.method, properties = properties.len(), "engine begins");
    let mut attempt = Attempt::new(system, properties, options, solver, watch)?;
    let is_vacuous = attempt.is_vacuous();
    let result = match &options.method {
        Method::One(direction) => attempt.refine(*direction, Refinement::Same),
        Method::Two(direction, oracle) => attempt.widened(*direction, oracle),
        Method::Three => attempt.dual(),
    };
    let conclusion = match result {
        Ok(conclusion) => conclusion,
        Err(Early::Stopped(stop)) => Conclusion::Open(Reason::Stopped(stop)),
        Err(Early::Unsupported(unsupported)) => return Err(unsupported),
    };
    let (solver_calls, solver_seconds) = attempt.prover.statistics();
    info!(iterations = attempt.iterations.len(), solver_calls, "engine ends");
    let Attempt { iterations, schedule, .. } = attempt;
    Ok(Outcome { iterations, conclusion, schedule, is_vacuous, solver_calls, solver_seconds })
}

pub(crate) struct Attempt<'a> {
    system: &'a mut System,
    properties: &'a [usize],
    options: &'a Options,
    program: Program,
    prover: Prover,
    watch: &'a mut dyn Watch,
    iterations: Vec<Iteration>,
    schedule: Vec<BigUint>,
}

impl<'a> Attempt<'a> {
    fn new(
        system: &'a mut System,
        properties: &'a [usize],
        options: &'a Options,
        mut solver: Box<dyn Solver>,
        watch: &'a mut dyn Watch,
    ) -> Result<Attempt<'a>, Unsupported> {
        let program = Program::of(system, properties, options.split_equalities)?;
        solver.set_limits(Limits { interrupt: Some(watch.interrupt()), ..solver.limits() });
        let prover = Prover::new(solver, options.alpha);
        let (iterations, schedule) = (Vec::new(), Vec::new());
        Ok(Attempt { system, properties, options, program, prover, watch, iterations, schedule })
    }

    /// Is it certain that no initial state is possible?
    fn is_vacuous(&mut self) -> bool {
        let init = self.program.init.term(&mut self.system.store);
        self.prover.check(&self.system.store, &[init]) == Answer::Unsat
    }

    fn report(&mut self, number: usize, predicates: usize) {
        let (solver_calls, _) = self.prover.statistics();
        let abstract_states = self.iterations.last().map_or(0, |last| last.invariant.len() as u128);
        let phase = "refining";
        debug!(number, predicates, disjuncts = abstract_states, "iteration ends");
        self.watch.progress(&Progress {
            phase,
            iteration: number,
            abstract_states,
            predicates,
            solver_calls,
        });
    }

    /// What follows if the exact iteration has met the other end (RC-A13).
    fn incorrect(&mut self, exact: &mut Exact, operator: &Operator<'_>) -> Option<Conclusion> {
        let store = &mut self.system.store;
        let path = exact.meets(store, &mut self.prover, operator.end(), operator.direction)?;
        let rules: Vec<usize> = path.iter().map(|&command| self.program.commands[command].rule).collect();
        let found = run::concrete(self.system, &rules, self.properties, &self.prover.limits());
        Some(found.map_or_else(Conclusion::Open, Conclusion::Incorrect))
    }

    /// The lemmas that a fixpoint proves. A forward invariant is one lemma; a backward one, the states from which something
    /// unsafe might be reached, has to be negated: then each disjunct is a clause that is a lemma of its own.
    fn proved(&mut self, psi: &Formula, direction: Direction) -> Conclusion {
        let store = &mut self.system.store;
        let lemma = |body| Lemma { vars: Vec::new(), body };
        Conclusion::Proved(match direction {
            Direction::Forward => vec![lemma(psi.term(store))],
            Direction::Backward => {
                let clauses = psi.disjuncts().map(|disjunct| {
                    let term = disjunct.term(store);
                    store.mk_not(term)
                });
                clauses.filter(|&clause| clause != TermId::TRUE).map(lemma).collect()
            }
        })
    }
}

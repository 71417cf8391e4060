//! Checks a whole proof: lemmas one after the other, the program's obligations, the computation tree.

use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_system::recursive::tree::Fate;
use tenet_system::recursive::{Entailment, Lemma, Predicate, Process, Program, Proof, Step};
use tenet_term::{SortId, TermId, TermStore};

use super::obligation::Obligation;
use super::places::refutation;
use super::question::{Question, Rejection};
use super::scope::{Scope, Terms};

/// What a proof proves, if it is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// For each obligation of the program: is it proved?
    pub obligations: Vec<bool>,
    /// For each property of the process: is it proved of every reachable state?
    pub properties: Vec<bool>,
    /// Do all runs of the process end?
    pub terminates: bool,
}

/// Checks the side conditions of a proof, and returns the questions that a solver has to confirm. Changes the program only by
/// adding terms and symbols.
pub fn questions(program: &mut Program, proof: &Proof) -> Result<Vec<Question>, Rejection> {
    let mut store = std::mem::take(&mut program.store);
    let result = Checker::new(&mut store, program).run(program, proof);
    program.store = store;
    result
}

/// Checks a proof, with Z3 in this process and these limits for each question.
pub fn check(program: &mut Program, proof: &Proof, limits: Limits) -> Result<(), Rejection> {
    let questions = questions(program, proof)?;
    let mut solver = Z3Solver::new();
    solver.set_limits(limits);
    for question in questions {
        solver.push();
        solver.assert(&program.store, question.formula);
        let answer = solver.check(&program.store, &[]);
        solver.pop();
        confirm(&question, &answer)?;
    }
    Ok(())
}

/// Turns any answer other than `unsat` into a rejection.
pub(super) fn confirm(question: &Question, answer: &Answer) -> Result<(), Rejection> {
    let problem = match answer {
        Answer::Unsat => return Ok(()),
        Answer::Sat => "it does not follow".to_owned(),
        Answer::Unknown(reason) => format!("the solver does not know ({reason})"),
    };
    Err(Rejection { path: question.path.clone(), reason: format!("{}: {problem}", question.shows) })
}

/// What a proof proves, provided that it was checked.
pub fn proved(program: &Program, proof: &Proof) -> Proved {
    let properties = program.process.as_ref().map_or(0, |process| process.properties.len());
    let nodes = proof.tree.as_ref().map(|tree| tree.nodes.as_slice());
    let is_safe = |property: usize| {
        let holds = |fate: &Fate| match fate {
            Fate::Expanded { properties, .. } => matches!(properties.get(property), Some(Some(_))),
            _ => true,
        };
        nodes.is_some_and(|nodes| nodes.iter().all(|node| holds(&node.fate)))
    };
    Proved {
        obligations: proof.obligations.iter().map(Option::is_some).collect(),
        properties: (0..properties).map(is_safe).collect(),
        terminates: proof.tree.as_ref().is_some_and(|tree| tree.termination.is_some()),
    }
}

/// The state of checking a proof.
pub(super) struct Checker<'a> {
    pub(super) store: &'a mut TermStore,
    pub(super) predicates: &'a [Predicate],
    pub(super) process: Option<&'a Process>,
    /// The lemmas in scope.
    pub(super) lemmas: &'a [Lemma],
    /// The lemma that is being proved, if it has a measure.
    pub(super) itself: Option<&'a Lemma>,
    /// All variables of the derivation so far.
    pub(super) seen: Scope,
    pub(super) terms: Terms,
    pub(super) questions: Vec<Question>,
}

/// A step and its obligation.
pub(super) struct Task<'a> {
    pub(super) path: String,
    pub(super) obligation: Obligation,
    pub(super) step: &'a Step,
}

impl<'a> Checker<'a> {
    fn new(store: &'a mut TermStore, program: &'a Program) -> Checker<'a> {
        Checker {
            store,
            predicates: &program.predicates,
            process: program.process.as_ref(),
            lemmas: &[],
            itself: None,
            seen: Scope::new(),
            terms: Terms::default(),
            questions: Vec::new(),
        }
    }

    fn run(mut self, program: &'a Program, proof: &'a Proof) -> Result<Vec<Question>, Rejection> {
        self.check_program()?;
        for (position, lemma) in proof.lemmas.iter().enumerate() {
            self.lemmas = &proof.lemmas[..position];
            self.check_lemma(&format!("lemma {}", position + 1), lemma)?;
        }
        self.lemmas = &proof.lemmas;
        if proof.obligations.len() != program.obligations.len() {
            let reason = "it does not have one place for each obligation of the program".to_owned();
            return Err(Rejection { path: "the proof".to_owned(), reason });
        }
        for (position, (entailment, step)) in program.obligations.iter().zip(&proof.obligations).enumerate() {
            if let Some(step) = step {
                self.check_derivation(&format!("obligation {}", position + 1), entailment, step)?;
            }
        }
        if let Some(tree) = &proof.tree {
            self.check_tree(tree)?;
        }
        Ok(self.questions)
    }

    fn check_lemma(&mut self, path: &str, lemma: &'a Lemma) -> Result<(), Rejection> {
        let entailment = &lemma.entailment;
        self.check_entailment(entailment).map_err(Rejection::at(path))?;
        if let Some(measure) = lemma.measure {
            let may_occur = |symbol| entailment.variables.contains(&symbol);
            self.terms.check(self.store, measure, SortId::INT, may_occur).map_err(Rejection::at(path))?;
            let zero = self.store.mk_int(0);
            let is_natural = self.store.mk_le(zero, measure);
            self.ask_implied(path, "the measure is not negative", entailment.left.constraint, is_natural);
        }
        self.itself = lemma.measure.map(|_| lemma);
        let result = self.check_derivation(path, entailment, &lemma.proof);
        self.itself = None;
        result
    }

    /// Checks a proof of an entailment. Pending steps are on an explicit stack: a proof may be deep.
    pub(super) fn check_derivation(
        &mut self,
        path: &str,
        entailment: &Entailment,
        proof: &Step,
    ) -> Result<(), Rejection> {
        self.check_entailment(entailment).map_err(Rejection::at(path))?;
        let obligation = Obligation::new(entailment);
        self.seen = obligation.scope.clone();
        let mut tasks = vec![Task { path: path.to_owned(), obligation, step: proof }];
        while let Some(task) = tasks.pop() {
            let path = task.path.clone();
            let next = self.check_step(task).map_err(Rejection::at(&path))?;
            tasks.extend(next.into_iter().rev());
        }
        Ok(())
    }

    /// Asks whether a constraint implies a formula, unless that is obvious.
    pub(super) fn ask_implied(&mut self, path: &str, shows: &str, constraint: TermId, implied: TermId) {
        if constraint != TermId::FALSE && implied != TermId::TRUE {
            let formula = refutation(self.store, constraint, implied);
            let (path, shows) = (path.to_owned(), shows.to_owned());
            self.questions.push(Question { path, shows, formula });
        }
    }
}

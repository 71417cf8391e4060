//! The interface of solvers, and what their answers mean.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tenet_term::{TermId, TermStore, Value};

use crate::{Effort, Meter};

/// A solver for formulas over terms. Assertions live in a stack of scopes.
///
/// Terms passed in must be free of lambdas once every function is applied, and of functions as arguments. Quantifiers
/// are passed on as they are; to get rid of them first, see the module `quantifier`. Ill-formed input is a bug and
/// panics; everything that can happen to a correct query is an [`Answer`].
pub trait Solver {
    /// Its name and version, for people.
    fn name(&self) -> String;

    fn push(&mut self);

    /// Closes the innermost scope: what was asserted in it is gone.
    fn pop(&mut self);

    /// Adds a formula to the innermost scope.
    fn assert(&mut self, store: &TermStore, formula: TermId);

    /// Is everything asserted satisfiable together with these assumptions, which may be any formulas?
    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Answer;

    /// After `Unsat`: assumptions of that check which suffice for it.
    fn core(&mut self) -> Vec<TermId>;

    /// After `Sat`: the values of terms in the model, completed so that every term has one. Elements of an index sort
    /// are numbered. `None` where the solver has no value of a form we know (a function, an algebraic number).
    fn values(&mut self, store: &TermStore, terms: &[TermId]) -> Vec<Option<Value>>;

    /// Limits for every check from now on.
    fn set_limits(&mut self, limits: Limits);

    fn limits(&self) -> Limits;

    /// What it has done so far.
    fn statistics(&self) -> Statistics;
}

/// What a solver says about a question. A time-out, a resource limit, an incomplete theory, an interrupt, a crashed
/// process: all of them are `Unknown`, and never anything else (X-T1, X-T10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat,
    Unsat,
    /// It cannot say, with the reason.
    Unknown(String),
}

/// What an answer means depends on what the question was for; this is the only place that decides it.
impl Answer {
    /// In an image: may the state be reached? An unknown counts as reachable.
    pub fn is_reachable(&self) -> bool {
        *self != Answer::Unsat
    }

    /// In an entailment, asked by refuting its negation: is it proved? An unknown proves nothing.
    pub fn is_proved(&self) -> bool {
        *self == Answer::Unsat
    }

    /// In a concretisation: is there a concrete run? An unknown is inconclusive.
    pub fn is_real(&self) -> Option<bool> {
        match self {
            Answer::Sat => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// No longer than this by the clock; without a limit if `None`. Not for engines: what they find must not depend on it.
    pub timeout: Option<Duration>,
    /// No more work than this; without a limit if `None`. A solver in another process cannot be told.
    pub effort: Option<Effort>,
    /// Who counts the work.
    pub meter: Option<Meter>,
    /// Once true, the check under way and every later one end with `Unknown`.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Until this becomes true.
    pub fn until(interrupt: Arc<AtomicBool>) -> Limits {
        Limits { interrupt: Some(interrupt), ..Limits::default() }
    }

    /// The same for solvers whose work this one counts.
    #[must_use]
    pub fn counted(self, meter: &Meter) -> Limits {
        Limits { meter: Some(meter.clone()), ..self }
    }

    /// The same with no more work than this for each check.
    #[must_use]
    pub fn within(self, effort: Effort) -> Limits {
        Limits { effort: Some(effort), ..self }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    pub calls: u64,
    /// Time spent in them, in seconds.
    pub seconds: f64,
}

//! What is asked of the methods, and what they answer.

use crate::common::watch::Stop;
use std::fmt;
use tenet_system::Lemma;
use tenet_system::run::Violation;

#[derive(Clone, Debug)]
pub struct Options {
    pub method: Method,
    pub pre: Pruning,
    /// How `post` writes its result (RC-T5).
    pub post: PostForm,
    pub alpha: Alpha,
    /// Write equations between numbers as two inequalities.
    pub split_equalities: bool,
    /// Iterations after which to give up.
    pub iterations: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: Method::One(Direction::Backward),
            pre: Pruning::Control,
            post: PostForm::Solved,
            alpha: Alpha::Complete,
            split_equalities: false,
            iterations: 20,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Method {
    /// Abstract fixpoints with refinement in the same direction.
    One(Direction),
    /// Widening as an oracle says.
    Two(Direction, OracleChoice),
    /// Abstract forward fixpoints with dual backward refinement.
    Three,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the initial states, with `post`.
    Forward,
    /// From the unsafe states, with `pre`.
    Backward,
}

/// Which disjuncts of `pre` are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// None at all.
    Literal,
    /// Those that contradict themselves about variables of enumerations, which is what the published listing shows (RC-T6).
    Control,
    /// All that contradict themselves, as far as the solver can tell. The method is not relatively complete then (RC-A5).
    Unsatisfiable,
}

/// How `post` writes its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostForm {
    /// Equations are solved, and what they say is put into all other atoms.
    Solved,
    /// Old values are expressed by new ones where an assignment can be inverted, so shifted guards stay.
    Inverse,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alpha {
    /// The least element, with the solver.
    Complete,
    /// What is left of each disjunct when atoms that are no predicates are dropped.
    Syntactic,
}

/// Who says what to widen.
#[derive(Clone, Debug)]
pub enum OracleChoice {
    /// These numbers, one for each iteration, and zero when they are used up: bit `k` drops conjunct number `k`.
    List(Vec<num_bigint::BigUint>),
    /// Every conjunct that mentions the variable of this name is dropped.
    Drop(String),
    /// Chance, with this seed: each conjunct with one chance in four.
    Random(u64),
    /// All there are, tried breadth first.
    Exhaustive,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    /// The iterations, one for each value of `n`.
    pub iterations: Vec<Iteration>,
    pub conclusion: Conclusion,
    /// The widenings that led to a proof, for Method II.
    pub schedule: Vec<num_bigint::BigUint>,
    /// Is no initial state possible? Then a proof says nothing (X-T2).
    pub is_vacuous: bool,
    pub solver_calls: u64,
    pub solver_seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The predicates `P_n`, as atoms; for Method II the atoms of the formula.
    pub predicates: Vec<tenet_term::TermId>,
    /// The invariant of this iteration, a disjunction of conjunctions of predicates; for Method II the formula.
    pub invariant: Vec<Vec<tenet_term::TermId>>,
    /// How often the abstract operator was applied until nothing changed; zero for Method II.
    pub rounds: usize,
}

#[derive(Clone, Debug)]
pub enum Conclusion {
    /// With an inductive invariant that implies the properties.
    Proved(Vec<Lemma>),
    /// With a run that violates one.
    Incorrect(Violation),
    /// Without either.
    Open(Reason),
}

/// Why there is neither a proof nor a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Stopped(Stop),
    Iterations(usize),
    /// Method II reached a fixpoint that does not exclude the bound: widening was too coarse.
    DoNotKnow,
    /// Every widening within the limits was tried.
    Exhausted,
    /// There is a run, but the solver found no values for it.
    NoValues,
    /// A run with values failed to replay: an internal error.
    NotReplayed,
    /// The formulas grew beyond the limits.
    TooLarge,
}

/// How a computation can end early.
#[derive(Clone, Debug)]
pub(super) enum Early {
    Stopped(Stop),
    Unsupported(Unsupported),
}

impl From<Unsupported> for Early {
    fn from(unsupported: Unsupported) -> Early {
        Early::Unsupported(unsupported)
    }
}

impl From<Stop> for Early {
    fn from(stop: Stop) -> Early {
        Early::Stopped(stop)
    }
}

/// Why a system is not one for the methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A variable, constant or parameter with this name and sort.
    Variable(String, String),
    Axiom(String),
    Quantifier(String),
    /// A demand on a startstate of this name, which is no property of states.
    Demand(String),
    /// The variable would have to be eliminated from this conjunction.
    Elimination(String, String),
    /// Too many of something.
    Size(&'static str),
    NoVariable(String),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Variable(name, sort) => write!(
                out,
                "`{name}` is of type {sort}: only truth values, numbers, enumerations and bit-vectors are known"
            ),
            Unsupported::Axiom(name) => {
                write!(out, "the axiom \"{name}\" is an assumption, of which there are none")
            }
            Unsupported::Quantifier(text) => write!(out, "there is a quantifier in `{text}`"),
            Unsupported::Demand(name) => write!(out, "\"{name}\" is about a startstate, not about states"),
            Unsupported::Elimination(name, text) => {
                write!(out, "`{name}` cannot be eliminated exactly from `{text}`")
            }
            Unsupported::Size(what) => write!(out, "there are too many {what}"),
            Unsupported::NoVariable(name) => write!(out, "there is no variable `{name}` to drop"),
        }
    }
}

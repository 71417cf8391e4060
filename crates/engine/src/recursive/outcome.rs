//! What is asked of the engine, and what it has found when it ends.

use super::Counterexample;
use crate::Stop;
use std::time::Duration;
use tenet_solve::Effort;
use tenet_system::recursive::Proof;
use tenet_term::{SymbolId, TermId};

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether only proofs that are found soon are of interest: no counterexamples are looked for, and nothing is
    /// tried twice.
    pub proofs_only: bool,
    /// The effort of the whole run; unlimited if `None`.
    pub effort: Option<Effort>,
    /// What derivations are searched with.
    pub rules: Rules,
    /// How far the search goes.
    pub bounds: Bounds,
}

/// With which rules derivations are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// Our own search: lemmas, measures, cases by what attempts need.
    #[default]
    Tenet,
    /// The published search and nothing else.
    Paper,
}

/// How far a search goes; the defaults where nothing is said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// Nodes of a computation tree.
    pub nodes: Option<usize>,
    /// Work for a computation tree, in seconds of an ordinary machine.
    pub tree_seconds: Option<u64>,
    /// How often atoms are unfolded, one after the other.
    pub unfoldings: Option<usize>,
}

/// A derivation that the published rules allow and that proves nothing.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The steps to the first one that is refused, which is the last of these, by the names of the paper.
    pub steps: Vec<String>,
    /// Why it is refused.
    pub reason: String,
}

/// Why a computation tree was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// It has more nodes than this.
    Nodes(usize),
    /// It takes more work than this many seconds of an ordinary machine.
    Work(u64),
}

/// What was found of all obligations and properties of a program.
pub(super) struct Found {
    /// The proof, to be checked: lemmas, a derivation for each obligation that was proved, and the computation tree, which proves
    /// nothing unless it is closed.
    pub proof: Proof,
    /// For each obligation of the program.
    pub answers: Vec<Answer>,
    pub properties: Vec<SafetyAnswer>,
    /// For each proved obligation, whether its left-hand side is known to have members.
    pub left_sides: Vec<LeftSide>,
    /// For each obligation, what the published rules would have derived.
    pub refused: Vec<Option<Refused>>,
    /// Which limit the tree has reached, if it was given up.
    pub limit: Option<Limit>,
    /// Whether the process has no start: then whatever is proved of it says nothing.
    pub is_vacuous: bool,
    pub report: Report,
    /// Why it was told to stop, if it was.
    pub stopped: Option<Stop>,
}

/// What is known of the left-hand side of an obligation. A proof about an empty one says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftSide {
    /// A member of it was derived.
    Inhabited,
    /// It is proved to have none.
    Empty,
    /// None was found.
    Open,
}

/// What is known of an obligation.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Proved,
    /// There is an instance that contradicts it.
    Refuted(Counterexample),
    /// No derivation was found, which says nothing about the obligation.
    Open,
}

/// What is known of a property of the process.
#[derive(Clone, Debug)]
pub(super) enum SafetyAnswer {
    /// The closed tree shows it.
    Proved,
    /// A run leads to a state that violates it.
    Violated(Run),
    /// Neither was found.
    Open,
}

/// A run of the process with concrete values.
#[derive(Clone, Debug)]
pub struct Run {
    /// The arguments of the process in each state, without variables.
    pub states: Vec<Vec<TermId>>,
    /// The transitions between them, by position: one less than there are states.
    pub transitions: Vec<usize>,
    /// How each state comes about: values for the variables of the start, or of the transition that leads to it.
    pub choices: Vec<Vec<TermId>>,
    /// Values for the variables of the property.
    pub witness: Vec<(SymbolId, TermId)>,
}

#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many questions the solver was asked.
    pub solver_calls: u64,
    /// How many obligations were looked at.
    pub visited: usize,
    /// How long each obligation of the program took. Lemmas about single definitions are found before.
    pub obligations: Vec<Duration>,
    /// How long the process took: runs and the computation tree.
    pub process: Duration,
}

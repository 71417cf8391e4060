//! What is asked of the engine, and what it tells besides its claims.

use super::candidates::Material;
use crate::interface::{self, Outcome};
use tenet_abstraction::formula::Formula;
use tenet_term::{Substitution, TermId};

#[derive(Clone, Debug)]
pub struct Options {
    /// Use the same set throughout an iteration, so that the published iteration counts come out (QI-T8).
    /// Otherwise what one rule adds is used for the next at once.
    pub strict: bool,
    pub image: Image,
    pub instances: Instances,
    /// Simplify the invariant and make it irredundant.
    pub simplify: bool,
    /// Stop as soon as a property is seen to fail: there is no invariant then, and properties that are not violated yet
    /// stay open.
    pub until_violated: bool,
    /// How many predicates may be added, one after the other, because of abstract runs that they exclude.
    pub suggestions: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strict: false,
            image: Image::Cubes,
            instances: Instances::Generated { deepenings: 2 },
            simplify: true,
            until_violated: false,
            suggestions: 0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Image {
    /// All solutions, each generalised as far as possible.
    Cubes,
    /// The recursion H (Das, Dill and Park, section 2).
    Recursion,
    /// A Boolean problem from which everything but the predicates is quantified away (Lahiri and Bryant, section 7).
    Elimination,
}

/// Where substitutions for index variables come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instances {
    /// Generated from the model, and more of them this many times while the proof fails; hints add and remove some.
    Generated {
        /// How often to generate deeper ones.
        deepenings: usize,
    },
    /// Only those that hints force, and the identity if no hint says otherwise.
    Forced,
}

/// What there is to tell about the computation.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// The sets, one after the other: the initial one first.
    pub iterations: Vec<Iteration>,
    /// Was the limit reached? If not, nothing is proved.
    pub is_complete: bool,
    pub substitutions: Vec<Vec<Substitution>>,
    pub deepenings: usize,
    /// The predicates that were added.
    pub rounds: Vec<Round>,
    /// Nodes of the last set's decision diagram.
    pub nodes: usize,
    /// Clauses of the invariant before it was made irredundant.
    pub clauses: usize,
}

impl Details {
    /// What an outcome of this engine tells.
    pub fn of(outcome: &Outcome) -> Option<&Details> {
        match &outcome.statistics.details {
            interface::Details::Reach(details) => Some(details),
            _ => None,
        }
    }

    /// The iterations that added something: what the papers count. The initial set is none.
    pub fn productive(&self) -> usize {
        self.iterations.iter().skip(1).filter(|iteration| iteration.is_productive).count()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// How many abstract states there are after it.
    pub states: u128,
    pub is_productive: bool,
    /// The rules that added some, by position.
    pub rules: Vec<usize>,
    /// The set after it; only if it added something.
    pub set: Option<Formula>,
}

/// Whether the set implies a property. That it does not, does not mean that the property is false.
#[derive(Clone, Debug)]
pub enum Implication {
    Implied,
    NotImplied(Box<Failure>),
    /// More may be added to the set.
    Open,
}

#[derive(Clone, Debug)]
pub struct Failure {
    /// Which of the four causes it is, as far as can be told.
    pub cause: Cause,
    /// An abstract run from a startstate to the first abstract state that violates the property; empty if there is no single one.
    pub path: Vec<Step>,
    /// Where the path is less precise than the model.
    pub imprecision: Option<Imprecision>,
    /// Predicates that might be missing, best first: those that exclude the path come before those that do not.
    pub candidates: Vec<Candidate>,
    /// A state that satisfies the invariant and not the property.
    pub witness: Snapshot,
}

/// A step of an abstract run.
#[derive(Clone, Debug)]
pub struct Step {
    /// In which iteration it was found; zero for the initial states.
    pub iteration: usize,
    /// The rule; `None` for a startstate.
    pub rule: Option<usize>,
    /// The values of the predicates after it, in the order of the system's predicates.
    pub state: Vec<bool>,
}

/// The step of an abstract run to look at: one that is possible with the abstract states before and after it, and for which
/// these do not determine some predicate.
#[derive(Clone, Debug)]
pub struct Imprecision {
    /// Its position in the path.
    pub step: usize,
    /// The predicates whose value after the step the abstract state before it does not determine, by position; empty with index
    /// variables, where a state has several valuations.
    pub undetermined: Vec<usize>,
    /// Does the abstract state before it leave open whether the rule can be taken?
    pub may_be_disabled: bool,
    /// A concrete state before the step, with the rule's parameters; empty for a startstate.
    pub before: Snapshot,
    pub after: Snapshot,
}

/// A predicate that might be missing.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub formula: TermId,
    /// As a model would have it.
    pub text: String,
    /// Where it comes from: this part of the rule of this step.
    pub material: Material,
    pub step: usize,
    /// With it, the rules of the path do not lead to a violation any more.
    pub excludes: bool,
}

/// A predicate that was added because of an abstract run.
#[derive(Clone, Debug)]
pub struct Round {
    /// The property that was violated.
    pub property: usize,
    /// The length of the run, in steps.
    pub steps: usize,
    /// The rule of the step that the predicate comes from; `None` for a startstate.
    pub rule: Option<usize>,
    pub material: Material,
    pub predicate: String,
}

/// The four causes why a property is not proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The property is false: there is a run.
    False,
    /// The predicates do not suffice, whatever the instances: already a small instance shows it.
    Predicates,
    /// The same, unless the property is false: the exact abstraction of the unbounded system shows it.
    PredicatesOrFalse,
    /// More substitutions helped, or might: the predicates suffice for small instances.
    Instances,
    Unclear,
}

/// What a solver's model says of a state: terms and their values, as text. It covers only what the question
/// mentioned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// A term of the model's language and its value.
    pub values: Vec<(String, String)>,
}

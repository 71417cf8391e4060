//! The view model: everything that a report contains, independent of its format.
//!
//! It holds texts for people and numbers for programs, but neither colours nor layout.

use crate::hybrid::Hybrid;
use crate::induction::Induction;
use crate::lemma::Group;
use crate::reached::Reached;
use crate::recursive::Recursive;
use crate::run::Run;
use crate::source::Location;
use crate::trust::Trust;
use serde::Serialize;
use tenet_lang::diagnostic::Explanation;

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Safe,
    /// It does not hold, and there is a replayed run to a violation.
    Unsafe,
    /// Neither is known.
    Unknown,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        }
    }

    /// The verdict on several properties: the worst of theirs.
    pub fn of_all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        verdicts.into_iter().max_by_key(|verdict| verdict.badness()).unwrap_or(Verdict::Safe)
    }

    fn badness(self) -> u8 {
        match self {
            Verdict::Safe => 0,
            Verdict::Unknown => 1,
            Verdict::Unsafe => 2,
        }
    }
}

/// The answer to one question about one file.
#[derive(Clone, Debug)]
pub struct Report {
    /// The file as the user named it.
    pub file: String,
    /// The answer for all properties together.
    pub verdict: Verdict,
    /// The text after the verdict on its line.
    pub headline: String,
    /// The instance that was checked.
    pub instance: Instance,
    /// The properties in question.
    pub properties: Vec<Property>,
    /// What was checked, in one line; may be empty.
    pub checked: String,
    /// The results of an abstraction, if there was one.
    pub abstraction: Option<Abstraction>,
    /// The iterations of a refinement method, if it was one.
    pub refinement: Vec<Refinement>,
    /// The work of the engine `hybrid`, for each property that it was tried on.
    pub hybrid: Vec<Hybrid>,
    /// The proofs about recursive definitions, if any.
    pub recursive: Option<Recursive>,
    pub statistics: Statistics,
    /// Axioms that are proved from the definitions that they are about.
    pub proved_axioms: Vec<String>,
    /// Signs of vacuity; only if the answer is `safe`.
    pub trust: Option<Trust>,
    /// Why there is no answer at all, if there was no question.
    pub reason: Option<Reason>,
    /// Axioms, assumptions and other decisions that the answer depends on.
    pub assumptions: Vec<String>,
    /// The certificate, if there is one.
    pub certificate: Option<Certificate>,
    /// Notes, most important first.
    pub notes: Vec<Note>,
}

/// What makes an instance finite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// Scalarsets, and other types with a given size.
    pub sizes: Vec<(String, u64)>,
    /// Constants with a given value.
    pub consts: Vec<(String, String)>,
}

impl Instance {
    /// `NODE = 3, DATA = 2`, or `as written`.
    pub fn describe(&self) -> String {
        let sizes = self.sizes.iter().map(|(name, size)| format!("{name} = {size}"));
        let consts = self.consts.iter().map(|(name, value)| format!("{name} = {value}"));
        let all: Vec<String> = sizes.chain(consts).collect();
        if all.is_empty() { "as written".to_string() } else { all.join(", ") }
    }
}

/// The answer for one property.
#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub verdict: Verdict,
    /// The engine that gave it.
    pub engine: &'static str,
    /// The time it took, as far as it can be attributed to one property.
    pub seconds: f64,
    /// Why it is not safe.
    pub reason: Option<Reason>,
    /// The obstacle to a proof.
    pub failure: Option<Failure>,
    /// The place of the property, or of the violation, in the source.
    pub location: Option<Location>,
    /// The run to a violation.
    pub trace: Option<Run>,
    /// What the model says with its own numbers, if the run has others.
    pub written: Option<Written>,
}

/// What a model says of a property with the sizes and constants that stand in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub instance: Instance,
    pub verdict: Verdict,
    /// The states that were searched.
    pub states: u64,
    /// What to do if the sizes of the run are not meant.
    pub hint: Option<String>,
}

/// The strongest invariant over given predicates, and how it was found.
#[derive(Clone, Debug, Default)]
pub struct Abstraction {
    /// The number of predicates.
    pub predicates: usize,
    /// The inductive invariant, a conjunction; empty if the iteration did not end.
    pub invariant: Vec<Group>,
    /// Whether the invariant was checked by the certificate checker.
    pub is_checked: bool,
    /// The index variables, as a tuple if there are several.
    pub indices: String,
    /// The substitutions of each rule, as tuples of terms.
    pub substitutions: Vec<(String, Vec<String>)>,
    /// How often deeper substitutions were generated.
    pub deepenings: usize,
    /// The number of iterations that added something.
    pub iterations: usize,
    /// The number of abstract states at the start and after each iteration that added some.
    pub states: Vec<u128>,
    /// The sets themselves, as far as they are short.
    pub reached: Reached,
    /// The number of nodes of the decision diagram of the last set.
    pub nodes: usize,
    /// The number of clauses of the invariant before redundant ones were dropped.
    pub clauses: usize,
    /// The predicates that were added by `--suggest`.
    pub suggestions: Vec<Suggestion>,
}

impl Abstraction {
    /// The number of substitutions of all rules together.
    pub fn substitution_count(&self) -> usize {
        self.substitutions.iter().map(|(_, tuples)| tuples.len()).sum()
    }

    /// Were the lemmas searched for one by one, rather than computed from predicates?
    pub fn is_searched(&self) -> bool {
        self.states.is_empty() && self.predicates == 0
    }

    pub fn lemma_count(&self) -> usize {
        self.invariant.iter().map(|group| group.lemmas.len()).sum()
    }
}

/// One iteration of a published refinement method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Refinement {
    pub predicates: Vec<String>,
    /// The disjuncts of the invariant over them.
    pub invariant: Vec<String>,
    /// The number of applications of the abstract operator.
    pub rounds: usize,
}

/// A proof that can be checked again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The file that it was written to, if it was.
    pub file: Option<String>,
    /// The number of checks.
    pub checks: usize,
    /// The solver that made them.
    pub solver: String,
}

/// The obstacle to a proof.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// A step that breaks what is asked about, with lemmas; only without predicates.
    pub induction: Option<Induction>,
    pub predicates: Vec<String>,
    /// An abstract run from a startstate to the first abstract state that violates the property; empty if there is no single one.
    pub path: Vec<AbstractStep>,
    /// The step of it at which the abstraction is less precise than the model.
    pub imprecision: Option<Imprecision>,
    /// Predicates that might be missing, best first.
    pub candidates: Vec<Candidate>,
    /// Places and values of a state that the invariant allows and the property does not.
    pub witness: Vec<(String, String)>,
}

/// A predicate that might be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// As a model would have it.
    pub predicate: String,
    /// The step of the run that it comes from.
    pub step: usize,
    /// Where in that step it comes from.
    pub material: &'static str,
    /// Whether the run is impossible with it.
    pub excludes: bool,
}

/// A predicate that was added because of an abstract run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// The property that was violated.
    pub property: String,
    /// The length of the run.
    pub steps: usize,
    /// The rule or startstate that the predicate comes from.
    pub rule: String,
    /// Where in it.
    pub material: &'static str,
    pub predicate: String,
}

/// A step of an abstract run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AbstractStep {
    /// The iteration in which it was found; zero for the startstates.
    pub iteration: usize,
    /// The name of the rule or startstate.
    pub name: String,
    /// The values of the predicates after it.
    pub state: Vec<bool>,
}

/// A step of an abstract run that need not lead where it does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imprecision {
    /// Its position in the run.
    pub step: usize,
    /// The predicates, by position, whose value after the step the abstract state before it does not determine.
    pub undetermined: Vec<usize>,
    /// Whether the abstract state before it leaves open if the rule can be taken.
    pub may_be_disabled: bool,
    /// Places and values of a state before the step, with the rule's parameters.
    pub before: Vec<(String, String)>,
    pub after: Vec<(String, String)>,
}

impl Failure {
    /// The predicates with their values in the abstract state that violates the property.
    pub fn state(&self) -> impl Iterator<Item = (&str, bool)> {
        let last = self.path.last().map_or(&[][..], |step| &step.state);
        self.predicates.iter().map(String::as_str).zip(last.iter().copied())
    }
}

/// Why an answer is not `safe`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The code for `tenet explain`.
    pub explanation: &'static Explanation,
    /// What happened.
    pub text: String,
    /// What to try.
    pub hint: Option<String>,
}

/// A note on the model or the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The code for `tenet explain`.
    pub explanation: &'static Explanation,
    /// Whether it puts the verdict in doubt.
    pub is_warning: bool,
    /// What it says.
    pub text: String,
    /// The items that it is about, if several.
    pub items: Vec<String>,
}

/// Statistics of the whole command.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Solver calls.
    pub smt_calls: u64,
    /// Time spent in the solver.
    pub smt_seconds: f64,
    /// Wall-clock time.
    pub seconds: f64,
    /// The peak memory of the process.
    pub peak_memory_mb: Option<u64>,
    /// Statistics of a state-space search, if there was one.
    pub search: Option<Search>,
}

/// Statistics of a state-space search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// States stored.
    pub states: u64,
    /// Number of rule instances taken.
    pub rules_fired: u64,
    /// The length of the longest shortest run, in steps.
    pub depth: u32,
    /// Bytes of a packed state.
    pub state_bytes: u64,
    /// Bytes of memory per stored state, all included.
    pub bytes_per_state: f64,
    /// Whether states that differ by renaming count as one.
    pub is_reduced: bool,
    /// Threads used.
    pub threads: usize,
    /// The number of times that each rule was taken.
    pub fired: Vec<(String, u64)>,
}

impl Statistics {
    /// States found per second.
    pub fn states_per_second(&self) -> Option<u64> {
        let states = self.search.as_ref()?.states;
        // A clock that did not advance says nothing about speed.
        (self.seconds > 0.0).then(|| (states as f64 / self.seconds) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_verdict_wins() {
        use Verdict::*;
        assert_eq!(Verdict::of_all([]), Safe);
        assert_eq!(Verdict::of_all([Safe, Unknown]), Unknown);
        assert_eq!(Verdict::of_all([Unsafe, Unknown, Safe]), Unsafe);
    }

    #[test]
    fn instances_are_named() {
        let mut instance = Instance::default();
        assert_eq!(instance.describe(), "as written");
        instance.sizes.push(("NODE".into(), 3));
        instance.consts.push(("MAX".into(), "7".into()));
        assert_eq!(instance.describe(), "NODE = 3, MAX = 7");
    }
}

//! The view model: everything that a report can say, in the form in which it is said.
//!
//! It holds texts where people are addressed and numbers where programs are, but neither colours nor layout.

use crate::hybrid::Hybrid;
use crate::lemma::Group;
use crate::recursive::Recursive;
use crate::run::Run;
use crate::source::Location;
use crate::trust::Trust;
use serde::Serialize;
use tenet_lang::diagnostic::Explanation;

/// One of the three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Safe,
    /// It does not, and a run shows it.
    Unsafe,
    /// Neither is known.
    Unknown,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        }
    }

    /// The verdict on several properties: the worst of their verdicts.
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
    /// What follows the verdict on its line.
    pub headline: String,
    /// Which instance was looked at.
    pub instance: Instance,
    /// What was asked about, property by property.
    pub properties: Vec<Property>,
    /// What was checked, in one line; empty if there is nothing to say.
    pub checked: String,
    /// What an abstraction gave, if there was one.
    pub abstraction: Option<Abstraction>,
    /// The iterations of a refinement method, if it was one.
    pub refinement: Vec<Refinement>,
    /// What the engine `hybrid` did, for each property that it was tried on.
    pub hybrid: Vec<Hybrid>,
    /// What was proved with recursive definitions, if that was asked.
    pub recursive: Option<Recursive>,
    /// Numbers.
    pub statistics: Statistics,
    /// Axioms that are proved from the definitions that they are about.
    pub proved_axioms: Vec<String>,
    /// How much the answer says; only if it is `safe`.
    pub trust: Option<Trust>,
    /// Why there is no answer at all, if there was nothing to ask about.
    pub reason: Option<Reason>,
    /// Axioms, assumptions and whatever else was decided that the answer rests on.
    pub assumptions: Vec<String>,
    /// The certificate, if there is one.
    pub certificate: Option<Certificate>,
    /// Remarks, most important first.
    pub notes: Vec<Note>,
}

/// What makes an instance finite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// Scalarsets, and other types that were given a size.
    pub sizes: Vec<(String, u64)>,
    /// Constants that were given another value.
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
    /// Its name.
    pub name: String,
    /// The answer.
    pub verdict: Verdict,
    /// Which engine gave it.
    pub engine: &'static str,
    /// How long it took, as far as that can be told for one property.
    pub seconds: f64,
    /// Why it is not safe.
    pub reason: Option<Reason>,
    /// What stood in the way of a proof.
    pub failure: Option<Failure>,
    /// Where the property, or what is wrong, stands in the source.
    pub location: Option<Location>,
    /// The run that shows it.
    pub trace: Option<Run>,
}

/// What the strongest invariant over given predicates is, and how it was found.
#[derive(Clone, Debug, Default)]
pub struct Abstraction {
    /// How many predicates there are.
    pub predicates: usize,
    /// The inductive invariant, a conjunction; empty if the iteration did not end.
    pub invariant: Vec<Group>,
    /// Whether the invariant was checked by the code that checks certificates.
    pub is_checked: bool,
    /// The index variables, as a tuple if there are several.
    pub indices: String,
    /// The substitutions of each rule, as tuples of terms.
    pub substitutions: Vec<(String, Vec<String>)>,
    /// How often deeper substitutions were generated.
    pub deepenings: usize,
    /// How many iterations added something.
    pub iterations: usize,
    /// The number of abstract states at the start and after each iteration that added some.
    pub states: Vec<u128>,
    /// Nodes of the decision diagram of the last set.
    pub nodes: usize,
    /// Clauses of the invariant before redundant ones were dropped.
    pub clauses: usize,
}

impl Abstraction {
    /// How many substitutions there are, of all rules together.
    pub fn substitution_count(&self) -> usize {
        self.substitutions.iter().map(|(_, tuples)| tuples.len()).sum()
    }

    /// Were the lemmas searched for one by one, rather than computed from predicates?
    pub fn is_searched(&self) -> bool {
        self.states.is_empty() && self.predicates == 0
    }

    /// How many lemmas the invariant has.
    pub fn lemma_count(&self) -> usize {
        self.invariant.iter().map(|group| group.lemmas.len()).sum()
    }
}

/// One iteration of a published refinement method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Refinement {
    /// The predicates.
    pub predicates: Vec<String>,
    /// The disjuncts of the invariant over them.
    pub invariant: Vec<String>,
    /// How often the abstract operator was applied.
    pub rounds: usize,
}

/// A proof in a form that can be checked again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// Where it was written, if it was.
    pub file: Option<String>,
    /// How many checks it has.
    pub checks: usize,
    /// Who made them.
    pub solver: String,
}

/// What stood in the way of a proof: as much of it as can be shown, since an abstraction that quantifies has
/// no runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// The predicates with their values in the abstract state that violates the property; empty if there is no single
    /// one.
    pub state: Vec<(String, bool)>,
    /// How that state came in.
    pub introduced: Option<Introduced>,
    /// Places and values of a state that the invariant allows and the property does not.
    pub witness: Vec<(String, String)>,
}

/// How an abstract state came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Introduced {
    /// In which iteration; zero for the startstates.
    pub iteration: usize,
    /// By which rule; `None` for a startstate.
    pub rule: Option<String>,
    /// Places and values of a state before the step, with the rule's parameters.
    pub before: Vec<(String, String)>,
    /// And after it.
    pub after: Vec<(String, String)>,
}

/// Why an answer is not `safe`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// For `tenet explain`.
    pub explanation: &'static Explanation,
    /// What happened.
    pub text: String,
    /// What to try.
    pub hint: Option<String>,
}

/// A remark on the model or the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// For `tenet explain`.
    pub explanation: &'static Explanation,
    /// Whether it puts the verdict in doubt.
    pub is_warning: bool,
    /// What it says.
    pub text: String,
    /// What it is about, if several things.
    pub items: Vec<String>,
}

/// Numbers about the whole command.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Solver calls.
    pub smt_calls: u64,
    /// Time spent in the solver.
    pub smt_seconds: f64,
    /// Wall-clock time.
    pub seconds: f64,
    /// The most memory the process had.
    pub peak_memory_mb: Option<u64>,
    /// Numbers of a state-space search, if there was one.
    pub search: Option<Search>,
}

/// Numbers of a state-space search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// States stored.
    pub states: u64,
    /// Rule instances taken.
    pub rules_fired: u64,
    /// Length of the longest shortest run, in steps.
    pub depth: u32,
    /// Bytes of a packed state.
    pub state_bytes: u64,
    /// Bytes of memory per stored state, all included.
    pub bytes_per_state: f64,
    /// Whether states that differ by renaming count as one.
    pub is_reduced: bool,
    /// Threads used.
    pub threads: usize,
    /// How often each rule was taken.
    pub fired: Vec<(String, u64)>,
}

impl Statistics {
    /// States found per second.
    pub fn states_per_second(&self) -> Option<u64> {
        let states = self.search.as_ref()?.states;
        // A clock that did not move says nothing about speed.
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

//! What the engine `hybrid` did for a property: the numbers and lists of the published experiments.

use serde::{Serialize, Serializer};

/// What was done for a property.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Hybrid {
    /// The property.
    pub property: String,
    /// Registers that it depends on.
    pub registers: usize,
    /// How many abstract models were checked.
    pub iterations: usize,
    /// How often the abstract model was built.
    pub rebuilds: usize,
    /// The bits of an abstract state at the end.
    pub bits: usize,
    /// The predicates at the end.
    pub predicates: Vec<String>,
    /// Their clusters.
    pub clusters: Vec<Vec<String>>,
    /// The registers that are kept.
    pub kept: Vec<String>,
    /// The branch conditions that became predicates, by their places.
    pub branches: Vec<String>,
    /// The predicates whose definitions are invariants.
    pub invariants: Vec<String>,
    /// Clauses about correlations of predicates.
    pub correlations: usize,
    /// What each spurious counterexample led to.
    pub refinements: Vec<HybridRefinement>,
    /// The time it took.
    #[serde(serialize_with = "rounded")]
    pub seconds: f64,
}

/// What a spurious counterexample led to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HybridRefinement {
    /// How many states it has.
    pub length: usize,
    /// How many predicates were added.
    pub added: usize,
    /// What excluded it.
    pub means: &'static str,
    /// How many candidates it takes if they are added one by one, if that was measured.
    pub one_by_one: Option<usize>,
}

/// Milliseconds are enough here.
fn rounded<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1000.0).round() / 1000.0)
}

//! What the engine `hybrid` did for a property: the data of the published experiments.

use serde::{Serialize, Serializer};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Hybrid {
    pub property: String,
    /// The number of registers that the property depends on.
    pub registers: usize,
    /// The number of abstract models that were checked.
    pub iterations: usize,
    /// The number of times that the abstract model was built.
    pub rebuilds: usize,
    /// The number of bits of an abstract state at the end.
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
    /// The number of clauses about correlations of predicates.
    pub correlations: usize,
    /// The refinement after each spurious counterexample.
    pub refinements: Vec<HybridRefinement>,
    /// Wall-clock time.
    #[serde(serialize_with = "rounded")]
    pub seconds: f64,
}

/// The refinement after a spurious counterexample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HybridRefinement {
    /// The number of states of the counterexample.
    pub length: usize,
    /// The number of predicates that were added.
    pub added: usize,
    /// The method that excluded the counterexample.
    pub means: &'static str,
    /// The number of candidates it takes if they are added one by one, if that was measured.
    pub one_by_one: Option<usize>,
}

/// Rounded to milliseconds.
fn rounded<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1000.0).round() / 1000.0)
}

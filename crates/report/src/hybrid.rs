//! What the engine `hybrid` did for a property: the numbers and lists of the published experiments.

use serde_json::{Value as Json, json};

/// What was done for a property.
#[derive(Clone, Debug, Default, PartialEq)]
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
    pub seconds: f64,
}

/// What a spurious counterexample led to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

impl Hybrid {
    /// As JSON.
    pub(crate) fn json(&self) -> Json {
        let refinement = |one: &HybridRefinement| {
            json!({
                "length": one.length,
                "added": one.added,
                "means": one.means,
                "one_by_one": one.one_by_one,
            })
        };
        json!({
            "property": self.property,
            "registers": self.registers,
            "iterations": self.iterations,
            "rebuilds": self.rebuilds,
            "bits": self.bits,
            "predicates": self.predicates,
            "clusters": self.clusters,
            "kept": self.kept,
            "branches": self.branches,
            "invariants": self.invariants,
            "correlations": self.correlations,
            "refinements": self.refinements.iter().map(refinement).collect::<Vec<_>>(),
            "seconds": (self.seconds * 1000.0).round() / 1000.0,
        })
    }
}

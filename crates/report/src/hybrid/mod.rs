//! What the engine `hybrid` did for a property: the data of the published experiments (Clarke, Grumberg, Talupur and Wang, 2003).

pub mod dot;
pub mod html;

use serde::{Serialize, Serializer};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Hybrid {
    pub property: String,
    /// The number of registers that the property depends on.
    pub registers: usize,
    /// Their bits, if they have a fixed number.
    pub register_bits: Option<usize>,
    /// The number of gates that compute their next values and the property, if everything is made of bits.
    pub gates: Option<usize>,
    /// The number of abstract models that were checked.
    pub iterations: usize,
    /// The number of times that the abstract model was built.
    pub rebuilds: usize,
    /// The number of bits of an abstract state at the end.
    pub bits: usize,
    /// The predicates at the end.
    pub predicates: Vec<String>,
    /// For each predicate the registers that it speaks of.
    pub supports: Vec<Vec<String>>,
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

impl Hybrid {
    /// Predicates by their positions.
    fn numbers(&self, predicates: &[String]) -> Vec<usize> {
        let number = |text: &String| self.predicates.iter().position(|known| known == text);
        predicates.iter().filter_map(number).collect()
    }

    /// The clusters by positions of predicates; where nothing is clustered, each predicate is alone.
    fn shown_clusters(&self) -> Vec<Vec<usize>> {
        let clusters: Vec<Vec<usize>> = self.clusters.iter().map(|cluster| self.numbers(cluster)).collect();
        let is_alone = |&p: &usize| !clusters.iter().any(|cluster| cluster.contains(&p));
        let alone: Vec<Vec<usize>> = (0..self.predicates.len()).filter(is_alone).map(|p| vec![p]).collect();
        [clusters, alone].concat()
    }
}

/// The refinement after a spurious counterexample.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HybridRefinement {
    /// The number of states of the counterexample.
    pub length: usize,
    /// The number of predicates that were added.
    pub added: usize,
    /// The method that excluded the counterexample.
    pub means: &'static str,
    /// The number of candidates it takes if they are added one by one, if that was measured.
    pub one_by_one: Option<usize>,
    /// The last state to which the counterexample could be extended, if that came to a dead end.
    pub dead_end: Option<usize>,
    /// The extended counterexample.
    pub table: Vec<HybridRow>,
}

/// A row of an extended counterexample: a formula in one state after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HybridRow {
    pub formula: String,
    /// `known` to the abstract model, `chosen` to become a predicate, or a `candidate` that is not needed.
    pub standing: &'static str,
    /// `0`, `1` or `x` (either) for each state.
    pub values: String,
}

/// Rounded to milliseconds.
fn rounded<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1000.0).round() / 1000.0)
}

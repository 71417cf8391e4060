//! Statistics of a run.

use super::table::Table;

/// What was done for a property. Terms are given by their text, so that a report needs no access to the store.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    pub property: usize,
    /// Registers that the property depends on.
    pub registers: usize,
    /// The bits of these, memories included.
    pub register_bits: Option<usize>,
    /// The gates that compute their next values and the property; `None` if there is anything but bits.
    pub gates: Option<usize>,
    pub iterations: usize,
    /// How often the abstract model was built.
    pub rebuilds: usize,
    /// How often it was built while a refinement looked for predicates: never, unless sets are compared.
    pub rebuilds_in_refinement: usize,
    pub predicates: Vec<String>,
    /// For each predicate the registers that it speaks of.
    pub supports: Vec<Vec<String>>,
    /// The clusters at the end, each by its predicates.
    pub clusters: Vec<Vec<String>>,
    pub kept: Vec<String>,
    /// The bits of an abstract state.
    pub bits: usize,
    /// The branch conditions that became predicates, with their places.
    pub branches: Vec<String>,
    /// The definitions of predicates that were added as invariants.
    pub invariants: Vec<String>,
    /// How many clauses about correlations of predicates there are.
    pub correlations: usize,
    /// How many facts about steps there are.
    pub facts: usize,
    /// The refinements, one for each spurious counterexample.
    pub refinements: Vec<Refinement>,
    pub seconds: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refinement {
    pub length: usize,
    pub added: usize,
    pub means: Means,
    /// How many candidates have to be added one by one until the counterexample is excluded, if that was measured.
    pub one_by_one: Option<usize>,
    /// The extended counterexample, of the last attempt to find candidates for it.
    pub table: Table,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Means {
    /// A part of it is not possible as it stands: the abstraction was too coarse there, and no predicate is needed.
    #[default]
    Facts,
    /// Branch conditions.
    Candidates,
    /// Conditions under which its steps are possible.
    Preconditions,
    /// What tells its dead end from other states. One of them is excluded, the others may take more refinements.
    Split,
}

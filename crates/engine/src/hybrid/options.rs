//! What is asked of the engine.

use tenet_abstraction::cluster;
pub use tenet_abstraction::correlation::Method;

/// How to abstract. Of the four modes of the published experiments, clusters and branch conditions each on or off, the
/// one with both is the default.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Are predicates clustered, registers kept and correlations computed?
    pub clusters: bool,
    pub branches: bool,
    /// The share of common variables from which on clusters are merged.
    pub threshold: f64,
    /// A cluster with at least this many predicates for each bit of its registers is one of control.
    pub control: f64,
    /// A register is kept if its next value, over predicates and kept registers, has at most this many bits of other
    /// variables in it.
    pub few_inputs: usize,
    pub correlations: Method,
    /// How the steps of predicates are abstracted.
    pub images: Images,
    /// Is each set of chosen candidates compared with what adding them one by one gives? Only for measurements.
    pub compare: bool,
}

/// How the steps of predicates are abstracted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Images {
    /// By implications from at most two literals to one.
    #[default]
    Restricted,
    /// By all pairs of valuations that a step has.
    Exact,
    /// Not at all: every register is kept, and there is no predicate. That is model checking with decision diagrams, which
    /// the method is measured against.
    None,
}

/// The published method says "comparable". With half as many predicates as bits, the others are a matter of time.
const DEFAULT_CONTROL_SHARE: f64 = 0.5;

/// Enough for a multiplexer of a few bytes; beyond that the relation of one register is larger than what it saves.
const DEFAULT_MAX_INPUTS: usize = 24;

impl Default for Options {
    fn default() -> Options {
        Options {
            clusters: true,
            branches: true,
            threshold: cluster::THRESHOLD,
            control: DEFAULT_CONTROL_SHARE,
            few_inputs: DEFAULT_MAX_INPUTS,
            correlations: Method::default(),
            images: Images::default(),
            compare: false,
        }
    }
}

//! The options of the engine `hybrid`, and what they ask of it.

use clap::{Args, ValueEnum};
use tenet_engine::hybrid::{Images, Method, Options};

/// The options.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Circuits by predicates and kept registers (for --engine hybrid)")]
pub struct HybridArgs {
    /// Cluster predicates, keep the registers of clusters of control, and correlate predicates
    #[arg(long, value_enum, value_name = "SWITCH", default_value = "on")]
    pub clusters: Switch,
    /// Take branch conditions of the design as candidates for predicates
    #[arg(long, value_enum, value_name = "SWITCH", default_value = "on")]
    pub branches: Switch,
    /// Merge clusters with at least this share of common variables
    #[arg(long, value_name = "SHARE", default_value = "0.75", value_parser = share)]
    pub cluster_threshold: f64,
    /// Keep the registers of a cluster with at least so many predicates for each of their bits
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share)]
    pub control_share: f64,
    /// Keep a register only if its next value has at most so many bits of other variables
    #[arg(long, value_name = "BITS", default_value = "24")]
    pub few_inputs: usize,
    /// How correlations among predicates are computed
    #[arg(long, value_enum, value_name = "HOW", default_value = "allsat")]
    pub correlations: CorrelationsChoice,
    /// How steps are abstracted
    #[arg(long, value_enum, value_name = "HOW", default_value = "restricted")]
    pub abstraction: AbstractionChoice,
    /// Compare each set of chosen branch conditions with that of adding them one by one (slow)
    #[arg(long)]
    pub compare_one_by_one: bool,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// With it
    On,
    /// Without it
    Off,
}

/// How correlations are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CorrelationsChoice {
    /// By decision diagrams
    Bdd,
    /// By valid clauses, the smallest first
    Clauses,
    /// By asking a solver for one valuation after the other
    Allsat,
}

/// How steps are abstracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AbstractionChoice {
    /// Implications from at most two predicates to one
    Restricted,
    /// All pairs of valuations; for few predicates only
    Exact,
    /// No predicates: every register is kept, as in a model checker with decision diagrams
    None,
}

impl HybridArgs {
    /// What is asked of the engine.
    pub fn options(&self) -> Options {
        Options {
            clusters: self.clusters == Switch::On,
            branches: self.branches == Switch::On,
            threshold: self.cluster_threshold,
            control: self.control_share,
            few_inputs: self.few_inputs,
            correlations: match self.correlations {
                CorrelationsChoice::Bdd => Method::Diagrams,
                CorrelationsChoice::Clauses => Method::Clauses,
                CorrelationsChoice::Allsat => Method::Models,
            },
            images: match self.abstraction {
                AbstractionChoice::Restricted => Images::Restricted,
                AbstractionChoice::Exact => Images::Exact,
                AbstractionChoice::None => Images::None,
            },
            compare: self.compare_one_by_one,
        }
    }
}

/// A share above zero, of one at most.
fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("a number above 0 and not above 1 is expected".to_string()),
    }
}

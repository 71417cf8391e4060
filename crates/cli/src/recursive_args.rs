//! The options of the engine `recursive`, and what they ask of it.

use clap::{Args, ValueEnum};
use tenet_engine::recursive::{Bounds, Options, Rules};

/// The options. Whatever limits a search counts work, not time, so that the result is always the same.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Constraint logic programs (for --engine recursive)")]
pub struct RecursiveArgs {
    /// How to look for derivations [default: tenet]
    #[arg(long, value_enum, value_name = "RULES")]
    pub rules: Option<RulesChoice>,
    /// Give a computation tree up when it has so many nodes [default: 200; 6 without an abstraction]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_nodes: Option<u32>,
    /// Give a computation tree up after so much work, in seconds of an ordinary machine [default: 20, then 120]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..))]
    pub tree_work: Option<u32>,
    /// How often the search for a derivation unfolds atoms one after the other [default: 3, and 2 for constraints]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
    pub max_unfoldings: Option<u8>,
}

/// How derivations are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RulesChoice {
    /// Lemmas, measures and cases beside the published rules
    Tenet,
    /// The published search alone, with its names for the steps; an assumption is only used for what descends from it
    Paper,
}

impl RecursiveArgs {
    /// What is asked of the engine.
    pub fn options(&self) -> Options {
        let rules = match self.rules {
            None | Some(RulesChoice::Tenet) => Rules::Tenet,
            Some(RulesChoice::Paper) => Rules::Paper,
        };
        let bounds = Bounds {
            nodes: self.max_nodes.map(|nodes| nodes as usize),
            tree_seconds: self.tree_work.map(u64::from),
            unfoldings: self.max_unfoldings.map(usize::from),
        };
        Options { rules, bounds, ..Options::default() }
    }

    /// The options that were given, each with its name.
    pub fn given(&self) -> Vec<&'static str> {
        let all = [
            ("--rules", self.rules.is_some()),
            ("--max-nodes", self.max_nodes.is_some()),
            ("--tree-work", self.tree_work.is_some()),
            ("--max-unfoldings", self.max_unfoldings.is_some()),
        ];
        all.into_iter().filter_map(|(name, is_given)| is_given.then_some(name)).collect()
    }
}

//! The interface of all engines: what is asked, and what is answered.
//!
//! An engine gets a problem and the positions of the properties in question. For each of them it claims a proof, a
//! violation, or says that it is open: why, what stood in the way, and what to try. What the claims rest on
//! ([`Evidence`]), what makes them say less than it seems ([`Warning`](crate::Warning)) and the [`Statistics`] belong
//! to all of them together.
//!
//! Nothing that an engine says is a verdict: lemmas and derivations have to be certified, and runs to be replayed.
//!
//! The words for users are the engines' own, since only they know what would help. They are clauses without a capital and a full stop,
//! so that a face can put them into its sentences.

mod outcome;
mod table;

pub use outcome::{
    Claim, Details, Evidence, Obstacle, Open, Outcome, PropertyClaim, Reason, Statistics, Violation,
};
pub use table::{Choices, ENGINES, Entry, engine};

use crate::common::watch::Watch;
use std::fmt;
use tenet_system::System;
use tenet_system::recursive::Program;

/// A prover.
///
/// Engines that have options are structs that hold them. An engine adds terms and symbols to the store of its subject and leaves
/// everything else as it was; it counts work rather than time, prints nothing, and asks [`Watch::stop`] often.
pub trait Engine {
    /// The name by which users choose it, and which stands in reports and certificates.
    fn name(&self) -> &'static str;

    /// Whether it can read the problem at all, or why not. What is only found out at work comes from [`Engine::run`], as
    /// [`Reason::Unfit`].
    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit>;

    /// Looks for proofs and violations of these properties, given by position in the subject. There is one claim for each of them, in
    /// the same order. A subject that does not fit is no error: everything stays open then.
    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome;

    /// What part small instances have in looking for violations. Most engines look for violations themselves.
    fn instance_search(&self) -> InstanceSearch {
        InstanceSearch::After
    }

    /// Whether it may find more if it is asked about fewer properties at once. Not if it looks at each of them anyway.
    fn gains_from_fewer_properties(&self) -> bool {
        true
    }

    /// What to try if a proof that it claims cannot be confirmed.
    fn if_unconfirmed(&self) -> Option<&'static str> {
        None
    }
}

/// What part the search of small instances has beside an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceSearch {
    /// None: what the engine says is shown as it is.
    None,
    /// They are searched a little if the engine has given up.
    After,
    /// They are searched beside the engine for a run that breaks what is asked about, and a little if it has given up: it looks for
    /// proofs only, but says itself what is missing.
    Meanwhile,
    /// They are searched beside the engine and, if it has given up, as far as is sensible: it looks for proofs only.
    Beside,
}

/// A problem.
#[derive(Debug)]
pub enum Subject<'a> {
    /// A transition system; positions are those of its properties.
    System(&'a mut System),
    /// A recursive program; positions are those of its entailments, and behind them those of the properties of its process.
    Program(&'a mut Program),
}

impl Subject<'_> {
    /// The transition system, for engines that read nothing else.
    pub fn system(&self, engine: &str) -> Result<&System, Unfit> {
        match self {
            Subject::System(system) => Ok(system),
            Subject::Program(_) => Err(Unfit::for_systems(engine)),
        }
    }
}

/// That an engine cannot read a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    pub why: String,
    pub hint: String,
}

impl Unfit {
    /// Another engine is made for such problems, and chosen if none is named.
    pub fn for_others(why: impl Into<String>) -> Unfit {
        Unfit { why: why.into(), hint: MADE_FOR_IT.to_string() }
    }

    /// The engine reads transition systems only.
    pub fn for_systems(engine: &str) -> Unfit {
        Unfit {
            why: format!("the engine `{engine}` does not apply to constraint logic programs"),
            hint: "leave `--engine` out, or use `--engine recursive` or `--engine direct`".to_string(),
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.why)
    }
}

/// What to try where another engine fits.
pub(crate) const MADE_FOR_IT: &str =
    "leave `--engine` out: the one that is made for such files is chosen then";
/// What to try where a proof was not confirmed and the engine has no options that could help.
pub(crate) const ANOTHER_ENGINE: &str = "leave `--engine` out, or choose another one";
/// Completes the message about a cancelled search for lemmas.
pub(crate) const BEFORE_LEMMAS: &str = "before enough lemmas were found";

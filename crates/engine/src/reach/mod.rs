//! The engine `reach`: the strongest invariant that can be said with given predicates (SPEC 1.2, 2.2).

mod outcome;

pub use outcome::{
    Cause, Failure, Image, Instances, Introduced, Iteration, Options, Outcome, PropertyOutcome, Snapshot,
    Statistics, Verdict, Warning,
};

use crate::watch::Watch;
use tenet_system::System;

/// Computes the strongest invariant over the system's predicates and checks properties with it.
///
/// The system is changed only by terms and symbols added to its store.
pub fn reach(system: &mut System, options: &Options, watch: &mut dyn Watch) -> Outcome {
    let _ = (system, options, watch);
    unimplemented!("the engine is being written")
}

//! Circuits for tests, by hand and at random, and what brute force says of them.

mod design;
mod examples;
mod random;
mod samples;
mod world;

pub(crate) use design::Design;
use design::solvers;
pub(crate) use random::random;
pub(crate) use world::World;

use super::{Hybrid, Options, Work};
use crate::common::watch::Alone;
use crate::interface::{Details, Engine, Outcome, Subject};
use tenet_system::System;

/// What the engine says of the first property.
fn hybrid(system: &mut System, options: &Options) -> Outcome {
    Hybrid { options: options.clone() }.run(Subject::System(system), &[0], &mut Alone)
}

/// What was done for each property.
fn work(outcome: &Outcome) -> &[Work] {
    match &outcome.statistics.details {
        Details::Hybrid(work) => work,
        details => panic!("{details:?}"),
    }
}

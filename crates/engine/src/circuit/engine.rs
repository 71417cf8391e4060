//! `circuit` behind the interface of all engines.

use super::{NOT_A_CIRCUIT, circuit};
use crate::common::search::{claimed, unreadable};
use crate::common::watch::Watch;
use crate::interface::{ANOTHER_ENGINE, Engine, Outcome, Subject, Unfit};
use tenet_system::Circuit;

#[derive(Clone, Copy, Debug)]
pub struct CircuitEngine;

impl Engine for CircuitEngine {
    fn name(&self) -> &'static str {
        "circuit"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        // Building the circuit view adds terms, so it is done on a copy.
        match Circuit::of(&mut subject.system(self.name())?.clone()) {
            Some(_) => Ok(()),
            None => Err(unreadable(self.name(), NOT_A_CIRCUIT)),
        }
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
        match subject {
            Subject::System(system) => claimed(circuit(system, properties, watch), self.name(), properties),
            Subject::Program(_) => Outcome::unfit(properties, Unfit::for_systems(self.name())),
        }
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some(ANOTHER_ENGINE)
    }
}

//! `circuit` behind the interface of all engines.

use super::{circuit, not_a_circuit};
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
            None => Err(not_a_circuit()),
        }
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
        match subject {
            Subject::System(system) => circuit(system, properties, watch),
            Subject::Program(_) => Outcome::unfit(properties, Unfit::for_systems(self.name())),
        }
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some(ANOTHER_ENGINE)
    }
}

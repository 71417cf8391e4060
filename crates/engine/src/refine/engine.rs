//! `refine` behind the interface of all engines.

use super::program::require_scalars;
use super::refine;
use crate::common::search::{claimed, unreadable};
use crate::common::watch::Watch;
use crate::interface::{self, ANOTHER_ENGINE, Engine, Subject, Unfit};

#[derive(Clone, Copy, Debug)]
pub struct Refine;

impl Engine for Refine {
    fn name(&self) -> &'static str {
        "refine"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        require_scalars(subject.system(self.name())?).map_err(|why| unreadable(self.name(), why))
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> interface::Outcome {
        match subject {
            Subject::System(system) => claimed(refine(system, properties, watch), self.name(), properties),
            Subject::Program(_) => interface::Outcome::unfit(properties, Unfit::for_systems(self.name())),
        }
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some(ANOTHER_ENGINE)
    }
}

//! `refine` behind the interface of all engines.

use super::program::require_scalars;
use super::{refine, unreadable};
use crate::common::watch::Watch;
use crate::interface::{ANOTHER_ENGINE, Engine, Outcome, Subject, Unfit};

#[derive(Clone, Copy, Debug)]
pub struct Refine;

impl Engine for Refine {
    fn name(&self) -> &'static str {
        "refine"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        require_scalars(subject.system(self.name())?).map_err(unreadable)
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
        match subject {
            Subject::System(system) => refine(system, properties, watch),
            Subject::Program(_) => Outcome::unfit(properties, Unfit::for_systems(self.name())),
        }
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some(ANOTHER_ENGINE)
    }
}

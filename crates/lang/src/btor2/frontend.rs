//! BTOR2's front end.

use super::simulate::{Cycle, Run, Simulator};
use super::{Btor2, read, replay, violation, witness};
use crate::codes::btor2::{NO_EXPLORATION, NOT_FOR_CIRCUITS};
use crate::diagnostic::Diagnostic;
use crate::frontend::{Frontend, Made, Model, Reading, Scope, Source, Surroundings, names};
use tenet_system::System;
use tenet_system::finite::program::Program;
use tenet_system::run::Violation;

/// `.btor2` and `.btor`.
#[derive(Clone, Copy, Debug)]
pub struct Btor2Frontend;

pub(crate) const SCOPE: Scope = Scope::plain("circuits", &NOT_FOR_CIRCUITS);

impl Frontend for Btor2Frontend {
    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[("btor2", "BTOR2"), ("btor", "BTOR2")]
    }

    fn scope(&self) -> Scope {
        SCOPE
    }

    fn read(&self, source: &Source, reading: &Reading, _: &mut Surroundings<'_>) -> Made<Box<dyn Model>> {
        SCOPE.refuse_sizes(reading)?;
        let (circuit, warnings) = read(source.model())?;
        Ok((Box::new(circuit), warnings))
    }
}

impl Model for Btor2 {
    fn finite(&self) -> Made<Program> {
        Err(vec![
            Diagnostic::global(&NO_EXPLORATION, "circuits are not explored state by state")
                .help("`tenet prove` looks for a proof and for a run, `tenet simulate` takes a random one"),
        ])
    }

    fn system(&self, unbounded: &[String]) -> Made<System> {
        SCOPE.refuse_unbounded(unbounded)?;
        Ok((self.lowered.system.clone(), Vec::new()))
    }

    fn circuit(&self) -> Option<&Btor2> {
        Some(self)
    }

    fn replay(&self, system: &System, violation: &Violation) -> Result<(), String> {
        self.simulated(system, violation).map(|_| ())
    }

    /// A witness has to replay as it is written: the format has no way to give all places of a large array a value.
    fn witness(&self, system: &System, violation: &Violation) -> Option<Result<String, String>> {
        let (run, cycles) = match self.simulated(system, violation) {
            Ok(simulated) => simulated,
            Err(why) => return Some(Err(why)),
        };
        let claim = replay::witness(&self.document, &run, &cycles, &[violation.property]);
        let text = witness::print(&claim);
        Some(self.is_replayed(&text).map(|()| text))
    }

    fn contents(&self) -> Vec<(&'static str, Vec<String>)> {
        let system = &self.lowered.system;
        let inputs = self.lowered.inputs.iter().map(|(_, symbol)| &system.store.symbol(*symbol).name);
        let constraints = self.document.constraints().map(|(line, _)| self.document.name(line));
        vec![
            ("registers", names(system.state.iter().map(|var| &system.store.symbol(var.symbol).name))),
            ("inputs", names(inputs)),
            ("constraints", constraints.collect()),
            ("properties", names(system.properties.iter().map(|property| &property.name))),
            ("branches", names(system.branches.iter().map(|branch| &branch.name))),
        ]
    }
}

impl Btor2 {
    /// Replays a run of the transition system in the document's simulator; an error says where they differ.
    fn simulated(&self, system: &System, violation: &Violation) -> Result<(Run, Vec<Cycle>), String> {
        let run = violation::run(self, system, violation);
        let simulator = Simulator::new(&self.document);
        let cycles =
            simulator.replay(&run).map_err(|obstacle| replay::describe(&self.document, &obstacle))?;
        match cycles.last().is_some_and(|last| simulator.bads(last).contains(&violation.property)) {
            true => Ok((run, cycles)),
            false => Err("the lines of the file, simulated, do not get there".to_string()),
        }
    }

    fn is_replayed(&self, witness: &str) -> Result<(), String> {
        for (claim, spans) in witness::read(witness).map_err(|error| error.message)? {
            replay::replay(&self.document, &claim, &spans).map_err(|error| {
                format!("the run needs more of an array than a witness can say ({})", error.message)
            })?;
        }
        Ok(())
    }
}

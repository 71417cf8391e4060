//! The front end of Verilog: a design offers what its circuit offers, and its branch conditions.

use super::formal::Reset;
use super::sources::Others;
use super::{Options, Verilog, read};
use crate::btor2::{Btor2, frontend::SCOPE as CIRCUITS};
use crate::frontend::{Frontend, Made, Model, Reading, Scope, Source, Surroundings};
use tenet_system::System;
use tenet_system::finite::program::Program;
use tenet_system::run::Violation;

/// The value of `--reset` for a design without one.
const NO_RESET: &str = "none";

/// `.v` and `.sv`.
#[derive(Clone, Copy, Debug)]
pub struct VerilogFrontend;

impl Frontend for VerilogFrontend {
    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[("v", "Verilog"), ("sv", "SystemVerilog")]
    }

    fn scope(&self) -> Scope {
        Scope { is_design: true, ..CIRCUITS }
    }

    /// Constants are parameters of the top module.
    fn read(
        &self,
        source: &Source,
        reading: &Reading,
        around: &mut Surroundings<'_>,
    ) -> Made<Box<dyn Model>> {
        CIRCUITS.refuse_sizes(&Reading { consts: Vec::new(), ..reading.clone() })?;
        let consts = reading.consts.iter().map(|(name, value)| (name.clone(), value.to_string()));
        let options = Options {
            top: reading.top.clone(),
            clock: reading.clock.clone(),
            // `none` is no name: it leaves every input as it is.
            reset: reading.reset.as_deref().filter(|name| *name != NO_RESET).map(reset),
            guesses_reset: reading.reset.is_none(),
            consts: consts.collect(),
            others: Others {
                files: reading.sources.clone(),
                folders: reading.folders.clone(),
                defines: reading.defines.clone(),
            },
        };
        let (design, warnings) = read(&source.name, source.model(), &options, around)?;
        Ok((Box::new(design), warnings))
    }
}

/// A reset input; a leading `!` means active low.
fn reset(text: &str) -> Reset {
    let low = text.strip_prefix('!');
    Reset { name: low.unwrap_or(text).to_owned(), is_active_low: low.is_some() }
}

impl Model for Verilog {
    fn finite(&self) -> Made<Program> {
        self.circuit.finite()
    }

    fn system(&self, unbounded: &[String]) -> Made<System> {
        self.circuit.system(unbounded)
    }

    fn circuit(&self) -> Option<&Btor2> {
        Some(&self.circuit)
    }

    fn design(&self) -> Option<&Verilog> {
        Some(self)
    }

    fn replay(&self, system: &System, violation: &Violation) -> Result<(), String> {
        self.circuit.replay(system, violation)
    }

    fn witness(&self, system: &System, violation: &Violation) -> Option<Result<String, String>> {
        self.circuit.witness(system, violation)
    }

    fn contents(&self) -> Vec<(&'static str, Vec<String>)> {
        self.circuit.contents()
    }
}

//! Runs as files: which formats there are, for which models, and how a run of a circuit is written.

use crate::model::Model;
use std::path::Path;
use tenet_lang::btor2::simulate::{Cycle, Run, Simulator};
use tenet_lang::btor2::{Btor2, replay, violation, witness};
use tenet_lang::codes::btor2 as codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::{vcd, waves};
use tenet_system::System;
use tenet_system::run::{State, Violation};

/// A format of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The informal trace format.
    Itf,
    /// A value change dump.
    Vcd,
    /// A witness of a BTOR2 file.
    Witness,
}

/// The format that a file's name tells.
pub fn format(file: &Path) -> Option<Format> {
    let name = file.to_string_lossy();
    let formats = [(".itf.json", Format::Itf), (".vcd", Format::Vcd), (".wit", Format::Witness)];
    formats.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, format)| format)
}

/// That runs of the model cannot be written so.
pub fn refusal(model: &Model, file: Option<&Path>) -> Option<Diagnostic> {
    let format = format(file?)?;
    let message = match (format, model) {
        (Format::Witness, Model::Btor2(_)) | (Format::Itf, _) => return None,
        (Format::Vcd, _) if model.is_circuit() => return None,
        (Format::Witness, _) => "a witness (`.wit`) is about a BTOR2 file",
        (Format::Vcd, _) => "a value change dump (`.vcd`) is about a circuit",
    };
    Some(Diagnostic::global(&codes::TRACE_FORMAT, message).help("`--trace OUT.itf.json` is for every model"))
}

/// A run of a BTOR2 file that its own simulator has replayed.
pub struct Replayed {
    run: Run,
    cycles: Vec<Cycle>,
}

/// Has the document simulated what the transition system was said to do; or says why it does something else.
pub fn replayed(model: &Btor2, system: &System, violation: &Violation) -> Result<Replayed, String> {
    let run = violation::run(model, system, violation);
    let simulator = Simulator::new(&model.document);
    let cycles = simulator.replay(&run).map_err(|obstacle| replay::describe(&model.document, &obstacle))?;
    let is_reached = cycles.last().is_some_and(|last| simulator.bads(last).contains(&violation.property));
    if !is_reached {
        return Err("the lines of the file, simulated, do not get there".to_string());
    }
    Ok(Replayed { run, cycles })
}

/// A run of a circuit in a format of circuits; or why it cannot be written so.
pub fn text(
    format: Format,
    source: &str,
    system: &System,
    violation: &Violation,
    states: &[State],
    replayed: Option<(&Btor2, &Replayed)>,
) -> Result<String, String> {
    match (format, replayed) {
        (Format::Witness, Some((model, replayed))) => witness_text(model, replayed, violation.property),
        _ => {
            let property = &system.properties[violation.property].name;
            let title = format!("{source}: \"{property}\" is violated");
            Ok(vcd::vcd(&waves::signals(system, violation, states), &title))
        }
    }
}

/// What is written has to replay as it is written: the format has no way to give all places of a large array a value.
fn witness_text(model: &Btor2, replayed: &Replayed, bad: usize) -> Result<String, String> {
    let claim = replay::witness(&model.document, &replayed.run, &replayed.cycles, &[bad]);
    let text = witness::print(&claim);
    let read = witness::read(&text).map_err(|error| error.message)?;
    for (claim, spans) in &read {
        replay::replay(&model.document, claim, spans).map_err(|error| {
            format!("the run needs more of an array than a witness can say ({})", error.message)
        })?;
    }
    Ok(text)
}

//! Formats of runs as files, and the models they are for.

use std::path::Path;
use tenet_lang::codes::btor2 as codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::Model;
use tenet_session::WitnessFormat;

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

/// The format for a file's name.
pub fn format(file: &Path) -> Option<Format> {
    let name = file.to_string_lossy();
    let formats = [(".itf.json", Format::Itf), (".vcd", Format::Vcd), (".wit", Format::Witness)];
    formats.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, format)| format)
}

/// The format, if it is only for circuits.
pub fn witness(file: Option<&Path>) -> Option<WitnessFormat> {
    match format(file?)? {
        Format::Itf => None,
        Format::Vcd => Some(WitnessFormat::Vcd),
        Format::Witness => Some(WitnessFormat::Native),
    }
}

/// The error for a format that is not for this model.
pub fn refusal(model: &dyn Model, file: Option<&Path>) -> Option<Diagnostic> {
    let format = format(file?)?;
    let message = match format {
        Format::Itf => return None,
        _ if model.circuit().is_some() => return None,
        Format::Witness => "a witness (`.wit`) is about a BTOR2 file",
        Format::Vcd => "a value change dump (`.vcd`) is about a circuit",
    };
    Some(Diagnostic::global(&codes::TRACE_FORMAT, message).help("`--trace OUT.itf.json` is for every model"))
}

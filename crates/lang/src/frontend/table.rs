//! The languages, by the endings of their files.

use super::{Frontend, Made, Model, Reading, Source, Surroundings};
use crate::btor2::Btor2Frontend;
use crate::clp::ClpFrontend;
use crate::codes::{files, verilog as verilog_codes};
use crate::cubicle::CubicleFrontend;
use crate::diagnostic::Diagnostic;
use crate::horn::HornFrontend;
use crate::murphi::{Dialect, MurphiFrontend};
use crate::verilog::VerilogFrontend;

/// All languages. To add one, add a folder and a line here.
pub const LANGUAGES: &[&dyn Frontend] = &[
    &MurphiFrontend { dialect: Dialect::Murphi },
    &MurphiFrontend { dialect: Dialect::Tenet },
    &CubicleFrontend,
    &HornFrontend,
    &Btor2Frontend,
    &VerilogFrontend,
    &ClpFrontend,
];

/// The language of a file, by the ending of its name; an unknown ending is refused.
pub fn by_ending<'a>(languages: &[&'a dyn Frontend], file: &str) -> Result<&'a dyn Frontend, Diagnostic> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    // A dot in front makes a hidden file, and no ending.
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
    let is_it = |language: &&&'a dyn Frontend| {
        let mut endings = language.endings().iter();
        endings.any(|(known, _)| ending.is_some_and(|ending| ending.eq_ignore_ascii_case(known)))
    };
    if let Some(language) = languages.iter().find(is_it) {
        return Ok(*language);
    }
    let message = match ending {
        Some(ending) => format!("files that end in `.{ending}` are not known"),
        None => "the file's name has no ending that tells its language".to_string(),
    };
    let known = languages.iter().flat_map(|language| language.endings());
    let list: Vec<String> = known.map(|(ending, name)| format!("`.{ending}` ({name})")).collect();
    let help = format!("known are {}", list.join(", "));
    Err(Diagnostic::global(&files::UNKNOWN_EXTENSION, message).help(help))
}

/// Reads a model in the language of its file's ending.
pub fn load(
    languages: &[&dyn Frontend],
    source: &Source,
    reading: &Reading,
    around: &mut Surroundings<'_>,
) -> Made<Box<dyn Model>> {
    let language = by_ending(languages, &source.name).map_err(|refusal| vec![refusal])?;
    let scope = language.scope();
    if source.predicates.is_some() && !scope.takes_predicates {
        return Err(vec![scope.refuse("--predicates")]);
    }
    if let (false, Some((name, value))) = (scope.is_design, reading.design().next()) {
        let message = format!("`--{name} {value}` is for Verilog files");
        return Err(vec![Diagnostic::global(&verilog_codes::ONLY_FOR_VERILOG, message)]);
    }
    let is_alone = reading.sources.is_empty() && reading.folders.is_empty() && reading.defines.is_empty();
    if !scope.is_design && !is_alone {
        let message = "further files, folders for included files and macros are for Verilog files";
        return Err(vec![Diagnostic::global(&verilog_codes::ONLY_FOR_VERILOG, message)]);
    }
    if let (false, Some((file, _))) = (scope.is_design, source.included.first()) {
        let message = format!("the file includes no others, and so not {file}");
        return Err(vec![Diagnostic::global(&verilog_codes::ONLY_FOR_VERILOG, message)]);
    }
    language.read(source, reading, around)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_tell_the_language() {
        for file in ["a.m", "x/b.TENET", "c.d.cub", "e.smt2", "f.btor", "g.btor2", "h.v", "i.sv", "j.clp"] {
            assert!(by_ending(LANGUAGES, file).is_ok(), "{file}");
        }
        for file in ["a", "a.b/c", ".m", "a.mm", ""] {
            assert!(by_ending(LANGUAGES, file).is_err(), "{file}");
        }
    }

    #[test]
    fn no_ending_means_two_languages() {
        let mut endings: Vec<&str> =
            LANGUAGES.iter().flat_map(|language| language.endings()).map(|(ending, _)| *ending).collect();
        let count = endings.len();
        endings.sort_unstable();
        endings.dedup();
        assert_eq!(endings.len(), count);
    }
}

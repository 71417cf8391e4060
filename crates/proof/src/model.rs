//! Reads the model again, as the header says it was read.
//!
//! Options are written `size NODE=3`, `const N=5`, `unbounded NODE`, `predicates FILE`, one each, in the order of the
//! command line; `reads defined` says that the proof is about reads of undefined values; for Verilog `top`, `clock`, `reset`, and `file` for each file that the model includes. The hash is that
//! of the model's text with that of the other files behind it.

use sha2::{Digest, Sha256};
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::murphi::check::{Settings, check_with};
use tenet_lang::murphi::unbounded::{self, Reads, Unbounded};
use tenet_lang::murphi::{Dialect, parse, parse_predicates};
use tenet_lang::verilog::formal::Reset;
use tenet_lang::{btor2, clp, cubicle, horn, verilog};
use tenet_system::System;
use tenet_system::recursive::Program;

use crate::header::Header;

/// The hash of a text, in hexadecimal digits.
pub(crate) fn hash(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the model that the header names, if it is the one that the certificate is about.
pub(crate) fn reread(
    header: &Header,
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<System, String> {
    let mut text = bytes_of(&header.model, read)?;
    let model_length = text.len();
    let predicates = header.options.iter().find(|(name, _)| name == "predicates");
    if let Some((_, file)) = predicates {
        text.extend(bytes_of(file, read)?);
    }
    let mut included = Vec::new();
    for (_, file) in header.options.iter().filter(|(name, _)| name == "file") {
        let content = bytes_of(file, read)?;
        let content = String::from_utf8_lossy(&content).into_owned();
        text.extend(content.as_bytes());
        included.push((file.clone(), content));
    }
    check_hash(&header.model, &text, &header.hash)?;
    let text = String::from_utf8(text).map_err(|_| "the model is not UTF-8 text".to_owned())?;
    let model_text = text.get(..model_length).ok_or("the model is not UTF-8 text")?;
    let name = header.model.to_ascii_lowercase();
    let dialect = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "cub" => return cubicle(header, model_text),
        "smt2" => return horn(header, model_text),
        "btor2" | "btor" => return btor2(header, model_text),
        "clp" => return indexed(header, model_text),
        "v" | "sv" => return verilog(header, model_text, &included),
        "tenet" => Dialect::Tenet,
        _ => Dialect::Murphi,
    };
    let mut settings = Settings::new(dialect);
    let mut names = Unbounded::default();
    for (name, value) in header.options.iter().filter(|option| option.0 != "predicates") {
        if is_about_reads(&(name.clone(), value.clone())) {
            continue;
        }
        set(name, value, &mut settings, &mut names)
            .ok_or_else(|| format!("the header has an option that is not known: {name} {value}"))?;
    }
    let (tree, found) = parse(model_text, dialect);
    refuse_errors(&found)?;
    let additions = match predicates {
        None => None,
        Some(_) => {
            let (additions, found) = parse_predicates(&text, model_length);
            refuse_errors(&found)?;
            Some(additions)
        }
    };
    let (model, found) = check_with(&tree, additions.as_ref(), &settings);
    refuse_errors(&found)?;
    if header.options.iter().any(is_about_reads) {
        let Reads::Asked(system) = unbounded::reads(&model, &names) else {
            return Err("the model reads no undefined values, or they cannot be followed".to_owned());
        };
        return Ok(system);
    }
    let (system, _) = unbounded::read(&model, &names).map_err(|errors| first_error(&errors))?;
    Ok(system)
}

/// Is it the option that makes a certificate one about reads of undefined values?
pub(crate) fn is_about_reads((name, value): &(String, String)) -> bool {
    name == "reads" && value == "defined"
}

/// Reads the constraint logic program that the header of a recursive proof names.
pub(crate) fn reread_program(
    header: &Header,
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Program, String> {
    let text = bytes_of(&header.model, read)?;
    check_hash(&header.model, &text, &header.hash)?;
    refuse_options(&header.options)?;
    let text = String::from_utf8(text).map_err(|_| "the model is not UTF-8 text".to_owned())?;
    let (model, _) = clp::read(&text).map_err(|errors| first_error(&errors))?;
    Ok(model.program)
}

/// Is it the name of a constraint logic program?
pub(crate) fn is_program(model: &str) -> bool {
    model.to_ascii_lowercase().ends_with(".clp")
}

fn check_hash(model: &str, text: &[u8], expected: &str) -> Result<(), String> {
    match hash(text) == expected {
        true => Ok(()),
        false => Err(format!("the model `{model}` is not the one that was proved: its hash differs")),
    }
}

/// A Cubicle file.
fn cubicle(header: &Header, text: &str) -> Result<System, String> {
    let (mut settings, mut names) = (Settings::new(Dialect::Murphi), Unbounded::default());
    for (name, value) in &header.options {
        let known = set(name, value, &mut settings, &mut names).filter(|()| names.names.is_empty());
        known.ok_or_else(|| format!("the header has an option that is not known: {name} {value}"))?;
    }
    let (tree, found) = cubicle::parse(text);
    refuse_errors(&found)?;
    let fix_sizes = !settings.sizes.is_empty();
    let settings = cubicle::check::Settings { consts: settings.consts, sizes: settings.sizes, fix_sizes };
    let (model, found) = cubicle::check::check(&tree, &settings);
    refuse_errors(&found)?;
    Ok(cubicle::lower::lower(model))
}

/// A file of Horn clauses, for which there are no options.
fn horn(header: &Header, text: &str) -> Result<System, String> {
    refuse_options(&header.options)?;
    let (model, _) = horn::read(text).map_err(|errors| first_error(&errors))?;
    Ok(model.lowered.system)
}

/// A BTOR2 file, for which there are no options either.
fn btor2(header: &Header, text: &str) -> Result<System, String> {
    refuse_options(&header.options)?;
    let (model, _) = btor2::read(text).map_err(|errors| first_error(&errors))?;
    Ok(model.lowered.system)
}

/// A constraint logic program as a transition system, again without options.
fn indexed(header: &Header, text: &str) -> Result<System, String> {
    refuse_options(&header.options)?;
    let (model, _) = clp::read(text).map_err(|errors| first_error(&errors))?;
    clp::indexed(&model.program).map_err(|error| first_error(&[error]))
}

/// A Verilog design with the files that it includes; Yosys reads it again.
fn verilog(header: &Header, text: &str, included: &[(String, String)]) -> Result<System, String> {
    let mut options = verilog::Options::default();
    for (name, value) in header.options.iter().filter(|(name, _)| name != "file") {
        let value = value.clone();
        match (name.as_str(), value.split_once('=')) {
            ("top", _) => options.top = Some(value),
            ("clock", _) => options.clock = Some(value),
            ("reset", _) => {
                let low = value.strip_prefix('!');
                let (name, is_active_low) = (low.unwrap_or(&value).to_owned(), low.is_some());
                options.reset = Some(Reset { name, is_active_low });
            }
            ("const", Some((name, value))) => options.consts.push((name.to_owned(), value.to_owned())),
            _ => return Err(format!("the header has an option that is not known: {name} {value}")),
        }
    }
    let mut files = |name: &str| {
        let known = included.iter().find(|(file, _)| file == name);
        known.map(|(_, content)| content.clone().into_bytes())
    };
    let read = verilog::read(&header.model, text, &options, &mut files, &mut || false);
    let (design, _) = read.map_err(|errors| first_error(&errors))?;
    Ok(design.circuit.lowered.system)
}

fn refuse_options(options: &[(String, String)]) -> Result<(), String> {
    match options.first() {
        None => Ok(()),
        Some((name, value)) => Err(format!("the header has an option that is not known: {name} {value}")),
    }
}

fn bytes_of(file: &str, read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>) -> Result<Vec<u8>, String> {
    read(file).map_err(|error| format!("cannot read the model `{file}`: {error}"))
}

fn set(name: &str, value: &str, settings: &mut Settings, names: &mut Unbounded) -> Option<()> {
    match name {
        "size" => {
            let (ty, size) = value.split_once('=')?;
            settings.sizes.push((ty.to_owned(), size.parse().ok()?));
            names.sizes.push(ty.to_owned());
        }
        "const" => {
            let (constant, value) = value.split_once('=')?;
            settings.consts.push((constant.to_owned(), value.parse().ok()?));
        }
        "unbounded" => names.names.push(value.to_owned()),
        _ => return None,
    }
    Some(())
}

fn refuse_errors(found: &[Diagnostic]) -> Result<(), String> {
    if found.iter().any(Diagnostic::is_error) { Err(first_error(found)) } else { Ok(()) }
}

fn first_error(found: &[Diagnostic]) -> String {
    let error = found.iter().find(|diagnostic| diagnostic.is_error());
    format!("the model cannot be read: {}", error.map_or("", |error| error.message.as_str()))
}

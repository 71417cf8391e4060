//! Reads the model again, as the header says it was read.
//!
//! Options are written `size NODE=3`, `const N=5`, `unbounded NODE`, `predicates FILE`, one each, in the order of the
//! command line. The hash is that of the model's text with that of the predicates file, if there is one, behind it.

use sha2::{Digest, Sha256};
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::murphi::check::{Settings, check_with};
use tenet_lang::murphi::unbounded::{self, Unbounded};
use tenet_lang::murphi::{Dialect, parse, parse_predicates};
use tenet_lang::{btor2, cubicle, horn};
use tenet_system::System;

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
    if hash(&text) != header.hash {
        return Err(format!("the model `{}` is not the one that was proved: its hash differs", header.model));
    }
    let text = String::from_utf8(text).map_err(|_| "the model is not UTF-8 text".to_owned())?;
    let model_text = text.get(..model_length).ok_or("the model is not UTF-8 text")?;
    let name = header.model.to_ascii_lowercase();
    let dialect = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "cub" => return cubicle(header, model_text),
        "smt2" => return horn(header, model_text),
        "btor2" | "btor" => return btor2(header, model_text),
        "tenet" => Dialect::Tenet,
        _ => Dialect::Murphi,
    };
    let mut settings = Settings::new(dialect);
    let mut names = Unbounded::default();
    for (name, value) in header.options.iter().filter(|(name, _)| name != "predicates") {
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
    let (system, _) = unbounded::read(&model, &names).map_err(|errors| first_error(&errors))?;
    Ok(system)
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
    refuse_options(header)?;
    let (model, _) = horn::read(text).map_err(|errors| first_error(&errors))?;
    Ok(model.lowered.system)
}

/// A BTOR2 file, for which there are no options either.
fn btor2(header: &Header, text: &str) -> Result<System, String> {
    refuse_options(header)?;
    let (model, _) = btor2::read(text).map_err(|errors| first_error(&errors))?;
    Ok(model.lowered.system)
}

fn refuse_options(header: &Header) -> Result<(), String> {
    match header.options.first() {
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

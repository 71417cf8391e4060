//! Reads the model again, as the header says it was read ([`Record`]), with the front ends of the checker's own table.
//!
//! The hash is that of the model's text, followed by that of the other files.

use crate::header::Header;
use sha2::{Digest, Sha256};
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::{self, Frontend, Model, Reads, Record, Source, Surroundings};
use tenet_system::System;
use tenet_system::recursive::Program;
use tenet_system::recursive::definitions::claims;

/// The content of a file by its name, or why it cannot be read.
pub(crate) type Files<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// The hash of a text, in hexadecimal digits.
pub(crate) fn hash(text: &[u8]) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A model that was read again.
pub(crate) struct Reread {
    model: Box<dyn Model>,
    record: Record,
}

impl Header {
    /// Reads the model, if it is the one that the certificate is about.
    pub(crate) fn reread(
        &self,
        languages: &[&dyn Frontend],
        files: &mut Files<'_>,
    ) -> Result<Reread, String> {
        let record = Record::read(&self.options)?;
        let mut text = |file: &str| {
            let bytes = files(file).map_err(|error| format!("cannot read the model `{file}`: {error}"))?;
            frontend::decode(bytes).map_err(|error| error.message)
        };
        let mut source = Source::new(&*self.model, text(&self.model)?);
        if let Some(predicates) = &record.predicates {
            source = source.with_predicates(predicates, &text(predicates)?);
        }
        for file in &record.included {
            source.included.push((file.clone(), text(file)?));
        }
        if hash(&source.bytes()) != self.hash {
            return Err(format!(
                "the model `{}` is not the one that was proved: its hash differs",
                self.model
            ));
        }
        let mut included = |name: &str| source.file(name).map(|text| text.as_bytes().to_vec());
        let mut is_over = || false;
        let mut around = Surroundings::new(&mut included, &mut is_over);
        let (model, _) = frontend::load(languages, &source, &record.reading, &mut around)
            .map_err(|errors| first_error(&errors))?;
        Ok(Reread { model, record })
    }
}

impl Reread {
    /// The system that a proof of an invariant is about.
    pub(crate) fn system(&self) -> Result<System, String> {
        let unbounded = &self.record.reading.unbounded;
        if self.record.is_about_reads {
            let Reads::Asked(system) = self.model.reads(unbounded) else {
                return Err("the model reads no undefined values, or they cannot be followed".to_owned());
            };
            return Ok(system);
        }
        let (system, _) = self.model.system(unbounded).map_err(|errors| first_error(&errors))?;
        Ok(system)
    }

    /// The recursive program that derivations are about: the model, or the definitions of the model.
    pub(crate) fn program(&self) -> Result<Program, String> {
        match self.model.recursive() {
            Some(program) => Ok(program.clone()),
            None => Ok(claims(&self.system()?).program),
        }
    }
}

/// Is it the option of certificates about reads of undefined values?
pub(crate) fn is_about_reads((name, value): &(String, String)) -> bool {
    name == "reads" && value == "defined"
}

fn first_error(found: &[Diagnostic]) -> String {
    let error = found.iter().find(|diagnostic| diagnostic.is_error());
    format!("the model cannot be read: {}", error.map_or("", |error| error.message.as_str()))
}

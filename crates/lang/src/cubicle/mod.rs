//! Cubicle (`.cub`): array-based systems over any number of processes, as Cubicle 1.2 reads them.
//!
//! The language is small: there are no statements, only guarded simultaneous updates, so the way from text to a
//! [`tenet_system::System`] is short. [`parse`] gives a tree, [`check`](check::check) resolves names and sorts and
//! makes terms, [`lower`](lower::lower) assembles the system, and [`finite`](finite::program) makes an instance of
//! that. What Cubicle itself leaves open, and how it is read here, is in `docs/cubicle.md`.

pub mod ast;
pub mod check;
pub mod finite;
mod frontend;
pub mod lexer;
pub mod lower;
pub mod parser;
mod paste;

pub use frontend::CubicleFrontend;
pub use parser::parse;

use crate::diagnostic::Diagnostic;
use tenet_system::System;

/// Reads a file from text to system, with warnings; or says why it is rejected.
pub fn read(source: &str, settings: &check::Settings) -> Result<(System, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (tree, mut diagnostics) = parse(source);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let (model, found) = check::check(&tree, settings);
    diagnostics.extend(found);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    Ok((lower::lower(model), diagnostics))
}

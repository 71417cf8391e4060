//! Constraint logic programs (`.clp`): recursive definitions over integers and arrays of integers, entailments between goals,
//! and transition systems whose states are described with such definitions (Jaffar and Santosa, section 2).
//!
//! [`parse`] gives a tree, `resolve` tells terms from formulas and resolves predicates and variables, `sorts` infers
//! which of these are arrays, and `lower` makes terms and the [`Program`]. [`mod@print`] is the way back, for reports.
//! The language is described in `docs/clp.md`.

mod alternatives;
pub mod ast;
mod frontend;
mod hir;
mod indexed;
mod lexer;
mod lower;
mod parser;
pub mod print;
mod process;
mod resolve;
mod signatures;
mod sorts;
mod terms;

pub use frontend::ClpFrontend;
pub use indexed::indexed;
pub use parser::parse;

use crate::diagnostic::Diagnostic;
use tenet_system::recursive::Program;

#[derive(Clone, Debug)]
pub struct Clp {
    /// Symbols have the names of the file, so [`mod@print`] writes goals as the author would.
    pub program: Program,
}

/// Reads a file from text to program, with warnings; or says why it is rejected.
pub fn read(text: &str) -> Result<(Clp, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (file, mut found) = parse(text);
    if found.iter().any(Diagnostic::is_error) {
        return Err(found);
    }
    let program = lower::lower(&file, &mut found);
    found.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(u32::MAX, |label| label.span.start));
    match program {
        Some(program) if !found.iter().any(Diagnostic::is_error) => Ok((Clp { program }, found)),
        _ => Err(found),
    }
}

//! Every diagnostic code with its explanation, one file per family.
//!
//! `E01` syntax, `E02` names and types, `E03` no unbounded reading, `E04` options that do not fit the model,
//! `E05` no finite instance, `E06` the kind of a file (with the command line's own), `E07` predicates and what belongs to them, `E08` Cubicle files,
//! `E09` Horn clauses, `E10` BTOR2 files and circuits, `E11` Verilog, `E12` constraint logic programs.

use crate::diagnostic::Explanation;

pub mod abstraction;
pub mod btor2;
pub mod clp;
pub mod cubicle;
pub mod files;
pub mod horn;
pub mod instance;
pub mod options;
pub mod syntax;
pub mod types;
pub mod unbounded;
pub mod verilog;

/// All families, in order.
const FAMILIES: &[&[&Explanation]] = &[
    syntax::ALL,
    types::ALL,
    unbounded::ALL,
    options::ALL,
    instance::ALL,
    abstraction::ALL,
    cubicle::ALL,
    horn::ALL,
    btor2::ALL,
    verilog::ALL,
    clp::ALL,
];

/// The explanation of a code, whatever the case it is written in.
pub fn explain(code: &str) -> Option<&'static Explanation> {
    all().find(|explanation| explanation.code.eq_ignore_ascii_case(code))
}

/// Every explanation, ordered by code.
pub fn all() -> impl Iterator<Item = &'static Explanation> {
    FAMILIES.iter().flat_map(|family| family.iter().copied())
}

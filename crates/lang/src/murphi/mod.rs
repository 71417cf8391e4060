//! Murphi (`.m`) and Tenet's own language (`.tenet`), which extends its grammar.

pub mod ast;
pub mod check;
pub mod finite;
mod frontend;
pub mod hir;
pub mod lexer;
pub mod linear;
pub mod parser;
pub mod symmetric;
pub mod unbounded;
pub mod unparse;

pub use frontend::MurphiFrontend;
pub use parser::{Dialect, parse, parse_predicates};

//! Cubicle (`.cub`): array-based systems over any number of processes, as Cubicle 1.2 reads them.
//!
//! The language is small: there are no statements, only guarded simultaneous updates, so the way from text to a
//! [`System`](tenet_system::System) is short. [`parse`] gives a tree, [`check`](check::check) gives names and sorts to
//! what it says and makes terms of it, [`lower`](lower::lower) puts the system together, and
//! [`finite`](finite::program) makes an instance of that. What Cubicle itself leaves open, and how it is read here, is
//! in `docs/cubicle.md`.

pub mod ast;
pub mod check;
pub mod finite;
pub mod lexer;
pub mod lower;
pub mod parser;

pub use parser::parse;

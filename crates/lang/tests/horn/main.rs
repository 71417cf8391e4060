//! The front end for Horn clauses: what it accepts and how it is understood, what it rejects and in which words, and that the
//! small system that it makes says the same as the clauses.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod differential;
mod docs;
mod generate;
mod golden;
#[path = "../golden_files/mod.rs"]
mod golden_files;
mod resolution;
mod robust;
mod shapes;
mod support;

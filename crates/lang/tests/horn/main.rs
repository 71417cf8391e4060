//! The front end for Horn clauses: accepted files and their meaning, rejected ones and the messages, and that the small system is
//! equivalent to the clauses.

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

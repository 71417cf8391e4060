//! The Cubicle front end: what it accepts and how it is understood, what it rejects and in which words, and that the
//! instances of a system are those that the language means.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod brute;
mod docs;
mod golden;
#[path = "../golden_files/mod.rs"]
mod golden_files;
mod meaning;
mod models;
mod robust;
mod support;
mod twins;

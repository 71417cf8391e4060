//! The front end for constraint logic programs: what it accepts and how it is understood, what it rejects and in which words, that
//! what is printed is what was read, and that the models of `models/recursive` mean what they say.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod docs;
mod golden;
#[path = "../golden_files/mod.rs"]
mod golden_files;
mod indexed;
mod interpreter;
mod models;
mod other_sorts;
mod random;
mod robust;
mod roundtrip;
mod same;

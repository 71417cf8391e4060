//! The front end for constraint logic programs: accepted files and their meaning, rejected ones and the messages, that printing
//! is lossless, and that the models of `models/recursive` are right.

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

//! The Cubicle front end: accepted files and their meaning, rejected ones and the messages, and that the instances of a
//! system are right.

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

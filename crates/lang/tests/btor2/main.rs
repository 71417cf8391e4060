//! The BTOR2 front end: which files are rejected and with which messages, that printing is lossless, that the transition system
//! is equivalent to the file, and that witnesses are read, written and validated.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod circuits;
mod docs;
mod golden;
#[path = "../golden_files/mod.rs"]
mod golden_files;
mod meaning;
mod roundtrip;
mod witnesses;

//! The BTOR2 front end: what is rejected and in which words, that printing loses nothing, that the transition system means what
//! the file means, and that witnesses are read, written and judged.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod circuits;
mod docs;
mod golden;
#[path = "../golden_files/mod.rs"]
mod golden_files;
mod meaning;
mod roundtrip;
mod witnesses;

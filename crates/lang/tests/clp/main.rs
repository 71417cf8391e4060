//! The front end for constraint logic programs: what it accepts and how it is understood, what it rejects and in which words, and that
//! what is printed is what was read.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod interpreter;
mod models;
mod roundtrip;
mod same;

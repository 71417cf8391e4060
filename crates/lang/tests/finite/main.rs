//! Murphi models run end to end: source text, checker, finite program, machine.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod definitions;
mod errors;
mod faults;
mod layout;
mod probes;
mod runs;
mod search;
mod support;
mod symmetry;

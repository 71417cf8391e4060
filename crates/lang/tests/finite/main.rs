//! Murphi models run end to end: source text, checker, finite program, machine.

mod errors;
mod faults;
mod layout;
mod probes;
mod runs;
mod search;
mod support;
mod symmetry;

//! The finite machinery against brute force.
//!
//! Every test compares with something that is too simple to be wrong: a tree-walking interpreter, a search over a
//! hash set of plain vectors, all renamings one by one. One test binary, because linking costs more than running.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod compile;
mod explore;
mod generate;
mod orbits;
mod pack;
mod reference;
mod simulate;
mod store;
mod symmetric;
mod symmetry;
mod tape;
mod threads;
mod trace;

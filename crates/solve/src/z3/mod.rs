//! Z3 in this process.
//!
//! All solvers of a thread share that thread's context, because the safe interface of the bindings has one context per
//! thread. Solvers do not see each other's assertions; declarations of datatypes, which a context keys by name, are
//! shared through a registry (`builder`).

mod builder;
mod run;
mod solver;
mod values;

pub(crate) use builder::{Z3Builder, bool_of};
pub(crate) use run::Runner;
pub use solver::Z3Solver;

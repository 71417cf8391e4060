//! SMT-LIB: reading what solvers write, writing what they read.

pub(crate) mod sexpr;
pub(crate) mod value;

//! SMT-LIB: writing what solvers read, reading what they write, and solvers as processes.

pub(crate) mod builder;
mod found;
mod pipe;
mod print;
mod process;
pub(crate) mod read;
mod script;
pub(crate) mod sexpr;
pub(crate) mod value;

pub use found::find_solvers;
pub use process::ProcessSolver;
pub use script::Script;

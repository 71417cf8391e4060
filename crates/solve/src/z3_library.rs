//! The libz3 that this process has loaded: what is known about it, and how it is set.
//!
//! The version is asked from the library at run time. The one the build was told (`Z3_SYS_Z3_VERSION`) only says which
//! functions may be called; a newer library may have been put in its place since.

use std::sync::Once;

use ::z3::{Solver, set_global_param};

/// The full version of the loaded libz3, as it reports it itself, such as `5.4.0.0`.
#[must_use]
pub fn z3_version() -> String {
    ::z3::full_version().to_owned()
}

/// A solver of this thread's context.
///
/// All solvers here are used incrementally, where Z3 has one way to solve. The other way, a strategy of dozens of
/// parts that suits single questions, is made with each solver all the same, and takes longer than a small question
/// does: so Z3 is told to make the shortest strategy there is.
pub(crate) fn new_solver() -> Solver {
    static SETTINGS: Once = Once::new();
    SETTINGS.call_once(|| {
        set_global_param("tactic.default_tactic", "smt");
        // Models are asked for a few values and thrown away, so making them small first is a waste.
        set_global_param("model.compact", "false");
    });
    Solver::new()
}

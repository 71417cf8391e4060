//! Which solvers this machine has.

use std::env;
use std::path::PathBuf;

const PROGRAMS: [&str; 3] = ["z3", "cvc5", "yices-smt2"];

/// The known solvers on the `PATH`, the first of each name; [`ProcessSolver`](crate::ProcessSolver) can start them.
#[must_use]
pub fn find_solvers() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let find = |program| folders.iter().map(|folder| folder.join(program)).find(|path| path.is_file());
    PROGRAMS.into_iter().filter_map(find).collect()
}

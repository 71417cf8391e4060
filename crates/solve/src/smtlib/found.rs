//! Which solvers this machine has.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The programs that are looked for.
const PROGRAMS: [&str; 3] = ["z3", "cvc5", "yices-smt2"];

/// A program that [`ProcessSolver`](crate::ProcessSolver) can start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSolver {
    /// Its name.
    pub program: &'static str,
    /// Where it is.
    pub path: PathBuf,
    /// What it says about its version; nothing if it does not start.
    pub version: Option<String>,
}

/// The known solvers that are on the `PATH`, the first of each name.
#[must_use]
pub fn find_solvers() -> Vec<FoundSolver> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let find = |program: &'static str| {
        let path = folders.iter().map(|folder| folder.join(program)).find(|path| path.is_file())?;
        let version = version_of(&path);
        Some(FoundSolver { program, path, version })
    };
    PROGRAMS.into_iter().filter_map(find).collect()
}

/// The first number with a dot in what the program prints about its version.
fn version_of(program: &PathBuf) -> Option<String> {
    let output =
        Command::new(program).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let is_version =
        |word: &&str| word.contains('.') && word.starts_with(|first: char| first.is_ascii_digit());
    text.split_whitespace().find(is_version).map(|word| word.trim_end_matches(',').to_owned())
}

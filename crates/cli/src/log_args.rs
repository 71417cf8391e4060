//! The options of commands that search: what happens inside, written to files.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tracing::Level;

/// A log.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Logging")]
pub struct LogArgs {
    /// Write what the search does to a file, one line for each event
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// How much of it: error, warn, info (engines and phases), debug (lemmas, counterexamples to induction,
    /// refinements) or trace (every question to a solver)
    #[arg(
        long,
        value_enum,
        value_name = "LEVEL",
        default_value = "debug",
        hide_possible_values = true,
        requires = "log"
    )]
    pub log_level: LogLevel,
}

/// A log, and the questions to solvers.
#[derive(Args, Clone, Debug)]
pub struct SolverLogArgs {
    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
    /// Write each question to a solver to this folder, as an SMT-LIB 2 file with its answer; the folder must be new or empty
    #[arg(long, value_name = "DIR", help_heading = "Logging")]
    pub dump_smt: Option<PathBuf>,
}

/// How much is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// What went wrong.
    Error,
    /// What may be wrong.
    Warn,
    /// Engines and phases.
    Info,
    /// Lemmas, counterexamples to induction, refinements.
    Debug,
    /// Every question to a solver.
    Trace,
}

impl From<LogLevel> for Level {
    fn from(level: LogLevel) -> Level {
        match level {
            LogLevel::Error => Level::ERROR,
            LogLevel::Warn => Level::WARN,
            LogLevel::Info => Level::INFO,
            LogLevel::Debug => Level::DEBUG,
            LogLevel::Trace => Level::TRACE,
        }
    }
}

//! Exit codes.

use tenet_report::view::Verdict;

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything in question holds (or was done).
    Safe,
    /// A run shows a violation.
    Unsafe,
    /// Neither is known.
    Unknown,
    /// The command line is invalid. Most of these come from `clap`, with the same code.
    Usage,
    /// The input cannot be read or has errors.
    Rejected,
    /// A solver or the environment failed.
    Environment,
    /// A run did not replay, or a certificate was rejected.
    CheckFailed,
    /// A bug of this program.
    Bug,
    /// The user cancelled it.
    Interrupted,
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Exit::Safe => 0,
            Exit::Unsafe => 10,
            Exit::Unknown => 5,
            Exit::Usage => 2,
            Exit::Rejected => 3,
            Exit::Environment => 4,
            Exit::CheckFailed => 6,
            Exit::Bug => 101,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Safe => Exit::Safe,
            Verdict::Unsafe => Exit::Unsafe,
            Verdict::Unknown => Exit::Unknown,
        }
    }
}

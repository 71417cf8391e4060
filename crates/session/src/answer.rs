//! What comes of a question: an answer with everything that can be shown for it, or why there is none.

use tenet_lang::diagnostic::Diagnostic;
use tenet_proof::{Certificate, Rejection};
use tenet_report::codes;
use tenet_report::view::Report;

/// An answer. What it calls safe was confirmed, and what it calls unsafe was replayed.
pub struct Answer {
    /// Every property with its verdict.
    pub report: Report,
    /// What makes it say less than it seems to.
    pub warnings: Vec<Diagnostic>,
    /// What can be checked by others.
    pub certificates: Certificates,
    /// The answer in the words of solvers for Horn clauses, if that is wanted.
    pub chc: Option<String>,
    /// The first run in the format that is wanted, if it is one of circuits; or why it cannot be written so.
    pub witness: Option<Result<String, String>>,
    /// Whether the user stopped the work.
    pub is_interrupted: bool,
}

/// The answer to a question about Horn clauses where there is none.
pub const NO_CHC_ANSWER: &str = "unknown\n";

/// A proof, and proofs of what it assumes.
#[derive(Clone, Default)]
pub struct Certificates {
    /// The proof.
    pub proof: Option<Certificate>,
    /// That the axioms about definitions follow from these.
    pub axioms: Option<Certificate>,
    /// That no undefined value is read.
    pub reads: Option<Certificate>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// Something is asked for that the model does not have.
    Refused(Vec<Diagnostic>),
    /// What was found did not pass its own check: a bug of ours, in a sentence without its end.
    CheckFailed(String),
    /// The environment failed.
    Environment(std::io::Error),
}

impl NoAnswer {
    /// One thing is wrong with the question.
    pub fn refused(diagnostic: Diagnostic) -> NoAnswer {
        NoAnswer::Refused(vec![diagnostic])
    }

    /// A run of our own cannot be repeated.
    pub fn not_replayed(why: &str) -> NoAnswer {
        NoAnswer::CheckFailed(format!("error: a violation was found, but its run could not be repeated{why}"))
    }
}

/// A certificate of our own did not pass.
impl From<Rejection> for NoAnswer {
    fn from(rejection: Rejection) -> NoAnswer {
        let line = rejection.line.map_or(String::new(), |line| format!(" (line {line} of the certificate)"));
        let code = codes::REJECTED.code;
        NoAnswer::CheckFailed(format!(
            "error[{code}]: a proof was found, but its certificate is rejected: {rejection}{line}"
        ))
    }
}

impl From<std::io::Error> for NoAnswer {
    fn from(error: std::io::Error) -> NoAnswer {
        NoAnswer::Environment(error)
    }
}

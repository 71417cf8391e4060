//! Reads of undefined values: a property like the others, with a proof of its own.
//!
//! In a proof an undefined value is any value. That none is read is shown of another reading of the model, which follows what
//! is defined; its certificate stands beside that of the invariant. A run that reads one is looked for first, in
//! instances so small that it costs next to nothing, and again if there is no proof.

use super::answer::NoAnswer;
use super::attempt::{Method, attempt};
use super::confirm::Confirmation;
use super::job::Job;
use super::small::{self, Found, Reach, Small, search_small};
use std::sync::Arc;
use tenet_engine::Stop;
use tenet_lang::murphi::unbounded::Reads;
use tenet_proof::{Backend, Certificate, verify_reads};
use tenet_system::READS_ARE_DEFINED;

/// Instances up to this size are searched first.
const SMALL: u64 = 3;

/// What is known about reads of undefined values.
#[derive(Default)]
pub enum Definedness {
    /// Nothing is undefined where it is read, as can be seen.
    #[default]
    Visible,
    /// There is a proof that none is read.
    Proved(Certificate),
    /// Nobody knows, for this reason.
    Open(String),
}

/// What became of the question.
pub enum Answer {
    /// There is an answer, or none.
    Known(Definedness),
    /// A run reads an undefined value, or does something else that is wrong.
    Run(Box<Found>),
}

impl Definedness {
    /// What is left of assumptions.
    pub fn left(&self, mut assumptions: Vec<String>) -> Vec<String> {
        // Conditions stand behind the axioms, one of which may be called like this one.
        let position = assumptions.iter().rposition(|assumption| assumption == READS_ARE_DEFINED);
        if let Some(position) = position.filter(|_| self.certificate().is_some()) {
            assumptions.remove(position);
        }
        assumptions
    }

    /// The proof, if there is one.
    pub fn into_certificate(self) -> Option<Certificate> {
        match self {
            Definedness::Proved(certificate) => Some(certificate),
            Definedness::Visible | Definedness::Open(_) => None,
        }
    }

    /// The proof, if there is one.
    fn certificate(&self) -> Option<&Certificate> {
        match self {
            Definedness::Proved(certificate) => Some(certificate),
            Definedness::Visible | Definedness::Open(_) => None,
        }
    }
}

/// Proves that no undefined value is read, or finds a run that does; `invariant` is the certificate that assumes it.
pub fn prove(job: &Job<'_>, seed: u64, invariant: &Certificate) -> Result<Answer, NoAnswer> {
    let mut system = match job.model.reads(job.reading, &job.proof.unbounded) {
        Reads::Defined => return Ok(Answer::Known(Definedness::Visible)),
        Reads::NotFollowed => {
            let why = "what is defined cannot be followed through the model".to_string();
            return Ok(search(job, why));
        }
        Reads::Asked(system) => system,
    };
    if let Small::Found(found) = search_small(job, 1, SMALL, Reach::Glance) {
        return Ok(Answer::Run(found));
    }
    let about_reads = Job { is_about_reads: true, ..*job };
    let all: Vec<usize> = (0..system.properties.len()).collect();
    let method = Method::Direct(seed);
    let attempt = attempt(&about_reads, &mut system, &all, &method, &Arc::default())?;
    if let Confirmation::Rejected(rejection) = attempt.confirmation {
        return Err(rejection.into());
    }
    if !attempt.is_proved(&all) {
        let why = match (attempt.stop, attempt.claimed.reason) {
            (None, Some(reason)) => reason,
            (Some(Stop::Memory), _) => "the memory limit was reached before there was a proof".to_string(),
            (Some(Stop::Interrupt | Stop::Settled), _) => {
                "it was interrupted before there was a proof".to_string()
            }
            (Some(Stop::Timeout) | None, _) => {
                "the time limit was reached before there was a proof".to_string()
            }
        };
        return Ok(search(job, why));
    }
    let Confirmation::Verified(certificate) = attempt.confirmation else {
        return Ok(Answer::Known(Definedness::Open("the proof was not confirmed".to_string())));
    };
    verify_reads(&certificate.text, &invariant.text, &Backend::Z3, &mut |name| job.input.loaded(name))?;
    Ok(Answer::Known(Definedness::Proved(certificate)))
}

/// Looks for a run where there is no proof.
fn search(job: &Job<'_>, why: String) -> Answer {
    match search_small(job, 1, small::LARGEST, Reach::Short) {
        Small::Found(found) => Answer::Run(found),
        Small::Open { clean, .. } => {
            Answer::Known(Definedness::Open(format!("{why}; {}", small::describe(clean.as_ref()))))
        }
    }
}

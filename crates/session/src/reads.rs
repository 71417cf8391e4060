//! Reads of undefined values: a property like the others, with a proof of its own.
//!
//! In a proof an undefined value is any value. That none is read is shown of another reading of the model, which follows what
//! is defined; its certificate stands beside that of the invariant. A run that reads one is looked for first, in
//! instances so small that it costs next to nothing, and again if there is no proof.

use crate::answer::NoAnswer;
use crate::attempt::attempt;
use crate::confirm::Confirmation;
use crate::instances::{self, Extent, Found, Instances, search_instances};
use crate::job::Job;
use std::sync::Arc;
use tenet_engine::Stop;
use tenet_engine::direct::{Direct, Options};
use tenet_lang::frontend::Reads;
use tenet_proof::Certificate;
use tenet_system::READS_ARE_DEFINED;

/// Instances up to this size are searched first.
const SMALL: u64 = 3;

/// What is known about reads of undefined values.
#[derive(Default)]
pub(crate) enum Definedness {
    /// Nothing is undefined where it is read, as can be seen.
    #[default]
    Visible,
    /// There is a proof that none is read.
    Proved(Certificate),
    /// It is not known, for this reason.
    Open(String),
}

/// What became of the question.
pub(crate) enum Answer {
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
pub(crate) fn prove(job: &Job<'_>, invariant: &Certificate) -> Result<Answer, NoAnswer> {
    let mut system = match job.model().reads(&job.reading.unbounded) {
        Reads::Defined => return Ok(Answer::Known(Definedness::Visible)),
        Reads::NotFollowed => {
            let why = "what is defined cannot be followed through the model".to_string();
            return Ok(search(job, why));
        }
        Reads::Asked(system) => system,
    };
    if let Instances::Found(found) = search_instances(job, 1, SMALL, Extent::Brief) {
        return Ok(Answer::Run(found));
    }
    let about_reads = Job { is_about_reads: true, ..*job };
    let all: Vec<usize> = (0..system.properties.len()).collect();
    let options = Options::with_short_walks(job.question.choices.direct.seed);
    let engine = Direct::new(options);
    let attempt = attempt(&about_reads, &mut system, &all, &engine, &Arc::default())?;
    if let Confirmation::Rejected(rejection) = &attempt.confirmation {
        return Err(rejection.clone().into());
    }
    if !attempt.is_proved(&all) {
        let why = match (attempt.stop, attempt.outcome.first_open()) {
            (None, Some(open)) => open.why.clone(),
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
    let Some(certificate) = attempt.confirmation.into_certificate() else {
        return Ok(Answer::Known(Definedness::Open("the proof was not confirmed".to_string())));
    };
    let files = &mut |name: &str| job.problem.file(name);
    job.problem.checker().verify_reads(&certificate.text, &invariant.text, files)?;
    Ok(Answer::Known(Definedness::Proved(certificate)))
}

/// Looks for a run where there is no proof.
fn search(job: &Job<'_>, why: String) -> Answer {
    match search_instances(job, 1, instances::LARGEST, Extent::Short) {
        Instances::Found(found) => Answer::Run(found),
        Instances::Open { clean, .. } => {
            Answer::Known(Definedness::Open(format!("{why}; {}", instances::describe(clean.as_ref()))))
        }
    }
}

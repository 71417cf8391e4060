//! A question about a problem on its way through the session.

use crate::problem::fixed;
use crate::{Budget, Observer, Problem, Question};
use std::sync::Arc;
use tenet_lang::frontend::{Model, Reading};
use tenet_proof::Origin;
use tenet_report::view::Instance;

/// What is to be proved, of what, and within which limits.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub problem: &'a Problem,
    pub question: &'a Question,
    /// How the problem is read for this question: as it was loaded, or with more that is of any size.
    pub reading: &'a Reading,
    pub budget: &'a Budget,
    pub observer: &'a Arc<dyn Observer>,
    /// Whether ranges without an end are read as sets of any size although it was not asked for: then a run has to be one of the model as
    /// it is written, too.
    pub is_larger: bool,
    /// Whether the proof is about reads of undefined values.
    pub is_about_reads: bool,
    /// The names of the properties that are known to be violated: they are neither asked about again nor assumed.
    pub violated: &'a [String],
}

impl<'a> Job<'a> {
    pub fn model(&self) -> &'a dyn Model {
        self.problem.model()
    }

    /// Where the model comes from and how it was read, for the certificate.
    pub fn origin(&self, engine: &str) -> Origin {
        let source = self.problem.source();
        Origin {
            file: source.name.clone(),
            text: source.bytes(),
            options: self.reading.record(source, self.is_about_reads),
            engine: engine.to_string(),
        }
    }

    /// What the reading fixes: everything else is of any size.
    pub fn instance(&self) -> Instance {
        fixed(self.reading)
    }

    /// Time so far, in seconds.
    pub fn seconds(&self) -> f64 {
        self.budget.elapsed().as_secs_f64()
    }

    /// Whether the engine is one of the published methods, which are shown as they are: nothing is searched beside them.
    pub fn is_published_method(&self) -> bool {
        self.question.choices.methods.is_some() && !self.is_about_reads
    }
}

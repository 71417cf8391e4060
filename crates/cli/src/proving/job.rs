//! A question about a model, and how to go about it.

use crate::args::{ModelArgs, ProofArgs};
use crate::budget::Budget;
use crate::input::Input;
use crate::model::Model;
use crate::observer::Observer;
use crate::trace::Format;
use std::sync::Arc;
use tenet_proof::Origin;
use tenet_report::view::Instance;

/// What is to be proved, of what, and within which limits.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The text of the model.
    pub input: &'a Input,
    /// The model.
    pub model: &'a Model,
    /// The sizes and constants that it is read with.
    pub reading: &'a ModelArgs,
    /// What to prove, and from what.
    pub proof: &'a ProofArgs,
    /// Time, memory and cancellation.
    pub budget: &'a Budget,
    /// Who is told what happens.
    pub observer: &'a Arc<dyn Observer>,
    /// Whether the answer is wanted in the words of solvers for Horn clauses, too.
    pub is_chc: bool,
    /// The format of circuits in which the first run is wanted.
    pub witness: Option<Format>,
    /// Whether ranges without an end are read as sets of any size although nobody asked for it: then a run has to be one of
    /// the model as it is written, too.
    pub is_larger: bool,
    /// Whether the proof is about reads of undefined values.
    pub is_about_reads: bool,
    /// Whether the first violation is enough.
    pub stops_at_first: bool,
    /// The names of the properties that are known to be violated: they are neither asked about again nor assumed.
    pub violated: &'a [String],
}

impl Job<'_> {
    /// An instance of the model, with the predicates file if there is one.
    pub fn load(&self, reading: &ModelArgs) -> (Input, Option<Model>) {
        Input::load_with(reading, self.proof.predicates.as_deref())
    }

    /// Where the model comes from and how it was read, for the certificate.
    pub fn origin(&self, engine: &str) -> Origin {
        let sizes = self.reading.sizes.iter().map(|(name, size)| ("size", format!("{name}={size}")));
        let consts = self.reading.consts.iter().map(|(name, value)| ("const", format!("{name}={value}")));
        let unbounded = self.proof.unbounded.iter().map(|name| ("unbounded", name.clone()));
        let predicates = self.proof.predicates.iter().map(|file| ("predicates", file.display().to_string()));
        let others = self.input.others().map(|(file, _)| ("file", file.to_string()));
        let verilog = self.reading.verilog.recorded().chain(others);
        let reads = self.is_about_reads.then(|| ("reads", "defined".to_string()));
        let options = sizes.chain(consts).chain(unbounded).chain(predicates).chain(verilog).chain(reads);
        let others: String = self.input.others().map(|(_, text)| text).collect();
        Origin {
            file: self.input.file.clone(),
            text: format!("{}{others}", self.input.content).into_bytes(),
            options: options.map(|(name, value)| (name.to_string(), value)).collect(),
            engine: engine.to_string(),
        }
    }

    /// What the command line fixes: everything else is of any size.
    pub fn instance(&self) -> Instance {
        let consts = self.reading.consts.iter().map(|(name, value)| (name.clone(), value.to_string()));
        Instance { sizes: self.reading.sizes.clone(), consts: consts.collect() }
    }

    /// Time so far, in seconds.
    pub fn seconds(&self) -> f64 {
        self.budget.elapsed().as_secs_f64()
    }
}

//! From an invariant to a certificate.

use tenet_solve::Solver;
use tenet_system::{Lemma, System};
use tenet_term::Substitution;

/// Where the model came from: what the checker needs to read it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The model's file, as given; the checker looks beside the certificate and in the current folder.
    pub file: String,
    /// The model's text (and that of a predicate file, if there was one): its hash goes into the header.
    pub text: Vec<u8>,
    /// How the model was read, as name and value: sizes, constants, unbounded names, predicate file.
    pub options: Vec<(String, String)>,
    /// The engine that found the invariant.
    pub engine: String,
}

/// What the engine knows about how the proof goes. Only a help: without it, instances are searched for.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// For each rule, substitutions for the index variables at which the invariant was used.
    pub rules: Vec<Vec<Substitution>>,
}

/// A finished certificate.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The file.
    pub text: String,
    /// How many checks it has.
    pub checks: usize,
}

/// What has to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obligation {
    /// A lemma holds at a startstate.
    Start {
        /// Position of the startstate.
        start: usize,
        /// Position of the lemma.
        lemma: usize,
    },
    /// A rule keeps a lemma.
    Step {
        /// Position of the rule.
        rule: usize,
        /// Position of the lemma.
        lemma: usize,
    },
    /// The invariant implies a property.
    Property {
        /// Position of the property.
        property: usize,
    },
}

/// An obligation that could not be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Which.
    pub obligation: Obligation,
    /// Why: a counterexample to it as far as instances go, or the solver gave up.
    pub reason: String,
}

/// Shows that the invariant is inductive and implies the properties (by position), and writes that down.
///
/// The system is changed only by terms and symbols added to its store.
pub fn certify(
    system: &mut System,
    invariant: &[Lemma],
    properties: &[usize],
    advice: &Advice,
    origin: &Origin,
    solver: &mut dyn Solver,
) -> Result<Certificate, Gap> {
    let _ = (system, invariant, properties, advice, origin, solver);
    unimplemented!("certificates are being written")
}

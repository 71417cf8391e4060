//! Axioms about recursive definitions: what follows from the definitions is proved, and is no assumption then.
//!
//! A proof about a system knows of a definition only that it satisfies its equation, and takes the axioms for granted. The engine
//! `recursive` knows that it is the least solution. What it proves becomes a certificate of its own, which has to be accepted
//! against the text of the model; an axiom that is left stays an assumption.

use super::watcher::Watcher;
use super::{Job, no_flag, write_beside};
use crate::input::Input;
use crate::progress::Line;
use anyhow::Context;
use std::path::{Path, PathBuf};
use tenet_engine::recursive::{Options, recursive};
use tenet_proof::recursive::{certify, proved, verify_axioms};
use tenet_proof::{Backend, Certificate, Rejection};
use tenet_solve::Effort;
use tenet_system::recursive::definitions::claims;
use tenet_system::{Axiom, System};
use tenet_term::{Role, SymbolId};

/// What axioms are worth, after the proof that uses them.
const EFFORT: Effort = Effort::secs(20);

/// What was proved about axioms.
#[derive(Default)]
pub struct Axioms {
    /// The names of those that are proved.
    pub proved: Vec<String>,
    /// The proof, if there is one.
    certificate: Option<Certificate>,
}

impl Axioms {
    /// What is left of these assumptions when those that are proved are taken away.
    pub fn left(&self, assumptions: Vec<String>) -> Vec<String> {
        assumptions.into_iter().filter(|name| !self.proved.contains(name)).collect()
    }

    /// The names of the axioms about definitions and the state that are only believed.
    pub fn believed(&self, system: &System) -> Vec<String> {
        let is_definition = |symbol: SymbolId| system.definitions.iter().any(|known| known.symbol == symbol);
        let is_state = |symbol: SymbolId| system.store.symbol(symbol).role == Role::State;
        let is_about = |axiom: &Axiom| {
            let symbols = system.store.symbols_in(axiom.formula);
            symbols.iter().any(|&symbol| is_definition(symbol)) && symbols.into_iter().any(is_state)
        };
        let names = system.axioms.iter().filter(|axiom| is_about(axiom)).map(|axiom| axiom.name.clone());
        names.filter(|name| !self.proved.contains(name)).collect()
    }

    /// Writes the proof beside the certificate of the invariant; without one, nothing is left there.
    pub fn write(&self, invariant: &Path) -> anyhow::Result<()> {
        write_beside(&beside(invariant), self.certificate.as_ref())
    }
}

/// The file for the proof of the axioms that a certificate assumes.
pub fn beside(certificate: &Path) -> PathBuf {
    super::beside(certificate, "axioms")
}

/// Proves the axioms that a proof with this certificate may have used, as far as that is found soon.
pub fn prove(
    job: &Job<'_>,
    input: &Input,
    system: &System,
    invariant: &Certificate,
    memory: usize,
) -> anyhow::Result<Result<Axioms, Rejection>> {
    let mut claims = claims(system);
    if claims.program.obligations.is_empty() {
        return Ok(Ok(Axioms::default()));
    }
    let line = Line::new(!job.output.quiet);
    let mut watcher = Watcher::start(job.clock, memory, line, no_flag()).context("cannot start a thread")?;
    let options = Options { proofs_only: true, effort: Some(EFFORT) };
    let outcome = recursive(&mut claims.program, &options, &mut watcher);
    drop(watcher);
    let claimed = proved(&claims.program, &outcome.proof).obligations;
    if claims.discharged(&claimed).is_empty() {
        return Ok(Ok(Axioms::default()));
    }
    let origin = job.origin(input, "recursive");
    let certificate = match certify(&mut claims.program, &outcome.proof, &origin) {
        Ok(certificate) => certificate,
        Err(rejection) => return Ok(Err(Rejection { reason: rejection.to_string(), line: None })),
    };
    let accepted =
        verify_axioms(&certificate.text, &invariant.text, &Backend::Z3, &mut |name| input.loaded(name));
    Ok(accepted.map(|proved| Axioms { proved, certificate: Some(certificate) }))
}

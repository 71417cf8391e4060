//! Axioms about recursive definitions: what follows from the definitions is proved, and is no assumption then.
//!
//! A proof about a system knows of a definition only that it satisfies its equation, and takes the axioms for granted. The engine
//! `recursive` knows that it is the least solution. What it proves becomes a certificate of its own, which has to be accepted
//! against the text of the model; an axiom that is left stays an assumption.

use crate::answer::NoAnswer;
use crate::job::Job;
use crate::watcher::Watcher;
use tenet_engine::published::Recursive;
use tenet_engine::recursive::Options;
use tenet_engine::{Engine, Subject};
use tenet_proof::recursive::{certify, proved};
use tenet_proof::{Certificate, Rejection};
use tenet_solve::Effort;
use tenet_system::recursive::definitions::claims;
use tenet_system::{Axiom, System};
use tenet_term::{Role, SymbolId};

/// What axioms are worth, after the proof that uses them.
const EFFORT: Effort = Effort::secs(20);

/// What was proved about axioms.
#[derive(Default)]
pub(crate) struct Axioms {
    /// The names of those that are proved.
    pub proved: Vec<String>,
    /// The proof, if there is one.
    pub certificate: Option<Certificate>,
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
}

/// Proves the axioms that a proof with this certificate may have used, as far as that is found soon.
pub(crate) fn prove(job: &Job<'_>, system: &System, invariant: &Certificate) -> Result<Axioms, NoAnswer> {
    let mut claims = claims(system);
    if claims.program.obligations.is_empty() {
        return Ok(Axioms::default());
    }
    let mut watcher = Watcher::start(job.budget, job.observer)?;
    let options = Options { proofs_only: true, effort: Some(EFFORT), ..Options::default() };
    let all: Vec<usize> = (0..claims.program.obligations.len()).collect();
    let outcome = Recursive { options }.run(Subject::Program(&mut claims.program), &all, &mut watcher);
    drop(watcher);
    let Some(proof) = outcome.derivations() else { return Ok(Axioms::default()) };
    let claimed = proved(&claims.program, proof).obligations;
    if claims.discharged(&claimed).is_empty() {
        return Ok(Axioms::default());
    }
    let certificate = certify(&mut claims.program, proof, &job.origin("recursive"))
        .map_err(|rejection| Rejection { reason: rejection.to_string(), line: None })?;
    let files = &mut |name: &str| job.problem.file(name);
    let proved = job.problem.checker().verify_axioms(&certificate.text, &invariant.text, files)?;
    Ok(Axioms { proved, certificate: Some(certificate) })
}

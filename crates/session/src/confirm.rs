//! From an engine's claim to something that may be called safe: a certificate is made and checked in memory, against the
//! model's text as it was read, before anything is printed.
//!
//! Neither step shares code with the engine, so a mistake of the engine ends here: as a gap (unknown) or as a rejection
//! (no verdict at all, exit 6).

use crate::job::Job;
use tenet_engine::{Evidence, Outcome, Watch};
use tenet_proof::{Advice, Certificate, Gap, Rejection, certify};
use tenet_solve::{BitSolver, Limits, Solver, Z3Solver};
use tenet_system::System;
use tenet_term::{Op, Sort, SymbolId, TermId};
use tracing::{info, info_span};

/// What became of the engine's claims.
#[derive(Clone)]
pub(crate) enum Confirmation {
    /// There was nothing to confirm.
    NotTried,
    /// The certificate was accepted, for these properties by position and for no others.
    Verified { certificate: Certificate, properties: Vec<usize> },
    /// The proof could not be written down.
    Gap(Gap),
    /// It was written down, and is wrong.
    Rejected(Rejection),
}

impl Confirmation {
    /// The certificate, if it was accepted.
    pub fn certificate(&self) -> Option<&Certificate> {
        match self {
            Confirmation::Verified { certificate, .. } => Some(certificate),
            Confirmation::NotTried | Confirmation::Gap(_) | Confirmation::Rejected(_) => None,
        }
    }

    /// The same, without the rest.
    pub fn into_certificate(self) -> Option<Certificate> {
        match self {
            Confirmation::Verified { certificate, .. } => Some(certificate),
            Confirmation::NotTried | Confirmation::Gap(_) | Confirmation::Rejected(_) => None,
        }
    }
}

/// Turns the invariant and the properties (by position) that it is said to imply into a certificate, and checks that.
pub(crate) fn confirm(
    job: &Job<'_>,
    system: &mut System,
    outcome: &Outcome,
    proved: &[usize],
    engine: &str,
    watch: &dyn Watch,
) -> Confirmation {
    let none = Advice::default();
    let (invariant, advice) = match &outcome.evidence {
        Evidence::Invariant { lemmas, advice } => (&lemmas[..], advice),
        Evidence::Nothing | Evidence::Derivations(_) => (&[][..], &none),
    };
    let limits = Limits::until(watch.interrupt());
    let is_of_bits = is_of_bits(system);
    let solvers = || -> Box<dyn Solver> {
        let mut solver: Box<dyn Solver> =
            if is_of_bits { Box::new(BitSolver::new()) } else { Box::new(Z3Solver::ground()) };
        solver.set_limits(limits.clone());
        solver
    };
    let span = info_span!("certify").entered();
    info!(lemmas = invariant.len(), properties = proved.len(), "confirmation begins");
    let certificate = match certify(system, invariant, proved, advice, &job.origin(engine), &solvers) {
        Ok(certificate) => certificate,
        Err(gap) => {
            info!(?gap, "no certificate");
            return Confirmation::Gap(gap);
        }
    };
    drop(span);
    let _span = info_span!("verify").entered();
    let verified = job.problem.checker().verify(&certificate.text, &mut |name| job.problem.file(name));
    let names = proved.iter().map(|&position| system.properties[position].name.as_str());
    let verified =
        verified.and_then(|verified| match verified.properties.iter().map(String::as_str).eq(names) {
            true => Ok(()),
            false => Err("the certificate is about other properties than the proof".to_owned().into()),
        });
    match verified {
        Ok(()) => {
            info!(bytes = certificate.text.len(), "certificate accepted");
            Confirmation::Verified { certificate, properties: proved.to_vec() }
        }
        Err(rejection) => {
            info!(%rejection, "certificate rejected");
            Confirmation::Rejected(rejection)
        }
    }
}

/// Is it a circuit that a SAT solver is quicker for than Z3, which checks the certificate in any case? Memories are better
/// left whole.
fn is_of_bits(system: &System) -> bool {
    let store = &system.store;
    let body = |formula: TermId| match store.op(formula) {
        Op::Forall(_) => store.args(formula)[0],
        _ => formula,
    };
    // What is known of a symbol because of its sort is part of the questions, whether or not a term mentions it.
    let is_word =
        |symbol: SymbolId| matches!(store.sort(store.symbol(symbol).sort), Sort::Bool | Sort::BitVec(_));
    let ([start], [rule]) = (system.starts.as_slice(), system.rules.as_slice()) else { return false };
    let state = system.state.iter().map(|var| var.symbol);
    let others = system.consts.iter().chain(&start.params).chain(&rule.params).copied();
    state.chain(others).all(is_word)
        && system.axioms.is_empty()
        && system.terms().all(|term| BitSolver::understands(store, body(term)))
}

/// The solver that checks certificates in this process, for people.
pub fn solver_name() -> String {
    format!("Z3 {}", tenet_solve::z3_version())
}

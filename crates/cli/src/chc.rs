//! Answers about Horn clauses as the competition of their solvers wants them.
//!
//! *Safe* is `sat`, with a definition of every relation of the file: the lemmas for those that are control locations, and for the
//! others what follows from these. *Unsafe* is `unsat`, with a derivation of `false` from the clauses of the file.

use tenet_lang::codes::horn as codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::horn::{Horn, derivation, interpretation};
use tenet_system::{Lemma, Run, System};

/// The answer that is none.
pub const UNKNOWN: &str = "unknown\n";

/// Why a run is not shown.
pub const OPEN_RUN: &str =
    "the run that was found rests on the value of a division by zero, which SMT-LIB leaves open";

/// The interpretation that lemmas give. Relations have no indices, so lemmas about all of them would have no reading here;
/// no engine that takes Horn clauses makes any.
pub fn sat(system: &mut System, horn: &Horn, lemmas: &[Lemma]) -> String {
    if lemmas.iter().any(|lemma| !lemma.vars.is_empty()) {
        return UNKNOWN.to_string();
    }
    let invariant = system.store.mk_and(lemmas.iter().map(|lemma| lemma.body));
    let definitions = interpretation::interpretation(&mut system.store, horn, invariant);
    interpretation::text(&system.store, &definitions)
}

/// The derivation that a run, which has been replayed, stands for.
pub fn unsat(system: &System, horn: &Horn, run: &Run, file: &str) -> String {
    match derivation::derivation(&system.store, horn, run) {
        Ok(facts) => derivation::text(horn, &facts, file),
        // The run is one, whatever keeps it from being told in other words.
        Err(why) => format!("unsat\n; there is no derivation to be shown: {why:?}\n"),
    }
}

/// That the format is for Horn clauses.
pub fn refusal() -> Diagnostic {
    Diagnostic::global(&codes::ONLY_FOR_CLAUSES, "`--format chc` is for Horn clauses (`.smt2`)")
}

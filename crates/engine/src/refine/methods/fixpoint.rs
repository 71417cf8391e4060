//! The least fixpoint of the abstract operator over the lattice of a set of predicates (Ball, Podelski and Rajamani, section 3).
//!
//! `psi := psi | F#(psi)` until `psi` is stable in the order of the lattice, which is never a question to the prover
//! (RC-T3). `F#` distributes over disjunction, so only what is new is looked at.

use super::formula::Formula;
use super::operator::{Operator, Predicates};
use super::prover::{Prover, syntactic};
use crate::common::watch::{Stop, Watch};
use tenet_abstraction::monotone::{Conjunction, Monotone};
use tenet_term::TermStore;

pub struct Fixpoint {
    /// The element, over the predicates by position.
    pub element: Monotone,
    /// How often the operator was applied, the last time in vain.
    pub rounds: usize,
}

/// The least fixpoint above an element.
pub fn fixpoint(
    store: &mut TermStore,
    operator: &Operator<'_>,
    prover: &mut Prover,
    predicates: &Predicates,
    start: Monotone,
    watch: &dyn Watch,
) -> Result<Fixpoint, Stop> {
    let mut fixpoint = Fixpoint { element: start, rounds: 0 };
    let mut new: Vec<Conjunction> = fixpoint.element.minimal().cloned().collect();
    while !new.is_empty() {
        fixpoint.rounds += 1;
        let mut added = Vec::new();
        for conjunction in new {
            let from = predicates.disjunct(&conjunction);
            for command in 0..operator.program.commands.len() {
                if let Some(stop) = watch.stop() {
                    return Err(stop);
                }
                let image = operator.abstract_image(store, prover, command, &from, predicates);
                added.extend(image.minimal().cloned());
            }
        }
        new = Vec::new();
        for conjunction in added {
            if fixpoint.element.add(conjunction.clone()) {
                new.push(conjunction);
            }
        }
        // What a later one implies need not be looked at.
        new.retain(|conjunction| fixpoint.element.minimal().any(|minimal| minimal == conjunction));
    }
    Ok(fixpoint)
}

/// The least element above a formula that need not be in the lattice (RC-T10).
pub fn abstraction(
    store: &mut TermStore,
    prover: &mut Prover,
    predicates: &Predicates,
    formula: &Formula,
) -> Monotone {
    let mut element = Monotone::bottom();
    for disjunct in formula.disjuncts() {
        let least = prover.least(store, disjunct.atoms(), &predicates.atoms);
        let above = least.unwrap_or_else(|| Monotone::of([syntactic(disjunct, &predicates.atoms)]));
        element = element.join(&above);
    }
    element
}

/// The element that a formula is, all of whose atoms are predicates.
pub fn element(predicates: &Predicates, formula: &Formula) -> Monotone {
    Monotone::of(formula.disjuncts().map(|disjunct| syntactic(disjunct, &predicates.atoms)))
}

//! New predicates for spurious counterexamples that no candidate excludes.
//!
//! A spurious counterexample is possible up to some state and not beyond. Two sources of predicates, in this order:
//!
//! * *What the failing step depends on*: the atoms of the weakest precondition of the states behind, of those of the
//!   precondition, and so on back to the initial state. They are candidates for lazy refinement, which chooses among
//!   them by proofs, and if it succeeds the counterexample is gone.
//! * *What tells a dead end from the rest*: a concrete state is taken that the counterexample leads to and from which it does
//!   not go on. Of its values of the atoms of the failing step, or else of the bits of the registers that the step reads,
//!   those that keep it from going on become predicates. That splits the abstract state; with registers of finitely many
//!   bits it ends.
//!
//! The published system computes a separating predicate from a solver's proof as well; which one is not said, so this is
//! ours. It is deterministic, and every predicate is one that a proof used.

use super::concrete::Concrete;
use super::fact::{Fact, When};
use super::lazy::Invalidated;
use super::observe;
use super::questions::{Assumed, Questions};
use super::rings::Counterexample;
use super::unroll::Unrolling;
use super::view::{bit_of, width_of};
use indexmap::IndexSet;
use tenet_solve::Answer;
use tenet_term::{Literal, Role, SymbolId, TermId, TermStore};

/// Atoms that become candidates; each costs questions in every state of the counterexample.
const MAX_CANDIDATES: usize = 80;

/// What a counterexample is examined with.
pub struct Traditional<'a> {
    pub store: &'a mut TermStore,
    pub concrete: &'a mut Concrete,
    pub questions: &'a mut Questions,
    pub unrolling: &'a mut Unrolling,
}

impl Traditional<'_> {
    /// The last state that a run can have in common with the counterexample. `None` if the solver does not know.
    pub fn dead_end(&mut self, cubes: &Counterexample) -> Option<usize> {
        for length in 1..=cubes.len() {
            match self.unrolling.check(self.store, self.concrete, &cubes[..length], false) {
                Answer::Sat => {}
                Answer::Unsat => return length.checked_sub(2),
                Answer::Unknown(_) => return None,
            }
        }
        Some(cubes.len() - 1)
    }

    /// The atoms that the step from this state depends on, those of the state itself first, then those of the states before.
    pub fn atoms(&mut self, cubes: &Counterexample, dead_end: usize) -> Vec<TermId> {
        let mut found: IndexSet<TermId> = IndexSet::new();
        let mut front: IndexSet<TermId> = self.of_step(cubes, dead_end).into_iter().collect();
        for position in (0..=dead_end).rev() {
            found.extend(front.iter().copied());
            if found.len() > MAX_CANDIDATES || position == 0 {
                break;
            }
            let behind: Vec<TermId> =
                front.iter().copied().chain(cubes[position].iter().map(|literal| literal.atom)).collect();
            front = behind.into_iter().flat_map(|atom| self.before(atom)).collect();
        }
        found.truncate(MAX_CANDIDATES);
        found.into_iter().collect()
    }

    /// The atoms of the weakest precondition of an atom.
    fn before(&mut self, atom: TermId) -> Vec<TermId> {
        let next = self.concrete.next(self.store, atom);
        observe::atoms(self.store, next)
    }

    /// The atoms that decide whether the state goes on as the counterexample does.
    fn of_step(&mut self, cubes: &Counterexample, from: usize) -> Vec<TermId> {
        match cubes.get(from + 1) {
            None => observe::atoms(self.store, self.concrete.bad),
            Some(cube) => {
                let atoms: Vec<TermId> = cube.iter().map(|literal| literal.atom).collect();
                let mut all: IndexSet<TermId> = IndexSet::new();
                atoms.into_iter().for_each(|atom| all.extend(self.before(atom)));
                all.extend(observe::atoms(self.store, self.concrete.circuit.constraint));
                all.into_iter().collect()
            }
        }
    }

    /// What tells a state at the dead end from those that go on.
    pub fn split(&mut self, cubes: &Counterexample, dead_end: usize) -> Option<Invalidated> {
        let atoms = self.of_step(cubes, dead_end);
        let bits = self.bits_of_step(cubes, dead_end);
        let path = &cubes[..=dead_end];
        if self.unrolling.check(self.store, self.concrete, path, false) != Answer::Sat {
            return None;
        }
        let state = [atoms, bits].map(|atoms| {
            let values = self.unrolling.truths(self.store, self.concrete, dead_end, &atoms)?;
            let literal = |(&atom, positive): (&TermId, bool)| Literal { atom, positive };
            Some(atoms.iter().zip(values).map(literal).collect::<Vec<_>>())
        });
        let [by_atoms, by_bits] = state;
        let by_atoms = by_atoms?;
        self.separate(cubes, dead_end, &by_atoms).or_else(|| {
            let all: Vec<Literal> = by_atoms.into_iter().chain(by_bits?).collect();
            self.separate(cubes, dead_end, &all)
        })
    }

    fn separate(
        &mut self,
        cubes: &Counterexample,
        dead_end: usize,
        literals: &[Literal],
    ) -> Option<Invalidated> {
        let now: Vec<Literal> = cubes[dead_end].iter().chain(literals).copied().collect();
        let (when, next) = match cubes.get(dead_end + 1) {
            Some(cube) => (When::Step, cube.clone()),
            None => (When::Bad, Vec::new()),
        };
        let assumed = Assumed { now, next };
        let core = self.questions.refute(self.store, self.concrete, when, &assumed)?;
        let is_chosen = |literal: &&Literal| literals.contains(literal) && !cubes[dead_end].contains(literal);
        let chosen = core.now.iter().filter(is_chosen).map(|literal| literal.atom).collect();
        let facts = vec![Fact::implication(when, &core.now, &core.next, &[])];
        Some(Invalidated { chosen, facts })
    }

    /// The bits of the registers that decide whether the state goes on.
    fn bits_of_step(&mut self, cubes: &Counterexample, from: usize) -> Vec<TermId> {
        let mut terms = Vec::new();
        match cubes.get(from + 1) {
            None => terms.push(self.concrete.bad),
            Some(cube) => {
                terms.push(self.concrete.circuit.constraint);
                let atoms = cube.iter().map(|literal| literal.atom);
                terms.extend(atoms.map(|atom| self.concrete.next(self.store, atom)));
            }
        }
        let store = &mut *self.store;
        let symbols = store.subterms_of_all(terms).into_iter().filter_map(|term| store.as_symbol(term));
        let registers: Vec<SymbolId> =
            symbols.filter(|&symbol| store.symbol(symbol).role == Role::State).collect();
        let mut bits = Vec::new();
        for register in registers {
            bits.extend((0..width_of(store, register)).map(|bit| bit_of(store, register, bit)));
        }
        bits
    }
}

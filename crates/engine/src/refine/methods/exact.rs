//! The exact iteration `phi_0 = start`, `phi_{n+1} = phi_n | F(phi_n)`: where predicates come from, and where it is seen
//! that a program is incorrect (RC-A13).
//!
//! `F` distributes over disjunction, so only the disjuncts of the last iteration are looked at. Each disjunct knows which
//! commands made it: if it meets the other end, they are a run.

use super::formula::{Disjunct, Formula};
use super::operator::Operator;
use super::outcome::{Direction, Early};
use super::prover::Prover;
use crate::common::watch::Watch;
use tenet_term::TermStore;

/// Disjuncts after which the iteration is given up.
const MAX_DISJUNCTS: usize = 200_000;

/// The formulas so far.
pub struct Exact {
    /// `phi_n`.
    pub formula: Formula,
    /// For each disjunct the one it was made from, by position, and the command, by position.
    origins: Vec<Option<(usize, usize)>>,
    /// The disjuncts before this position were looked at by `F`.
    done: usize,
    /// The disjuncts before this position were seen not to meet the other end, or not for sure.
    compared: usize,
}

impl Exact {
    /// `phi_0`.
    pub fn new(start: &Formula) -> Exact {
        let origins = vec![None; start.disjuncts().len()];
        Exact { formula: start.clone(), origins, done: 0, compared: 0 }
    }

    /// From `phi_n` to `phi_{n+1}`. False if it gets too large.
    pub fn advance(
        &mut self,
        store: &mut TermStore,
        operator: &Operator<'_>,
        prover: &mut Prover,
        watch: &dyn Watch,
    ) -> Result<bool, Early> {
        let last: Vec<Disjunct> = self.formula.disjuncts().skip(self.done).cloned().collect();
        for (offset, disjunct) in last.iter().enumerate() {
            for command in 0..operator.program.commands.len() {
                if let Some(stop) = watch.stop() {
                    return Err(Early::Stopped(stop));
                }
                for image in operator.apply(store, command, disjunct)? {
                    if operator.is_dropped(store, prover, &image) {
                        continue;
                    }
                    if self.formula.add(image) {
                        self.origins.push(Some((self.done + offset, command)));
                    }
                }
            }
            if self.origins.len() > MAX_DISJUNCTS {
                return Ok(false);
            }
        }
        self.done += last.len();
        Ok(true)
    }

    /// The commands of a run from an initial to an unsafe state, in order, if `phi_n` has met the other end.
    pub fn meets(
        &mut self,
        store: &mut TermStore,
        prover: &mut Prover,
        end: &Formula,
        direction: Direction,
    ) -> Option<Vec<usize>> {
        let end = end.term(store);
        let new: Vec<Disjunct> = self.formula.disjuncts().skip(self.compared).cloned().collect();
        for (offset, disjunct) in new.iter().enumerate() {
            if disjunct.is_false(store) {
                continue;
            }
            let term = disjunct.term(store);
            if prover.check(store, &[term, end]).is_real() == Some(true) {
                return Some(self.path(self.compared + offset, direction));
            }
        }
        self.compared += new.len();
        None
    }

    fn path(&self, disjunct: usize, direction: Direction) -> Vec<usize> {
        let mut commands = Vec::new();
        let mut current = disjunct;
        while let Some((from, command)) = self.origins[current] {
            commands.push(command);
            current = from;
        }
        if direction == Direction::Forward {
            commands.reverse();
        }
        commands
    }
}

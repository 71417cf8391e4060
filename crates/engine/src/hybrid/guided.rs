//! Runs along the distances of a model that keeps all registers, for violations too far away to be unrolled.
//!
//! The model tells of the states on shortest ways how many steps it is to a violation. From a state of the circuit the solver is asked for
//! a step to one that is nearer, cycle after cycle, so that no question is about more than one. Where the model is exact there always
//! is such a step. Memories it leaves open; what is read may keep the run from the state that the model has in mind, and then
//! another one is looked for that is as near, or not much farther. The run is replayed like any other.

use super::concrete::Concrete;
use super::fact::When;
use super::halt::Halt;
use super::model::Model;
use super::questions::{Assumed, Example, Questions};
use super::view::{bits_of_memory, places};
use crate::common::watch::Watch;
use crate::common::witness::witness;
use tenet_abstraction::set::Set;
use tenet_system::run::{Run, Taken, Violation};
use tenet_term::{Literal, Sort, SymbolId, TermId, TermStore, Value};
use tracing::debug;

/// A run of more states is not unrolled.
pub const LONG: usize = 500;

/// Bits of memories up to which their contents are followed.
const MAX_MEMORY_BITS: usize = 4096;

/// How much farther a step may lead, and how many more steps than there should be are taken.
const DETOUR: usize = 3;
const MORE_STEPS: usize = 2;

pub struct Guide<'a> {
    pub store: &'a mut TermStore,
    pub concrete: &'a mut Concrete,
    pub questions: &'a mut Questions,
    pub model: &'a Model,
    pub watch: &'a dyn Watch,
}

impl Guide<'_> {
    /// A violating run; `None` if the distances do not lead to one.
    pub fn violation(
        &mut self,
        rings: &[Set],
        property: usize,
        formula: TermId,
    ) -> Result<Option<Violation>, Halt> {
        let Some(memories) = self.memories() else { return Ok(None) };
        let nearer = self.distances(rings)?;
        debug!(distance = nearer.len() - 1, "a run is looked for step by step");
        let atoms: Vec<TermId> = self.model.view.atoms.iter().chain(&memories).copied().collect();
        let Some((mut state, start)) = self.first(&atoms, &nearer) else { return Ok(None) };
        let (mut rules, mut distance) = (Vec::new(), nearer.len() - 1);
        while distance > 0 {
            if let Some(stop) = self.watch.stop() {
                return Err(Halt::Stopped(stop));
            }
            let step = self.step(&atoms, &state, &nearer, distance);
            let Some((next, taken)) = step.filter(|_| rules.len() < MORE_STEPS * nearer.len()) else {
                return Ok(None);
            };
            state = next;
            rules.push(taken);
            distance = self.distance(&state, &nearer, distance + DETOUR);
        }
        let inputs = self.concrete.circuit.inputs.clone();
        let assumed = Assumed { now: state, next: Vec::new() };
        let last = self.questions.example(self.store, self.concrete, When::Bad, &assumed, &[], &inputs);
        let Ok(last) = last else { return Ok(None) };
        let witness = witness(self.store, formula, &last.values);
        Ok(Some(Violation { property, run: Run { consts: Vec::new(), start, rules }, witness }))
    }

    /// The bits of all memories; `None` if there are too many, or if an input is a memory.
    fn memories(&mut self) -> Option<Vec<TermId>> {
        if self.concrete.circuit.inputs.iter().any(|&input| self.is_memory(input)) {
            return None;
        }
        let memories: Vec<SymbolId> =
            self.concrete.cone.iter().copied().filter(|&register| self.is_memory(register)).collect();
        let mut all = 0_usize;
        for &memory in &memories {
            let (places, width) = places(self.store, memory)?;
            all = all.saturating_add(places.saturating_mul(width));
        }
        (all <= MAX_MEMORY_BITS)
            .then(|| memories.into_iter().flat_map(|memory| bits_of_memory(self.store, memory)).collect())
    }

    fn is_memory(&self, symbol: SymbolId) -> bool {
        matches!(self.store.sort(self.store.symbol(symbol).sort), Sort::Function { .. })
    }

    /// That memories that may begin with anything begin with zeros.
    fn zeros(&mut self) -> Vec<Literal> {
        let cone = self.concrete.cone.clone();
        let is_arbitrary = |&register: &SymbolId| {
            let first = self.store.as_symbol(self.concrete.first_value(register));
            self.is_memory(register)
                && first.is_some_and(|first| self.concrete.circuit.arbitrary.contains(&first))
        };
        let arbitrary: Vec<SymbolId> = cone.into_iter().filter(is_arbitrary).collect();
        let bits = arbitrary.into_iter().flat_map(|memory| bits_of_memory(self.store, memory));
        bits.map(|atom| Literal { atom, positive: false }).collect()
    }

    /// The states on shortest ways, by their distance from a violation.
    fn distances(&self, rings: &[Set]) -> Result<Vec<Set>, Halt> {
        let (last, rings) = rings.split_last().expect("invariant: there is a first ring");
        let mut found = vec![last.intersect(self.model.bad())];
        for ring in rings.iter().rev() {
            if let Some(stop) = self.watch.stop() {
                return Err(Halt::Stopped(stop));
            }
            let behind = found.last().expect("invariant: there are bad states");
            let new = self.model.before(ring, behind);
            if self.model.is_overfull() {
                return Err(Halt::NoRoom);
            }
            found.push(new);
        }
        Ok(found)
    }

    /// A first state at the greatest distance, and what is arbitrary in it.
    fn first(&mut self, atoms: &[TermId], nearer: &[Set]) -> Option<(Vec<Literal>, Taken)> {
        let mut goal = nearer.last()?.intersect(self.model.first());
        let formulas: Vec<TermId> = atoms.iter().map(|&atom| self.concrete.first(self.store, atom)).collect();
        let (zeros, arbitrary) = (self.zeros(), self.concrete.circuit.arbitrary.clone());
        let (memories, symbols): (Vec<SymbolId>, Vec<SymbolId>) =
            arbitrary.into_iter().partition(|&symbol| self.is_memory(symbol));
        while let Some(cube) = self.model.pick(&goal) {
            let assumed = Assumed { now: cube.iter().chain(&zeros).copied().collect(), next: Vec::new() };
            let found =
                self.questions.example(self.store, self.concrete, When::First, &assumed, &formulas, &symbols);
            if let Ok(Example { truths, mut values }) = found {
                values.extend(memories.iter().map(|&memory| (memory, self.zero(memory))));
                return Some((valuation(atoms, truths), Taken { rule: 0, params: values }));
            }
            goal = goal.minus(&self.model.cube(&cube));
        }
        None
    }

    fn zero(&self, memory: SymbolId) -> Value {
        tenet_term::Model::new().default_value(self.store, self.store.symbol(memory).sort)
    }

    /// A step to a state that is as near as possible.
    fn step(
        &mut self,
        atoms: &[TermId],
        state: &[Literal],
        nearer: &[Set],
        distance: usize,
    ) -> Option<(Vec<Literal>, Taken)> {
        let known = self.model.view.atoms.len();
        let after = self.model.image(&self.model.cube(&state[..known]));
        let formulas: Vec<TermId> = atoms.iter().map(|&atom| self.concrete.next(self.store, atom)).collect();
        let inputs = self.concrete.circuit.inputs[..self.concrete.circuit.step_inputs].to_vec();
        for goal in &nearer[distance - 1..nearer.len().min(distance + DETOUR)] {
            let mut goal = goal.intersect(&after);
            while let Some(cube) = self.model.pick(&goal) {
                let assumed = Assumed { now: state.to_vec(), next: cube };
                let found = self.questions.example(
                    self.store,
                    self.concrete,
                    When::Step,
                    &assumed,
                    &formulas,
                    &inputs,
                );
                match found {
                    Ok(Example { truths, values }) => {
                        return Some((valuation(atoms, truths), Taken { rule: 0, params: values }));
                    }
                    Err(impossible) if impossible.is_empty() => return None,
                    Err(impossible) => goal = goal.minus(&self.model.cube(&impossible)),
                }
            }
        }
        None
    }

    /// The distance of a state, which is at most this.
    fn distance(&self, state: &[Literal], nearer: &[Set], most: usize) -> usize {
        let cube = self.model.cube(&state[..self.model.view.atoms.len()]);
        let most = most.min(nearer.len() - 1);
        let is_there = |distance: &usize| cube.implies(&nearer[*distance]);
        (most.saturating_sub(2 * DETOUR)..=most).find(is_there).unwrap_or(most)
    }
}

fn valuation(atoms: &[TermId], truths: Vec<bool>) -> Vec<Literal> {
    atoms.iter().zip(truths).map(|(&atom, positive)| Literal { atom, positive }).collect()
}

//! What a search learns from small instances: which instances are explored, when larger ones are, and which lemmas
//! they refute.

use tenet_system::finite::explore::Sampling;
use tenet_system::instance::InstanceError;
use tracing::debug;

use super::Search;
use crate::direct::cube::{Cube, Predecessor};
use crate::direct::explored::Explored;
use crate::direct::halt::Halt;
use crate::direct::numbers;

/// The sizes of the instances that are explored, how many states of each, and how many steps of random walks after that.
pub(super) const INSTANCES: [(u32, u64, usize); 6] = [
    (2, 2_000, 3_000),
    (3, 3_000, 6_000),
    (3, 10_000, 20_000),
    (4, 5_000, 10_000),
    (3, 50_000, 100_000),
    (4, 50_000, 50_000),
];
/// Factor on the steps of random walks where numbers index arrays: queues are filled and emptied in more ways than
/// anything else.
const STEP_FACTOR_WITH_PLACES: usize = 4;
const MAX_WALK_LENGTH: usize = 150;

impl Search<'_> {
    /// An explored state can take the step that breaks a lemma: its successor should refute the lemma.
    pub(super) fn follow(&mut self, lemma: usize, predecessor: &Predecessor) -> Result<(), Halt> {
        let cube = match self.existential {
            Some(_) => &predecessor.whole(&self.system.store),
            None => &predecessor.cube,
        };
        let watch = &*self.watch;
        let mut go_on = || watch.stop().is_none();
        let mut is_further = false;
        for explored in &mut self.explored {
            is_further |= explored.follow(&self.system.store, cube, &mut go_on);
        }
        if is_further {
            self.retract_contradicted();
        }
        if self.entries[lemma].alive { self.retract(lemma) } else { Ok(()) }
    }

    /// Explores the next instance. False if there is none.
    pub(super) fn grow(&mut self) -> Result<bool, Halt> {
        while self.next_instance < INSTANCES.len() {
            let (size, ..) = self.instances()[self.next_instance];
            let known = self.explored.iter().any(|one| one.size == size && one.complete);
            if known {
                self.next_instance += 1;
                continue;
            }
            self.explore()?;
            return Ok(true);
        }
        Ok(false)
    }

    fn instances(&self) -> &'static [(u32, u64, usize); 6] {
        if self.numbers.is_some() { &numbers::INSTANCES } else { &INSTANCES }
    }

    /// Explores the instances that the search begins with.
    pub(super) fn explore_first(&mut self) -> Result<(), Halt> {
        let count = if self.numbers.is_some() { numbers::INITIAL_INSTANCES } else { 1 };
        (0..count).try_for_each(|_| self.explore())
    }

    fn explore(&mut self) -> Result<(), Halt> {
        let (size, states, steps) = self.instances()[self.next_instance];
        let sampling = Sampling {
            states,
            steps: steps * if self.vocabulary.has_places() { STEP_FACTOR_WITH_PLACES } else { 1 },
            work: self.options.walking,
            longest: MAX_WALK_LENGTH,
            seed: self.options.seed.wrapping_add(self.next_instance as u64),
        };
        self.next_instance += 1;
        let watch = &*self.watch;
        let mut go_on = || watch.stop().is_none();
        let consts = match &self.numbers {
            Some(_) => numbers::constants(self.system, size).into_iter().map(Some).collect(),
            None => vec![None],
        };
        self.explored.retain(|one| one.size != size);
        for consts in consts {
            let explored = Explored::new(self.system, &self.vocabulary, size, consts, &sampling, &mut go_on);
            let explored = explored.map_err(|error: InstanceError| Halt::NoInstance(error.to_string()))?;
            debug!(size, states = explored.states, is_complete = explored.complete, "instance explored");
            self.explored.push(explored);
        }
        if self.is_property_violated() {
            return Err(Halt::Reached);
        }
        self.retract_contradicted();
        Ok(())
    }

    /// Does a state that was just explored violate a property?
    fn is_property_violated(&mut self) -> bool {
        let explored = self.explored.last_mut().expect("invariant: one was just explored");
        let store = &mut self.system.store;
        self.entries.iter().filter(|entry| entry.cube.is_none()).any(|entry| {
            let negation = store.mk_not(entry.lemma.body);
            let negation = store.nnf(negation);
            let cube = Cube::of(store, store.conjuncts(negation));
            explored.has(store, &cube)
        })
    }

    /// Retracts the lemmas that explored instances refute.
    fn retract_contradicted(&mut self) {
        let mut wrong = Vec::new();
        for (number, entry) in self.entries.iter().enumerate() {
            let Some(cube) = entry.cube.as_ref().filter(|_| entry.alive && !entry.is_proved) else {
                continue;
            };
            let all: Vec<usize> = (0..cube.literals.len()).collect();
            let (store, watch) = (&self.system.store, &*self.watch);
            let mut go_on = || watch.stop().is_none();
            let is_reachable = |one: &mut Explored| {
                one.table(store, cube, &mut go_on).is_some_and(|table| table.is_reachable(&all))
            };
            if self.explored.iter_mut().any(is_reachable) {
                wrong.push(number);
            }
        }
        if !wrong.is_empty() {
            self.remove(&wrong);
        }
    }
}

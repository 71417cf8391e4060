//! Samples of reachable states: a breadth-first search that stops at a number of states, and random walks that get
//! further than it does.

use super::super::pack::{Packing, words_from_bytes};
use super::super::program::Program;
use super::super::store::{StateNo, Store};
use super::worker::Event;
use super::{Deadlock, End, Halt, Options, Search, Shared, WORK_PER_SUCCESSOR};
use crate::random::Random;

/// How many states to look for.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// States at which the search stops, roughly.
    pub states: u64,
    /// Steps of random walks after that, if there are more states.
    pub steps: usize,
    /// Work that the walks may take, in the units of [`Options::max_work`].
    pub work: u64,
    pub longest: usize,
    /// The walks of a seed are always the same.
    pub seed: u64,
}

/// States that were reached, unpacked one by one.
pub struct Reached {
    packing: Packing,
    store: Store,
    pub complete: bool,
}

impl Reached {
    /// Calls `visit` with the values of each state's slots, in the order in which the states were found.
    pub fn each(&self, mut visit: impl FnMut(&[i64])) {
        let mut words = vec![0; self.packing.words()];
        let mut state = vec![0; self.packing.slots()];
        for number in 0..self.store.len() {
            words_from_bytes(self.store.get(number as StateNo), &mut words);
            self.packing.unpack(&words, &mut state);
            visit(&state);
        }
    }
}

/// Looks for states of an instance; what is wrong with them does not matter.
pub fn reached(program: &Program, sampling: &Sampling, go_on: &mut dyn FnMut() -> bool) -> Reached {
    let options = Options {
        deadlock: Deadlock::Off,
        keep_going: true,
        properties: Some(Vec::new()),
        ..Options::default()
    };
    let shared = Shared::new(program, &options);
    let mut search = Search::new(&shared);
    search.tick_every(64);
    search.run(&mut |progress| progress.statistics.states < sampling.states && go_on());
    let complete = search.is_started && search.next == search.store.len();
    if !complete {
        search.walk(sampling, go_on);
    }
    Reached { packing: Packing::new(&program.layout), store: search.store, complete }
}

/// States reached from these, up to about this many.
pub fn reached_from(
    program: &Program,
    states: &[Vec<i64>],
    limit: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Reached {
    let options = Options {
        deadlock: Deadlock::Off,
        keep_going: true,
        properties: Some(Vec::new()),
        ..Options::default()
    };
    let shared = Shared::new(program, &options);
    let mut search = Search::new(&shared);
    search.tick_every(8);
    search.first = Some(states.to_vec());
    search.run(&mut |progress| progress.statistics.states < limit && go_on());
    let complete = search.is_started && search.next == search.store.len();
    Reached { packing: Packing::new(&program.layout), store: search.store, complete }
}

/// What happened in the states that were looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    pub fired: Vec<u64>,
    /// Which properties of kind `Cover` were true in some state.
    pub covered: Vec<bool>,
    pub complete: bool,
    pub has_states: bool,
}

/// Explores a sample of an instance's states, with random walks if there are more: which rules are taken in them, and
/// which covers are true? What is seen depends on the number of states, never on time.
pub fn observed(program: &Program, sampling: &Sampling, go_on: &mut dyn FnMut() -> bool) -> Observed {
    let options = Options {
        deadlock: Deadlock::Off,
        keep_going: true,
        properties: Some(Vec::new()),
        ..Options::default()
    };
    let shared = Shared::new(program, &options);
    let mut search = Search::new(&shared);
    let complete = search.look_at(sampling.states as usize, go_on).is_ok();
    if !complete && !search.store.is_empty() {
        search.walk(sampling, go_on);
    }
    // Runs are not needed here, and states on walks have none.
    search.found.clear();
    let outcome = search.outcome(if complete { End::Complete } else { End::Stopped });
    let has_states = outcome.statistics.states > 0;
    Observed { fired: outcome.fired, covered: outcome.covered, complete, has_states }
}

impl Search<'_> {
    /// Fixes the number of states between ticks, for callers that stop a search by what it has found: they have to be
    /// asked at the same states on every machine.
    fn tick_every(&mut self, states: usize) {
        (self.most_per_tick, self.pace) = (states, None);
    }

    /// Expands states one by one until there are `limit`. An error if there are more.
    fn look_at(&mut self, limit: usize, go_on: &mut dyn FnMut() -> bool) -> Result<(), Halt> {
        let mut worker = self.workers.swap_remove(0);
        let started = worker.start(&mut |event| {
            self.handle(0, event)?;
            if self.store.len() >= limit { Err(Halt::Stopped) } else { Ok(()) }
        });
        self.workers.push(worker);
        self.initial = self.store.len();
        started?;
        while self.next < self.store.len() {
            if self.store.len() >= limit || !go_on() {
                return Err(Halt::Stopped);
            }
            let state = self.next as StateNo;
            self.next += 1;
            self.expand(state)?;
        }
        Ok(())
    }

    /// Walks at random from startstates, and keeps the states on the way.
    fn walk(&mut self, sampling: &Sampling, go_on: &mut dyn FnMut() -> bool) {
        let mut random = Random::new(sampling.seed);
        let mut at: Option<(Vec<u8>, u64)> = None;
        let mut length = 0;
        self.work = sampling.work;
        for _ in 0..sampling.steps {
            if self.work == 0 {
                return;
            }
            if length == sampling.longest || at.is_none() {
                let start = random.below(self.initial.max(1)) as StateNo;
                at = Some((self.store.get(start).to_vec(), 0));
                length = 0;
            }
            length += 1;
            let Some((state, _)) = &at else { continue };
            let next = self.successor(state, &mut random);
            if let Some((state, hash)) = &next
                && self.store.insert(state, *hash, 0).is_err()
            {
                return;
            }
            at = next;
            if length == 1 && !go_on() {
                return;
            }
        }
    }

    fn successor(&mut self, state: &[u8], random: &mut Random) -> Option<(Vec<u8>, u64)> {
        self.work = self.work.saturating_sub(self.shared.instances);
        let mut worker = self.workers.swap_remove(0);
        worker.load(state);
        let mut chosen: Option<(Vec<u8>, u64)> = None;
        let mut count = 0;
        let result: Result<(), Halt> = worker.expand(&mut |event| {
            if let Event::Successor { worker, hash } = event {
                count += 1;
                self.work = self.work.saturating_sub(WORK_PER_SUCCESSOR);
                worker.observe();
                if random.below(count) == 0 {
                    chosen = Some((worker.bytes().to_vec(), hash));
                }
            }
            Ok(())
        });
        self.workers.push(worker);
        result.ok().and(chosen)
    }
}

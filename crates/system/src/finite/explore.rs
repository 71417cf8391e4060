//! Breadth-first search of a finite instance: every reachable state, the shortest run to what is wrong.
//!
//! The search is sequential in meaning: states are numbered in the order in which a single thread would find them, and
//! threads only compute successors of a batch ahead of time. So the result does not depend on the number of threads.
//! Whenever a batch contains anything of interest, it is done again sequentially, which keeps the two paths from
//! having to agree on details.

mod batch;
mod pace;
mod path;
mod reached;
mod worker;

use super::compile::{self, Compiled, Mode};
use super::pack::Packing;
use super::program::{Program, PropertyKind};
use super::store::{StateNo, Store, StoreError};
use super::symmetry::Symmetry;
use super::trace::{Finding, Trace};
use pace::Pace;
pub use reached::{Observed, Reached, Sampling, observed, reached, reached_from};
use std::time::Instant;
use worker::{Event, MAX_IDLE_INSTANCES, Worker};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Deadlock {
    Off,
    /// No rule is enabled.
    Stuck,
    /// No rule leads to another state. This is what Murphi tools look for.
    #[default]
    Stuttering,
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Whether states that differ by renaming scalarset elements count as one.
    pub symmetry: bool,
    pub threads: usize,
    /// Bytes that stored states may take.
    pub memory_limit: usize,
    /// Steps after which the search stops.
    pub max_depth: Option<u32>,
    /// Work after which a search with one thread stops: one unit for each rule that is tried in a state, and [`WORK_PER_SUCCESSOR`] more if it is
    /// taken. Unlike time it is the same on every machine.
    pub max_work: Option<u64>,
    pub deadlock: Deadlock,
    /// Go on after something is found, until everything has been searched.
    pub keep_going: bool,
    /// The invariants to check; `None` for all.
    pub properties: Option<Vec<usize>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            symmetry: true,
            threads: 1,
            memory_limit: usize::MAX,
            max_depth: None,
            max_work: None,
            deadlock: Deadlock::default(),
            keep_going: false,
            properties: None,
        }
    }
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every reachable state was visited.
    Complete,
    /// Something is wrong, and the search stopped there.
    Found,
    /// Stored states reached the memory limit.
    Memory,
    /// There are more states than can be numbered.
    TooManyStates,
    /// The depth limit was reached.
    Depth,
    /// The limit on work was reached.
    Work,
    /// The caller asked to stop.
    Stopped,
}

/// Numbers about a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub states: u64,
    /// States whose successors were computed.
    pub expanded: u64,
    /// Rule instances taken.
    pub rules_fired: u64,
    /// Length of the longest shortest run, in steps.
    pub depth: u32,
    pub state_bits: usize,
    /// Bytes taken by stored states, all included.
    pub memory: usize,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub end: End,
    /// What is wrong, in order of discovery; at most one run for each property, site of a fault, and for deadlock.
    pub traces: Vec<Trace>,
    pub statistics: Statistics,
    /// How often each rule was taken.
    pub fired: Vec<u64>,
    /// Which probes were true in some state.
    pub probes: Vec<bool>,
    /// Which properties of kind `Cover` were true in some state.
    pub covered: Vec<bool>,
    pub cover_statements: Vec<bool>,
}

/// A moment of a search.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub statistics: Statistics,
    pub waiting: u64,
}

/// Searches an instance. `tick` is called several times a second and says whether to go on; only a single state that takes
/// longer delays it.
pub fn explore(program: &Program, options: &Options, tick: &mut dyn FnMut(&Progress) -> bool) -> Outcome {
    let shared = Shared::new(program, options);
    let mut search = Search::new(&shared);
    let end = search.run(tick);
    search.outcome(end)
}

/// What all threads read.
struct Shared<'a> {
    program: &'a Program,
    options: &'a Options,
    compiled: Compiled,
    /// How many rules there are to try in a state.
    instances: u64,
    packing: Packing,
    symmetry: Symmetry,
    invariants: Vec<usize>,
    assumptions: Vec<usize>,
    covers: Vec<usize>,
}

impl<'a> Shared<'a> {
    fn new(program: &'a Program, options: &'a Options) -> Shared<'a> {
        let of_kind = |kind| {
            let properties = program.properties.iter().enumerate();
            properties.filter(|(_, p)| p.kind == kind).map(|(index, _)| index).collect::<Vec<_>>()
        };
        let mut invariants = of_kind(PropertyKind::Invariant);
        if let Some(chosen) = &options.properties {
            invariants.retain(|index| chosen.contains(index));
        }
        let compiled = compile::compile(program, Mode::Specialised);
        let instances = compiled.rules.iter().map(|rule| rule.instances).fold(0, u64::saturating_add);
        Shared {
            program,
            options,
            instances,
            compiled,
            packing: Packing::new(&program.layout),
            symmetry: Symmetry::new(&program.layout, options.symmetry),
            invariants,
            assumptions: of_kind(PropertyKind::Assume),
            covers: of_kind(PropertyKind::Cover),
        }
    }
}

/// A search under way.
struct Search<'a> {
    shared: &'a Shared<'a>,
    store: Store,
    #[allow(clippy::vec_box, reason = "a worker is lent out for every state; moving a box is cheaper")]
    workers: Vec<Box<Worker<'a>>>,
    initial: usize,
    /// Whether all startstates were looked for.
    is_started: bool,
    next: usize,
    /// Number of states up to the end of the level that is being expanded.
    level_end: usize,
    depth: u32,
    /// How many states to expand between two ticks, as far as time decides it.
    pace: Option<Pace>,
    found: Vec<(Option<StateNo>, Finding)>,
    /// Sequential steps between two ticks.
    most_per_tick: usize,
    work: u64,
    /// States to begin with instead of the startstates.
    first: Option<Vec<Vec<i64>>>,
}

/// Why the search cannot go on.
enum Halt {
    Found,
    Stopped,
    Work,
    Store(StoreError),
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Halt {
        Halt::Store(error)
    }
}

/// Work charged for a successor: about that of trying this many disabled rules.
pub const WORK_PER_SUCCESSOR: u64 = 10;

/// Sequential steps between two ticks.
const MAX_STEPS_PER_TICK: usize = 4096;

impl<'a> Search<'a> {
    fn new(shared: &'a Shared<'a>) -> Search<'a> {
        let store = Store::new(shared.packing.bytes(), shared.options.memory_limit);
        let workers = (0..shared.options.threads.max(1)).map(|_| Box::new(Worker::new(shared))).collect();
        Search {
            shared,
            store,
            workers,
            initial: 0,
            is_started: false,
            next: 0,
            level_end: 0,
            depth: 0,
            pace: Some(Pace::new()),
            found: Vec::new(),
            most_per_tick: MAX_STEPS_PER_TICK,
            work: shared.options.max_work.unwrap_or(u64::MAX),
            first: None,
        }
    }

    fn run(&mut self, tick: &mut dyn FnMut(&Progress) -> bool) -> End {
        match self.search(tick) {
            Ok(end) => end,
            Err(Halt::Found) => End::Found,
            Err(Halt::Stopped) => End::Stopped,
            Err(Halt::Work) => End::Work,
            Err(Halt::Store(StoreError::Memory)) => End::Memory,
            Err(Halt::Store(StoreError::Count)) => End::TooManyStates,
        }
    }

    fn search(&mut self, tick: &mut dyn FnMut(&Progress) -> bool) -> Result<End, Halt> {
        self.start(tick)?;
        self.level_end = self.store.len();
        while self.next < self.store.len() {
            if self.next == self.level_end {
                self.depth += 1;
                self.level_end = self.store.len();
            }
            if self.shared.options.max_depth.is_some_and(|limit| self.depth >= limit) {
                return Ok(End::Depth);
            }
            let (first, start) = (self.next, Instant::now());
            self.advance()?;
            if let Some(pace) = &mut self.pace {
                pace.learn(self.next - first, start.elapsed());
            }
            if !tick(&self.progress()) {
                return Ok(End::Stopped);
            }
        }
        Ok(if self.found.is_empty() { End::Complete } else { End::Found })
    }

    /// Expands some states of the current level.
    fn advance(&mut self) -> Result<(), Halt> {
        let waiting = self.level_end - self.next;
        if self.workers.len() > 1 && waiting >= batch::MIN_PARALLEL_STATES {
            return self.advance_parallel();
        }
        let paced = self.pace.as_ref().map_or(usize::MAX, Pace::states);
        self.advance_sequential(self.next + waiting.min(self.most_per_tick).min(paced))
    }

    fn advance_sequential(&mut self, end: usize) -> Result<(), Halt> {
        while self.next < end {
            let state = self.next as StateNo;
            self.next += 1;
            self.expand(state)?;
        }
        Ok(())
    }

    /// Computes and stores the startstates, of which there are many if much is left open.
    fn start(&mut self, tick: &mut dyn FnMut(&Progress) -> bool) -> Result<(), Halt> {
        let mut worker = self.workers.swap_remove(0);
        let first = self.first.take();
        let (mut asked, mut events) = (Instant::now(), 0);
        let mut handle = |event: Event<'_, 'a>| {
            self.handle(0, event)?;
            events += 1;
            let is_early = match self.pace {
                Some(_) => asked.elapsed() < pace::TICK_INTERVAL,
                None => events % self.most_per_tick != 0,
            };
            if is_early {
                return Ok(());
            }
            asked = Instant::now();
            if tick(&self.progress()) { Ok(()) } else { Err(Halt::Stopped) }
        };
        let result = match first {
            None => worker.start(&mut handle),
            Some(states) => states.iter().try_for_each(|state| worker.place(state, &mut handle)),
        };
        self.workers.push(worker);
        self.initial = self.store.len();
        self.is_started = !matches!(result, Err(Halt::Stopped | Halt::Work));
        result
    }

    /// Computes and stores the successors of a state.
    fn expand(&mut self, state: StateNo) -> Result<(), Halt> {
        self.spend(self.shared.instances)?;
        let mut worker = self.workers.swap_remove(0);
        worker.load(self.store.get(state));
        let result = worker.expand(&mut |event| self.handle(state, event));
        self.workers.push(worker);
        result
    }

    fn spend(&mut self, work: u64) -> Result<(), Halt> {
        if self.work == 0 {
            return Err(Halt::Work);
        }
        self.work = self.work.saturating_sub(work);
        Ok(())
    }

    fn handle(&mut self, parent: StateNo, event: Event) -> Result<(), Halt> {
        match event {
            Event::Successor { worker, hash } => {
                self.spend(WORK_PER_SUCCESSOR)?;
                let Some(state) = self.store.insert(worker.bytes(), hash, parent)? else { return Ok(()) };
                worker.judge_state(&mut |finding| self.note(Some(state), finding))
            }
            Event::Idle => self.spend(MAX_IDLE_INSTANCES),
            Event::Finding(finding @ Finding::StartFault(..)) => self.note(None, finding),
            Event::Finding(finding) => self.note(Some(parent), finding),
        }
    }

    /// Keeps the first finding of each kind.
    fn note(&mut self, state: Option<StateNo>, finding: Finding) -> Result<(), Halt> {
        if !self.found.iter().any(|(_, known)| same_kind(known, &finding)) {
            self.found.push((state, finding));
        }
        if self.shared.options.keep_going { Ok(()) } else { Err(Halt::Found) }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            states: self.store.len() as u64,
            expanded: self.next as u64,
            rules_fired: self.workers.iter().flat_map(|worker| &worker.fired).sum(),
            depth: self.depth,
            state_bits: self.shared.packing.bits(),
            memory: self.store.memory(),
        }
    }

    fn progress(&self) -> Progress {
        Progress { statistics: self.statistics(), waiting: (self.store.len() - self.next) as u64 }
    }

    fn outcome(mut self, end: End) -> Outcome {
        let statistics = self.statistics();
        let seen = |pick: for<'w> fn(&'w Worker<'a>) -> &'w Vec<bool>| {
            let mut all = vec![false; pick(&self.workers[0]).len()];
            for worker in &self.workers {
                all.iter_mut().zip(pick(worker)).for_each(|(all, one)| *all |= one);
            }
            all
        };
        let (probes, covered) = (seen(|worker| &worker.probes), seen(|worker| &worker.covered));
        let cover_statements = seen(|worker| &worker.context.covered);
        let mut fired = vec![0; self.shared.program.rules.len()];
        for worker in &self.workers {
            fired.iter_mut().zip(&worker.fired).for_each(|(all, one)| *all += one);
        }
        let found = std::mem::take(&mut self.found);
        let traces = found.into_iter().map(|(state, finding)| self.trace(state, finding)).collect();
        Outcome { end, traces, statistics, fired, probes, covered, cover_statements }
    }
}

/// Whether two findings are reported once.
fn same_kind(a: &Finding, b: &Finding) -> bool {
    match (a, b) {
        (Finding::Property(a), Finding::Property(b)) => a == b,
        (Finding::PropertyFault(a, _), Finding::PropertyFault(b, _)) if a != b => false,
        // A rule and a property may fail in the same function, but each has to be told of.
        (Finding::PropertyFault(..), Finding::StepFault(..) | Finding::StartFault(..))
        | (Finding::StepFault(..) | Finding::StartFault(..), Finding::PropertyFault(..)) => false,
        (Finding::Deadlock, Finding::Deadlock) => true,
        _ => a.fault().is_some() && a.fault().map(|fault| fault.site) == b.fault().map(|fault| fault.site),
    }
}

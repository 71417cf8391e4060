//! Cancellation and progress: how an engine reports what it is doing, and is told to stop.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Observes an engine at work, and may cancel it.
pub trait Watch {
    /// Called at least once for each iteration.
    fn progress(&mut self, progress: &Progress);

    /// Polled often: the reason to stop, if there is one.
    fn stop(&self) -> Option<Stop>;

    /// A flag that becomes true when it is time to stop, for solvers in the middle of a check.
    fn interrupt(&self) -> Arc<AtomicBool>;
}

/// Ignores progress and never cancels.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Watch for Alone {
    fn progress(&mut self, _: &Progress) {}

    fn stop(&self) -> Option<Stop> {
        None
    }

    fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::default()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing, in a few words.
    pub phase: &'static str,
    /// The iteration under way, counted from one; zero for the initial states.
    pub iteration: usize,
    /// How many abstract states there are so far, if that can be counted.
    pub abstract_states: u128,
    pub predicates: usize,
    pub solver_calls: u64,
}

/// Why an engine was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Timeout,
    Memory,
    Interrupt,
    /// The answer was found elsewhere, for instance by an engine running beside it.
    Settled,
}

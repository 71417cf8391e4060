//! How much a piece of work may take: time, memory, and whether its result is still wanted.
//!
//! A budget is passed down, never global. Work beside another search gets one that ends with the answer of that search
//! ([`Budget::until`]), and one of several pieces of work gets a slice of the time that is left ([`Budget::slice`]).

use crate::machine;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tenet_engine::Stop;

/// The most that is kept back for saying why there is no proof.
const RESERVE: Duration = Duration::from_secs(2);

/// Time, memory and cancellation.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    limit: Option<Duration>,
    memory: usize,
    has_default_memory: bool,
    is_cancelled: Arc<AtomicBool>,
    /// Another search has the answer.
    is_settled: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// Starts now. Without a limit of the user's, memory is limited to what keeps the machine from swapping; the work is cancelled by
    /// setting the flag.
    pub fn new(seconds: Option<f64>, megabytes: Option<u64>, is_cancelled: Arc<AtomicBool>) -> Budget {
        let memory = match megabytes {
            Some(megabytes) => usize::try_from(megabytes.saturating_mul(1 << 20)).unwrap_or(usize::MAX),
            None => machine::available_memory().map_or(usize::MAX, |available| available / 5 * 4),
        };
        Budget {
            start: Instant::now(),
            limit: duration(seconds),
            memory,
            has_default_memory: megabytes.is_none(),
            is_cancelled,
            is_settled: None,
        }
    }

    /// The same budget, which also ends once the flag is set.
    pub fn until(&self, is_settled: &Arc<AtomicBool>) -> Budget {
        Budget { is_settled: Some(Arc::clone(is_settled)), ..self.clone() }
    }

    /// The same budget with only this part of the time that is left.
    pub fn slice(&self, part: f64) -> Budget {
        let left = self.limit.map(|limit| limit.saturating_sub(self.elapsed()));
        let limit = left.map(|left| self.elapsed() + left.mul_f64(part));
        Budget { limit, ..self.clone() }
    }

    /// The same budget without what it takes to say why there is no proof: a tenth of the time that is left, two seconds at most.
    pub fn reserved(&self) -> Budget {
        let left = self.limit.map(|limit| limit.saturating_sub(self.elapsed()));
        let limit = self.limit.zip(left).map(|(limit, left)| limit.saturating_sub((left / 10).min(RESERVE)));
        Budget { limit, ..self.clone() }
    }

    /// The same memory and cancellation, with time of its own that begins now.
    pub fn anew(&self, seconds: f64) -> Budget {
        Budget { start: Instant::now(), limit: duration(Some(seconds)), is_settled: None, ..self.clone() }
    }

    /// The time limit, in seconds.
    pub fn limit(&self) -> Option<f64> {
        self.limit.map(|limit| limit.as_secs_f64())
    }

    /// When the time is over, and what the limit is.
    pub fn deadline(&self) -> Option<(Instant, Duration)> {
        let limit = self.limit?;
        Some((self.start.checked_add(limit)?, limit))
    }

    /// Since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The memory limit in bytes.
    pub fn memory(&self) -> usize {
        self.memory
    }

    /// Whether the memory limit is the default one.
    pub fn has_default_memory(&self) -> bool {
        self.has_default_memory
    }

    /// Has the user asked to stop?
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// Whether to stop now, as far as can be asked at any moment: memory has to be looked at.
    pub fn stop(&self) -> Option<Stop> {
        if self.is_cancelled() {
            return Some(Stop::Interrupt);
        }
        if self.is_settled.as_ref().is_some_and(|is_settled| is_settled.load(Ordering::Relaxed)) {
            return Some(Stop::Settled);
        }
        (self.elapsed() >= self.limit?).then_some(Stop::Timeout)
    }
}

/// A limit that is too large for a duration is no limit.
fn duration(seconds: Option<f64>) -> Option<Duration> {
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

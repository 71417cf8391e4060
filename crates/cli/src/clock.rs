//! When to stop: a time limit, and the user's Ctrl-C.

use anyhow::Context;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tenet_report::exploration::Stop;

/// Set by the signal handler. It is process-wide, as signals are.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// When that was.
static INTERRUPTED_AT: OnceLock<Instant> = OnceLock::new();

/// The clock of the command.
static COMMAND: OnceLock<Clock> = OnceLock::new();

/// From now on the first Ctrl-C asks to stop; the second ends the process. Signals are caught once.
pub fn catch_interrupts() -> anyhow::Result<()> {
    static IS_CAUGHT: AtomicBool = AtomicBool::new(false);
    if IS_CAUGHT.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let handler = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(crate::exit::Exit::Interrupted.code().into());
        }
        let _ = INTERRUPTED_AT.set(Instant::now());
    };
    ctrlc::set_handler(handler).context("cannot catch Ctrl-C")
}

/// Did the user ask to stop?
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Is there no reason to go on: the user asked to stop, or the time limit of the command is reached?
pub fn is_over() -> bool {
    is_interrupted() || deadline().is_some_and(|(deadline, _)| Instant::now() >= deadline)
}

/// When the user asked to stop.
pub fn interrupted_at() -> Option<Instant> {
    INTERRUPTED_AT.get().copied()
}

/// When the time limit of the command is reached, and what it is.
pub fn deadline() -> Option<(Instant, Duration)> {
    let clock = COMMAND.get()?;
    let limit = clock.limit?;
    Some((clock.start.checked_add(limit)?, limit))
}

/// Since the command has started its clock.
pub fn elapsed() -> Duration {
    COMMAND.get().map(Clock::elapsed).unwrap_or_default()
}

/// A started clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    limit: Option<Duration>,
    /// Somebody else has the answer.
    is_over: Option<&'static AtomicBool>,
}

impl Clock {
    /// Starts a clock. From now on the first Ctrl-C asks for a partial result; the second ends the process.
    pub fn start(timeout: Option<f64>) -> anyhow::Result<Clock> {
        catch_interrupts()?;
        let clock = Clock::started(timeout);
        // A command has one clock that is started so; a second one would not change what the first has said.
        let _ = COMMAND.set(clock);
        Ok(clock)
    }

    /// A clock that starts now, and nothing else.
    pub fn started(timeout: Option<f64>) -> Clock {
        // A limit that is too large for a duration is no limit.
        let limit = timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Clock { start: Instant::now(), limit, is_over: None }
    }

    /// The same clock, which also stops once the flag is set.
    pub fn until(&self, is_over: &'static AtomicBool) -> Clock {
        Clock { is_over: Some(is_over), ..*self }
    }

    /// The time limit, in seconds.
    pub fn limit(&self) -> Option<f64> {
        self.limit.map(|limit| limit.as_secs_f64())
    }

    /// Since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether to stop now.
    pub fn stop(&self) -> Option<Stop> {
        if INTERRUPTED.load(Ordering::Relaxed) {
            return Some(Stop::Interrupt);
        }
        if self.is_over.is_some_and(|is_over| is_over.load(Ordering::Relaxed)) {
            return Some(Stop::Timeout(self.elapsed().as_secs_f64()));
        }
        let limit = self.limit?;
        (self.elapsed() >= limit).then_some(Stop::Timeout(limit.as_secs_f64()))
    }
}

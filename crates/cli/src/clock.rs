//! When to stop: a time limit, and the user's Ctrl-C.

use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tenet_report::exploration::Stop;

/// Set by the signal handler. It is process-wide, as signals are.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A started clock.
pub struct Clock {
    start: Instant,
    limit: Option<Duration>,
}

impl Clock {
    /// Starts a clock. From now on the first Ctrl-C asks for a partial result; the second ends the process.
    pub fn start(timeout: Option<f64>) -> anyhow::Result<Clock> {
        let handler = || {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                std::process::exit(crate::exit::Exit::Interrupted.code().into());
            }
        };
        ctrlc::set_handler(handler).context("cannot catch Ctrl-C")?;
        // A limit that is too large for a duration is no limit.
        let limit = timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Ok(Clock { start: Instant::now(), limit })
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
        let limit = self.limit?;
        (self.elapsed() >= limit).then_some(Stop::Timeout(limit.as_secs_f64()))
    }
}

//! Watches an engine: the live line, the limits, and the flag that wakes a solver in the middle of a check.
//!
//! All of it happens in a thread of its own, because an engine that waits for its solver cannot look at a clock.

use crate::clock::Clock;
use crate::machine;
use crate::progress::{self, Line};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tenet_engine::{Progress, Stop, Watch};
use tenet_report::exploration;

/// How often the thread looks.
const INTERVAL: Duration = Duration::from_millis(20);

/// What the engine and the thread share.
struct Shared {
    clock: Clock,
    memory_limit: usize,
    progress: Mutex<Progress>,
    is_memory_used_up: AtomicBool,
    is_settled: &'static AtomicBool,
    interrupt: Arc<AtomicBool>,
}

impl Shared {
    /// A signal and the time can be asked at any moment; memory is looked at now and then.
    fn stop(&self) -> Option<Stop> {
        if self.is_settled.load(Ordering::Relaxed) {
            return Some(Stop::Settled);
        }
        match self.clock.stop() {
            Some(exploration::Stop::Interrupt) => Some(Stop::Interrupt),
            Some(exploration::Stop::Timeout(_)) => Some(Stop::Timeout),
            None => self.is_memory_used_up.load(Ordering::Relaxed).then_some(Stop::Memory),
        }
    }

    fn look(&self, line: &mut Line) {
        let memory = machine::used_memory();
        if memory.is_some_and(|bytes| bytes > self.memory_limit) {
            self.is_memory_used_up.store(true, Ordering::Relaxed);
        }
        if self.stop().is_some() {
            self.interrupt.store(true, Ordering::Relaxed);
        }
        line.show(self.clock.elapsed(), || {
            let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress::proof(&progress, memory)
        });
    }
}

/// The watcher. Its line is gone when it is dropped.
pub struct Watcher {
    shared: Arc<Shared>,
    /// Closed when the watcher is dropped: the thread then ends at once.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Starts watching. The engine is stopped, too, when `is_settled` becomes true.
    pub fn start(
        clock: Clock,
        memory_limit: usize,
        mut line: Line,
        is_settled: &'static AtomicBool,
    ) -> std::io::Result<Watcher> {
        let shared = Arc::new(Shared {
            clock,
            memory_limit,
            progress: Mutex::default(),
            is_memory_used_up: AtomicBool::new(false),
            is_settled,
            interrupt: Arc::default(),
        });
        let (end, ended) = channel();
        let watched = Arc::clone(&shared);
        let watch = move || {
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                watched.look(&mut line);
            }
        };
        let thread = std::thread::Builder::new().spawn(watch)?;
        Ok(Watcher { shared, end: Some(end), thread: Some(thread) })
    }
}

impl Watch for Watcher {
    fn progress(&mut self, progress: &Progress) {
        *self.shared.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress.clone();
    }

    fn stop(&self) -> Option<Stop> {
        self.shared.stop()
    }

    fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.interrupt)
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, that has been reported already.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::no_flag;
    use super::*;

    #[test]
    fn a_limit_wakes_the_solver() {
        let clock = Clock::started(Some(0.0));
        let watcher =
            Watcher::start(clock, usize::MAX, Line::new(false), no_flag()).expect("threads can be started");
        assert_eq!(watcher.stop(), Some(Stop::Timeout));
        let flag = watcher.interrupt();
        while !flag.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_a_limit() {
        let watcher = Watcher::start(Clock::started(None), 0, Line::new(false), no_flag())
            .expect("threads can be started");
        let flag = watcher.interrupt();
        while !flag.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        assert_eq!(watcher.stop(), Some(Stop::Memory));
    }
}

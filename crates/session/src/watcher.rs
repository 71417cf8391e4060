//! Watches an engine: what is told of it, the limits, and the flag that wakes a solver in the middle of a check.
//!
//! All of it happens in a thread of its own, because an engine that waits for its solver cannot look at a clock.

use crate::budget::Budget;
use crate::machine;
use crate::observer::Observer;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tenet_engine::{Progress, Stop, Watch};

/// How often the thread looks.
const INTERVAL: Duration = Duration::from_millis(20);

/// What the engine and the thread share.
struct Shared {
    budget: Budget,
    observer: Arc<dyn Observer>,
    progress: Mutex<Progress>,
    is_memory_used_up: AtomicBool,
    interrupt: Arc<AtomicBool>,
}

impl Shared {
    /// A signal and the time can be asked at any moment; memory is looked at now and then.
    fn stop(&self) -> Option<Stop> {
        self.budget.stop().or_else(|| self.is_memory_used_up.load(Ordering::Relaxed).then_some(Stop::Memory))
    }

    fn look(&self) {
        let memory = machine::used_memory();
        if memory.is_some_and(|bytes| bytes > self.budget.memory()) {
            self.is_memory_used_up.store(true, Ordering::Relaxed);
        }
        if self.stop().is_some() {
            self.interrupt.store(true, Ordering::Relaxed);
        }
        let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.observer.proving(self.budget.elapsed(), &progress, memory);
    }
}

/// The watcher. The observer rests when it is dropped.
pub(crate) struct Watcher {
    shared: Arc<Shared>,
    /// Closed when the watcher is dropped: the thread then ends at once.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Starts watching.
    pub fn start(budget: &Budget, observer: &Arc<dyn Observer>) -> std::io::Result<Watcher> {
        let shared = Arc::new(Shared {
            budget: budget.clone(),
            observer: Arc::clone(observer),
            progress: Mutex::default(),
            is_memory_used_up: AtomicBool::new(false),
            interrupt: Arc::default(),
        });
        let (end, ended) = channel();
        let watched = Arc::clone(&shared);
        let watch = move || {
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                watched.look();
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
            let joined = thread.join();
            self.shared.observer.rests();
            // Limits were not kept then, and what was found is no answer. A second panic would end the process at once.
            if let (Err(panic), false) = (joined, std::thread::panicking()) {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::Unobserved;

    #[test]
    fn a_limit_wakes_the_solver() {
        let watcher = Watcher::start(&Budget::new(Some(0.0), None, Arc::default()), &Unobserved::shared())
            .expect("threads can be started");
        assert_eq!(watcher.stop(), Some(Stop::Timeout));
        let flag = watcher.interrupt();
        while !flag.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_a_limit() {
        let budget = Budget::new(None, Some(0), Arc::default());
        let watcher = Watcher::start(&budget, &Unobserved::shared()).expect("threads can be started");
        let flag = watcher.interrupt();
        while !flag.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        assert_eq!(watcher.stop(), Some(Stop::Memory));
    }
}

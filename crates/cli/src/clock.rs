//! Ctrl-C, and the budget of the command.

use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};
use tenet_session::Budget;

/// Set by the signal handler. It is process-wide, as signals are.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// When that happened.
static INTERRUPTED_AT: OnceLock<Instant> = OnceLock::new();

/// The budget, for the watchdog.
static COMMAND: OnceLock<Budget> = OnceLock::new();

/// Starts the budget of a command. From now on the first Ctrl-C requests a partial result; the second ends the process.
pub fn start(timeout: Option<f64>, memory: Option<u64>) -> anyhow::Result<Budget> {
    catch_interrupts()?;
    let budget = Budget::new(timeout, memory, Arc::clone(&INTERRUPTED));
    // A command starts one budget; a second one would not change the first.
    let _ = COMMAND.set(budget.clone());
    Ok(budget)
}

/// From now on the first Ctrl-C requests cancellation; the second ends the process. The handler is installed once.
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

/// Has the user requested cancellation?
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Is the command cancelled, by the user or by its time limit?
pub fn is_over() -> bool {
    is_interrupted() || deadline().is_some_and(|(deadline, _)| Instant::now() >= deadline)
}

/// When the user requested cancellation.
pub fn interrupted_at() -> Option<Instant> {
    INTERRUPTED_AT.get().copied()
}

/// When the time limit of the command is reached, and its length.
pub fn deadline() -> Option<(Instant, Duration)> {
    COMMAND.get().and_then(Budget::deadline)
}

/// The time since the command started its budget.
pub fn elapsed() -> Duration {
    COMMAND.get().map(Budget::elapsed).unwrap_or_default()
}

//! The user's Ctrl-C, and the budget of the command.

use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};
use tenet_session::Budget;

/// Set by the signal handler. It is process-wide, as signals are.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// When that was.
static INTERRUPTED_AT: OnceLock<Instant> = OnceLock::new();

/// What the watchdog keeps.
static COMMAND: OnceLock<Budget> = OnceLock::new();

/// Starts the budget of a command. From now on the first Ctrl-C asks for a partial result; the second ends the process.
pub fn start(timeout: Option<f64>, memory: Option<u64>) -> anyhow::Result<Budget> {
    catch_interrupts()?;
    let budget = Budget::new(timeout, memory, Arc::clone(&INTERRUPTED));
    // A command has one budget that is started so; a second one would not change what the first has said.
    let _ = COMMAND.set(budget.clone());
    Ok(budget)
}

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
    COMMAND.get().and_then(Budget::deadline)
}

/// Since the command has started its budget.
pub fn elapsed() -> Duration {
    COMMAND.get().map(Budget::elapsed).unwrap_or_default()
}

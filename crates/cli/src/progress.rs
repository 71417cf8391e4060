//! The live line on stderr. It appears after a second, only on a terminal, and is removed before the answer.

use std::io::{IsTerminal, Write};
use std::time::Duration;
use tenet_report::number::{grouped, megabytes};
use tenet_system::finite::explore;

/// The delay before the first update, and the interval between updates.
const FIRST: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(200);

/// On a narrow terminal the line is cut at the margin. If it were wrapped, only its last part could be removed again.
const WRAP_OFF: &str = "\u{1b}[?7l";
const WRAP_ON: &str = "\u{1b}[?7h";

pub struct Line {
    is_on: bool,
    shown: Option<Duration>,
}

impl Line {
    /// A line that will be shown if `is_wanted` and stderr is a terminal.
    pub fn new(is_wanted: bool) -> Line {
        Line { is_on: is_wanted && std::io::stderr().is_terminal(), shown: None }
    }

    /// Shows the current state.
    pub fn show(&mut self, elapsed: Duration, describe: impl FnOnce() -> String) {
        let is_due = elapsed >= FIRST && self.shown.is_none_or(|last| elapsed >= last + INTERVAL);
        if !self.is_on || !is_due {
            return;
        }
        self.shown = Some(elapsed);
        write(&format!("\r\u{1b}[K{WRAP_OFF}{} s: {}{WRAP_ON}", elapsed.as_secs(), describe()));
    }

    pub fn clear(&mut self) {
        if self.shown.take().is_some() {
            write("\r\u{1b}[K");
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The progress of a search.
pub fn search(elapsed: Duration, progress: &explore::Progress) -> String {
    let numbers = &progress.statistics;
    let speed = numbers.states as f64 / elapsed.as_secs_f64();
    format!(
        "{} states, depth {}, {} waiting, {} states/s, {}",
        grouped(numbers.states),
        numbers.depth,
        grouped(progress.waiting),
        grouped(speed as u64),
        megabytes(numbers.memory),
    )
}

/// The progress of a proof.
pub fn proof(progress: &tenet_engine::Progress, memory: Option<usize>) -> String {
    let phase = if progress.phase.is_empty() { "starting" } else { progress.phase };
    let memory = memory.map_or(String::new(), |bytes| format!(", {}", megabytes(bytes)));
    format!(
        "{phase}, iteration {}, {} predicates, {} abstract states, {} solver calls{memory}",
        progress.iteration,
        progress.predicates,
        progress.abstract_states,
        grouped(progress.solver_calls),
    )
}

/// A closed stderr is ignored.
fn write(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

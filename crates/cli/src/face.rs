//! The command line as an observer: the live line, and the watchdog's answer after a time-out.

use crate::args::OutputArgs;
use crate::commands::explore::rendered;
use crate::input::Input;
use crate::progress::{self, Line};
use crate::watchdog;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tenet_engine::Progress;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::source::Text;
use tenet_report::style::Style;
use tenet_report::view::Report;
use tenet_session::{Observer, Source};
use tenet_system::finite::explore;

/// The display of the command line while it works.
pub struct Face {
    line: Mutex<Line>,
    output: OutputArgs,
    style: Style,
    source: Arc<Source>,
    diagnostics: Vec<Diagnostic>,
}

impl Face {
    /// For this input.
    pub fn new(input: &Input, output: OutputArgs, style: Style) -> Arc<Face> {
        Arc::new(Face {
            line: Mutex::new(Line::new(!output.quiet)),
            output,
            style,
            source: Arc::clone(&input.source),
            diagnostics: input.diagnostics.clone(),
        })
    }

    fn show(&self, elapsed: Duration, describe: impl FnOnce() -> String) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).show(elapsed, describe);
    }
}

impl Observer for Face {
    fn begins(&self, engine: &'static str, properties: &[String]) {
        watchdog::expect(engine, properties);
    }

    fn violated(&self, so_far: &Report) {
        let text = Text::of(&self.source);
        watchdog::found(rendered(so_far, &self.diagnostics, &text, self.output, self.style));
    }

    fn proving(&self, elapsed: Duration, progress: &Progress, memory: Option<usize>) {
        self.show(elapsed, || progress::proof(progress, memory));
    }

    fn searching(&self, elapsed: Duration, progress: &explore::Progress) {
        self.show(elapsed, || progress::search(elapsed, progress));
    }

    fn rests(&self) {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

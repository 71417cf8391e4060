//! Output: answers to stdout, everything else to stderr.
//!
//! A reader that closes the pipe early (`tenet explore … | head`) is no error: the rest is dropped and the exit code stays that
//! of the answer.

use crate::args::ColorChoice;
use crate::watchdog;
use anyhow::Context;
use serde::Serialize;
use std::io::{ErrorKind, IsTerminal, Write};
use tenet_report::json::json;
use tenet_report::style::Style;

/// Both streams and their colours.
pub struct Console {
    /// For stdout.
    pub style: Style,
    /// For stderr.
    pub log_style: Style,
}

impl Console {
    /// Decides on colours.
    pub fn new(choice: ColorChoice) -> Console {
        let allowed = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let pick = |is_terminal: bool| match choice {
            ColorChoice::Always => Style::Colour,
            ColorChoice::Auto if is_terminal && allowed => Style::Colour,
            ColorChoice::Auto | ColorChoice::Never => Style::Plain,
        };
        Console {
            style: pick(std::io::stdout().is_terminal()),
            log_style: pick(std::io::stderr().is_terminal()),
        }
    }

    /// Prints an answer, or the last part of one. No other answer is printed afterwards.
    pub fn answer(&mut self, text: &str) -> anyhow::Result<()> {
        let _answering = watchdog::answer();
        self.show(text)
    }

    /// Prints a part of an answer that may still be cut short.
    pub fn show(&mut self, text: &str) -> anyhow::Result<()> {
        let mut stdout = std::io::stdout().lock();
        let result = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        match result {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => other.context("cannot write to standard output"),
        }
    }

    /// Prints an answer as JSON.
    pub fn answer_json(&mut self, object: &impl Serialize) -> anyhow::Result<()> {
        self.answer(&format!("{:#}\n", json(object)))
    }

    /// Reports an error of the environment: as an object, too, if one is expected and none was printed.
    pub fn fail(&mut self, error: &str) {
        self.log(&format!("error: {error}\n"));
        if let Some((_answering, object)) = watchdog::failure(error) {
            // Standard output may be the cause.
            let _ = self.show(&object);
        }
    }

    /// Prints something that is not an answer. A closed stderr is ignored: the error could not be reported.
    pub fn log(&mut self, text: &str) {
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

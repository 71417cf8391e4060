//! Errors of parsers.
//!
//! A parser in a confused state meets the same token again and again, so nothing is reported twice at one token; and
//! after [`MAX_ERRORS`] errors parsing stops, because the rest is mostly their consequence.

use super::{Failed, Language, Parsed, Parser, TokenKind};
use crate::diagnostic::{Diagnostic, Explanation};
use crate::span::Span;

/// The number of errors after which parsing stops.
const MAX_ERRORS: usize = 20;

impl<L: Language> Parser<'_, L> {
    /// Reports an error, unless there is one at the current token.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        let position = self.here().start;
        if self.stopped || self.reported_at == Some(position) {
            return;
        }
        self.reported_at = Some(position);
        self.errors += 1;
        self.reports.push(diagnostic);
        if self.errors >= MAX_ERRORS {
            self.stop();
        }
    }

    /// Adds a warning, which may be at the same place as an error.
    pub fn warn(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.reports.push(diagnostic);
        }
    }

    /// Whether the last error was reported at this place or behind it.
    pub fn has_reported_since(&self, start: Span) -> bool {
        self.reported_at.is_some_and(|position| position >= start.start)
    }

    /// An error at the current token.
    pub fn error(&self, explanation: &'static Explanation, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(explanation, message, self.here())
    }

    /// Reports an unexpected token; always an error, so that callers can return it.
    pub fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        self.report(self.unexpected_here(expected));
        Err(Failed)
    }

    /// The error for an unexpected token, with help if it is a common mistake.
    pub fn unexpected_here(&self, expected: &str) -> Diagnostic {
        let message = format!("expected {expected}, found {}", self.found());
        let diagnostic = self.error(L::unexpected_code(self), message).label(format!("expected {expected}"));
        match L::advice(self) {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }

    /// The current token in messages.
    pub fn found(&self) -> String {
        const MAX_LENGTH: usize = 40;
        if self.at(L::Kind::EOF) {
            return "the end of the file".into();
        }
        let text = L::lexeme(self).unwrap_or(self.text());
        match text.char_indices().nth(MAX_LENGTH) {
            Some((cut, _)) => format!("`{}…`", &text[..cut]),
            None => format!("`{text}`"),
        }
    }

    /// All diagnostics in source order.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        let mut found = self.lexer.into_problems();
        found.append(&mut self.reports);
        found.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(u32::MAX, |label| label.span.start));
        if self.errors >= MAX_ERRORS {
            found.push(
                Diagnostic::global(L::TOO_MANY, "too many errors; the rest of the file was not read")
                    .help("mend the first ones and run the command again"),
            );
        }
        found
    }
}

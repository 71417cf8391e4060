//! Diagnostics: what is wrong with an input, where, and what to do about it.
//!
//! A diagnostic points at an [`Explanation`] rather than at a code string, so a code without an explanation cannot
//! exist. Rendering is in [`crate::render`]; the other layers only build diagnostics.

use crate::span::Span;

/// A code and its explanation, as `tenet explain CODE` prints it.
#[derive(Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Such as `E0101`.
    pub code: &'static str,
    /// One line.
    pub title: &'static str,
    /// A paragraph or more: what it means, an example, how to fix it.
    pub text: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// The input is accepted.
    Warning,
}

/// A place in the source with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    /// The remark; may be empty.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub explanation: &'static Explanation,
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// The first is the main one. Empty for diagnostics about the whole file or the command line.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(explanation: &'static Explanation, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic {
            explanation,
            severity: Severity::Error,
            message: message.into(),
            labels: vec![Label { span, text: String::new() }],
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(explanation: &'static Explanation, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(explanation, message, span) }
    }

    /// An error about the whole input.
    pub fn global(explanation: &'static Explanation, message: impl Into<String>) -> Diagnostic {
        Diagnostic { labels: Vec::new(), ..Diagnostic::error(explanation, message, Span::default()) }
    }

    /// Adds a remark at the main place.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(main) = self.labels.first_mut() {
            main.text = text.into();
        }
        self
    }

    /// Adds another place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Whether the input is rejected.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

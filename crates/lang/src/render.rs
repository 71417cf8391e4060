//! Diagnostics as text for people.
//!
//! The drawing is done by `annotate-snippets`. Only the lines around the labels are passed to it, because a diagnostic on one
//! line of a large file should not cost a pass over the file; and a line that is longer than any screen is cut to the
//! neighbourhood of the main label.

use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::span::Span;
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Whether to use terminal colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    /// With ANSI escape codes.
    Colour,
}

/// The length in bytes from which lines are cut.
const MAX_LINE: usize = 1000;
/// What is left of a cut line on each side of the label, in bytes.
const MARGIN: usize = 60;

/// A file that is a part of the text which spans refer to.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    pub name: &'a str,
    pub content: &'a str,
    /// Where its content starts in the text.
    pub start: usize,
}

/// All diagnostics about one file, and a last line about `tenet explain`.
pub fn render(diagnostics: &[Diagnostic], file_name: &str, source: &str, style: Style) -> String {
    render_files(diagnostics, &[File { name: file_name, content: source, start: 0 }], style)
}

/// The same for a text that consists of several files, in order.
pub fn render_files(diagnostics: &[Diagnostic], files: &[File], style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&render_one(&renderer, diagnostic, files));
        text.push_str("\n\n");
    }
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    if let Some(first) = error.or(diagnostics.first()) {
        text.push_str(&format!("explain with: tenet explain {}\n", first.explanation.code));
    }
    text
}

fn render_one(renderer: &Renderer, diagnostic: &Diagnostic, files: &[File]) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let code = diagnostic.explanation.code;
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(code));
    if let (true, Some(file)) = (diagnostic.labels.is_empty(), files.first()) {
        group = group.element(Origin::path(file.name));
    }
    let by_file = by_file(&diagnostic.labels, files);
    for (position, (file, labels)) in by_file.iter().enumerate() {
        let window = Window::around(labels, file.content);
        group = match window.is_wide() {
            true => group.elements(cut(&labels[0], file.name, file.content)),
            false => group.element(window.snippet(labels, file.name, position == 0)),
        };
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// The labels of each file, with spans of that file; the file of the main label first.
fn by_file<'f>(labels: &[Label], files: &[File<'f>]) -> Vec<(File<'f>, Vec<Label>)> {
    let mut found: Vec<(File<'f>, Vec<Label>)> = Vec::new();
    for label in labels {
        let holds = |file: &&File| file.start <= label.span.start as usize;
        let Some(file) = files.iter().rev().find(holds).or(files.first()) else { continue };
        let local = |offset: u32| offset.saturating_sub(file.start as u32);
        let span = Span { start: local(label.span.start), end: local(label.span.end) };
        let label = Label { span, text: label.text.clone() };
        match found.iter_mut().find(|(known, _)| known.start == file.start) {
            Some((_, labels)) => labels.push(label),
            None => found.push((*file, vec![label])),
        }
    }
    found
}

/// The lines that the labels touch.
struct Window<'s> {
    source: &'s str,
    text: &'s str,
    /// Offset of the text in the source.
    offset: usize,
    /// Number of its first line.
    line: usize,
}

impl<'s> Window<'s> {
    fn around(labels: &[Label], source: &'s str) -> Window<'s> {
        let first = labels.iter().map(|label| within(label, source).start).min().unwrap_or(0);
        let last = labels.iter().map(|label| within(label, source).end).max().unwrap_or(0);
        // A byte order mark is no part of the first line.
        let mark = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let offset = source[..first].rfind('\n').map_or(mark.min(first), |newline| newline + 1);
        let end = source[last..].find('\n').map_or(source.len(), |length| last + length + 1);
        Window { source, text: &source[offset..end], offset, line: line_number(source, offset) }
    }

    fn is_wide(&self) -> bool {
        self.text.lines().any(|line| line.len() > MAX_LINE)
    }

    fn snippet(&self, labels: &'s [Label], file_name: &'s str, main: bool) -> Snippet<'s, Annotation<'s>> {
        let annotations = labels.iter().enumerate().map(|(position, label)| {
            let kind = if main && position == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let range = within(label, self.source);
            annotate(kind, range.start - self.offset..range.end - self.offset, label)
        });
        Snippet::source(self.text).line_start(self.line).path(file_name).annotations(annotations)
    }
}

fn annotate(kind: AnnotationKind, range: Range<usize>, label: &Label) -> Annotation<'_> {
    let annotation = kind.span(range);
    if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
}

/// The label's range, clipped to the source and to character boundaries: a diagnostic about another text must not panic
/// here.
fn within(label: &Label, source: &str) -> Range<usize> {
    let start = boundary(source, label.span.start as usize);
    start..boundary(source, label.span.end as usize).max(start)
}

/// Lines count from 1.
fn line_number(source: &str, offset: usize) -> usize {
    source.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The neighbourhood of one label on a line that is too long to show, under its true position.
fn cut<'a>(label: &'a Label, file_name: &'a str, source: &str) -> Vec<Element<'a>> {
    let range = within(label, source);
    let line_start = source[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = source[line_start..].lines().next().unwrap_or("");
    let start = (range.start - line_start).min(line.len());
    let marked = start..(range.end - line_start).clamp(start, line.len());
    let from = boundary(line, marked.start.saturating_sub(MARGIN));
    let stop = boundary(line, marked.end.min(marked.start + MARGIN).saturating_add(MARGIN));
    let text = line[from..stop].to_string();
    let shown = marked.start - from..marked.end.min(stop) - from;
    let column = line[..marked.start].chars().count() + 1;
    let origin = Origin::path(file_name).line(line_number(source, line_start)).char_column(column);
    let snippet = Snippet::source(text).line_numbering(false);
    vec![origin.into(), snippet.annotation(annotate(AnnotationKind::Primary, shown, label)).into()]
}

/// The nearest character boundary at or before an offset.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::syntax;

    fn one(source: &str, start: usize, end: usize) -> String {
        let diagnostic =
            Diagnostic::error(&syntax::UNEXPECTED, "expected this, found that", Span::new(start, end))
                .label("here")
                .help("do it");
        render(&[diagnostic], "model.m", source, Style::Plain)
    }

    #[test]
    fn shows_code_place_label_and_help() {
        let text = one("var x : T;\nrule x := 1; end;\n", 16, 17);
        assert_eq!(
            text,
            "\
error[E0101]: expected this, found that
 --> model.m:2:6
  |
2 | rule x := 1; end;
  |      ^ here
  |
  = help: do it

explain with: tenet explain E0101
"
        );
    }

    #[test]
    fn windows_line_ends_change_nothing() {
        let unix = one("a;\nb c;\nd", 5, 6);
        assert_eq!(unix, one("a;\r\nb c;\r\nd", 6, 7));
    }

    #[test]
    fn a_byte_order_mark_counts_for_nothing() {
        let plain = one("a b;\nc", 2, 3);
        assert_eq!(plain, one("\u{feff}a b;\nc", 5, 6));
    }

    #[test]
    fn errors_are_explained_before_warnings() {
        let warning = Diagnostic::warning(&syntax::MISSING_SEMICOLON, "a warning", Span::new(0, 1));
        let error = Diagnostic::error(&syntax::UNEXPECTED, "an error", Span::new(2, 3));
        let text = render(&[warning, error], "model.m", "a b", Style::Plain);
        assert!(text.ends_with("explain with: tenet explain E0101\n"), "{text}");
    }

    #[test]
    fn long_lines_are_cut_around_the_label() {
        let source = format!("a;\n{} BAD {}\nz", "x = y; ".repeat(2000), "é".repeat(5000));
        let at = source.find("BAD").unwrap();
        let text = one(&source, at, at + 3);
        assert!(text.contains("model.m:2:14002"), "{text}");
        assert!(text.contains("^^^ here"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 200), "{text}");
    }

    #[test]
    fn any_span_can_be_shown() {
        let source = "a → b\n\nc";
        for start in 0..source.len() + 3 {
            for end in 0..source.len() + 3 {
                assert!(one(source, start, end).contains("expected this"));
            }
        }
    }

    #[test]
    fn empty_and_global_ones() {
        assert_eq!(render(&[], "model.m", "", Style::Plain), "");
        let global = Diagnostic::global(&syntax::TOO_LARGE, "too large");
        let text = render(&[global], "model.m", "", Style::Colour);
        assert!(text.contains("too large") && text.contains('\u{1b}'), "{text}");
    }
}

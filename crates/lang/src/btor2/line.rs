//! Splits text into words with their spans, line by line, with comments apart.

use crate::span::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'s> {
    pub text: &'s str,
    pub span: Span,
}

/// A line with at least one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words<'s> {
    /// Counted from one.
    pub number: usize,
    /// The words before a comment.
    pub words: Vec<Word<'s>>,
    /// The text after `;`.
    pub comment: Option<&'s str>,
}

impl Words<'_> {
    /// From the first word to the last one.
    pub fn span(&self) -> Span {
        let (first, last) = (self.words.first(), self.words.last());
        first.zip(last).map_or_else(Span::default, |(first, last)| first.span.to(last.span))
    }
}

/// The lines of a file that have words. A comment starts with a `;` at the beginning of a word: names may contain one.
pub fn lines(text: &str) -> impl Iterator<Item = Words<'_>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').enumerate().map(move |(number, line)| {
        let offset = start;
        start += line.len();
        words(number + 1, offset, line)
    });
    lines.filter(|line| !line.words.is_empty())
}

fn words(number: usize, offset: usize, line: &str) -> Words<'_> {
    let mut found = Words { number, words: Vec::new(), comment: None };
    let mut rest = line;
    loop {
        rest = rest.trim_start();
        let at = offset + line.len() - rest.len();
        if let Some(comment) = rest.strip_prefix(';') {
            found.comment = Some(comment.trim());
            return found;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if end == 0 {
            return found;
        }
        found.words.push(Word { text: &rest[..end], span: Span::new(at, at + end) });
        rest = &rest[end..];
    }
}

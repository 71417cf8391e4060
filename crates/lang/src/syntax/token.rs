//! Tokens, and what a language has to say about its own.
//!
//! `logos` makes the automaton from the attributes of a language's kinds. Keywords are looked up in a table afterwards: a
//! rule for each of them would do the same with a far larger automaton.

use super::problems::{MAX_PROBLEMS, Problems};
use crate::diagnostic::Explanation;
use crate::span::Span;
use logos::Logos;

/// A token and where it stands; its text is a slice of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<K> {
    /// Which.
    pub kind: K,
    /// Where.
    pub span: Span,
}

/// How a language words what can be wrong with any text.
pub(crate) struct Wording {
    /// The code for a character that starts no token.
    pub unknown_character: &'static Explanation,
    /// What the label at such a character says.
    pub no_meaning: &'static str,
    /// The code for a comment without an end.
    pub unclosed_comment: &'static Explanation,
    /// How to close it.
    pub close_comment: &'static str,
}

/// What a token of a language can be.
pub(crate) trait TokenKind:
    Copy + PartialEq + 'static + for<'s> Logos<'s, Source = str, Extras = (), Error = ()>
{
    /// The end of the file.
    const EOF: Self;
    /// A comment that reaches to the end of the file; it never leaves the lexer.
    const UNCLOSED_COMMENT: Self;
    /// Every keyword.
    const KEYWORDS: &'static [(&'static str, Self)];
    /// How messages are worded.
    const WORDING: Wording;
    /// How many runs of unknown characters are reported.
    const MAX_UNKNOWN: usize = MAX_PROBLEMS;

    /// How messages call it.
    fn describe(self) -> String;

    /// Tells keywords from names, and reports what is lexically wrong with a token.
    fn classify(self, text: &str, span: Span, problems: &mut Problems) -> Self;

    /// What to do about a character that starts no token.
    fn unknown_help(character: &str) -> &'static str;

    /// The keyword that a word is.
    fn of_keyword(word: &str) -> Option<Self> {
        Self::KEYWORDS.iter().find(|(keyword, _)| *keyword == word).map(|(_, kind)| *kind)
    }

    /// The keyword's text, if it is one.
    fn keyword(self) -> Option<&'static str> {
        Self::KEYWORDS.iter().find(|(_, kind)| *kind == self).map(|(keyword, _)| *keyword)
    }
}

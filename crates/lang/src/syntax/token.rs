//! Tokens, and the definitions that a language gives for its own.
//!
//! `logos` makes the automaton from the attributes of a language's kinds. Keywords are looked up in a table afterwards: a rule
//! for each of them would do the same with a far larger automaton.

use super::problems::{MAX_PROBLEMS, Problems};
use crate::diagnostic::Explanation;
use crate::span::Span;
use logos::Logos;

/// A token; its text is a slice of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<K> {
    pub kind: K,
    pub span: Span,
}

/// The wording of lexical errors.
pub(crate) struct Wording {
    /// The code for a character that starts no token.
    pub unknown_character: &'static Explanation,
    /// The label at such a character.
    pub no_meaning: &'static str,
    /// The code for a comment without an end.
    pub unclosed_comment: &'static Explanation,
    pub close_comment: &'static str,
}

/// The kinds of token of a language.
pub(crate) trait TokenKind:
    Copy + PartialEq + 'static + for<'s> Logos<'s, Source = str, Extras = (), Error = ()>
{
    const EOF: Self;
    /// A comment that reaches to the end of the file; it never leaves the lexer.
    const UNCLOSED_COMMENT: Self;
    const KEYWORDS: &'static [(&'static str, Self)];
    const WORDING: Wording;
    /// The number of runs of unknown characters that are reported.
    const MAX_UNKNOWN: usize = MAX_PROBLEMS;

    /// The name in messages.
    fn describe(self) -> String;

    /// Distinguishes keywords from names, and reports lexical errors in a token.
    fn classify(self, text: &str, span: Span, problems: &mut Problems) -> Self;

    /// Help for a character that starts no token.
    fn unknown_help(character: &str) -> &'static str;

    fn of_keyword(word: &str) -> Option<Self> {
        Self::KEYWORDS.iter().find(|(keyword, _)| *keyword == word).map(|(_, kind)| *kind)
    }

    /// The keyword's text, if it is one.
    fn keyword(self) -> Option<&'static str> {
        Self::KEYWORDS.iter().find(|(_, kind)| *kind == self).map(|(keyword, _)| *keyword)
    }
}

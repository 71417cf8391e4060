//! From text to tokens, on demand.
//!
//! Tokens are produced one by one and never collected, so a file of 16 MB costs no list of tokens. Lexical errors are
//! collected here and do not stop it: the result is always a sequence of tokens that ends in [`TokenKind::EOF`] for
//! ever.

use super::problems::Problems;
use super::token::{Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use logos::Lexer as Automaton;

/// Longer numbers are refused, because converting them takes time quadratic in their length.
pub(crate) const MAX_DIGITS: usize = 1000;

/// Produces the tokens of a text.
pub(crate) struct Lexer<'s, K: TokenKind> {
    automaton: Automaton<'s, K>,
    /// End of the last run of unknown characters, to report a run once.
    unknown_until: Option<u32>,
    unknown_runs: usize,
    problems: Problems,
}

impl<'s, K: TokenKind> Lexer<'s, K> {
    /// A lexer that starts at the given byte, which must be a character boundary.
    pub fn starting_at(source: &'s str, start: usize) -> Lexer<'s, K> {
        let mut automaton = K::lexer(source);
        automaton.bump(start);
        Lexer { automaton, unknown_until: None, unknown_runs: 0, problems: Problems::default() }
    }

    /// The next token.
    pub fn token(&mut self) -> Token<K> {
        loop {
            let Some(result) = self.automaton.next() else { return self.eof() };
            let range = self.automaton.span();
            let span = Span::new(range.start, range.end);
            let Ok(kind) = result else {
                self.unknown(span);
                continue;
            };
            self.unknown_until = None;
            if kind == K::UNCLOSED_COMMENT {
                self.unclosed_comment(span);
                return self.eof();
            }
            let kind = kind.classify(self.automaton.slice(), span, &mut self.problems);
            return Token { kind, span };
        }
    }

    /// The token that ends the text.
    pub fn eof(&self) -> Token<K> {
        let end = self.automaton.source().len();
        Token { kind: K::EOF, span: Span::new(end, end) }
    }

    /// The lexical errors.
    pub fn into_problems(self) -> Vec<Diagnostic> {
        self.problems.into_vec()
    }

    fn unknown(&mut self, span: Span) {
        let continues = self.unknown_until == Some(span.start);
        self.unknown_until = Some(span.end);
        self.unknown_runs += usize::from(!continues);
        if continues || self.unknown_runs > K::MAX_UNKNOWN {
            return;
        }
        let shown: String = match self.automaton.slice().chars().next() {
            Some(character) if character.is_control() => character.escape_default().to_string(),
            other => other.into_iter().collect(),
        };
        let message = format!("unknown character `{shown}`");
        self.problems.push(
            Diagnostic::error(K::WORDING.unknown_character, message, span)
                .label(K::WORDING.no_meaning)
                .help(K::unknown_help(&shown)),
        );
    }

    fn unclosed_comment(&mut self, span: Span) {
        let opener = Span { start: span.start, end: span.start + 2 };
        self.problems.push(
            Diagnostic::error(K::WORDING.unclosed_comment, "this comment is never closed", opener)
                .label("the comment starts here and reaches to the end of the file")
                .help(K::WORDING.close_comment),
        );
    }
}

/// All tokens of a text, and how many lexical errors there are.
#[cfg(test)]
pub(crate) fn kinds<K: TokenKind>(source: &str) -> (Vec<K>, usize) {
    let mut lexer = Lexer::starting_at(source, 0);
    let mut found = Vec::new();
    loop {
        let kind = lexer.token().kind;
        if kind == K::EOF {
            return (found, lexer.into_problems().len());
        }
        found.push(kind);
    }
}

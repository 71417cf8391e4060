//! The token stream of a parser by recursive descent.
//!
//! A parser built on this never fails: what it cannot read it reports and leaves out, and it resumes where its language
//! has a safe place to do so.

mod nesting;
mod report;

pub(crate) use nesting::MAX_DEPTH;

use super::language::Language;
use super::lexer::Lexer;
use super::name::Name;
use super::source::refuse;
use super::token::{Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// The error of a part that could not be parsed; it has been reported already.
pub(crate) struct Failed;

/// A parsed part, or an error that has been reported.
pub(crate) type Parsed<T> = Result<T, Failed>;

/// Parses a text from the given byte on. The tree holds what could be read; it is the whole file if no diagnostic is an
/// error.
pub(crate) fn parse<'s, L: Language, T: Default>(
    source: &'s str,
    start: usize,
    language: L,
    file: impl FnOnce(&mut Parser<'s, L>) -> T,
) -> (T, Vec<Diagnostic>) {
    if let Some(refusal) = refuse(&source[start..]) {
        return (T::default(), vec![refusal]);
    }
    let mut parser = Parser::new(source, start, language);
    let tree = file(&mut parser);
    (tree, parser.finish())
}

pub(crate) struct Parser<'s, L: Language> {
    /// The language's own state.
    pub language: L,
    source: &'s str,
    lexer: Lexer<'s, L::Kind>,
    /// The current token and the one after it.
    ahead: [Token<L::Kind>; 2],
    /// The last token consumed.
    previous: Span,
    depth: usize,
    reports: Vec<Diagnostic>,
    /// The number of errors among these.
    errors: usize,
    /// The position of the last error: the same token is reported once only.
    reported_at: Option<u32>,
    /// Set when parsing on is pointless; every further token is the end of the file and errors are dropped.
    stopped: bool,
}

impl<'s, L: Language> Parser<'s, L> {
    fn new(source: &'s str, start: usize, language: L) -> Parser<'s, L> {
        let mut lexer = Lexer::starting_at(source, start);
        let ahead = [lexer.token(), lexer.token()];
        Parser {
            language,
            source,
            lexer,
            ahead,
            previous: Span::default(),
            depth: 0,
            reports: Vec::new(),
            errors: 0,
            reported_at: None,
            stopped: false,
        }
    }

    pub fn source(&self) -> &'s str {
        self.source
    }

    /// The kind of the current token.
    pub fn kind(&self) -> L::Kind {
        self.ahead[0].kind
    }

    /// The span of the current token.
    pub fn here(&self) -> Span {
        self.ahead[0].span
    }

    /// The text of the current token.
    pub fn text(&self) -> &'s str {
        &self.source[self.here().range()]
    }

    /// The kind of the token after the current one.
    pub fn next_kind(&self) -> L::Kind {
        self.ahead[1].kind
    }

    /// The span of the token after the current one.
    pub fn next_span(&self) -> Span {
        self.ahead[1].span
    }

    /// The span of the last token consumed.
    pub fn previous(&self) -> Span {
        self.previous
    }

    /// From the start of the given span to the last token consumed.
    pub fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.previous.end.max(start.end) }
    }

    /// Is this the current token?
    pub fn at(&self, kind: L::Kind) -> bool {
        self.kind() == kind
    }

    /// Consumes the current token.
    pub fn bump(&mut self) -> Token<L::Kind> {
        let token = self.ahead[0];
        self.previous = token.span;
        let following = if self.stopped { self.ahead[1] } else { self.lexer.token() };
        self.ahead = [self.ahead[1], following];
        token
    }

    /// Consumes the first character, of one byte, of the current token; the rest of it becomes a token of the given
    /// kind.
    pub fn bump_first(&mut self, rest: L::Kind) {
        let Span { start, end } = self.here();
        self.previous = Span { start, end: start + 1 };
        self.ahead[0] = Token { kind: rest, span: Span { start: start + 1, end } };
    }

    /// Changes the kind of the current token.
    pub fn reinterpret(&mut self, kind: L::Kind) {
        self.ahead[0].kind = kind;
    }

    /// Consumes the current token if it is this one.
    pub fn eat(&mut self, kind: L::Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes a token, or reports that it is missing.
    pub fn expect(&mut self, kind: L::Kind) -> Parsed<()> {
        if self.eat(kind) {
            return Ok(());
        }
        self.unexpected(&kind.describe())
    }

    /// The current token as a name.
    pub fn take_name(&mut self) -> Name {
        let text = self.text().to_string();
        Name { text, span: self.bump().span }
    }

    /// One or more parts, separated by a token.
    pub fn separated<T>(
        &mut self,
        separator: L::Kind,
        mut part: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut parts = vec![part(self)?];
        while self.eat(separator) {
            parts.push(part(self)?);
        }
        Ok(parts)
    }

    /// Ends the parse: from now on every token is the end of the file.
    fn stop(&mut self) {
        self.stopped = true;
        self.ahead = [self.lexer.eof(); 2];
    }
}

//! From tokens to the syntax tree, by recursive descent that recovers from errors.
//!
//! The parser never fails: what it cannot read it reports and leaves out. Every item ends with a dot, which stands nowhere
//! else, so after an error the item behind the next dot is a safe place to go on. Nothing is reported twice at the same
//! token. Everything recursive counts its depth, and chains of operators are lists, so that later passes, and dropping the
//! tree, may recurse.

mod expressions;
mod items;

use super::ast::File;
use super::lexer::{Kind, Lexer, Token};
use crate::codes::{clp as codes, syntax};
use crate::diagnostic::{Diagnostic, Explanation};
use crate::span::Span;

/// Larger files are refused unread.
const MAX_BYTES: usize = 16 << 20;
/// Reading stops after so many errors.
const MAX_ERRORS: usize = 20;
/// The greatest depth of recursion.
const MAX_DEPTH: usize = 256;

/// Reads a file. The tree holds what could be read; it is the whole file if no diagnostic is an error.
pub fn parse(source: &str) -> (File, Vec<Diagnostic>) {
    if let Some(refusal) = refuse(source) {
        return (File::default(), vec![refusal]);
    }
    let mut parser = Parser::new(source);
    let file = parser.file();
    (file, parser.finish())
}

/// Files that are not worth reading.
fn refuse(source: &str) -> Option<Diagnostic> {
    if source.len() > MAX_BYTES {
        let message = format!("the file has {} bytes; at most {MAX_BYTES} are read", source.len());
        return Some(Diagnostic::global(&syntax::TOO_LARGE, message).help("is this the right file?"));
    }
    let zero = source.find('\0')?;
    let message = format!("this is not text: the byte at offset {zero} is zero");
    Some(Diagnostic::global(&syntax::NOT_TEXT, message).help("is this the right file?"))
}

/// The error of a part that could not be read; it has been reported already.
struct Failed;

/// A part, or nothing after a report.
type Parsed<T> = Result<T, Failed>;

struct Parser<'s> {
    source: &'s str,
    lexer: Lexer<'s>,
    /// The current token and the one after it.
    ahead: [Token; 2],
    /// The last token consumed.
    previous: Span,
    depth: usize,
    found: Vec<Diagnostic>,
    /// How many of these are errors.
    errors: usize,
    /// Where the parser stood at the last report: the same token is reported once only.
    reported_at: Option<u32>,
    /// Set when reading on is pointless; every further token is the end of the file and reports are dropped.
    stopped: bool,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str) -> Parser<'s> {
        let mut lexer = Lexer::new(source);
        let ahead = [lexer.token(), lexer.token()];
        Parser {
            source,
            lexer,
            ahead,
            previous: Span::default(),
            depth: 0,
            found: Vec::new(),
            errors: 0,
            reported_at: None,
            stopped: false,
        }
    }

    /// All findings in source order.
    fn finish(mut self) -> Vec<Diagnostic> {
        let mut found = std::mem::take(&mut self.lexer.problems);
        found.append(&mut self.found);
        found.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(u32::MAX, |label| label.span.start));
        if self.errors >= MAX_ERRORS {
            found.push(
                Diagnostic::global(&codes::TOO_MANY, "too many errors; the rest of the file was not read")
                    .help("mend the first ones and run the command again"),
            );
        }
        found
    }

    // Tokens.

    fn kind(&self) -> Kind {
        self.ahead[0].kind
    }

    fn next_kind(&self) -> Kind {
        self.ahead[1].kind
    }

    fn here(&self) -> Span {
        self.ahead[0].span
    }

    fn text(&self) -> &'s str {
        &self.source[self.here().range()]
    }

    fn at(&self, kind: Kind) -> bool {
        self.kind() == kind
    }

    fn bump(&mut self) -> Token {
        let token = self.ahead[0];
        self.previous = token.span;
        let following = if self.stopped { self.ahead[1] } else { self.lexer.token() };
        self.ahead = [self.ahead[1], following];
        token
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// From the given place to the last token consumed.
    fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.previous.end.max(start.end) }
    }

    /// Consumes what is expected, or reports its absence.
    fn expect(&mut self, kind: Kind) -> Parsed<()> {
        if self.eat(kind) {
            return Ok(());
        }
        self.unexpected(&kind.describe())
    }

    // Reports.

    fn report(&mut self, diagnostic: Diagnostic) {
        let position = self.here().start;
        if self.stopped || self.reported_at == Some(position) {
            return;
        }
        self.reported_at = Some(position);
        self.errors += 1;
        self.found.push(diagnostic);
        if self.errors >= MAX_ERRORS {
            self.stop();
        }
    }

    /// An error at the current token.
    fn error(&self, explanation: &'static Explanation, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(explanation, message, self.here())
    }

    /// Reports that something else was expected; always an error, so that callers can return it.
    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let found = self.found();
        let diagnostic = self
            .error(&codes::UNEXPECTED, format!("expected {expected}, found {found}"))
            .label(format!("expected {expected}"));
        let diagnostic = match self.advice() {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        };
        self.report(diagnostic);
        Err(Failed)
    }

    /// What to write instead of a token that is often mistaken.
    fn advice(&self) -> Option<&'static str> {
        match self.kind() {
            Kind::Equal if self.is_right_behind("=") => Some("a comparison is written with one `=`"),
            Kind::RightParen if self.is_right_behind("(") => {
                Some("a predicate without arguments is written without parentheses")
            }
            Kind::Text => Some(
                "a name stands behind `prove`, `property` or `abstract`, or in front of a rule, with a `:` behind it",
            ),
            Kind::If => Some("each rule ends with a dot; is one missing in front of this rule?"),
            Kind::Number if self.is_right_behind(".") => {
                Some("there are no decimal fractions: numbers are integers")
            }
            Kind::Prove | Kind::Property | Kind::Start | Kind::Abstract => {
                Some("this word starts a new part of the file; the one before it ends with a dot")
            }
            _ => None,
        }
    }

    /// Does the current token stand right behind this one?
    fn is_right_behind(&self, text: &str) -> bool {
        self.source.get(self.previous.range()) == Some(text) && self.previous.end == self.here().start
    }

    /// The current token as messages show it.
    fn found(&self) -> String {
        const LONGEST: usize = 40;
        if self.at(Kind::Eof) {
            return "the end of the file".into();
        }
        let text = self.text();
        match text.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("`{}…`", &text[..cut]),
            None => format!("`{text}`"),
        }
    }

    // Recovery.

    /// Ends the parse: from now on every token is the end of the file.
    fn stop(&mut self) {
        self.stopped = true;
        let end = self.source.len();
        self.ahead = [Token { kind: Kind::Eof, span: Span::new(end, end) }; 2];
    }

    /// Skips what is left of an item: to behind the next dot, or to a word that starts one.
    fn skip_item(&mut self) {
        use Kind::*;
        while !matches!(self.kind(), Dot | Prove | Property | Start | Abstract | Eof) {
            self.bump();
        }
        self.eat(Dot);
    }

    /// Runs a recursive part one level deeper, or stops the parse if that is too deep.
    fn descend<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let diagnostic = self
                .error(&codes::TOO_DEEP, "nested too deeply; the rest of the file was not read")
                .label(format!("more than {MAX_DEPTH} levels"))
                .help("name parts with predicates or variables");
            self.reported_at = None;
            self.report(diagnostic);
            self.stop();
        }
        let result = part(self);
        self.depth -= 1;
        result
    }
}

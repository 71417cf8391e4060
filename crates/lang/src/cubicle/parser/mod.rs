//! From tokens to the syntax tree, by recursive descent that recovers from errors.
//!
//! The parser never fails: what it cannot read it reports and leaves out. Items start with keywords that stand nowhere
//! else, so after an error the next item is a safe place to go on; inside a transition it is the next `;` or `}`.
//! Nothing is reported twice at the same token. Everything recursive counts its depth, and chains of operators are
//! lists, so that later passes, and dropping the tree, may recurse.

mod expressions;
mod items;

use super::ast::{Model, Name};
use super::lexer::{Kind, Lexer, Token};
use crate::codes::{cubicle as codes, syntax};
use crate::diagnostic::{Diagnostic, Explanation};
use crate::span::Span;

/// Larger files are refused unread.
const MAX_BYTES: usize = 16 << 20;
/// Reading stops after so many errors.
const MAX_ERRORS: usize = 20;
/// The greatest depth of recursion.
const MAX_DEPTH: usize = 256;

/// Reads a file. The tree holds what could be read; it is the whole file if no diagnostic is an error.
pub fn parse(source: &str) -> (Model, Vec<Diagnostic>) {
    if let Some(refusal) = refuse(source) {
        return (Model::default(), vec![refusal]);
    }
    let mut parser = Parser::new(source);
    let model = parser.model();
    (model, parser.finish())
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
    errors: Vec<Diagnostic>,
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
            errors: Vec::new(),
            reported_at: None,
            stopped: false,
        }
    }

    /// All findings in source order.
    fn finish(mut self) -> Vec<Diagnostic> {
        let mut found = std::mem::take(&mut self.lexer.problems);
        let too_many = self.errors.len() >= MAX_ERRORS;
        found.append(&mut self.errors);
        found.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(u32::MAX, |label| label.span.start));
        if too_many {
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

    /// A name of one of the two kinds. The other kind is reported and taken as it is: whoever uses the name again has
    /// written it in the same way.
    fn name(&mut self, kind: Kind, what: &str) -> Parsed<Name> {
        let other = if kind == Kind::Upper { Kind::Lower } else { Kind::Upper };
        if self.at(other) {
            let letter = if kind == Kind::Upper { "capital" } else { "small" };
            let diagnostic = self
                .error(&codes::LETTER_CASE, format!("{what} starts with a {letter} letter"))
                .label(format!("should start with a {letter} letter"));
            self.report(diagnostic);
        } else if !self.at(kind) {
            return self.unexpected(what);
        }
        Ok(self.take_name())
    }

    /// The current token as a name.
    fn take_name(&mut self) -> Name {
        let text = self.text().to_string();
        Name { text, span: self.bump().span }
    }

    // Reports.

    fn report(&mut self, diagnostic: Diagnostic) {
        let position = self.here().start;
        if self.stopped || self.reported_at == Some(position) {
            return;
        }
        self.reported_at = Some(position);
        self.errors.push(diagnostic);
        if self.errors.len() >= MAX_ERRORS {
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
            Kind::Assign => Some("`:=` assigns; a comparison is written with `=`"),
            Kind::Equal if self.next_kind() == Kind::Equal => Some("a comparison is written with one `=`"),
            Kind::Equal => Some("`=` compares; an update is written with `:=`"),
            Kind::Bar => Some("a disjunction is written `||`"),
            Kind::Comma => Some("the variables in parentheses are separated by spaces: `(x y)`"),
            _ => None,
        }
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

    /// Whether an item starts here.
    fn at_item(&self) -> bool {
        use Kind::*;
        matches!(
            self.kind(),
            Array
                | Const
                | Init
                | Invariant
                | NumberProcs
                | Predicate
                | Transition
                | Type
                | Unsafe
                | Var
                | Eof
        )
    }

    /// Skips up to one of the given tokens or the next item.
    fn skip_to(&mut self, wanted: &[Kind]) {
        while !self.at_item() && !wanted.contains(&self.kind()) {
            self.bump();
        }
    }

    /// Runs a recursive part one level deeper, or stops the parse if that is too deep.
    fn descend<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let diagnostic = self
                .error(&codes::TOO_DEEP, "nested too deeply; the rest of the file was not read")
                .label(format!("more than {MAX_DEPTH} levels"))
                .help("name parts with predicates");
            self.reported_at = None;
            self.report(diagnostic);
            self.stop();
        }
        let result = part(self);
        self.depth -= 1;
        result
    }
}

//! From tokens to the syntax tree, by recursive descent that recovers from errors.
//!
//! The parser never fails: what it cannot read it reports and leaves out, and goes on. Three things keep one mistake
//! from causing ten messages. A missing keyword is taken as written when what follows fits; a misspelt one is
//! taken as meant; and nothing is reported twice at the same token. Where that does not help, tokens are
//! skipped up to the next `;`, `end` or item.
//!
//! Why by hand and not by a parser generator: the grammar leaves so many separators optional that a generated parser
//! reports its errors late and in terms of the grammar instead of the model.
//!
//! Everything recursive counts its depth (`Parser::descend`), and trees that grow without recursion count their height
//! (`Tall`), so that later passes, and dropping the tree, may recurse.

mod abstraction;
mod declarations;
mod expressions;
mod rules;
mod statements;
mod types;
mod words;

use super::ast::{Expr, ExprKind, Ident, Model};
use super::lexer::{Block, Kind, Lexer, TENET_WORDS, Token};
use crate::codes::syntax;
use crate::diagnostic::{Diagnostic, Explanation};
use crate::span::Span;
use crate::suggest::closest;
use words::ITEM_WORDS;
pub(super) use words::foreign;

/// Which of the two languages a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `.m`: what CMurphi and Rumur accept.
    Murphi,
    /// `.tenet`: also open ranges, scalarsets without a size, predicates and what belongs to them.
    Tenet,
}

/// Larger files are refused unread.
const MAX_BYTES: usize = 16 << 20;
/// Reading stops after so many errors.
const MAX_ERRORS: usize = 20;
/// The greatest depth of recursion, and apart from that the greatest height of an expression.
const MAX_DEPTH: usize = 256;

/// Reads a file. The tree holds what could be read; it is the whole file if no diagnostic is an error.
pub fn parse(source: &str, dialect: Dialect) -> (Model, Vec<Diagnostic>) {
    if let Some(refusal) = refuse(source) {
        return (Model::default(), vec![refusal]);
    }
    let mut parser = Parser::new(source, 0, dialect);
    let model = parser.model();
    (model, parser.finish())
}

/// Reads a predicates file that stands behind the model it is about: `text` is both of them, and the file starts at
/// the given byte. So a span tells by itself which file it belongs to, and one diagnostic may point into both.
pub fn parse_predicates(text: &str, start: usize) -> (Model, Vec<Diagnostic>) {
    if let Some(refusal) = refuse(&text[start..]) {
        return (Model::default(), vec![refusal]);
    }
    let mut parser = Parser::new(text, start, Dialect::Tenet);
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

/// A tree and its height.
struct Tall<T> {
    node: T,
    height: usize,
}

/// A block whose `end` is not indented like the block itself.
struct Askew {
    block: Block,
    opener: Span,
    end: Span,
}

struct Parser<'s> {
    source: &'s str,
    dialect: Dialect,
    lexer: Lexer<'s>,
    /// The current token and the one after it.
    ahead: [Token; 2],
    /// The last token consumed.
    previous: Span,
    /// The blocks that are open, outermost first.
    open: Vec<Block>,
    /// Closed blocks inside the open ones that look as if their `end` belonged to another block.
    askew: Vec<Askew>,
    /// The last `if` that follows an `else`, which opens a block of its own.
    else_if: Option<Span>,
    depth: usize,
    errors: Vec<Diagnostic>,
    /// Where the parser stood at the last report: the same token is reported once only.
    reported_at: Option<u32>,
    /// Set when reading on is pointless; every further token is the end of the file and reports are dropped.
    stopped: bool,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, start: usize, dialect: Dialect) -> Parser<'s> {
        let mut lexer = Lexer::starting_at(source, start);
        let ahead = [lexer.token(), lexer.token()];
        Parser {
            source,
            dialect,
            lexer,
            ahead,
            previous: Span::default(),
            open: Vec::new(),
            askew: Vec::new(),
            else_if: None,
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
                Diagnostic::global(&syntax::TOO_MANY, "too many errors; the rest of the file was not read")
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

    fn semicolons(&mut self) {
        while self.eat(Kind::Semicolon) {}
    }

    /// From the given place to the last token consumed.
    fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.previous.end.max(start.end) }
    }

    /// Consumes what is expected, or reports its absence and goes on as if it were there.
    fn expect(&mut self, kind: Kind) -> bool {
        if self.eat(kind) {
            return true;
        }
        if let Some(keyword) = kind.keyword()
            && self.mend([keyword])
        {
            self.bump();
            return true;
        }
        let diagnostic = self.unexpected_here(&kind.describe());
        self.report(diagnostic);
        false
    }

    /// A name; words that only some checkers reserve are names, too.
    fn name(&mut self) -> Parsed<Ident> {
        if !self.at(Kind::Ident) && !self.kind().is_soft() {
            return self.unexpected("a name");
        }
        let name = self.text().to_string();
        Ok(Ident { name, span: self.bump().span })
    }

    /// `a, b, c`, with an optional comma at the end.
    fn names(&mut self) -> Parsed<Vec<Ident>> {
        let mut names = vec![self.name()?];
        while self.eat(Kind::Comma) && (self.at(Kind::Ident) || self.kind().is_soft()) {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Whether a declaration's names start here.
    fn at_declared_name(&self) -> bool {
        let named = matches!(self.next_kind(), Kind::Colon | Kind::Comma);
        named && (self.at(Kind::Ident) || self.kind().is_soft())
    }

    /// A string token as a name, without its quotes.
    fn string(&mut self) -> Option<Ident> {
        if !self.at(Kind::Text) {
            return None;
        }
        let name = unquote(self.text());
        Some(Ident { name, span: self.bump().span })
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
        let diagnostic = self.unexpected_here(expected);
        self.report(diagnostic);
        Err(Failed)
    }

    fn unexpected_here(&self, expected: &str) -> Diagnostic {
        let found = self.found();
        if self.at(Kind::Assign) {
            let message = format!("expected {expected}, found `:=`");
            return self
                .error(&syntax::ASSIGN_OR_EQUAL, message)
                .label(format!("expected {expected}"))
                .help("`:=` assigns; a comparison is written with `=`");
        }
        let diagnostic = self
            .error(&syntax::UNEXPECTED, format!("expected {expected}, found {found}"))
            .label(format!("expected {expected}"));
        let before = &self.source[self.previous.range()];
        let known = self.foreign_sign().or_else(|| foreign(self.text())).or_else(|| foreign(before));
        match known {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }

    /// Advice on a sign of another language, whose characters are read as several tokens.
    fn foreign_sign(&self) -> Option<&'static str> {
        let around = [self.previous, self.here(), self.ahead[1].span];
        let sign = |first: Span, second: Span| (first.end == second.start).then(|| first.to(second).range());
        let signs = [sign(around[0], around[1]), sign(around[1], around[2])];
        signs.into_iter().flatten().find_map(|range| foreign(&self.source[range]))
    }

    /// Whether `=>` stands here, which is two tokens.
    fn at_fat_arrow(&self) -> bool {
        self.at(Kind::Equal)
            && self.next_kind() == Kind::Greater
            && self.here().end == self.ahead[1].span.start
    }

    /// The current token as messages show it.
    fn found(&self) -> String {
        const LONGEST: usize = 40;
        if self.at(Kind::Eof) {
            return "the end of the file".into();
        }
        if self.at_fat_arrow() {
            return "`=>`".into();
        }
        let text = self.text();
        match text.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("`{}…`", &text[..cut]),
            None => format!("`{text}`"),
        }
    }

    /// Takes a misspelt word that starts an item for what it is meant to be.
    fn mend_item(&mut self, more: &[&'static str]) -> bool {
        let tenet = TENET_WORDS.iter().filter(|_| self.dialect == Dialect::Tenet).map(|(word, _)| *word);
        let words: Vec<&str> = ITEM_WORDS.iter().chain(more).copied().chain(tenet).collect();
        self.mend(words)
    }

    /// Takes a misspelt keyword for what it is meant to be. The current token becomes that keyword.
    fn mend<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) -> bool {
        if !self.at(Kind::Ident) {
            return false;
        }
        if foreign(self.text()).is_some() {
            return false;
        }
        let Some(word) = closest(self.text(), words) else { return false };
        let Some(kind) = Kind::of_keyword(word).or_else(|| Kind::of_tenet_word(word)) else { return false };
        // A word of `.tenet` files is no keyword to the lexer, and what is wrong is what follows it.
        if !word.eq_ignore_ascii_case(self.text()) {
            let message = format!("unknown word `{}`", self.text());
            let diagnostic = self
                .error(&syntax::MISSPELT_KEYWORD, message)
                .label(format!("read as `{word}`"))
                .help(format!("did you mean `{word}`?"));
            self.report(diagnostic);
        }
        self.ahead[0].kind = kind;
        true
    }

    // Recovery.

    /// Ends the parse: from now on every token is the end of the file.
    fn stop(&mut self) {
        self.stopped = true;
        let end = self.source.len();
        self.ahead = [Token { kind: Kind::Eof, span: Span::new(end, end) }; 2];
    }

    /// Whether an item starts here that cannot stand inside a rule.
    fn at_item(&self) -> bool {
        use Kind::*;
        matches!(
            self.kind(),
            Const
                | Type
                | Var
                | Function
                | Procedure
                | Rule
                | Ruleset
                | Startstate
                | Index
                | Predicate
                | Define
                | Eof
        )
    }

    /// Skips up to one of the given tokens, or to where a statement, block or item ends. Blocks are skipped whole.
    fn skip_to(&mut self, wanted: &[Kind]) {
        let mut inside = 0usize;
        while !self.at_item() {
            let kind = self.kind();
            let ends = matches!(kind, Kind::Semicolon | Kind::End(_) | Kind::Else | Kind::Elsif | Kind::Case);
            if inside == 0 && (ends || wanted.contains(&kind)) {
                return;
            }
            inside = self.bump_block(inside);
        }
    }

    /// Skips a token inside so many blocks; how many there are afterwards.
    fn bump_block(&mut self, inside: usize) -> usize {
        use Kind::*;
        match self.bump().kind {
            If | For | While | Switch | Record | Forall | Exists => inside + 1,
            End(_) => inside.saturating_sub(1),
            _ => inside,
        }
    }

    /// Reads a part; after an error skips to one of the given tokens.
    fn recover<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>, wanted: &[Kind]) -> Option<T> {
        let result = read(self).ok();
        if result.is_none() {
            self.skip_to(wanted);
        }
        result
    }

    /// An expression that is followed by one of the given tokens; [`ExprKind::Error`] if it cannot be read.
    fn expr_before(&mut self, wanted: &[Kind]) -> Expr {
        let start = self.here();
        let read = self.recover(|parser| parser.expression(), wanted);
        read.map_or_else(|| Expr { kind: ExprKind::Error, span: start }, |tall| tall.node)
    }

    /// Runs a recursive part one level deeper, or stops the parse if that is too deep.
    fn descend<T>(&mut self, part: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.too_deep();
        }
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&mut self) {
        let diagnostic = self
            .error(&syntax::TOO_DEEP, "nested too deeply; the rest of the file was not read")
            .label(format!("more than {MAX_DEPTH} levels"))
            .help("name parts with functions or constants");
        self.reported_at = None;
        self.report(diagnostic);
        self.stop();
    }

    // Blocks.

    /// Reads the inside of a block and its `end`. `opener` is the block's keyword.
    fn block<T>(&mut self, block: Block, opener: Span, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.open.push(block);
        let result = self.descend(inside);
        self.open.pop();
        self.close(block, opener);
        if self.open.is_empty() {
            self.askew.clear();
            self.else_if = None;
        }
        result
    }

    /// Consumes the `end` of a block, or says why there is none.
    fn close(&mut self, block: Block, opener: Span) {
        if !self.at_end() && !self.at_item() {
            self.unexpected_in_block(block, opener);
            while !self.at_end() && !self.at_item() {
                self.bump();
            }
        }
        match self.kind() {
            Kind::End(None) => {}
            Kind::End(Some(other)) if block.is_closed_by(other) => {}
            Kind::End(Some(other)) if !self.open.iter().any(|outer| outer.is_closed_by(other)) => {
                self.wrong_end(block, other, opener);
            }
            _ => return self.never_closed(block, opener),
        }
        let end = self.bump().span;
        if self.is_askew(opener, end) {
            self.askew.push(Askew { block, opener, end });
        }
    }

    /// Whether an `end` starts a line and is not indented like the line of its block.
    fn is_askew(&self, opener: Span, end: Span) -> bool {
        let (Some(line), Some(last)) = (self.line_before(opener), self.line_before(end)) else {
            return false;
        };
        last.trim_ascii_start().is_empty() && last.len() != line.len() - line.trim_ascii_start().len()
    }

    /// The part of a line before a place; `None` on lines that are too long to look at for every block.
    fn line_before(&self, place: Span) -> Option<&'s [u8]> {
        const LONGEST: usize = 200;
        let before = &self.source.as_bytes()[..place.start as usize];
        let near = &before[before.len().saturating_sub(LONGEST)..];
        match near.iter().rposition(|byte| *byte == b'\n') {
            Some(newline) => Some(&near[newline + 1..]),
            None => (near.len() == before.len()).then_some(near),
        }
    }

    fn at_end(&self) -> bool {
        matches!(self.kind(), Kind::End(_))
    }

    fn unexpected_in_block(&mut self, block: Block, opener: Span) {
        let keyword = block.keyword();
        let diagnostic = self
            .unexpected_here(&format!("`end` of this `{keyword}`"))
            .also(opener, format!("the `{keyword}` starts here"));
        self.report(diagnostic);
    }

    fn wrong_end(&mut self, block: Block, other: Block, opener: Span) {
        let (keyword, found) = (block.keyword(), other.keyword());
        let article = if keyword.starts_with(['a', 'e', 'i']) { "an" } else { "a" };
        let diagnostic = self
            .error(&syntax::WRONG_END, format!("`end{found}` cannot close {article} `{keyword}`"))
            .label(format!("no `{found}` is open here"))
            .also(opener, format!("the `{keyword}` starts here"))
            .help(format!("write `end{keyword}` or `end`"));
        self.report(diagnostic);
    }

    fn never_closed(&mut self, block: Block, opener: Span) {
        let keyword = block.keyword();
        let why = match self.kind() {
            Kind::Eof => "the file ends here".to_string(),
            Kind::End(Some(other)) => format!("this closes the `{}` around it", other.keyword()),
            _ => format!("{} cannot stand inside it", self.found()),
        };
        let diagnostic =
            Diagnostic::error(&syntax::NEVER_CLOSED, format!("this `{keyword}` is never closed"), opener)
                .label("opened here")
                .also(self.here(), why);
        let diagnostic = self.suspect(diagnostic, opener).help(match self.else_if {
            Some(inner) if inner.start > opener.start => {
                "`else if` opens an `if` with an `end` of its own; `elsif` does not".to_string()
            }
            _ => format!("close it with `end{keyword}` or `end`"),
        });
        self.report(diagnostic);
    }

    /// If the `end` of an inner block is missing, that block takes the next one, and so on: the outermost block is the
    /// one that is never closed. Indentation tells which one was meant.
    fn suspect(&self, diagnostic: Diagnostic, opener: Span) -> Diagnostic {
        let inside = |askew: &&Askew| askew.opener.start > opener.start;
        let Some(askew) = self.askew.iter().find(inside) else { return diagnostic };
        let keyword = askew.block.keyword();
        diagnostic
            .also(askew.opener, format!("perhaps the `end` of this `{keyword}` is missing"))
            .also(askew.end, "this closes it, but is not indented like it")
    }
}

/// The text of a string without its quotes; `\"` and `\\` stand for the second character.
fn unquote(quoted: &str) -> String {
    let inner = quoted.strip_prefix(['"', '\'', '“']).unwrap_or(quoted);
    let inner = inner.strip_suffix(['"', '\'', '”']).unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars().peekable();
    while let Some(character) = characters.next() {
        match characters.peek() {
            Some(escaped @ ('"' | '\\')) if character == '\\' => {
                text.push(*escaped);
                characters.next();
            }
            _ => text.push(character),
        }
    }
    text
}

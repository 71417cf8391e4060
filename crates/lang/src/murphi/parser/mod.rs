//! From tokens to the syntax tree, by recursive descent that recovers from errors.
//!
//! The parser never fails: what it cannot read it reports and leaves out, and goes on. Three rules keep one mistake
//! from causing ten messages. A missing keyword is inserted when what follows fits; a misspelt one is corrected; and
//! nothing is reported twice at the same token. Otherwise tokens are skipped up to the next `;`, `end` or item.
//!
//! Why by hand and not by a parser generator: so many separators of the grammar are optional that a generated parser
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
use super::lexer::{Block, Kind, TENET_WORDS};
use crate::codes::syntax as codes;
use crate::diagnostic::{Diagnostic, Explanation};
use crate::span::Span;
use crate::suggest::closest;
use crate::syntax::{self, Failed, Language, MAX_DEPTH, Parsed, TokenKind};
use words::ITEM_WORDS;
pub(super) use words::foreign;

/// The language of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `.m`: what CMurphi and Rumur accept.
    Murphi,
    /// `.tenet`: also open ranges, scalarsets without a size, and annotations for abstraction.
    Tenet,
}

/// Reads a file. The tree holds what could be read; it is the whole file if no diagnostic is an error.
pub fn parse(source: &str, dialect: Dialect) -> (Model, Vec<Diagnostic>) {
    syntax::parse(source, 0, Murphi::new(dialect), Parser::model)
}

/// Reads a predicates file that follows the model it is about: `text` is both of them, and the file starts at the given
/// byte. So a span determines which file it belongs to, and one diagnostic may point into both.
pub fn parse_predicates(text: &str, start: usize) -> (Model, Vec<Diagnostic>) {
    syntax::parse(text, start, Murphi::new(Dialect::Tenet), Parser::model)
}

/// A tree and its height.
struct Tall<T> {
    node: T,
    height: usize,
}

/// A block whose `end` is not indented like the block itself.
struct Misindented {
    block: Block,
    opener: Span,
    end: Span,
}

type Parser<'s> = syntax::Parser<'s, Murphi>;

/// Murphi in either dialect, and the state of the blocks around the current token.
struct Murphi {
    dialect: Dialect,
    /// The enclosing blocks, outermost first.
    open: Vec<Block>,
    /// Closed blocks inside the open ones whose `end`, by indentation, belongs to another block.
    misindented: Vec<Misindented>,
    /// The last `if` after an `else`, which opens a block of its own.
    else_if: Option<Span>,
    /// Whether a quantifier's binder is being read, behind which a dot may begin its body.
    is_binder: bool,
}

impl Murphi {
    fn new(dialect: Dialect) -> Murphi {
        Murphi { dialect, open: Vec::new(), misindented: Vec::new(), else_if: None, is_binder: false }
    }
}

impl Language for Murphi {
    type Kind = Kind;
    const UNEXPECTED: &'static Explanation = &codes::UNEXPECTED;
    const TOO_DEEP: &'static Explanation = &codes::TOO_DEEP;
    const LESS_DEEP: &'static str = "name parts with functions or constants";
    const TOO_MANY: &'static Explanation = &codes::TOO_MANY;

    fn advice(parser: &Parser<'_>) -> Option<&'static str> {
        if parser.at(Kind::Assign) {
            return Some("`:=` assigns; a comparison is written with `=`");
        }
        let before = &parser.source()[parser.previous().range()];
        parser.foreign_advice().or_else(|| foreign(parser.text())).or_else(|| foreign(before))
    }

    fn unexpected_code(parser: &Parser<'_>) -> &'static Explanation {
        match parser.kind() {
            Kind::Assign => &codes::ASSIGN_OR_EQUAL,
            _ => Murphi::UNEXPECTED,
        }
    }

    fn lexeme(parser: &Parser<'_>) -> Option<&'static str> {
        parser.at_fat_arrow().then_some("=>")
    }
}

impl<'s> Parser<'s> {
    fn semicolons(&mut self) {
        while self.eat(Kind::Semicolon) {}
    }

    /// Consumes a token, or reports that it is missing and goes on as if it were there.
    fn expect_or_insert(&mut self, kind: Kind) -> bool {
        if self.eat(kind) {
            return true;
        }
        if let Some(keyword) = kind.keyword()
            && self.correct([keyword])
        {
            self.bump();
            return true;
        }
        self.report(self.unexpected_here(&kind.describe()));
        false
    }

    /// A name; words reserved by only one of the tools are names, too.
    fn name(&mut self) -> Parsed<Ident> {
        if self.at_keyword_as_name() {
            let message = format!("{} is a keyword and cannot be a name", self.found());
            let diagnostic = self.error(&codes::UNEXPECTED, message);
            self.report(
                diagnostic
                    .label("this is a keyword")
                    .help("keywords may be written in any case; use another name"),
            );
        } else if !self.at(Kind::Ident) && !self.kind().is_soft() {
            return self.unexpected("a name");
        }
        let name = self.text().to_string();
        Ok(Ident { name, span: self.bump().span })
    }

    /// `a, b, c`, with an optional comma at the end.
    fn names(&mut self) -> Parsed<Vec<Ident>> {
        let mut names = vec![self.name()?];
        while self.eat(Kind::Comma)
            && (self.at(Kind::Ident) || self.kind().is_soft() || self.at_keyword_as_name())
        {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Whether a declaration's names start here.
    fn at_declared_name(&self) -> bool {
        let named = matches!(self.next_kind(), Kind::Colon | Kind::Comma);
        named && (self.at(Kind::Ident) || self.kind().is_soft())
    }

    /// Whether a keyword stands where a name is declared.
    fn at_keyword_as_name(&self) -> bool {
        let named = matches!(self.next_kind(), Kind::Colon | Kind::Comma);
        named && self.kind().keyword().is_some() && !self.kind().is_soft()
    }

    /// A string token as a name, without its quotes.
    fn string(&mut self) -> Option<Ident> {
        if !self.at(Kind::Text) {
            return None;
        }
        let name = unquote(self.text());
        Some(Ident { name, span: self.bump().span })
    }

    // Errors.

    /// Help for a sign of another language that is several tokens here.
    fn foreign_advice(&self) -> Option<&'static str> {
        let around = [self.previous(), self.here(), self.next_span()];
        let sign = |first: Span, second: Span| (first.end == second.start).then(|| first.to(second).range());
        let signs = [sign(around[0], around[1]), sign(around[1], around[2])];
        signs.into_iter().flatten().find_map(|range| foreign(&self.source()[range]))
    }

    /// Whether `=>` stands here, which is two tokens.
    fn at_fat_arrow(&self) -> bool {
        self.at(Kind::Equal) && self.next_kind() == Kind::Greater && self.here().end == self.next_span().start
    }

    /// Corrects a misspelt keyword that starts an item.
    fn correct_item(&mut self, more: &[&'static str]) -> bool {
        let tenet =
            TENET_WORDS.iter().filter(|_| self.language.dialect == Dialect::Tenet).map(|(word, _)| *word);
        let words: Vec<&str> = ITEM_WORDS.iter().chain(more).copied().chain(tenet).collect();
        self.correct(words)
    }

    /// Corrects a misspelt keyword: the current token becomes that keyword.
    fn correct<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) -> bool {
        if !self.at(Kind::Ident) {
            return false;
        }
        if foreign(self.text()).is_some() {
            return false;
        }
        let Some(word) = closest(self.text(), words) else { return false };
        let Some(kind) = Kind::of_keyword(word).or_else(|| Kind::of_tenet_word(word)) else { return false };
        // A keyword of `.tenet` files is a name to the lexer, and the error is in what follows it.
        if !word.eq_ignore_ascii_case(self.text()) {
            let message = format!("unknown word `{}`", self.text());
            let diagnostic = self
                .error(&codes::MISSPELT_KEYWORD, message)
                .label(format!("read as `{word}`"))
                .help(format!("did you mean `{word}`?"));
            self.report(diagnostic);
        }
        self.reinterpret(kind);
        true
    }

    // Recovery.

    /// Whether an item starts here that is not allowed inside a rule.
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

    /// Skips a token at the given nesting depth of blocks; returns the depth after it.
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

    // Blocks.

    /// Reads the body of a block and its `end`. `opener` is the block's keyword.
    fn block<T>(&mut self, block: Block, opener: Span, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.language.open.push(block);
        let result = self.descend(inside);
        self.language.open.pop();
        self.close(block, opener);
        if self.language.open.is_empty() {
            self.language.misindented.clear();
            self.language.else_if = None;
        }
        result
    }

    /// Consumes the `end` of a block, or reports that it is missing.
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
            Kind::End(Some(other)) if !self.language.open.iter().any(|outer| outer.is_closed_by(other)) => {
                self.wrong_end(block, other, opener);
            }
            _ => return self.never_closed(block, opener),
        }
        let end = self.bump().span;
        if self.is_misindented(opener, end) {
            self.language.misindented.push(Misindented { block, opener, end });
        }
    }

    /// Whether an `end` starts a line and is not indented like the line of its block.
    fn is_misindented(&self, opener: Span, end: Span) -> bool {
        let (Some(line), Some(last)) = (self.line_before(opener), self.line_before(end)) else {
            return false;
        };
        last.trim_ascii_start().is_empty() && last.len() != line.len() - line.trim_ascii_start().len()
    }

    /// The part of a line before a place; `None` on lines that are too long to inspect for every block.
    fn line_before(&self, place: Span) -> Option<&'s [u8]> {
        const MAX_LENGTH: usize = 200;
        let before = &self.source().as_bytes()[..place.start as usize];
        let near = &before[before.len().saturating_sub(MAX_LENGTH)..];
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
            .error(&codes::WRONG_END, format!("`end{found}` cannot close {article} `{keyword}`"))
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
            Diagnostic::error(&codes::NEVER_CLOSED, format!("this `{keyword}` is never closed"), opener)
                .label("opened here")
                .also(self.here(), why);
        let diagnostic = self.with_indentation_hint(diagnostic, opener).help(match self.language.else_if {
            Some(inner) if inner.start > opener.start => {
                "`else if` opens an `if` with an `end` of its own; `elsif` does not".to_string()
            }
            _ => format!("close it with `end{keyword}` or `end`"),
        });
        self.report(diagnostic);
    }

    /// If the `end` of an inner block is missing, that block takes the next one, and so on: the outermost block is the
    /// one that is never closed. Indentation suggests which one was meant.
    fn with_indentation_hint(&self, diagnostic: Diagnostic, opener: Span) -> Diagnostic {
        let inside = |misindented: &&Misindented| misindented.opener.start > opener.start;
        let Some(misindented) = self.language.misindented.iter().find(inside) else { return diagnostic };
        let keyword = misindented.block.keyword();
        diagnostic
            .also(misindented.opener, format!("perhaps the `end` of this `{keyword}` is missing"))
            .also(misindented.end, "this closes it, but is not indented like it")
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

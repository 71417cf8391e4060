//! From text to tokens, on demand.
//!
//! Symbols come from `logos`; a word is looked up in one keyword table afterwards, without regard to case. A rule per
//! keyword in the generated automaton would do the same with a far larger automaton. Tokens are handed out one by one
//! and never collected, so a 16 MB file costs no token list. Lexical errors are kept here and stop nothing: what comes
//! out is always a sequence of tokens that ends in [`Kind::Eof`] for ever.

mod block;

pub use block::Block;

use crate::codes::syntax;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use logos::{FilterResult, Lexer as Automaton, Logos};

/// After so many lexical errors the rest is dropped silently: the file is rejected anyway.
const MAX_PROBLEMS: usize = 20;
/// The same for unknown characters, which come in masses when the file is no model at all.
const MAX_UNKNOWN: usize = 5;

/// Longer numbers are refused, because converting them takes time quadratic in their length.
const MAX_DIGITS: usize = 1000;

/// What a token is; its text is a slice of the source.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{000B}\u{feff}]+")]
#[logos(skip r"--[^\n]*")]
#[allow(missing_docs, reason = "the variants are the tokens they are named after")]
pub enum Kind {
    #[token("/*", block_comment)]
    UnclosedComment,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    #[regex(r#"“[^”\n]*”"#)]
    Text,
    #[regex(r#"["“]([^"”\\\n]|\\[^\n])*"#)]
    UnclosedText,
    #[regex(r"'[^'\n]*'")]
    SingleQuoted,
    #[regex(r"[0-9]+")]
    #[regex(r"0[xX][0-9a-fA-F]+", priority = 5)]
    Number,
    #[regex(r"[0-9][0-9a-zA-Z_]*", priority = 1)]
    BadNumber,
    #[regex(r"[a-zA-Z_][0-9a-zA-Z_]*")]
    Ident,

    #[token(":=")]
    #[token("≔")]
    Assign,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("==>")]
    #[token("⇒")]
    Arrow,
    #[token("->")]
    #[token("→")]
    Implies,
    #[token("=")]
    #[token("==")]
    Equal,
    #[token("!=")]
    #[token("≠")]
    NotEqual,
    #[token("!")]
    #[token("¬")]
    Not,
    #[token("&")]
    #[token("∧")]
    And,
    #[token("&&")]
    AndAnd,
    #[token("|")]
    #[token("∨")]
    Or,
    #[token("||")]
    OrOr,
    #[token("<")]
    Less,
    #[token("<=")]
    #[token("≤")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    #[token("≥")]
    GreaterEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    #[token("−")]
    Minus,
    #[token("*")]
    #[token("×")]
    Times,
    #[token("/")]
    #[token("÷")]
    Divide,
    #[token("%")]
    Percent,
    #[token("?")]
    Question,
    /// Operators on bits, which are recognised only to be refused in so many words.
    #[token("^")]
    #[token("~")]
    #[token("<<")]
    #[token(">>")]
    Bitwise,

    Alias,
    Array,
    Assert,
    Assume,
    Begin,
    By,
    Case,
    Choose,
    Clear,
    Const,
    Cover,
    Do,
    Else,
    Elsif,
    /// `end`, or `endif` and the like with the block they name.
    End(Option<Block>),
    Enum,
    Error,
    #[token("∃")]
    Exists,
    For,
    #[token("∀")]
    Forall,
    Function,
    If,
    Invariant,
    IsMember,
    IsUndefined,
    Liveness,
    Multiset,
    MultisetAdd,
    MultisetCount,
    MultisetRemove,
    MultisetRemovePred,
    Of,
    Procedure,
    Put,
    Record,
    Return,
    Rule,
    Ruleset,
    Scalarset,
    Startstate,
    Switch,
    Then,
    To,
    Type,
    Undefine,
    Union,
    Var,
    While,

    // Words of `.tenet` files. The lexer gives names; the parser makes keywords of them where an item starts.
    Axiom,
    Define,
    Index,
    Instantiate,
    Never,
    Predicate,
    /// The end of the file.
    Eof,
}

/// Every keyword, in lower case.
const KEYWORDS: &[(&str, Kind)] = &[
    ("alias", Kind::Alias),
    ("array", Kind::Array),
    ("assert", Kind::Assert),
    ("assume", Kind::Assume),
    ("begin", Kind::Begin),
    ("by", Kind::By),
    ("case", Kind::Case),
    ("choose", Kind::Choose),
    ("clear", Kind::Clear),
    ("const", Kind::Const),
    ("cover", Kind::Cover),
    ("do", Kind::Do),
    ("else", Kind::Else),
    ("elsif", Kind::Elsif),
    ("end", Kind::End(None)),
    ("endalias", Kind::End(Some(Block::Alias))),
    ("endchoose", Kind::End(Some(Block::Choose))),
    ("endexists", Kind::End(Some(Block::Exists))),
    ("endfor", Kind::End(Some(Block::For))),
    ("endforall", Kind::End(Some(Block::Forall))),
    ("endfunction", Kind::End(Some(Block::Function))),
    ("endif", Kind::End(Some(Block::If))),
    ("endprocedure", Kind::End(Some(Block::Procedure))),
    ("endrecord", Kind::End(Some(Block::Record))),
    ("endrule", Kind::End(Some(Block::Rule))),
    ("endruleset", Kind::End(Some(Block::Ruleset))),
    ("endstartstate", Kind::End(Some(Block::Startstate))),
    ("endswitch", Kind::End(Some(Block::Switch))),
    ("endwhile", Kind::End(Some(Block::While))),
    ("enum", Kind::Enum),
    ("error", Kind::Error),
    ("exists", Kind::Exists),
    ("for", Kind::For),
    ("forall", Kind::Forall),
    ("function", Kind::Function),
    ("if", Kind::If),
    ("invariant", Kind::Invariant),
    ("ismember", Kind::IsMember),
    ("isundefined", Kind::IsUndefined),
    ("liveness", Kind::Liveness),
    ("multiset", Kind::Multiset),
    ("multisetadd", Kind::MultisetAdd),
    ("multisetcount", Kind::MultisetCount),
    ("multisetremove", Kind::MultisetRemove),
    ("multisetremovepred", Kind::MultisetRemovePred),
    ("of", Kind::Of),
    ("procedure", Kind::Procedure),
    ("put", Kind::Put),
    ("record", Kind::Record),
    ("return", Kind::Return),
    ("rule", Kind::Rule),
    ("ruleset", Kind::Ruleset),
    ("scalarset", Kind::Scalarset),
    ("startstate", Kind::Startstate),
    ("switch", Kind::Switch),
    ("then", Kind::Then),
    ("to", Kind::To),
    ("type", Kind::Type),
    ("undefine", Kind::Undefine),
    ("union", Kind::Union),
    ("var", Kind::Var),
    ("while", Kind::While),
];

/// Words that start an item of a `.tenet` file. Everywhere else they are names, so that a variable may be called
/// `index`.
pub const TENET_WORDS: &[(&str, Kind)] = &[
    ("axiom", Kind::Axiom),
    ("define", Kind::Define),
    ("index", Kind::Index),
    ("instantiate", Kind::Instantiate),
    ("never", Kind::Never),
    ("predicate", Kind::Predicate),
];

impl Kind {
    /// The word of `.tenet` files that a name is, whatever its case.
    pub fn of_tenet_word(word: &str) -> Option<Kind> {
        TENET_WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, kind)| *kind)
    }

    /// The keyword that a word is, whatever its case.
    pub fn of_keyword(word: &str) -> Option<Kind> {
        let lower = || word.bytes().map(|byte| byte.to_ascii_lowercase());
        let found = KEYWORDS.binary_search_by(|(keyword, _)| keyword.bytes().cmp(lower())).ok()?;
        Some(KEYWORDS[found].1)
    }

    /// The keyword's text, if it is one.
    pub fn keyword(self) -> Option<&'static str> {
        KEYWORDS.iter().chain(TENET_WORDS).find(|(_, kind)| *kind == self).map(|(keyword, _)| *keyword)
    }

    /// Words that only one of CMurphi and Rumur reserves; models for the other may use them as names.
    pub fn is_soft(self) -> bool {
        use Kind::*;
        matches!(
            self,
            Assume
                | Choose
                | Cover
                | IsMember
                | Liveness
                | Multiset
                | MultisetAdd
                | MultisetCount
                | MultisetRemove
                | MultisetRemovePred
                | Union
        )
    }

    /// How messages call it.
    pub fn describe(self) -> String {
        let symbol = match self {
            Kind::Ident => return "a name".into(),
            Kind::Number | Kind::BadNumber => return "a number".into(),
            Kind::Text | Kind::UnclosedText | Kind::SingleQuoted => return "a string".into(),
            Kind::Eof => return "the end of the file".into(),
            Kind::Assign => ":=",
            Kind::Semicolon => ";",
            Kind::Colon => ":",
            Kind::Comma => ",",
            Kind::Dot => ".",
            Kind::DotDot => "..",
            Kind::LeftParen => "(",
            Kind::RightParen => ")",
            Kind::LeftBracket => "[",
            Kind::RightBracket => "]",
            Kind::LeftBrace => "{",
            Kind::RightBrace => "}",
            Kind::Arrow => "==>",
            other => other.keyword().unwrap_or("an operator"),
        };
        format!("`{symbol}`")
    }
}

/// Skips a comment; one that is never closed becomes a token of its own.
fn block_comment(automaton: &mut Automaton<'_, Kind>) -> FilterResult<(), ()> {
    match automaton.remainder().find("*/") {
        Some(length) => {
            automaton.bump(length + 2);
            FilterResult::Skip
        }
        None => {
            automaton.bump(automaton.remainder().len());
            FilterResult::Emit(())
        }
    }
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Which.
    pub kind: Kind,
    /// Where.
    pub span: Span,
}

/// Hands out the tokens of a text.
pub struct Lexer<'s> {
    automaton: Automaton<'s, Kind>,
    /// End of the last run of unknown characters, to report a run once.
    unknown_until: Option<usize>,
    unknown_runs: usize,
    /// What is wrong so far, in source order.
    pub problems: Vec<Diagnostic>,
}

impl<'s> Lexer<'s> {
    /// A lexer at the start of the text.
    pub fn new(source: &'s str) -> Lexer<'s> {
        Lexer::starting_at(source, 0)
    }

    /// A lexer in the middle of a text, which must be a character boundary.
    pub fn starting_at(source: &'s str, start: usize) -> Lexer<'s> {
        let mut automaton = Kind::lexer(source);
        automaton.bump(start);
        Lexer { automaton, unknown_until: None, unknown_runs: 0, problems: Vec::new() }
    }

    /// The next token.
    pub fn token(&mut self) -> Token {
        loop {
            let Some(result) = self.automaton.next() else { return self.eof() };
            let range = self.automaton.span();
            let span = Span::new(range.start, range.end);
            let Ok(kind) = result else {
                self.unknown(span);
                continue;
            };
            self.unknown_until = None;
            if kind == Kind::UnclosedComment {
                self.unclosed_comment(span);
                return self.eof();
            }
            return Token { kind: self.classify(kind, span), span };
        }
    }

    fn eof(&self) -> Token {
        let end = self.automaton.source().len();
        Token { kind: Kind::Eof, span: Span::new(end, end) }
    }

    /// Tells keywords from names, and reports what is lexically wrong with a token.
    fn classify(&mut self, kind: Kind, span: Span) -> Kind {
        match kind {
            Kind::Ident => Kind::of_keyword(self.automaton.slice()).unwrap_or(Kind::Ident),
            Kind::UnclosedText => {
                self.unclosed_text(span);
                Kind::Text
            }
            Kind::SingleQuoted => {
                self.single_quoted(span);
                Kind::Text
            }
            Kind::BadNumber => {
                self.bad_number(span);
                Kind::BadNumber
            }
            Kind::Number if self.automaton.slice().len() > MAX_DIGITS => {
                self.long_number(span);
                Kind::BadNumber
            }
            other => other,
        }
    }

    fn problem(&mut self, diagnostic: Diagnostic) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(diagnostic);
        }
    }

    fn unknown(&mut self, span: Span) {
        let continues = self.unknown_until == Some(span.start as usize);
        self.unknown_until = Some(span.end as usize);
        self.unknown_runs += usize::from(!continues);
        if continues || self.unknown_runs > MAX_UNKNOWN {
            return;
        }
        let shown = match self.automaton.slice().chars().next() {
            Some(character) if character.is_control() => character.escape_default().to_string(),
            other => other.into_iter().collect(),
        };
        let help = match shown.as_str() {
            "'" => "strings are written in double quotes",
            "#" | "@" | "$" => "comments start with `--` or stand between `/*` and `*/`",
            _ => "remove it; names consist of letters, digits and `_`",
        };
        self.problem(
            Diagnostic::error(&syntax::UNKNOWN_CHARACTER, format!("unknown character `{shown}`"), span)
                .label("has no meaning in a model")
                .help(help),
        );
    }

    fn unclosed_comment(&mut self, span: Span) {
        let opener = Span { start: span.start, end: span.start + 2 };
        self.problem(
            Diagnostic::error(&syntax::UNCLOSED_COMMENT, "this comment is never closed", opener)
                .label("the comment starts here and reaches to the end of the file")
                .help("close it with `*/`; comments do not nest"),
        );
    }

    fn unclosed_text(&mut self, span: Span) {
        self.problem(
            Diagnostic::error(&syntax::UNCLOSED_STRING, "this string is never closed", span)
                .label("no closing `\"` on this line")
                .help("a string ends on the line on which it starts; write `\\\"` for a quote inside it"),
        );
    }

    fn single_quoted(&mut self, span: Span) {
        self.problem(
            Diagnostic::error(&syntax::UNKNOWN_CHARACTER, "a string in single quotes", span)
                .label("single quotes have no meaning in a model")
                .help("strings are written in double quotes"),
        );
    }

    fn bad_number(&mut self, span: Span) {
        self.problem(
            Diagnostic::error(&syntax::BAD_NUMBER, "this is neither a number nor a name", span)
                .label("starts with a digit and goes on with letters")
                .help("numbers are decimal (`42`) or hexadecimal (`0x2a`); names start with a letter"),
        );
    }

    fn long_number(&mut self, span: Span) {
        self.problem(
            Diagnostic::error(
                &syntax::BAD_NUMBER,
                format!("a number of more than {MAX_DIGITS} digits"),
                span,
            )
            .label("too long")
            .help("is a space or an operator missing?"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> (Vec<Kind>, usize) {
        let mut lexer = Lexer::new(source);
        let mut found = Vec::new();
        loop {
            let token = lexer.token();
            if token.kind == Kind::Eof {
                return (found, lexer.problems.len());
            }
            found.push(token.kind);
        }
    }

    #[test]
    fn keyword_table_is_sorted_and_lower_case() {
        assert!(KEYWORDS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(KEYWORDS.iter().all(|(word, kind)| Kind::of_keyword(&word.to_uppercase()) == Some(*kind)));
    }

    #[test]
    fn ranges_numbers_and_comments() {
        use Kind::*;
        assert_eq!(kinds("0..5"), (vec![Number, DotDot, Number], 0));
        assert_eq!(kinds("0x1F..N-1 -- a -> b"), (vec![Number, DotDot, Ident, Minus, Number], 0));
        assert_eq!(kinds("a /* b ** / */ c /* /* */ d"), (vec![Ident, Ident, Ident], 0));
        assert_eq!(kinds("a --> b\nc"), (vec![Ident, Ident], 0));
        assert_eq!(kinds("a ==> b == c = d"), (vec![Ident, Arrow, Ident, Equal, Ident, Equal, Ident], 0));
        assert_eq!(kinds(r#""a \" b" “c”"#), (vec![Text, Text], 0));
    }

    #[test]
    fn lexical_errors_do_not_stop_it() {
        use Kind::*;
        assert_eq!(kinds("a /* b"), (vec![Ident], 1));
        assert_eq!(kinds("rule \"a\nx"), (vec![Rule, Text, Ident], 1));
        assert_eq!(kinds("12ab 0x 0xg"), (vec![BadNumber, BadNumber, BadNumber], 3));
        assert_eq!(kinds("a @@@@$ b #"), (vec![Ident, Ident], 2));
        assert_eq!(kinds("rule 'a' x'"), (vec![Rule, Text, Ident], 2));
        assert_eq!(kinds(&"9".repeat(5000)), (vec![BadNumber], 1));
        assert_eq!(kinds(&"@ ".repeat(5000)), (vec![], MAX_UNKNOWN));
    }
}

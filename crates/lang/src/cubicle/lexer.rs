//! From text to tokens, on demand.
//!
//! Cubicle tells what is declared in the file (types, process variables: lower case) from what makes up the state and
//! its values (upper case) by the first letter, so names are two kinds of tokens. Comments `(* … *)` nest. Lexical
//! errors are kept here and stop nothing: what comes out is a sequence of tokens that ends in [`Kind::Eof`] for ever.

use crate::codes::cubicle as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use logos::{FilterResult, Lexer as Automaton, Logos};

/// After so many lexical errors the rest is dropped silently: the file is rejected anyway.
const MAX_PROBLEMS: usize = 20;

/// Longer numbers are refused, because converting them takes time quadratic in their length.
const MAX_DIGITS: usize = 1000;

/// What a token is; its text is a slice of the source.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[allow(missing_docs, reason = "the variants are the tokens they are named after")]
pub enum Kind {
    #[token("(*", comment)]
    UnclosedComment,
    #[regex(r"[A-Z][a-zA-Z0-9_]*")]
    Upper,
    #[regex(r"[a-z][a-zA-Z0-9_]*")]
    Lower,
    #[regex(r"#[0-9]+")]
    Process,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r"[0-9]+\.[0-9]*")]
    Decimal,
    #[regex(r"[0-9]+[a-zA-Z_][a-zA-Z0-9_]*", priority = 1)]
    BadNumber,
    #[token("_")]
    Underscore,

    #[token(":=")]
    Assign,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("?")]
    Question,
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
    #[token("|")]
    Bar,
    #[token("||")]
    Or,
    #[token("&&")]
    And,
    #[token("=>")]
    Implies,
    #[token("<=>")]
    Iff,
    #[token("=")]
    Equal,
    #[token("<>")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,

    Array,
    Case,
    Const,
    Else,
    Exists,
    ExistsOther,
    False,
    Forall,
    ForallOther,
    If,
    In,
    Init,
    Invariant,
    Let,
    Not,
    NumberProcs,
    Predicate,
    Requires,
    Then,
    Transition,
    True,
    Type,
    Unsafe,
    Var,
    /// The end of the file.
    Eof,
}

/// Every keyword.
const KEYWORDS: &[(&str, Kind)] = &[
    ("array", Kind::Array),
    ("case", Kind::Case),
    ("const", Kind::Const),
    ("else", Kind::Else),
    ("exists", Kind::Exists),
    ("exists_other", Kind::ExistsOther),
    ("false", Kind::False),
    ("forall", Kind::Forall),
    ("forall_other", Kind::ForallOther),
    ("if", Kind::If),
    ("in", Kind::In),
    ("init", Kind::Init),
    ("invariant", Kind::Invariant),
    ("let", Kind::Let),
    ("not", Kind::Not),
    ("number_procs", Kind::NumberProcs),
    ("predicate", Kind::Predicate),
    ("requires", Kind::Requires),
    ("then", Kind::Then),
    ("transition", Kind::Transition),
    ("true", Kind::True),
    ("type", Kind::Type),
    ("unsafe", Kind::Unsafe),
    ("var", Kind::Var),
];

impl Kind {
    /// The keyword that a word is.
    pub fn of_keyword(word: &str) -> Option<Kind> {
        KEYWORDS.iter().find(|(keyword, _)| *keyword == word).map(|(_, kind)| *kind)
    }

    /// The keyword's text, if it is one.
    pub fn keyword(self) -> Option<&'static str> {
        KEYWORDS.iter().find(|(_, kind)| *kind == self).map(|(keyword, _)| *keyword)
    }

    /// How messages call it.
    pub fn describe(self) -> String {
        let symbol = match self {
            Kind::Upper => return "a name that starts with a capital letter".into(),
            Kind::Lower => return "a name that starts with a small letter".into(),
            Kind::Number | Kind::BadNumber | Kind::Decimal => return "a number".into(),
            Kind::Process => return "a process".into(),
            Kind::Eof => return "the end of the file".into(),
            Kind::Underscore => "_",
            Kind::Assign => ":=",
            Kind::Semicolon => ";",
            Kind::Colon => ":",
            Kind::Comma => ",",
            Kind::Dot => ".",
            Kind::LeftParen => "(",
            Kind::RightParen => ")",
            Kind::LeftBracket => "[",
            Kind::RightBracket => "]",
            Kind::LeftBrace => "{",
            Kind::RightBrace => "}",
            Kind::Bar => "|",
            Kind::Equal => "=",
            other => other.keyword().unwrap_or("an operator"),
        };
        format!("`{symbol}`")
    }
}

/// Skips a comment with those inside it; one that is never closed becomes a token of its own.
fn comment(automaton: &mut Automaton<'_, Kind>) -> FilterResult<(), ()> {
    let text = automaton.remainder().as_bytes();
    let (mut depth, mut at) = (1usize, 0);
    while depth > 0 {
        match text.get(at..at + 2) {
            Some(b"*)") => (depth, at) = (depth - 1, at + 2),
            Some(b"(*") => (depth, at) = (depth + 1, at + 2),
            Some(_) => at += 1,
            None => {
                automaton.bump(text.len());
                return FilterResult::Emit(());
            }
        }
    }
    automaton.bump(at);
    FilterResult::Skip
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
    /// What is wrong so far, in source order.
    pub problems: Vec<Diagnostic>,
}

impl<'s> Lexer<'s> {
    /// A lexer at the start of the text.
    pub fn new(source: &'s str) -> Lexer<'s> {
        Lexer { automaton: Kind::lexer(source), unknown_until: None, problems: Vec::new() }
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
        let text = self.automaton.slice();
        match kind {
            Kind::Lower => Kind::of_keyword(text).unwrap_or(Kind::Lower),
            Kind::BadNumber => {
                self.bad_number("this is neither a number nor a name", span);
                kind
            }
            Kind::Number | Kind::Decimal | Kind::Process if text.len() > MAX_DIGITS => {
                self.bad_number(&format!("a number of more than {MAX_DIGITS} digits"), span);
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
        if continues {
            return;
        }
        let shown: String = match self.automaton.slice().chars().next() {
            Some(character) if character.is_control() => character.escape_default().to_string(),
            other => other.into_iter().collect(),
        };
        let help = match shown.as_str() {
            "!" => "`not f` negates a formula, and `s <> t` says that two terms differ",
            "&" => "conjunction is written `&&`",
            "/" => "comments stand between `(*` and `*)`; there is no division",
            "#" => "processes are numbered from one: `#1`",
            "_" => "names start with a letter",
            _ => "remove it; names consist of letters, digits and `_`",
        };
        self.problem(
            Diagnostic::error(&codes::UNKNOWN_CHARACTER, format!("unknown character `{shown}`"), span)
                .label("has no meaning in a model")
                .help(help),
        );
    }

    fn unclosed_comment(&mut self, span: Span) {
        let opener = Span { start: span.start, end: span.start + 2 };
        self.problem(
            Diagnostic::error(&codes::UNCLOSED_COMMENT, "this comment is never closed", opener)
                .label("the comment starts here and reaches to the end of the file")
                .help("close it with `*)`; comments nest, so each `(*` inside it needs one as well"),
        );
    }

    fn bad_number(&mut self, message: &str, span: Span) {
        self.problem(
            Diagnostic::error(&codes::BAD_NUMBER, message, span)
                .label("not a number")
                .help("numbers are written `42` or `0.5`; names start with a letter"),
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
            match lexer.token().kind {
                Kind::Eof => return (found, lexer.problems.len()),
                kind => found.push(kind),
            }
        }
    }

    #[test]
    fn comments_nest() {
        assert_eq!(kinds("(* a (* b *) c *) X"), (vec![Kind::Upper], 0));
        assert_eq!(kinds("(**) x (* * ) *)"), (vec![Kind::Lower], 0));
        assert_eq!(kinds("x (* a (* b *)"), (vec![Kind::Lower], 1));
        assert_eq!(kinds("x (*"), (vec![Kind::Lower], 1));
        assert_eq!(kinds("x (*)"), (vec![Kind::Lower], 1));
    }

    #[test]
    fn longest_symbols_win() {
        use Kind::*;
        let all = "< <= <=> <> = => := : | || . 1.5 1 #2 _";
        let expected = vec![
            Less, LessEqual, Iff, NotEqual, Equal, Implies, Assign, Colon, Bar, Or, Dot, Decimal, Number,
            Process, Underscore,
        ];
        assert_eq!(kinds(all), (expected, 0));
    }

    #[test]
    fn the_first_letter_decides() {
        use Kind::*;
        assert_eq!(
            kinds("proc Proc forall forall_other forall_x"),
            (vec![Lower, Upper, Forall, ForallOther, Lower], 0)
        );
        assert_eq!(kinds("1x ~~ y"), (vec![BadNumber, Lower], 2));
    }
}

//! From text to tokens, on demand.
//!
//! As in Prolog, the first letter tells variables (upper case or `_`) from predicates (lower case), so names are two kinds of
//! tokens. A variable may have primes, `K'`; a `?` in front of one belongs to it. Comments are `% …` and `/* … */`.
//! Lexical errors are kept here and stop nothing: what comes out is a sequence of tokens that ends in [`Kind::Eof`] for ever.

use crate::codes::clp as codes;
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
#[logos(skip r"%[^\n]*")]
#[allow(missing_docs, reason = "the variants are the tokens they are named after")]
pub enum Kind {
    #[token("/*", comment)]
    UnclosedComment,
    #[regex(r"[A-Z_][a-zA-Z0-9_']*")]
    Variable,
    #[regex(r"\?[A-Z_][a-zA-Z0-9_']*")]
    Existential,
    #[regex(r"[a-z][a-zA-Z0-9_]*")]
    Lower,
    #[regex(r"[0-9]+")]
    Number,
    #[regex(r"[0-9]+[a-zA-Z_][a-zA-Z0-9_]*", priority = 1)]
    BadNumber,
    #[regex(r#""[^"\n]*""#)]
    Text,
    #[regex(r#""[^"\n]*"#, priority = 1)]
    UnclosedText,

    #[token(":-")]
    If,
    #[token("|=")]
    Entails,
    #[token(":")]
    Colon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(";")]
    Semicolon,
    #[token("/\\")]
    And,
    #[token("\\/")]
    Or,
    #[token("~")]
    Tilde,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("=")]
    Equal,
    #[token("!=")]
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

    Abstract,
    By,
    Else,
    False,
    IfWord,
    Not,
    Property,
    Prove,
    Start,
    Then,
    True,
    /// The end of the file.
    Eof,
}

/// Every keyword.
const KEYWORDS: &[(&str, Kind)] = &[
    ("abstract", Kind::Abstract),
    ("by", Kind::By),
    ("else", Kind::Else),
    ("false", Kind::False),
    ("if", Kind::IfWord),
    ("not", Kind::Not),
    ("property", Kind::Property),
    ("prove", Kind::Prove),
    ("start", Kind::Start),
    ("then", Kind::Then),
    ("true", Kind::True),
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
            Kind::Variable | Kind::Existential => return "a variable".into(),
            Kind::Lower => return "the name of a predicate".into(),
            Kind::Number | Kind::BadNumber => return "a number".into(),
            Kind::Text | Kind::UnclosedText => return "a name in quotes".into(),
            Kind::Eof => return "the end of the file".into(),
            Kind::If => ":-",
            Kind::Entails => "|=",
            Kind::Colon => ":",
            Kind::Comma => ",",
            Kind::Dot => ".",
            Kind::LeftParen => "(",
            Kind::RightParen => ")",
            Kind::LeftBracket => "[",
            Kind::RightBracket => "]",
            Kind::Greater => ">",
            other => other.keyword().unwrap_or("an operator"),
        };
        format!("`{symbol}`")
    }
}

/// Skips a comment; one that is never closed becomes a token of its own.
fn comment(automaton: &mut Automaton<'_, Kind>) -> FilterResult<(), ()> {
    match automaton.remainder().find("*/") {
        Some(at) => {
            automaton.bump(at + 2);
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
            Kind::Number if text.len() > MAX_DIGITS => {
                self.bad_number(&format!("a number of more than {MAX_DIGITS} digits"), span);
                Kind::BadNumber
            }
            Kind::UnclosedText => {
                self.unclosed_text(span);
                Kind::Text
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
            "!" => "`~` or `not` negates a constraint, and `s != t` says that two terms differ",
            "\\" => {
                "disjunction is written `\\/`, conjunction `,` or `/\\`, and `s != t` says that two terms differ"
            }
            "/" => "comments are `% …` and `/* … */`; there is no division",
            "|" => "an entailment is written `|=`, a disjunction `\\/` or `;`",
            "&" => "conjunction is written `,` or `/\\`",
            "?" => "`?` stands right in front of a variable: `?Z`",
            "'" => "a prime belongs to a variable: `K'`; names of rules stand in double quotes",
            _ => "remove it; names consist of letters, digits and `_`",
        };
        self.problem(
            Diagnostic::error(&codes::UNKNOWN_CHARACTER, format!("unknown character `{shown}`"), span)
                .label("has no meaning in a program")
                .help(help),
        );
    }

    fn unclosed_comment(&mut self, span: Span) {
        let opener = Span { start: span.start, end: span.start + 2 };
        self.problem(
            Diagnostic::error(&codes::UNCLOSED, "this comment is never closed", opener)
                .label("the comment starts here and reaches to the end of the file")
                .help("close it with `*/`"),
        );
    }

    fn unclosed_text(&mut self, span: Span) {
        self.problem(
            Diagnostic::error(&codes::UNCLOSED, "this name is never closed", span)
                .label("the name reaches to the end of the line")
                .help("close it with `\"`"),
        );
    }

    fn bad_number(&mut self, message: &str, span: Span) {
        self.problem(
            Diagnostic::error(&codes::BAD_NUMBER, message, span)
                .label("not a number")
                .help("numbers are written `42`; names start with a letter"),
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
    fn comments_are_skipped() {
        assert_eq!(kinds("% a /* b\nX /* % */ y % end"), (vec![Kind::Variable, Kind::Lower], 0));
        assert_eq!(kinds("/**/ x /* * / */"), (vec![Kind::Lower], 0));
        assert_eq!(kinds("x /* a"), (vec![Kind::Lower], 1));
        assert_eq!(kinds("x /*/"), (vec![Kind::Lower], 1));
    }

    #[test]
    fn longest_symbols_win() {
        use Kind::*;
        let all = "< <= = > >= != :- : |= /\\ \\/ . 1.5 ; ~";
        let expected = vec![
            Less,
            LessEqual,
            Equal,
            Greater,
            GreaterEqual,
            NotEqual,
            If,
            Colon,
            Entails,
            And,
            Or,
            Dot,
            Number,
            Dot,
            Number,
            Semicolon,
            Tilde,
        ];
        assert_eq!(kinds(all), (expected, 0));
    }

    #[test]
    fn names() {
        use Kind::*;
        assert_eq!(
            kinds("K' K'_2 _ _x ?Z ?_ not notable \"a b\" m4"),
            (
                vec![
                    Variable,
                    Variable,
                    Variable,
                    Variable,
                    Existential,
                    Existential,
                    Not,
                    Lower,
                    Text,
                    Lower
                ],
                0
            )
        );
        assert_eq!(kinds("1x $$ y \"a\nb"), (vec![BadNumber, Lower, Text, Lower], 3));
    }
}

//! The tokens of constraint logic programs.
//!
//! As in Prolog, the first letter tells variables (upper case or `_`) from predicates (lower case), so names are two kinds of
//! tokens. A variable may have primes, `K'`; a `?` in front of one belongs to it. Comments are `% …` and `/* … */`.

use crate::codes::clp as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::{MAX_DIGITS, Problems, TokenKind, Wording, block_comment};
use logos::Logos;

/// A kind of token; the text is a slice of the source.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
#[logos(skip r"%[^\n]*")]
pub enum Kind {
    #[token("/*", block_comment)]
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
    Eof,
}

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

impl TokenKind for Kind {
    const EOF: Kind = Kind::Eof;
    const UNCLOSED_COMMENT: Kind = Kind::UnclosedComment;
    const KEYWORDS: &'static [(&'static str, Kind)] = KEYWORDS;
    const WORDING: Wording = Wording {
        unknown_character: &codes::UNKNOWN_CHARACTER,
        no_meaning: "has no meaning in a program",
        unclosed_comment: &codes::UNCLOSED,
        close_comment: "close it with `*/`",
    };

    fn describe(self) -> String {
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

    fn classify(self, text: &str, span: Span, problems: &mut Problems) -> Kind {
        match self {
            Kind::Lower => Kind::of_keyword(text).unwrap_or(Kind::Lower),
            Kind::BadNumber => {
                problems.push(bad_number("this is neither a number nor a name", span));
                Kind::BadNumber
            }
            Kind::Number if text.len() > MAX_DIGITS => {
                problems.push(bad_number(&format!("a number of more than {MAX_DIGITS} digits"), span));
                Kind::BadNumber
            }
            Kind::UnclosedText => {
                problems.push(unclosed_text(span));
                Kind::Text
            }
            other => other,
        }
    }

    fn unknown_help(character: &str) -> &'static str {
        match character {
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
        }
    }
}

fn unclosed_text(span: Span) -> Diagnostic {
    Diagnostic::error(&codes::UNCLOSED, "this name is never closed", span)
        .label("the name reaches to the end of the line")
        .help("close it with `\"`")
}

fn bad_number(message: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&codes::BAD_NUMBER, message, span)
        .label("not a number")
        .help("numbers are written `42`; names start with a letter")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::kinds;

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

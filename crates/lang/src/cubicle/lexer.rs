//! The tokens of Cubicle's language.
//!
//! Cubicle tells what is declared in the file (types, process variables: lower case) from what makes up the state and
//! its values (upper case) by the first letter, so names are two kinds of tokens. Comments `(* … *)` nest.

use crate::codes::cubicle as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::{MAX_DIGITS, Problems, TokenKind, Wording, nested_comment};
use logos::Logos;

/// A kind of token; the text is a slice of the source.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
pub enum Kind {
    #[token("(*", nested_comment)]
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
    Eof,
}

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

impl TokenKind for Kind {
    const EOF: Kind = Kind::Eof;
    const UNCLOSED_COMMENT: Kind = Kind::UnclosedComment;
    const KEYWORDS: &'static [(&'static str, Kind)] = KEYWORDS;
    const WORDING: Wording = Wording {
        unknown_character: &codes::UNKNOWN_CHARACTER,
        no_meaning: "has no meaning in a model",
        unclosed_comment: &codes::UNCLOSED_COMMENT,
        close_comment: "close it with `*)`; comments nest, so each `(*` inside it needs one as well",
    };

    fn describe(self) -> String {
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

    fn classify(self, text: &str, span: Span, problems: &mut Problems) -> Kind {
        match self {
            Kind::Lower => Kind::of_keyword(text).unwrap_or(Kind::Lower),
            Kind::BadNumber => {
                problems.push(bad_number("this is neither a number nor a name", span));
                Kind::BadNumber
            }
            Kind::Number | Kind::Decimal | Kind::Process if text.len() > MAX_DIGITS => {
                problems.push(bad_number(&format!("a number of more than {MAX_DIGITS} digits"), span));
                Kind::BadNumber
            }
            other => other,
        }
    }

    fn unknown_help(character: &str) -> &'static str {
        match character {
            "!" => "`not f` negates a formula, and `s <> t` says that two terms differ",
            "&" => "conjunction is written `&&`",
            "/" => "comments stand between `(*` and `*)`; there is no division",
            "#" => "processes are numbered from one: `#1`",
            "_" => "names start with a letter",
            _ => "remove it; names consist of letters, digits and `_`",
        }
    }
}

fn bad_number(message: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&codes::BAD_NUMBER, message, span)
        .label("not a number")
        .help("numbers are written `42` or `0.5`; names start with a letter")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::kinds;

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

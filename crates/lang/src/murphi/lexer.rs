//! The tokens of Murphi and of Tenet's own language.
//!
//! Keywords are looked up regardless of case. The additional keywords of `.tenet` files are names here; the parser turns them
//! into keywords where an item starts.

mod block;

pub use block::Block;

use crate::codes::syntax;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::{MAX_DIGITS, Problems, TokenKind, Wording, block_comment};
use logos::Logos;

/// A kind of token; the text is a slice of the source.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{000B}\u{feff}]+")]
#[logos(skip r"--[^\n]*")]
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
    #[token("<->")]
    #[token("↔")]
    Iff,
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
    /// Bitwise operators, which are recognised only to be refused with a specific message.
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

    // Keywords of `.tenet` files.
    Axiom,
    Define,
    Index,
    Instantiate,
    Never,
    Predicate,
    Eof,
}

/// All keywords, in lower case.
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

/// Keywords that start an item of a `.tenet` file. Everywhere else they are names, so that a variable may be called
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
    /// The keyword of `.tenet` files with this name, regardless of case.
    pub fn of_tenet_word(word: &str) -> Option<Kind> {
        TENET_WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, kind)| *kind)
    }

    /// Words reserved by only one of CMurphi and Rumur; models for the other may use them as names.
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
}

impl TokenKind for Kind {
    const EOF: Kind = Kind::Eof;
    const UNCLOSED_COMMENT: Kind = Kind::UnclosedComment;
    const KEYWORDS: &'static [(&'static str, Kind)] = KEYWORDS;
    const WORDING: Wording = Wording {
        unknown_character: &syntax::UNKNOWN_CHARACTER,
        no_meaning: "has no meaning in a model",
        unclosed_comment: &syntax::UNCLOSED_COMMENT,
        close_comment: "close it with `*/`; comments do not nest",
    };
    /// There are masses of unknown characters when the file is not a model at all.
    const MAX_UNKNOWN: usize = 5;

    fn describe(self) -> String {
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

    fn classify(self, text: &str, span: Span, problems: &mut Problems) -> Kind {
        match self {
            Kind::Ident => Kind::of_keyword(text).unwrap_or(Kind::Ident),
            Kind::UnclosedText => {
                problems.push(unclosed_text(span));
                Kind::Text
            }
            Kind::SingleQuoted => {
                problems.push(single_quoted(span));
                Kind::Text
            }
            Kind::BadNumber => {
                problems.push(bad_number(span));
                Kind::BadNumber
            }
            Kind::Number if text.len() > MAX_DIGITS => {
                problems.push(long_number(span));
                Kind::BadNumber
            }
            other => other,
        }
    }

    fn unknown_help(character: &str) -> &'static str {
        match character {
            "'" => "strings are written in double quotes",
            "#" | "@" | "$" => "comments start with `--` or stand between `/*` and `*/`",
            _ => "remove it; names consist of letters, digits and `_`",
        }
    }

    /// The keyword with this text, regardless of case.
    fn of_keyword(word: &str) -> Option<Kind> {
        let lower = || word.bytes().map(|byte| byte.to_ascii_lowercase());
        let found = KEYWORDS.binary_search_by(|(keyword, _)| keyword.bytes().cmp(lower())).ok()?;
        Some(KEYWORDS[found].1)
    }

    fn keyword(self) -> Option<&'static str> {
        KEYWORDS.iter().chain(TENET_WORDS).find(|(_, kind)| *kind == self).map(|(keyword, _)| *keyword)
    }
}

fn unclosed_text(span: Span) -> Diagnostic {
    Diagnostic::error(&syntax::UNCLOSED_STRING, "this string is never closed", span)
        .label("no closing `\"` on this line")
        .help("a string ends on the line on which it starts; write `\\\"` for a quote inside it")
}

fn single_quoted(span: Span) -> Diagnostic {
    Diagnostic::error(&syntax::UNKNOWN_CHARACTER, "a string in single quotes", span)
        .label("single quotes have no meaning in a model")
        .help("strings are written in double quotes")
}

fn bad_number(span: Span) -> Diagnostic {
    Diagnostic::error(&syntax::BAD_NUMBER, "this is neither a number nor a name", span)
        .label("starts with a digit and goes on with letters")
        .help("numbers are decimal (`42`) or hexadecimal (`0x2a`); names start with a letter")
}

fn long_number(span: Span) -> Diagnostic {
    let message = format!("a number of more than {MAX_DIGITS} digits");
    Diagnostic::error(&syntax::BAD_NUMBER, message, span)
        .label("too long")
        .help("is a space or an operator missing?")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::kinds;

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
        assert_eq!(kinds::<Kind>(&"@ ".repeat(5000)), (vec![], Kind::MAX_UNKNOWN));
    }
}

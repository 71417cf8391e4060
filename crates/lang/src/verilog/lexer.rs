//! Verilog text as tokens with their places. Nothing is dropped: the text between two tokens is white space or a
//! comment, so a text can be changed at some places and stay as it is everywhere else.
//!
//! Yosys parses the design; this lexer only has to find conditions, included files, and the words around them. It accepts every
//! text: an unknown character is a token.

use crate::span::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A keyword or an identifier, escaped ones included.
    Word,
    /// A system name, such as `$past`.
    System,
    /// A compiler directive or a macro, such as `` `include ``.
    Directive,
    /// A number, such as `4'b10_1?`.
    Number,
    /// A string with its quotes.
    String,
    /// Everything else: operators and brackets.
    Symbol,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
}

impl Token {
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.span.range()]
    }
}

/// Operators of more than one character, the longest first.
const SYMBOLS: &[&str] = &[
    "<<<=", ">>>=", "===", "!==", "==?", "!=?", "<<<", ">>>", "<<=", ">>=", "|->", "|=>", "**", "==", "!=",
    "<=", ">=", "&&", "||", "~&", "~|", "~^", "^~", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
    "^=", "++", "--", "->", "::", "+:", "-:", "##", "(*", "*)", "'{",
];

pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some(length) = trivia(rest) {
            at += length;
            continue;
        }
        let (kind, length) = token(rest, next);
        // `@(*)` is no attribute: the two-character brackets do not overlap.
        let is_star = rest.starts_with("(*)") || (rest.starts_with("*)") && text[..at].ends_with('('));
        let length = if is_star { 1 } else { length };
        found.push(Token { kind, span: Span::new(at, at + length) });
        at += length;
    }
    found
}

/// The length of the white space or comment that the text begins with.
fn trivia(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if let Some(inside) = rest.strip_prefix("/*") {
        return Some(inside.find("*/").map_or(rest.len(), |end| end + 4));
    }
    let length = rest.len() - rest.trim_start().len();
    (length > 0).then_some(length)
}

fn token(rest: &str, next: char) -> (Kind, usize) {
    let word = |from: usize| from + span_of(&rest[from..], |c| c.is_alphanumeric() || c == '_' || c == '$');
    match next {
        'a'..='z' | 'A'..='Z' | '_' => (Kind::Word, word(0)),
        '\\' => (Kind::Word, span_of(rest, |c| !c.is_whitespace())),
        '$' if word(1) > 1 => (Kind::System, word(1)),
        '`' if word(1) > 1 => (Kind::Directive, word(1)),
        '0'..='9' => (Kind::Number, number(rest)),
        '\'' => match based(rest) {
            0 => (Kind::Symbol, symbol(rest)),
            length => (Kind::Number, length),
        },
        '"' => (Kind::String, string(rest)),
        _ => (Kind::Symbol, symbol(rest)),
    }
}

fn symbol(rest: &str) -> usize {
    let known = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
    known.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |symbol| symbol.len())
}

/// The length of the longest prefix whose characters satisfy a condition.
fn span_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// A number that starts with a digit; the size and the value of a based one may be separated by white space.
fn number(rest: &str) -> usize {
    let digits = span_of(rest, |c| c.is_ascii_digit() || c == '_');
    let gap = rest[digits..].len() - rest[digits..].trim_start_matches([' ', '\t']).len();
    let value = based(&rest[digits + gap..]);
    if value > 0 {
        return digits + gap + value;
    }
    // A real number, or a time with its unit.
    let fraction = match rest[digits..].strip_prefix('.') {
        Some(more) if more.starts_with(|c: char| c.is_ascii_digit()) => {
            1 + span_of(more, |c| c.is_ascii_digit() || c == '_')
        }
        _ => 0,
    };
    let end = digits + fraction;
    end + span_of(&rest[end..], |c| c.is_ascii_alphanumeric() || c == '_')
}

/// `'b101`, `'sd7`, `'0`; 0 if it is none of these.
fn based(rest: &str) -> usize {
    let Some(after) = rest.strip_prefix('\'') else { return 0 };
    let unsigned = after.strip_prefix(['s', 'S']).unwrap_or(after);
    let sign = after.len() - unsigned.len();
    if !unsigned.starts_with(['b', 'B', 'o', 'O', 'd', 'D', 'h', 'H']) {
        let is_fill = after.starts_with(['0', '1', 'x', 'X', 'z', 'Z']);
        return if is_fill { 2 } else { 0 };
    }
    let digits = &unsigned[1..];
    let gap = digits.len() - digits.trim_start_matches([' ', '\t']).len();
    let value = span_of(&digits[gap..], |c| c.is_ascii_hexdigit() || "xXzZ?_".contains(c));
    if value == 0 { 0 } else { 1 + sign + 1 + gap + value }
}

fn string(rest: &str) -> usize {
    let mut is_escaped = false;
    for (offset, character) in rest.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return offset + 1,
            // A string ends at the end of its line.
            '\n' => return offset,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text(text)).collect()
    }

    #[test]
    fn words_numbers_and_symbols() {
        let text = "if (a<=4'b1?_0 /* ( */ && \\x+y  $past(b)) // )\n q <= 8 'h fF+'1-1.5e3;";
        let expected = [
            "if", "(", "a", "<=", "4'b1?_0", "&&", "\\x+y", "$past", "(", "b", ")", ")", "q", "<=",
            "8 'h fF", "+", "'1", "-", "1.5e3", ";",
        ];
        assert_eq!(texts(text), expected);
    }

    #[test]
    fn attributes_are_not_sensitivity_lists() {
        assert_eq!(
            texts("(* keep *) always @(*) y = a*(b);")[..7],
            ["(*", "keep", "*)", "always", "@", "(", "*"]
        );
    }

    #[test]
    fn strings_hide_everything_and_end_with_the_line() {
        assert_eq!(texts(r#"`include "a \" // b.vh" x"#), ["`include", r#""a \" // b.vh""#, "x"]);
        assert_eq!(texts("\"open\nnext"), ["\"open", "next"]);
    }

    proptest! {
        #![proptest_config(tenet_chance::cases(256))]

        #[test]
        fn every_text_is_covered(text in "[a-z0-9'\"`$\\\\/*()<=>&| \n_?éx-]{0,60}") {
            let mut end = 0;
            for token in tokens(&text) {
                let range = token.span.range();
                prop_assert!(range.start >= end && range.end > range.start);
                prop_assert!(trivia_only(&text[end..range.start]));
                end = range.end;
            }
            prop_assert!(trivia_only(&text[end..]));
        }
    }

    fn trivia_only(mut text: &str) -> bool {
        while let Some(length) = trivia(text) {
            text = &text[length..];
        }
        text.is_empty()
    }
}

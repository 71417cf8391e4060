//! The words of a property, which are passed on to Yosys as they are written.

use super::super::lexer::{Kind, Token};

/// A token of a property. Its text may come from the argument of a named property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub text: String,
    pub kind: Kind,
    /// Is there white space before it?
    pub is_apart: bool,
}

/// The words of a part of a text.
pub fn words(text: &str, tokens: &[Token]) -> Vec<Word> {
    let mut end = None;
    let words = tokens.iter().map(|token| {
        let is_apart = end != Some(token.span.start);
        end = Some(token.span.end);
        Word { text: token.text(text).to_owned(), kind: token.kind, is_apart }
    });
    words.collect()
}

/// The text of words, on one line.
pub fn joined(words: &[Word]) -> String {
    let mut text = String::new();
    for word in words {
        if word.is_apart && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    text
}

/// The position of the bracket that closes the one at this position.
pub fn closing(words: &[Word], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (position, word) in words.iter().enumerate().skip(open) {
        match word.text.as_str() {
            "(" | "[" | "{" | "'{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(position);
                }
            }
            _ => {}
        }
    }
    None
}

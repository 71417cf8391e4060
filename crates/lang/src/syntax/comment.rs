//! Delimited comments, which a regular expression describes badly or not at all.

use super::token::TokenKind;
use logos::{FilterResult, Lexer as Automaton};

/// Skips a comment that ends with the next `*/`; one that is never closed becomes a token of its own.
pub(crate) fn block_comment<K: TokenKind>(automaton: &mut Automaton<'_, K>) -> FilterResult<(), ()> {
    let end = automaton.remainder().find("*/").map(|at| at + 2);
    skip(automaton, end)
}

/// Skips a comment between `(*` and `*)`, which may nest; one that is never closed becomes a token of its own.
pub(crate) fn nested_comment<K: TokenKind>(automaton: &mut Automaton<'_, K>) -> FilterResult<(), ()> {
    let end = end_of_nested(automaton.remainder().as_bytes());
    skip(automaton, end)
}

fn end_of_nested(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (1usize, 0);
    while depth > 0 {
        match text.get(at..at + 2)? {
            b"*)" => (depth, at) = (depth - 1, at + 2),
            b"(*" => (depth, at) = (depth + 1, at + 2),
            _ => at += 1,
        }
    }
    Some(at)
}

fn skip<K: TokenKind>(automaton: &mut Automaton<'_, K>, end: Option<usize>) -> FilterResult<(), ()> {
    automaton.bump(end.unwrap_or(automaton.remainder().len()));
    match end {
        Some(_) => FilterResult::Skip,
        None => FilterResult::Emit(()),
    }
}

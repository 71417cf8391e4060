//! What a parser has to know about its language, apart from the grammar.

use super::parser::Parser;
use super::token::TokenKind;
use crate::diagnostic::Explanation;

/// A language; its value is what its parser keeps besides tokens and reports.
pub(crate) trait Language: Sized {
    /// Its tokens.
    type Kind: TokenKind;
    /// The code for a token that does not fit.
    const UNEXPECTED: &'static Explanation;
    /// The code for parts that are nested too deeply.
    const TOO_DEEP: &'static Explanation;
    /// What to do about that.
    const LESS_DEEP: &'static str;
    /// The code for a file with so many errors that reading stops.
    const TOO_MANY: &'static Explanation;

    /// What to write instead of the current token, if it is often mistaken.
    fn advice(parser: &Parser<'_, Self>) -> Option<&'static str>;

    /// The code for the current token where it does not fit, if it has one of its own.
    fn unexpected_code(_parser: &Parser<'_, Self>) -> &'static Explanation {
        Self::UNEXPECTED
    }

    /// The sign that starts here, if messages show it as a whole although it is several tokens.
    fn lexeme(_parser: &Parser<'_, Self>) -> Option<&'static str> {
        None
    }
}

//! What a parser needs to know about its language, apart from the grammar.

use super::parser::Parser;
use super::token::TokenKind;
use crate::diagnostic::Explanation;

/// A language; its value is the additional state of its parser.
pub(crate) trait Language: Sized {
    type Kind: TokenKind;
    /// The code for an unexpected token.
    const UNEXPECTED: &'static Explanation;
    /// The code for exceeding the nesting depth.
    const TOO_DEEP: &'static Explanation;
    /// The help for that.
    const LESS_DEEP: &'static str;
    /// The code for a file with more errors than the limit.
    const TOO_MANY: &'static Explanation;

    /// Help for the current token, if it is a common mistake.
    fn advice(parser: &Parser<'_, Self>) -> Option<&'static str>;

    /// A specific code for the current token where it is unexpected.
    fn unexpected_code(_parser: &Parser<'_, Self>) -> &'static Explanation {
        Self::UNEXPECTED
    }

    /// The sign that starts here, if messages show it as a whole although it is several tokens.
    fn lexeme(_parser: &Parser<'_, Self>) -> Option<&'static str> {
        None
    }
}

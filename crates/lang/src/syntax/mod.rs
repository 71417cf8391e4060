//! The common part of the parsers of languages with a grammar of their own (Murphi, Cubicle, constraint logic
//! programs).
//!
//! A language defines its tokens (`TokenKind`) and the wording of its diagnostics (`Language`); `lexer` and `parser` do
//! the rest: places, two tokens of lookahead, errors that do not repeat themselves, and limits on everything that a
//! hostile file could make large. A language's grammar is written as methods of `Parser<'_, L>` for its own `L`, so
//! that it reads as if the parser had been made for it alone.
//!
//! Formats without such a grammar are not built on this: BTOR2 has one line for each node, SMT-LIB is S-expressions,
//! and Verilog is read by Yosys.

mod comment;
mod comparison;
mod language;
mod lexer;
mod name;
mod parser;
mod problems;
mod source;
mod token;

pub(crate) use comment::{block_comment, nested_comment};
pub use comparison::Comparison;
pub(crate) use language::Language;
pub(crate) use lexer::MAX_DIGITS;
#[cfg(test)]
pub(crate) use lexer::kinds;
pub use name::Name;
pub(crate) use parser::{Failed, MAX_DEPTH, Parsed, Parser, parse};
pub(crate) use problems::Problems;
pub(crate) use token::{TokenKind, Wording};

//! From tokens to the syntax tree, by recursive descent that recovers from errors.
//!
//! The parser never fails: what it cannot read it reports and leaves out. Every item ends with a dot, which occurs nowhere else,
//! so after an error it resumes after the next dot. Chains of operators are lists, so that they add nothing to the depth of the
//! tree.

mod expressions;
mod items;

use super::ast::File;
use super::lexer::Kind;
use crate::codes::clp as codes;
use crate::diagnostic::{Diagnostic, Explanation};
use crate::syntax::{self, Failed, Language, Parsed};

/// Reads a file. The tree holds what could be read; it is the whole file if no diagnostic is an error.
pub fn parse(source: &str) -> (File, Vec<Diagnostic>) {
    syntax::parse(source, 0, Programs, Parser::file)
}

type Parser<'s> = syntax::Parser<'s, Programs>;

struct Programs;

impl Language for Programs {
    type Kind = Kind;
    const UNEXPECTED: &'static Explanation = &codes::UNEXPECTED;
    const TOO_DEEP: &'static Explanation = &codes::TOO_DEEP;
    const LESS_DEEP: &'static str = "name parts with predicates or variables";
    const TOO_MANY: &'static Explanation = &codes::TOO_MANY;

    fn advice(parser: &Parser<'_>) -> Option<&'static str> {
        match parser.kind() {
            Kind::Equal if parser.is_right_behind("=") => Some("a comparison is written with one `=`"),
            Kind::RightParen if parser.is_right_behind("(") => {
                Some("a predicate without arguments is written without parentheses")
            }
            Kind::Text => Some(
                "a name stands behind `prove`, `property` or `abstract`, or in front of a rule, with a `:` behind it",
            ),
            Kind::If => Some("each rule ends with a dot; is one missing in front of this rule?"),
            Kind::Number if parser.is_right_behind(".") => {
                Some("there are no decimal fractions: numbers are integers")
            }
            Kind::Prove | Kind::Property | Kind::Start | Kind::Abstract => {
                Some("this word starts a new part of the file; the one before it ends with a dot")
            }
            _ => None,
        }
    }
}

impl Parser<'_> {
    /// Is the previous token this text, with nothing between it and the current one?
    fn is_right_behind(&self, text: &str) -> bool {
        self.source().get(self.previous().range()) == Some(text) && self.previous().end == self.here().start
    }

    /// Skips the rest of an item: past the next dot, or to a keyword that starts one.
    fn skip_item(&mut self) {
        use Kind::*;
        while !matches!(self.kind(), Dot | Prove | Property | Start | Abstract | Eof) {
            self.bump();
        }
        self.eat(Dot);
    }
}

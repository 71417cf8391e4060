//! From tokens to the syntax tree, by recursive descent that recovers from errors.
//!
//! The parser never fails: what it cannot read it reports and leaves out. Items start with keywords that occur nowhere
//! else, so after an error it resumes at the next item, and inside a transition at the next `;` or `}`. Chains of
//! operators are lists, so that they add nothing to the depth of the tree.

mod expressions;
mod items;

use super::ast::{Model, Name};
use super::lexer::Kind;
use crate::codes::cubicle as codes;
use crate::diagnostic::{Diagnostic, Explanation};
use crate::syntax::{self, Failed, Language, Parsed};

/// Reads a file. The tree holds what could be read; it is the whole file if no diagnostic is an error.
pub fn parse(source: &str) -> (Model, Vec<Diagnostic>) {
    syntax::parse(source, 0, Cubicle, Parser::model)
}

type Parser<'s> = syntax::Parser<'s, Cubicle>;

struct Cubicle;

impl Language for Cubicle {
    type Kind = Kind;
    const UNEXPECTED: &'static Explanation = &codes::UNEXPECTED;
    const TOO_DEEP: &'static Explanation = &codes::TOO_DEEP;
    const LESS_DEEP: &'static str = "name parts with predicates";
    const TOO_MANY: &'static Explanation = &codes::TOO_MANY;

    fn advice(parser: &Parser<'_>) -> Option<&'static str> {
        match parser.kind() {
            Kind::Assign => Some("`:=` assigns; a comparison is written with `=`"),
            Kind::Equal if parser.next_kind() == Kind::Equal => Some("a comparison is written with one `=`"),
            Kind::Equal => Some("`=` compares; an update is written with `:=`"),
            Kind::Bar => Some("a disjunction is written `||`"),
            Kind::Comma => Some("the variables in parentheses are separated by spaces: `(x y)`"),
            _ => None,
        }
    }
}

impl Parser<'_> {
    /// A name of one of the two kinds. The other kind is reported and accepted: its uses are spelt in the same way.
    fn name(&mut self, kind: Kind, what: &str) -> Parsed<Name> {
        let other = if kind == Kind::Upper { Kind::Lower } else { Kind::Upper };
        if self.at(other) {
            let letter = if kind == Kind::Upper { "capital" } else { "small" };
            let diagnostic = self
                .error(&codes::LETTER_CASE, format!("{what} starts with a {letter} letter"))
                .label(format!("should start with a {letter} letter"));
            self.report(diagnostic);
        } else if !self.at(kind) {
            return self.unexpected(what);
        }
        Ok(self.take_name())
    }

    /// Whether an item starts here.
    fn at_item(&self) -> bool {
        use Kind::*;
        matches!(
            self.kind(),
            Array
                | Const
                | Init
                | Invariant
                | NumberProcs
                | Predicate
                | Transition
                | Type
                | Unsafe
                | Var
                | Eof
        )
    }

    /// Skips up to one of the given tokens or the next item.
    fn skip_to(&mut self, wanted: &[Kind]) {
        while !self.at_item() && !wanted.contains(&self.kind()) {
            self.bump();
        }
    }
}

//! Annotations for abstraction in `.tenet` files: index variables, predicates, axioms, definitions and hints for
//! instantiation.
//!
//! The keywords of these items are names everywhere else, so that Murphi models with a variable `index` or a function
//! `define` keep their meaning. [`Parser::promote`] decides by position and by the token that follows.

use super::super::ast::{Define, Expr, Hint, Ident, Predicate, RuleKind};
use super::super::lexer::Kind;
use super::{Failed, Parsed, Parser};
use crate::span::Span;
use crate::syntax::TokenKind;

impl Parser<'_> {
    /// Turns a name that starts an item here into a keyword. To be called where items start.
    pub(super) fn promote(&mut self) {
        if !self.at(Kind::Ident) {
            return;
        }
        let Some(word) = Kind::of_tenet_word(self.text()) else { return };
        let next = self.next_kind();
        let named = next == Kind::Ident || next.is_soft();
        let starts = match word {
            Kind::Index | Kind::Define | Kind::Never => named,
            Kind::Instantiate => named || next == Kind::LeftParen,
            _ => !matches!(next, Kind::Colon | Kind::Comma | Kind::Assign | Kind::Dot),
        };
        if starts {
            self.reinterpret(word);
        }
    }

    /// Reports a keyword of `.tenet` files in another file; the current token is that keyword.
    pub(super) fn word_of_tenet(&mut self, what: &str) {
        if self.kind().keyword().is_some_and(|word| Kind::of_tenet_word(word).is_some()) {
            let help = "write it into a file of its own and give that with `--predicates`";
            self.tenet_only(self.here(), what, help);
        }
    }

    /// `predicate "name" formula`
    pub(super) fn predicate(&mut self) -> Predicate {
        self.word_of_tenet("a predicate");
        let start = self.bump().span;
        let name = self.string();
        let formula = self.expr_before(&[]);
        let text = self.single_spaced(&formula);
        self.property_end();
        Predicate { name, formula, text, span: self.since(start) }
    }

    /// `define name(parameters) : type := body`
    pub(super) fn define(&mut self) -> Option<Define> {
        self.word_of_tenet("a definition");
        let start = self.bump().span;
        let define = self.recover(|parser| parser.define_parts(start), &[]);
        self.property_end();
        define
    }

    fn define_parts(&mut self, start: Span) -> Parsed<Define> {
        let name = self.name()?;
        let opener = self.here();
        if !self.expect_or_insert(Kind::LeftParen) {
            return Err(Failed);
        }
        let parameters = self.parameters();
        self.matching(Kind::RightParen, opener);
        if !self.eat(Kind::Colon) {
            return self.unexpected("`:` and the type of the value");
        }
        let result = self.type_expr().node;
        if !self.eat(Kind::Assign) {
            return self.unexpected("`:=` and the value");
        }
        let body = self.expression()?.node;
        Ok(Define { name, parameters, result, body, span: self.since(start) })
    }

    /// The text of an expression on one line; unparsed from the tree if there are comments in it.
    fn single_spaced(&self, expr: &Expr) -> String {
        let text = &self.source()[expr.span.range()];
        if text.contains("--") || text.contains("/*") {
            return expr.to_string();
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// `instantiate …` or `never instantiate …`
    pub(super) fn hint(&mut self) -> RuleKind {
        self.word_of_tenet("a hint");
        let force = !self.eat(Kind::Never);
        let hint = self.recover(|parser| parser.hint_parts(force), &[]);
        self.property_end();
        RuleKind::Hint(hint.unwrap_or(Hint { force, targets: Vec::new(), terms: Vec::new() }))
    }

    fn hint_parts(&mut self, force: bool) -> Parsed<Hint> {
        self.word("instantiate")?;
        let opener = self.here();
        let together = self.eat(Kind::LeftParen);
        let targets: Vec<Ident> = if together { self.names()? } else { vec![self.name()?] };
        if together {
            self.matching(Kind::RightParen, opener);
        }
        self.word("with")?;
        let mut terms = vec![self.hint_terms(together)?];
        while self.eat(Kind::Comma) {
            terms.push(self.hint_terms(together)?);
        }
        Ok(Hint { force, targets, terms })
    }

    /// One term, or one for each target in parentheses.
    fn hint_terms(&mut self, together: bool) -> Parsed<Vec<Expr>> {
        if !together {
            return Ok(vec![self.expression()?.node]);
        }
        if !self.at(Kind::LeftParen) {
            return self.unexpected("`(` and one term for each index variable");
        }
        Ok(self.arguments()?.0)
    }

    /// Expects a contextual keyword.
    fn word(&mut self, word: &str) -> Parsed<()> {
        if !self.text().eq_ignore_ascii_case(word) {
            return self.unexpected(&format!("`{word}`"));
        }
        self.bump();
        Ok(())
    }
}

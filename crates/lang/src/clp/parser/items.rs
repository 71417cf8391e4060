//! Rules and the items about them.

use super::{Failed, Parsed, Parser};
use crate::clp::ast::{Expr, File, Item, ItemKind, Name};
use crate::clp::lexer::Kind;
use crate::codes::clp as codes;
use crate::suggest::closest;
use crate::syntax::TokenKind;

/// The keywords that start an item.
const WORDS: &[&str] = &["abstract", "property", "prove", "start"];

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut file = File::default();
        while !self.at(Kind::Eof) {
            let before = self.here();
            match self.item() {
                Ok(item) => file.items.push(item),
                Err(Failed) => {
                    self.skip_item();
                    if self.here() == before {
                        self.bump();
                    }
                }
            }
        }
        file
    }

    fn item(&mut self) -> Parsed<Item> {
        let start = self.here();
        let item = match self.kind() {
            Kind::Prove => self.worded(|parser| {
                let (left, right) = parser.entailment()?;
                Ok(ItemKind::Prove(left, right))
            }),
            Kind::Property => self.worded(|parser| {
                let (left, right) = parser.entailment()?;
                Ok(ItemKind::Property(left, right))
            }),
            Kind::Abstract => self.worded(|parser| {
                let at = parser.formula()?;
                parser.expect_after_formula(Kind::By)?;
                Ok(ItemKind::Abstract(at, parser.formula()?))
            }),
            Kind::Start => self.worded(|parser| Ok(ItemKind::Start(parser.formula()?))),
            Kind::Text => {
                let name = self.name()?;
                self.rule(name)
            }
            _ => self.rule(None),
        };
        let (name, kind) = item?;
        let span = self.since(start);
        self.expect_after_formula(Kind::Dot)?;
        Ok(Item { name, kind, span })
    }

    /// An item that starts with a keyword and perhaps a name.
    fn worded(
        &mut self,
        rest: impl FnOnce(&mut Self) -> Parsed<ItemKind>,
    ) -> Parsed<(Option<Name>, ItemKind)> {
        self.bump();
        let name = if self.at(Kind::Text) { self.name()? } else { None };
        Ok((name, rest(self)?))
    }

    /// `"name":`
    fn name(&mut self) -> Parsed<Option<Name>> {
        let text = self.text().trim_matches('"').to_string();
        let span = self.bump().span;
        self.expect(Kind::Colon)?;
        Ok(Some(Name { text, span }))
    }

    fn entailment(&mut self) -> Parsed<(Expr, Expr)> {
        let left = self.formula()?;
        self.expect_after_formula(Kind::Entails)?;
        Ok((left, self.formula()?))
    }

    fn rule(&mut self, name: Option<Name>) -> Parsed<(Option<Name>, ItemKind)> {
        if self.at(Kind::Variable) {
            let message = "the name of a predicate starts with a small letter";
            let diagnostic = self.error(&codes::LETTER, message).label("starts like a variable");
            self.report(diagnostic);
            return Err(Failed);
        }
        if !self.at(Kind::Lower) {
            return self.unexpected("a rule, `prove`, `property`, `start` or `abstract`");
        }
        if matches!(self.next_kind(), Kind::Lower | Kind::Text) {
            return self.misspelt();
        }
        let head = self.atom()?;
        let body = match self.kind() {
            Kind::Dot => None,
            Kind::If => {
                self.bump();
                Some(self.formula()?)
            }
            _ => return self.unexpected("`:-` or `.`"),
        };
        Ok((name, ItemKind::Rule(head, body)))
    }

    /// A word before an atom that is no keyword.
    fn misspelt<T>(&mut self) -> Parsed<T> {
        let message = format!("unknown word `{}`", self.text());
        let mut diagnostic = self.error(&codes::UNEXPECTED, message).label("starts no part of a file");
        if let Some(word) = closest(self.text(), WORDS.iter().copied()) {
            diagnostic = diagnostic.help(format!("did you mean `{word}`?"));
        }
        self.report(diagnostic);
        Err(Failed)
    }

    /// Expects the end of a formula.
    fn expect_after_formula(&mut self, kind: Kind) -> Parsed<()> {
        if self.eat(kind) {
            return Ok(());
        }
        self.unexpected(&format!("`,`, `\\/` or {}", kind.describe()))
    }
}

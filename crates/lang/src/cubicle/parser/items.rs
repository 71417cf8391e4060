//! Declarations, cubes and transitions.

use super::{Failed, Parsed, Parser};
use crate::codes::cubicle as codes;
use crate::cubicle::ast::{
    Branch, Chosen, Cube, Expr, ExprKind, Model, Name, NewValue, Predicate, Size, SymbolDeclaration,
    SymbolKind, Transition, TypeDeclaration, Update,
};
use crate::cubicle::lexer::Kind;
use crate::span::Span;
use crate::suggest::closest;
use crate::syntax::TokenKind;
use num_bigint::BigInt;

/// The keywords that start an item.
const ITEMS: &[&str] = &[
    "array",
    "const",
    "init",
    "invariant",
    "number_procs",
    "predicate",
    "transition",
    "type",
    "unsafe",
    "var",
];

impl Parser<'_> {
    pub(super) fn model(&mut self) -> Model {
        let mut model = Model::default();
        while !self.at(Kind::Eof) {
            if self.item(&mut model).is_err() {
                self.skip_to(&[]);
            }
        }
        model
    }

    fn item(&mut self, model: &mut Model) -> Parsed<()> {
        let start = self.here();
        match self.kind() {
            Kind::NumberProcs => model.sizes.push(self.size()?),
            Kind::Type => model.types.push(self.type_declaration()?),
            Kind::Var => model.symbols.push(self.scalar(SymbolKind::Var)?),
            Kind::Const => model.symbols.push(self.scalar(SymbolKind::Const)?),
            Kind::Array => model.symbols.push(self.array()?),
            Kind::Predicate => model.predicates.push(self.predicate()?),
            Kind::Init => model.inits.push(self.cube(start)?),
            Kind::Invariant => model.invariants.push(self.cube(start)?),
            Kind::Unsafe => model.unsafes.push(self.cube(start)?),
            Kind::Transition => model.transitions.push(self.transition(start)?),
            _ => return self.no_item(),
        }
        Ok(())
    }

    /// Something that starts no item. A misspelt keyword is read as intended.
    fn no_item(&mut self) -> Parsed<()> {
        let Some(word) = closest(self.text(), ITEMS.iter().copied()).filter(|_| self.at(Kind::Lower)) else {
            return self.unexpected("a declaration, `init`, `invariant`, `unsafe` or `transition`");
        };
        let message = format!("unknown word `{}`", self.text());
        let diagnostic = self
            .error(&codes::MISSPELT, message)
            .label(format!("read as `{word}`"))
            .help(format!("did you mean `{word}`?"));
        self.report(diagnostic);
        self.reinterpret(Kind::of_keyword(word).ok_or(Failed)?);
        Ok(())
    }

    fn size(&mut self) -> Parsed<Size> {
        let start = self.bump().span;
        if !self.at(Kind::Number) {
            return self.unexpected("the number of processes");
        }
        let count = self.integer();
        Ok(Size { count, span: self.since(start) })
    }

    /// The current token as a number.
    pub(super) fn integer(&mut self) -> BigInt {
        let value = self.text().trim_start_matches('#').parse().unwrap_or_default();
        self.bump();
        value
    }

    fn type_declaration(&mut self) -> Parsed<TypeDeclaration> {
        self.bump();
        let name = self.name(Kind::Lower, "the name of a type")?;
        let mut constructors = Vec::new();
        if self.eat(Kind::Equal) {
            self.eat(Kind::Bar);
            constructors =
                self.separated(Kind::Bar, |parser| parser.name(Kind::Upper, "a value of the type"))?;
        }
        Ok(TypeDeclaration { name, constructors })
    }

    fn scalar(&mut self, kind: SymbolKind) -> Parsed<SymbolDeclaration> {
        self.bump();
        let what =
            if kind == SymbolKind::Const { "the name of a constant" } else { "the name of a variable" };
        let name = self.name(Kind::Upper, what)?;
        let ty = self.type_after_colon()?;
        Ok(SymbolDeclaration { kind, name, indices: Vec::new(), ty })
    }

    fn array(&mut self) -> Parsed<SymbolDeclaration> {
        self.bump();
        let name = self.name(Kind::Upper, "the name of an array")?;
        self.expect(Kind::LeftBracket)?;
        let indices = self.separated(Kind::Comma, |parser| parser.name(Kind::Lower, "a type"))?;
        self.expect(Kind::RightBracket)?;
        let ty = self.type_after_colon()?;
        Ok(SymbolDeclaration { kind: SymbolKind::Array, name, indices, ty })
    }

    fn type_after_colon(&mut self) -> Parsed<Name> {
        self.expect(Kind::Colon)?;
        self.name(Kind::Lower, "a type")
    }

    fn predicate(&mut self) -> Parsed<Predicate> {
        self.bump();
        let name = self.name(Kind::Lower, "the name of a predicate")?;
        let mut params = Vec::new();
        self.expect(Kind::LeftParen)?;
        while self.at(Kind::Lower) {
            params.push(self.take_name());
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::RightParen)?;
        Ok(Predicate { name, params, body: self.braced()? })
    }

    /// `init`, `invariant` or `unsafe` with its variables and formula.
    fn cube(&mut self, start: Span) -> Parsed<Cube> {
        self.bump();
        let variables = if self.at(Kind::LeftParen) { self.variables()? } else { Vec::new() };
        let formula = self.braced()?;
        Ok(Cube { variables, formula, span: self.since(start) })
    }

    /// `(x y z)`
    fn variables(&mut self) -> Parsed<Vec<Name>> {
        self.expect(Kind::LeftParen)?;
        let mut names = Vec::new();
        while matches!(self.kind(), Kind::Lower | Kind::Upper) {
            names.push(self.name(Kind::Lower, "a process variable")?);
        }
        self.expect(Kind::RightParen)?;
        Ok(names)
    }

    /// `{ formula }`. A formula that cannot be read is left out up to the brace.
    fn braced(&mut self) -> Parsed<Expr> {
        self.expect(Kind::LeftBrace)?;
        let start = self.here();
        let formula = match self.expression() {
            Ok(formula) if self.at(Kind::RightBrace) => formula,
            read => {
                if read.is_ok() {
                    self.report(self.unexpected_here("`&&`, `||` or `}`"));
                }
                self.skip_to(&[Kind::RightBrace]);
                Expr { kind: ExprKind::Error, span: start }
            }
        };
        self.expect(Kind::RightBrace)?;
        Ok(formula)
    }

    fn transition(&mut self, start: Span) -> Parsed<Transition> {
        self.bump();
        if !matches!(self.kind(), Kind::Lower | Kind::Upper) {
            return self.unexpected("the name of a transition");
        }
        let name = self.take_name();
        let params = self.variables()?;
        let guard = if self.eat(Kind::Requires) { Some(self.braced()?) } else { None };
        if !self.at(Kind::LeftBrace) {
            return self.unexpected(if guard.is_some() { "`{`" } else { "`requires` or `{`" });
        }
        self.bump();
        let mut lets = Vec::new();
        while self.eat(Kind::Let) {
            lets.push(self.binding()?);
        }
        let updates = self.updates();
        self.expect(Kind::RightBrace)?;
        Ok(Transition { name, params, guard, lets, updates, span: self.since(start) })
    }

    fn binding(&mut self) -> Parsed<(Name, Expr)> {
        let name = self.name(Kind::Lower, "the name of a value")?;
        self.expect(Kind::Equal)?;
        let value = self.expression()?;
        self.expect(Kind::In)?;
        Ok((name, value))
    }

    /// Updates up to the closing brace.
    fn updates(&mut self) -> Vec<Update> {
        let mut updates = Vec::new();
        while !self.at(Kind::RightBrace) && !self.at_item() {
            match self.update() {
                Ok(update) => updates.push(update),
                Err(Failed) => self.skip_to(&[Kind::Semicolon, Kind::RightBrace]),
            }
            if !self.eat(Kind::Semicolon) && !self.at(Kind::RightBrace) && !self.at_item() {
                self.report(self.unexpected_here("`;` or `}`"));
                // Without a `;` the next update may start right here.
                if !matches!(self.kind(), Kind::Upper | Kind::Lower) {
                    self.skip_to(&[Kind::Semicolon, Kind::RightBrace]);
                    self.eat(Kind::Semicolon);
                }
            }
        }
        updates
    }

    fn update(&mut self) -> Parsed<Update> {
        let target = self.name(Kind::Upper, "the variable or array that is changed")?;
        let indices = if self.at(Kind::LeftBracket) { self.indices()? } else { Vec::new() };
        self.expect(Kind::Assign)?;
        let value = match self.eat(Kind::Case) {
            true => NewValue::Case(self.branches()?),
            false => NewValue::One(self.chosen()?),
        };
        let span = self.since(target.span);
        Ok(Update { target, indices, value, span })
    }

    fn chosen(&mut self) -> Parsed<Chosen> {
        match self.kind() {
            Kind::Dot | Kind::Question => Ok(Chosen::Any(self.bump().span)),
            _ => self.expression().map(Chosen::Term),
        }
    }

    fn branches(&mut self) -> Parsed<Vec<Branch>> {
        let mut branches = Vec::new();
        if !self.at(Kind::Bar) {
            return self.unexpected("`|`");
        }
        while self.eat(Kind::Bar) {
            let condition = if self.eat(Kind::Underscore) { None } else { Some(self.expression()?) };
            self.expect(Kind::Colon)?;
            branches.push(Branch { condition, value: self.chosen()? });
        }
        Ok(branches)
    }
}

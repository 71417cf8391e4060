//! Types.
//!
//! A range starts with an expression and so does a type name, so both are read as an expression first and distinguished
//! by the `..` that follows. An erroneous type becomes a range between two erroneous ends: the checker does not report
//! errors in expressions again, and so needs no erroneous type.

use super::super::ast::{Expr, ExprKind, Field, TypeExpr, TypeExprKind};
use super::super::lexer::{Block, Kind};
use super::expressions::canonical;
use super::{Dialect, Failed, Parsed, Parser, Tall};
use crate::codes::syntax;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// The placeholder for an erroneous type.
fn erroneous(span: Span) -> Tall<TypeExpr> {
    let end = || Some(Box::new(Expr { kind: ExprKind::Error, span }));
    Tall { node: TypeExpr { kind: TypeExprKind::Range { lo: end(), hi: end() }, span }, height: 1 }
}

impl Parser<'_> {
    pub(super) fn type_expr(&mut self) -> Tall<TypeExpr> {
        let start = self.here();
        let stops =
            [Kind::RightBracket, Kind::RightBrace, Kind::RightParen, Kind::Do, Kind::Begin, Kind::Comma];
        let read = self.recover(|parser| parser.descend(|parser| parser.type_form()), &stops);
        let Some((kind, height)) = read else { return erroneous(start) };
        let tall = Tall { node: TypeExpr { kind, span: self.since(start) }, height };
        self.limited(tall).unwrap_or_else(|Failed| erroneous(start))
    }

    fn type_form(&mut self) -> Parsed<(TypeExprKind, usize)> {
        match self.kind() {
            Kind::Enum => self.enumeration(),
            Kind::Scalarset => self.scalarset(),
            Kind::Union if self.next_kind() == Kind::LeftBrace => self.union(),
            Kind::Array => self.array(),
            Kind::Multiset if self.next_kind() == Kind::LeftBracket => self.multiset(),
            Kind::Record => Ok(self.record()),
            Kind::DotDot => self.range(None),
            Kind::Ident
                if self.text().eq_ignore_ascii_case("real") && self.next_kind() == Kind::LeftParen =>
            {
                self.real()
            }
            _ => self.name_or_range(),
        }
    }

    /// `real(digits, exponent)` is read to its end, so that it is reported once.
    fn real(&mut self) -> Parsed<(TypeExprKind, usize)> {
        let Err(Failed) = self.not_supported::<()>("real numbers are not supported") else {
            return Err(Failed);
        };
        let span = self.bump().span;
        self.arguments()?;
        let stand_in = erroneous(span);
        Ok((stand_in.node.kind, stand_in.height))
    }

    fn name_or_range(&mut self) -> Parsed<(TypeExprKind, usize)> {
        let start = self.here();
        if !self.starts_expression() {
            return self.unexpected("a type");
        }
        let first = self.expression()?;
        if self.at(Kind::DotDot) {
            return self.range(Some(first));
        }
        // `(T)` is an expression and not a type: the span distinguishes it from `T`.
        match first.node.kind {
            ExprKind::Name(name) if self.source().as_bytes().get(start.start as usize) != Some(&b'(') => {
                Ok((TypeExprKind::Name(canonical(name)), 0))
            }
            ExprKind::Error => Err(Failed),
            _ => self.not_a_type(first.node.span),
        }
    }

    /// The range that starts with this expression; `..` follows.
    pub(super) fn range_from(&mut self, lo: Expr) -> Tall<TypeExpr> {
        let start = lo.span;
        let read = self.recover(|parser| parser.range(Some(Tall { node: lo, height: 0 })), &[]);
        let Some((kind, height)) = read else { return erroneous(start) };
        Tall { node: TypeExpr { kind, span: self.since(start) }, height }
    }

    fn not_a_type<T>(&mut self, span: Span) -> Parsed<T> {
        let diagnostic = Diagnostic::error(&syntax::NOT_A_TYPE, "expected a type, found an expression", span)
            .label("not a type")
            .help("a range of numbers is written `lowest..highest`");
        self.report(diagnostic);
        Err(Failed)
    }

    fn range(&mut self, lo: Option<Tall<Expr>>) -> Parsed<(TypeExprKind, usize)> {
        let dots = self.bump().span;
        let hi = if self.starts_expression() { Some(self.expression()?) } else { None };
        if lo.is_none() || hi.is_none() {
            self.tenet_only(dots, "a range with an open end", "write both ends, as in `1..N`");
        }
        let height = 1 + lo.as_ref().map_or(0, |end| end.height).max(hi.as_ref().map_or(0, |end| end.height));
        let boxed = |end: Option<Tall<Expr>>| end.map(|end| Box::new(end.node));
        Ok((TypeExprKind::Range { lo: boxed(lo), hi: boxed(hi) }, height))
    }

    pub(super) fn tenet_only(&mut self, span: Span, what: &str, help: &str) {
        if self.language.dialect == Dialect::Tenet {
            return;
        }
        let message = format!("{what} can only be written in a `.tenet` file");
        let diagnostic = Diagnostic::error(&syntax::TENET_ONLY, message, span);
        self.report(diagnostic.label("not in Murphi").help(help));
    }

    /// Whether the current token can start an expression.
    pub(super) fn starts_expression(&self) -> bool {
        use Kind::*;
        let starts = matches!(
            self.kind(),
            Ident
                | Number
                | BadNumber
                | LeftParen
                | Not
                | Minus
                | Plus
                | Forall
                | Exists
                | IsUndefined
                | Bitwise
        );
        starts || self.kind().is_soft()
    }

    fn enumeration(&mut self) -> Parsed<(TypeExprKind, usize)> {
        self.bump();
        let opener = self.here();
        self.expect_or_insert(Kind::LeftBrace);
        let names = if self.at(Kind::RightBrace) { Vec::new() } else { self.names()? };
        if self.at(Kind::Ident) {
            self.report(self.unexpected_here("`,` or `}`").also(opener, "in this enumeration"));
        }
        self.matching(Kind::RightBrace, opener);
        Ok((TypeExprKind::Enum(names), 0))
    }

    fn scalarset(&mut self) -> Parsed<(TypeExprKind, usize)> {
        let keyword = self.bump().span;
        if !self.at(Kind::LeftParen) {
            self.tenet_only(keyword, "a scalarset without a size", "write its size, as in `scalarset(N)`");
            return Ok((TypeExprKind::Scalarset(None), 0));
        }
        let opener = self.bump().span;
        let size = self.expression()?;
        self.matching(Kind::RightParen, opener);
        Ok((TypeExprKind::Scalarset(Some(Box::new(size.node))), size.height + 1))
    }

    fn union(&mut self) -> Parsed<(TypeExprKind, usize)> {
        self.bump();
        let opener = self.bump().span;
        let (mut members, mut height) = (Vec::new(), 0);
        while !self.at(Kind::RightBrace) {
            let member = self.type_expr();
            height = height.max(member.height);
            members.push(member.node);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.matching(Kind::RightBrace, opener);
        Ok((TypeExprKind::Union(members), height + 1))
    }

    /// `array [A, B] of T` is an array of arrays.
    fn array(&mut self) -> Parsed<(TypeExprKind, usize)> {
        let start = self.bump().span;
        let opener = self.here();
        if !self.expect_or_insert(Kind::LeftBracket) && self.at(Kind::LeftParen) {
            return Err(Failed);
        }
        let mut indices = vec![self.type_expr()];
        while self.eat(Kind::Comma) {
            indices.push(self.type_expr());
        }
        self.matching(Kind::RightBracket, opener);
        self.expect_or_insert(Kind::Of);
        let mut element = self.type_expr();
        let span = self.since(start);
        for index in indices.into_iter().rev() {
            let height = 1 + index.height.max(element.height);
            let kind = TypeExprKind::Array { index: Box::new(index.node), element: Box::new(element.node) };
            element = self.limited(Tall { node: TypeExpr { kind, span }, height })?;
        }
        Ok((element.node.kind, element.height))
    }

    fn multiset(&mut self) -> Parsed<(TypeExprKind, usize)> {
        self.bump();
        let opener = self.bump().span;
        let capacity = self.expression()?;
        self.matching(Kind::RightBracket, opener);
        self.expect_or_insert(Kind::Of);
        let element = self.type_expr();
        let height = 1 + capacity.height.max(element.height);
        let (capacity, element) = (Box::new(capacity.node), Box::new(element.node));
        Ok((TypeExprKind::Multiset { capacity, element }, height))
    }

    fn record(&mut self) -> (TypeExprKind, usize) {
        let opener = self.bump().span;
        let (fields, height) = self.block(Block::Record, opener, |parser| parser.fields());
        (TypeExprKind::Record(fields), height + 1)
    }

    fn fields(&mut self) -> (Vec<Field>, usize) {
        let (mut fields, mut height) = (Vec::new(), 0);
        self.semicolons();
        while !self.at_end() && !self.at_item() {
            match self.recover(|parser| parser.record_field(), &[]) {
                Some(field) => {
                    height = height.max(field.height);
                    fields.push(field.node);
                }
                None if matches!(self.kind(), Kind::Semicolon | Kind::End(_)) => {}
                None => break,
            }
            self.semicolons();
        }
        (fields, height)
    }

    fn record_field(&mut self) -> Parsed<Tall<Field>> {
        if !self.at_declared_name() {
            self.correct(["end", "endrecord"]);
            if self.at_end() {
                return Err(Failed);
            }
        }
        let names = self.names()?;
        if !self.expect_or_insert(Kind::Colon) {
            return Err(Failed);
        }
        let definition = self.type_expr();
        Ok(Tall { node: Field { names, definition: definition.node }, height: definition.height })
    }
}

//! Terms and formulas, by precedence: `=>` and `<=>`, then `||`, then `&&`, then comparisons, then arithmetic.

use super::{Parsed, Parser};
use crate::cubicle::ast::{Comparison, Expr, ExprKind, Name, Quantifier};
use crate::cubicle::lexer::Kind;
use num_bigint::BigInt;

impl Parser<'_> {
    /// A term or a formula.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.descend(|parser| {
            let left = parser.disjunction()?;
            let build = match parser.kind() {
                Kind::Implies => ExprKind::Implies,
                Kind::Iff => ExprKind::Iff,
                _ => return Ok(left),
            };
            parser.bump();
            let right = parser.expression()?;
            let span = left.span.to(right.span);
            Ok(Expr { kind: build(Box::new(left), Box::new(right)), span })
        })
    }

    fn disjunction(&mut self) -> Parsed<Expr> {
        self.chain(Kind::Or, ExprKind::Any, Parser::conjunction)
    }

    fn conjunction(&mut self) -> Parsed<Expr> {
        self.chain(Kind::And, ExprKind::All, Parser::comparison)
    }

    /// Operands separated by an operator, as a list.
    fn chain(
        &mut self,
        operator: Kind,
        build: fn(Vec<Expr>) -> ExprKind,
        operand: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let mut operands = self.separated(operator, operand)?;
        if operands.len() == 1 {
            return Ok(operands.remove(0));
        }
        let span = self.since(operands[0].span);
        Ok(Expr { kind: build(operands), span })
    }

    fn comparison(&mut self) -> Parsed<Expr> {
        let left = self.sum()?;
        let operator = match self.kind() {
            Kind::Equal => Comparison::Equal,
            Kind::NotEqual => Comparison::NotEqual,
            Kind::Less => Comparison::Less,
            Kind::LessEqual => Comparison::LessEqual,
            Kind::Greater => Comparison::Greater,
            Kind::GreaterEqual => Comparison::GreaterEqual,
            _ => return Ok(left),
        };
        self.bump();
        let right = self.sum()?;
        let span = left.span.to(right.span);
        Ok(Expr { kind: ExprKind::Compare(operator, Box::new(left), Box::new(right)), span })
    }

    fn sum(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let negated = self.eat(Kind::Minus);
        let first = self.chain(Kind::Times, ExprKind::Product, Parser::primary)?;
        if !negated && !matches!(self.kind(), Kind::Plus | Kind::Minus) {
            return Ok(first);
        }
        let mut parts = vec![(negated, first)];
        while let Kind::Plus | Kind::Minus = self.kind() {
            let negated = self.bump().kind == Kind::Minus;
            parts.push((negated, self.chain(Kind::Times, ExprKind::Product, Parser::primary)?));
        }
        Ok(Expr { kind: ExprKind::Sum(parts), span: self.since(start) })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let kind = match self.kind() {
            Kind::Upper | Kind::Lower => self.named()?,
            Kind::Process => ExprKind::Process(self.integer()),
            Kind::Number => ExprKind::Number(self.integer()),
            Kind::Decimal => self.decimal(),
            Kind::BadNumber => {
                // The error has been reported.
                self.bump();
                ExprKind::Error
            }
            Kind::True | Kind::False => ExprKind::Truth(self.bump().kind == Kind::True),
            Kind::LeftParen => return self.parenthesised(),
            Kind::Not => {
                self.bump();
                // Negation takes a whole comparison: `not X = Y`.
                ExprKind::Not(Box::new(self.descend(Parser::comparison)?))
            }
            Kind::If => self.conditional()?,
            Kind::Forall | Kind::ForallOther | Kind::Exists | Kind::ExistsOther => self.quantified()?,
            _ => return self.unexpected("a term or a formula"),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        let inner = self.expression()?;
        self.expect(Kind::RightParen)?;
        Ok(Expr { kind: inner.kind, span: self.since(start) })
    }

    /// A name, possibly with indices or arguments.
    fn named(&mut self) -> Parsed<ExprKind> {
        let is_lower = self.at(Kind::Lower);
        let name = self.take_name();
        match self.kind() {
            Kind::LeftBracket => Ok(ExprKind::Access(name, self.indices()?)),
            Kind::LeftParen if is_lower => self.call(name),
            _ => Ok(ExprKind::Name(name.text)),
        }
    }

    fn call(&mut self, name: Name) -> Parsed<ExprKind> {
        self.bump();
        let arguments = match self.at(Kind::RightParen) {
            true => Vec::new(),
            false => self.separated(Kind::Comma, Parser::expression)?,
        };
        self.expect(Kind::RightParen)?;
        Ok(ExprKind::Call(name, arguments))
    }

    /// `[i, j]`
    pub(super) fn indices(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(Kind::LeftBracket)?;
        let indices = self.separated(Kind::Comma, |parser| parser.descend(Parser::sum))?;
        self.expect(Kind::RightBracket)?;
        Ok(indices)
    }

    fn decimal(&mut self) -> ExprKind {
        let (whole, fraction) = self.text().split_once('.').unwrap_or((self.text(), ""));
        let digits = format!("{whole}{fraction}").parse::<BigInt>().unwrap_or_default();
        let places = fraction.len() as u32;
        self.bump();
        ExprKind::Decimal(digits, places)
    }

    fn conditional(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let condition = self.expression()?;
        self.expect(Kind::Then)?;
        let then = self.expression()?;
        self.expect(Kind::Else)?;
        // The last part ends before `&&`, as in Cubicle.
        let otherwise = self.descend(Parser::comparison)?;
        Ok(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    fn quantified(&mut self) -> Parsed<ExprKind> {
        let word = self.bump().kind;
        let quantifier = Quantifier {
            universal: matches!(word, Kind::Forall | Kind::ForallOther),
            other: matches!(word, Kind::ForallOther | Kind::ExistsOther),
        };
        let names =
            self.separated(Kind::NotEqual, |parser| parser.name(Kind::Lower, "a process variable"))?;
        self.expect(Kind::Dot)?;
        let body = self.expression()?;
        Ok(ExprKind::Quantified(quantifier, names, Box::new(body)))
    }
}

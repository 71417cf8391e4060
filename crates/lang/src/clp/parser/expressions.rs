//! Terms and formulas, by precedence: `\/` and `;`, then `,` and `/\`, then `~` and comparisons, then arithmetic.

use super::{Parsed, Parser};
use crate::clp::ast::{Comparison, Expr, ExprKind};
use crate::clp::lexer::Kind;
use crate::codes::clp as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

impl Parser<'_> {
    /// A formula (or, in parentheses, a term or a tuple).
    pub(super) fn formula(&mut self) -> Parsed<Expr> {
        self.descend(Parser::disjunction)
    }

    fn disjunction(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let (first, mut has_comma) = self.conjunction()?;
        if !matches!(self.kind(), Kind::Or | Kind::Semicolon) {
            return Ok(first);
        }
        let (mut operands, mut sign) = (vec![first], None);
        while let Kind::Or | Kind::Semicolon = self.kind() {
            let token = self.bump();
            sign = sign.or((token.kind == Kind::Or).then_some(token.span));
            let (operand, comma) = self.conjunction()?;
            operands.push(operand);
            has_comma = has_comma.or(comma);
        }
        if let (Some(sign), Some(comma)) = (sign, has_comma) {
            self.warn_about_precedence(sign, comma);
        }
        Ok(Expr { kind: ExprKind::Any(operands), span: self.since(start) })
    }

    /// `a, b ; c` is familiar from Prolog; `a, b \/ c` deserves a warning.
    fn warn_about_precedence(&mut self, sign: Span, comma: Span) {
        let message = "`,` binds tighter than `\\/`";
        self.warn(
            Diagnostic::warning(&codes::PRECEDENCE, message, sign)
                .label("this disjunction")
                .also(comma, "has this conjunction as one of its parts")
                .help("put parentheses around what belongs together: `(a, b) \\/ c` or `a, (b \\/ c)`"),
        );
    }

    /// A conjunction, and the position of a comma in it.
    fn conjunction(&mut self) -> Parsed<(Expr, Option<Span>)> {
        let start = self.here();
        let first = self.comparison()?;
        if !matches!(self.kind(), Kind::Comma | Kind::And) {
            return Ok((first, None));
        }
        let (mut operands, mut is_conjunction, mut comma) = (vec![first], false, None);
        while let Kind::Comma | Kind::And = self.kind() {
            let token = self.bump();
            match token.kind {
                Kind::And => is_conjunction = true,
                _ => comma = comma.or(Some(token.span)),
            }
            operands.push(self.comparison()?);
        }
        let kind = ExprKind::All { operands, is_conjunction };
        Ok((Expr { kind, span: self.since(start) }, comma))
    }

    fn comparison(&mut self) -> Parsed<Expr> {
        let start = self.here();
        if let Kind::Tilde | Kind::Not = self.kind() {
            self.bump();
            // Negation takes a whole comparison: `not X = Y`.
            let operand = self.descend(Parser::comparison)?;
            return Ok(Expr { kind: ExprKind::Not(Box::new(operand)), span: self.since(start) });
        }
        let first = self.sum()?;
        let (mut operands, mut operators) = (vec![first], Vec::new());
        while let Some(operator) = comparison(self.kind()) {
            self.bump();
            operators.push(operator);
            operands.push(self.sum()?);
        }
        match operators.is_empty() {
            true => Ok(operands.remove(0)),
            false => Ok(Expr { kind: ExprKind::Compare(operands, operators), span: self.since(start) }),
        }
    }

    fn sum(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let negated = self.eat(Kind::Minus);
        let first = self.product()?;
        if !negated && !matches!(self.kind(), Kind::Plus | Kind::Minus) {
            return Ok(first);
        }
        let mut summands = vec![(negated, first)];
        while let Kind::Plus | Kind::Minus = self.kind() {
            let negated = self.bump().kind == Kind::Minus;
            summands.push((negated, self.product()?));
        }
        Ok(Expr { kind: ExprKind::Sum(summands), span: self.since(start) })
    }

    fn product(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let mut factors = self.separated(Kind::Times, Parser::factor)?;
        if factors.len() == 1 {
            return Ok(factors.remove(0));
        }
        Ok(Expr { kind: ExprKind::Product(factors), span: self.since(start) })
    }

    fn factor(&mut self) -> Parsed<Expr> {
        let start = self.here();
        if self.eat(Kind::Minus) {
            let operand = self.descend(Parser::factor)?;
            return Ok(Expr { kind: ExprKind::Sum(vec![(true, operand)]), span: self.since(start) });
        }
        let operand = self.primary()?;
        self.reads(operand)
    }

    /// `a[i]`, possibly repeated.
    fn reads(&mut self, array: Expr) -> Parsed<Expr> {
        if !self.at(Kind::LeftBracket) {
            return Ok(array);
        }
        self.descend(|parser| {
            parser.bump();
            let place = parser.sum()?;
            parser.expect(Kind::RightBracket)?;
            let span = parser.since(array.span);
            parser.reads(Expr { kind: ExprKind::Read(Box::new(array), Box::new(place)), span })
        })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let kind = match self.kind() {
            Kind::Number => {
                let value = self.text().parse().unwrap_or_default();
                self.bump();
                ExprKind::Number(value)
            }
            Kind::BadNumber => {
                // The error has been reported.
                self.bump();
                ExprKind::Error
            }
            Kind::Variable => ExprKind::Variable(self.take_name().text),
            Kind::Existential => ExprKind::Existential(self.take_name().text.trim_start_matches('?').into()),
            Kind::True | Kind::False => ExprKind::Truth(self.bump().kind == Kind::True),
            Kind::Lower => return self.atom(),
            Kind::LeftParen => return self.parenthesised(),
            // A comparison cannot start a term.
            Kind::Less => self.descend(Parser::update)?,
            Kind::IfWord => self.descend(Parser::conditional)?,
            _ => return self.unexpected("a term or a formula"),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        let inner = self.formula()?;
        self.expect(Kind::RightParen)?;
        Ok(Expr { kind: inner.kind, span: self.since(start) })
    }

    /// A predicate, possibly with arguments.
    pub(super) fn atom(&mut self) -> Parsed<Expr> {
        let name = self.take_name();
        let start = name.span;
        let mut args = Vec::new();
        if self.eat(Kind::LeftParen) {
            args = self.separated(Kind::Comma, |parser| parser.descend(Parser::sum))?;
            if !self.eat(Kind::RightParen) {
                return self.unexpected("`,` or `)`");
            }
        }
        Ok(Expr { kind: ExprKind::Atom(name, args), span: self.since(start) })
    }

    /// `<a,i,e>`
    fn update(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let array = self.sum()?;
        if !self.eat(Kind::Comma) {
            return self.no_update();
        }
        let place = self.sum()?;
        self.expect(Kind::Comma)?;
        let value = self.sum()?;
        self.end_of_update()?;
        Ok(ExprKind::Update(Box::new([array, place, value])))
    }

    /// `X =< Y` of Prolog begins like an update.
    fn no_update<T>(&mut self) -> Parsed<T> {
        let diagnostic = self
            .unexpected_here("`,`")
            .help("at the beginning of a term `<` starts an updated array, `<a,i,e>`; less or equal is written `<=`");
        self.report(diagnostic);
        Err(super::Failed)
    }

    /// Where an update ends, `>=` is its `>` and the `=` of an equation: `<a,i,e>=b`.
    fn end_of_update(&mut self) -> Parsed<()> {
        if !self.at(Kind::GreaterEqual) {
            return self.expect(Kind::Greater);
        }
        self.bump_first(Kind::Equal);
        Ok(())
    }

    fn conditional(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let condition = self.formula()?;
        self.expect(Kind::Then)?;
        let then = self.sum()?;
        self.expect(Kind::Else)?;
        let otherwise = self.sum()?;
        Ok(ExprKind::If(Box::new([condition, then, otherwise])))
    }
}

fn comparison(kind: Kind) -> Option<Comparison> {
    Some(match kind {
        Kind::Equal => Comparison::Equal,
        Kind::NotEqual => Comparison::NotEqual,
        Kind::Less => Comparison::Less,
        Kind::LessEqual => Comparison::LessEqual,
        Kind::Greater => Comparison::Greater,
        Kind::GreaterEqual => Comparison::GreaterEqual,
        _ => return None,
    })
}

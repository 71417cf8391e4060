//! Expressions, by precedence climbing.
//!
//! The order of the operators is Rumur's, from loosest to tightest: `?:`, `<->` (which Rumur has not), `->`, `||`, `&&`, `|`, `&`, `!`, comparisons, `+ -`,
//! `* / %`, unary `-`, fields and indices. So `!a = b` is `!(a = b)`, and `a | b && c` is `(a | b) && c`. Two forms that Rumur
//! refuses are read in the usual way: `a -> b -> c` and `a ? b : c ? d : e` associate to the right.
//!
//! A chain `a & b & c & …` becomes a balanced tree and not a left-leaning one: generated models have chains of many
//! thousands, and the tree must stay shallow. That is allowed for the associative `&`, `|`, `+` and `*` only; mixed
//! chains such as `a - b + c` lean to the left and are limited in length.

use super::super::ast::{BinaryOp, Binder, Domain, Expr, ExprKind, Ident, UnaryOp};
use super::super::lexer::{Block, Kind};
use super::{Failed, MAX_DEPTH, Parsed, Parser, Tall};
use crate::codes::syntax;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::TokenKind;
use num_bigint::BigInt;

/// Binding powers; more binds tighter.
mod power {
    pub const LOOSEST: u8 = 0;
    pub const TERNARY: u8 = 1;
    pub const IFF: u8 = 2;
    pub const IMPLIES: u8 = 3;
    pub const OR_OR: u8 = 4;
    pub const AND_AND: u8 = 5;
    pub const OR: u8 = 6;
    pub const AND: u8 = 7;
    pub const COMPARE: u8 = 8;
    pub const ADD: u8 = 9;
    pub const MULTIPLY: u8 = 10;
    pub const TIGHTEST: u8 = 11;
}

/// The operator of a token and its binding power.
fn infix(kind: Kind) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        // Equality of truth values; it only binds more loosely.
        Kind::Iff => (BinaryOp::Eq, power::IFF),
        Kind::Implies => (BinaryOp::Implies, power::IMPLIES),
        Kind::OrOr => (BinaryOp::Or, power::OR_OR),
        Kind::AndAnd => (BinaryOp::And, power::AND_AND),
        Kind::Or => (BinaryOp::Or, power::OR),
        Kind::And => (BinaryOp::And, power::AND),
        Kind::Equal => (BinaryOp::Eq, power::COMPARE),
        Kind::NotEqual => (BinaryOp::Ne, power::COMPARE),
        Kind::Less => (BinaryOp::Lt, power::COMPARE),
        Kind::LessEqual => (BinaryOp::Le, power::COMPARE),
        Kind::Greater => (BinaryOp::Gt, power::COMPARE),
        Kind::GreaterEqual => (BinaryOp::Ge, power::COMPARE),
        Kind::Plus => (BinaryOp::Add, power::ADD),
        Kind::Minus => (BinaryOp::Sub, power::ADD),
        Kind::Times => (BinaryOp::Mul, power::MULTIPLY),
        Kind::Divide => (BinaryOp::Div, power::MULTIPLY),
        Kind::Percent => (BinaryOp::Mod, power::MULTIPLY),
        _ => return None,
    })
}

fn is_associative(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Add | BinaryOp::Mul)
}

/// Makes a binary expression.
fn join(op: BinaryOp, left: Tall<Expr>, right: Tall<Expr>) -> Tall<Expr> {
    let span = left.node.span.to(right.node.span);
    let height = 1 + left.height.max(right.height);
    let kind = ExprKind::Binary(op, Box::new(left.node), Box::new(right.node));
    Tall { node: Expr { kind, span }, height }
}

/// A balanced tree over the operands, in their order: neighbours are joined until one is left.
fn balance(op: BinaryOp, mut operands: Vec<Tall<Expr>>) -> Option<Tall<Expr>> {
    while operands.len() > 1 {
        let mut joined = Vec::with_capacity(operands.len().div_ceil(2));
        let mut rest = operands.into_iter();
        while let Some(left) = rest.next() {
            joined.push(match rest.next() {
                Some(right) => join(op, left, right),
                None => left,
            });
        }
        operands = joined;
    }
    operands.pop()
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Tall<Expr>> {
        self.binary(power::LOOSEST)
    }

    /// A variable or a component of one, for `clear` and the like.
    pub(super) fn place(&mut self) -> Parsed<Expr> {
        let place = self.descend(|parser| parser.postfix())?.node;
        self.must_be_place(&place);
        Ok(place)
    }

    /// Reports an expression that is not a place.
    pub(super) fn must_be_place(&mut self, expr: &Expr) {
        let mut base = expr;
        while let ExprKind::Field(inner, _) | ExprKind::Index(inner, _) = &base.kind {
            base = inner;
        }
        if matches!(base.kind, ExprKind::Name(_) | ExprKind::Error) {
            return;
        }
        let diagnostic =
            Diagnostic::error(&syntax::NOT_A_PLACE, "this is a value and not a variable", expr.span)
                .label("cannot be changed")
                .help("name a variable, or a field or element of one");
        self.report(diagnostic);
    }

    /// Checks the height of a new node.
    fn tall(&mut self, kind: ExprKind, span: Span, height: usize) -> Parsed<Tall<Expr>> {
        self.limited(Tall { node: Expr { kind, span }, height })
    }

    pub(super) fn limited<T>(&mut self, tall: Tall<T>) -> Parsed<Tall<T>> {
        if tall.height <= MAX_DEPTH {
            return Ok(tall);
        }
        self.too_deep();
        Err(Failed)
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Parsed<Tall<Expr>> {
        self.descend(|parser| {
            let mut left = parser.prefix()?;
            while let Some(level) = parser.operator(least)? {
                left = parser.extend(left, level)?;
            }
            Ok(left)
        })
    }

    /// The binding power of the operator here, unless it binds too loosely.
    fn operator(&mut self, least: u8) -> Parsed<Option<u8>> {
        if self.at(Kind::Bitwise) {
            return self.not_supported("operators on bits are not supported");
        }
        if self.at_fat_arrow() {
            return Ok(None);
        }
        let level = match self.kind() {
            Kind::Question => power::TERNARY,
            _ if self.at_set() => power::COMPARE,
            kind => match infix(kind) {
                Some((_, level)) => level,
                None => return Ok(None),
            },
        };
        Ok((level >= least).then_some(level))
    }

    fn extend(&mut self, left: Tall<Expr>, level: u8) -> Parsed<Tall<Expr>> {
        match level {
            power::TERNARY => self.ternary(left),
            power::IMPLIES => self.implication(left),
            power::COMPARE if self.at_set() => self.one_of(left),
            power::COMPARE => self.comparison(left),
            _ => self.chain(left, level),
        }
    }

    fn ternary(&mut self, condition: Tall<Expr>) -> Parsed<Tall<Expr>> {
        self.bump();
        let yes = self.binary(power::LOOSEST)?;
        if !self.expect_or_insert(Kind::Colon) {
            return Err(Failed);
        }
        let no = self.binary(power::TERNARY)?;
        let span = condition.node.span.to(no.node.span);
        let height = 1 + condition.height.max(yes.height).max(no.height);
        let kind = ExprKind::Ite(Box::new(condition.node), Box::new(yes.node), Box::new(no.node));
        self.tall(kind, span, height)
    }

    fn implication(&mut self, left: Tall<Expr>) -> Parsed<Tall<Expr>> {
        self.bump();
        let right = self.binary(power::IMPLIES)?;
        self.limited(join(BinaryOp::Implies, left, right))
    }

    fn comparison(&mut self, left: Tall<Expr>) -> Parsed<Tall<Expr>> {
        let Some((op, _)) = infix(self.kind()) else { return Err(Failed) };
        self.bump();
        let right = self.binary(power::COMPARE + 1)?;
        let goes_on = infix(self.kind()).is_some_and(|(_, level)| level == power::COMPARE);
        if goes_on && !self.at_fat_arrow() {
            let diagnostic = self
                .error(&syntax::CHAINED_COMPARISON, "comparisons cannot be chained")
                .label("a second comparison")
                .also(left.node.span.to(right.node.span), "the first one")
                .help("join two comparisons with `&`, or put one of them in parentheses");
            self.report(diagnostic);
        }
        self.limited(join(op, left, right))
    }

    /// Is this the `in` of `x in {A, B}`? It is no keyword: without a brace behind it, it is a name.
    fn at_set(&self) -> bool {
        self.at(Kind::Ident) && self.text() == "in" && self.next_kind() == Kind::LeftBrace
    }

    /// `x in {A, B}`: it is one of these.
    fn one_of(&mut self, left: Tall<Expr>) -> Parsed<Tall<Expr>> {
        self.bump();
        let opener = self.bump().span;
        let mut cases = Vec::new();
        loop {
            let value = self.expression()?;
            let known = Tall { node: left.node.clone(), height: left.height };
            cases.push(join(BinaryOp::Eq, known, value));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.matching(Kind::RightBrace, opener);
        let mut tree = balance(BinaryOp::Or, cases).ok_or(Failed)?;
        tree.node.span = self.since(left.node.span);
        self.limited(tree)
    }

    /// `a op b op c …` with operators of one level.
    fn chain(&mut self, first: Tall<Expr>, level: u8) -> Parsed<Tall<Expr>> {
        let mut ops = Vec::new();
        let mut operands = vec![first];
        while let Some((op, _)) = infix(self.kind()).filter(|(_, found)| *found == level) {
            self.bump();
            ops.push(op);
            operands.push(self.binary(level + 1)?);
        }
        let op = ops[0];
        if is_associative(op) && ops.iter().all(|other| *other == op) {
            let tree = balance(op, operands).ok_or(Failed)?;
            return self.limited(tree);
        }
        let mut rest = operands.into_iter();
        let mut tree = rest.next().ok_or(Failed)?;
        for (op, operand) in ops.into_iter().zip(rest) {
            tree = self.limited(join(op, tree, operand))?;
        }
        Ok(tree)
    }

    fn prefix(&mut self) -> Parsed<Tall<Expr>> {
        let start = self.here();
        match self.kind() {
            Kind::Not => {
                self.bump();
                let operand = self.binary(power::COMPARE)?;
                self.unary(UnaryOp::Not, operand, start)
            }
            Kind::Minus => {
                self.bump();
                let operand = self.binary(power::TIGHTEST)?;
                self.unary(UnaryOp::Neg, operand, start)
            }
            Kind::Plus => {
                self.bump();
                self.binary(power::TIGHTEST)
            }
            _ => self.postfix(),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: Tall<Expr>, start: Span) -> Parsed<Tall<Expr>> {
        let span = start.to(operand.node.span);
        self.tall(ExprKind::Unary(op, Box::new(operand.node)), span, operand.height + 1)
    }

    /// An operand with its fields and indices.
    pub(super) fn postfix(&mut self) -> Parsed<Tall<Expr>> {
        let mut base = self.primary()?;
        loop {
            base = match self.kind() {
                Kind::Dot if !self.begins_body() => self.field(base)?,
                Kind::LeftBracket => self.index(base)?,
                _ => return Ok(base),
            };
        }
    }

    /// Is this the dot between the binders of a quantifier and its body? It has a space behind it, unlike that of a field.
    fn begins_body(&self) -> bool {
        self.language.is_binder && self.next_span().start > self.here().end
    }

    fn field(&mut self, base: Tall<Expr>) -> Parsed<Tall<Expr>> {
        self.bump();
        if self.at(Kind::Number) {
            return self.not_supported("numbers with a decimal point are not supported");
        }
        // A keyword after a dot can only be meant as the name of a field, but no other tool accepts it.
        let field = self.name()?;
        let span = base.node.span.to(field.span);
        self.tall(ExprKind::Field(Box::new(base.node), field), span, base.height + 1)
    }

    /// `base[i, j]`, which is nested, or `base[i, j := value]`.
    fn index(&mut self, mut base: Tall<Expr>) -> Parsed<Tall<Expr>> {
        let opener = self.bump().span;
        let mut indices = vec![(self.expression()?, self.previous())];
        while self.eat(Kind::Comma) {
            indices.push((self.expression()?, self.previous()));
        }
        if self.at(Kind::Assign) {
            let indices = indices.into_iter().map(|(index, _)| index).collect();
            return self.update(base, indices, opener);
        }
        for (index, end) in indices {
            let span = base.node.span.to(end);
            let height = 1 + base.height.max(index.height);
            base = self.tall(ExprKind::Index(Box::new(base.node), Box::new(index.node)), span, height)?;
        }
        self.matching(Kind::RightBracket, opener);
        base.node.span = self.since(base.node.span);
        Ok(base)
    }

    /// The rest of an update; the current token is `:=`.
    fn update(&mut self, base: Tall<Expr>, indices: Vec<Tall<Expr>>, opener: Span) -> Parsed<Tall<Expr>> {
        let help = "a comparison is written with `=`; to change the array, assign to its element";
        self.tenet_only(self.here(), "an array with one element replaced", help);
        self.bump();
        let value = self.expression()?;
        self.matching(Kind::RightBracket, opener);
        let tallest = indices.iter().map(|index| index.height).max().unwrap_or(0);
        let height = 1 + base.height.max(value.height).max(tallest);
        let span = self.since(base.node.span);
        let indices = indices.into_iter().map(|index| index.node).collect();
        self.tall(ExprKind::Update(Box::new(base.node), indices, Box::new(value.node)), span, height)
    }

    /// Consumes a closing bracket; if it is missing, the error points to the opening one. If there is one further on in
    /// the same construct, everything before it is skipped.
    pub(super) fn matching(&mut self, closer: Kind, opener: Span) {
        if self.eat(closer) {
            return;
        }
        self.report(self.unexpected_here(&closer.describe()).also(opener, "to match this one"));
        self.skip_to(&[closer, Kind::Then, Kind::Do, Kind::Of, Kind::Arrow, Kind::Assign, Kind::Begin]);
        self.eat(closer);
    }

    fn primary(&mut self) -> Parsed<Tall<Expr>> {
        let start = self.here();
        match self.kind() {
            Kind::Number => Ok(self.number()),
            Kind::BadNumber => {
                self.bump();
                self.tall(ExprKind::Error, start, 0)
            }
            Kind::LeftParen => self.parenthesized(),
            Kind::Forall | Kind::Exists => self.quantifier(),
            Kind::IsUndefined => self.is_undefined(),
            Kind::IsMember if self.next_kind() == Kind::LeftParen => self.is_member(),
            Kind::MultisetCount if self.next_kind() == Kind::LeftParen => self.multiset_count(),
            Kind::Bitwise => self.not_supported("operators on bits are not supported"),
            Kind::Ident => self.named(),
            kind if kind.is_soft() => self.named(),
            _ => self.unexpected("an expression"),
        }
    }

    pub(super) fn not_supported<T>(&mut self, message: &str) -> Parsed<T> {
        let diagnostic = self
            .error(&syntax::NOT_SUPPORTED, message)
            .label("not supported")
            .help("numbers are integers of any size; sets of bits can be arrays of booleans");
        self.report(diagnostic);
        Err(Failed)
    }

    fn number(&mut self) -> Tall<Expr> {
        let text = self.text();
        let value = match text.get(..2) {
            Some("0x" | "0X") => BigInt::parse_bytes(&text.as_bytes()[2..], 16),
            _ => BigInt::parse_bytes(text.as_bytes(), 10),
        };
        let kind = value.map_or(ExprKind::Error, ExprKind::Int);
        Tall { node: Expr { kind, span: self.bump().span }, height: 0 }
    }

    /// The span includes the parentheses.
    fn parenthesized(&mut self) -> Parsed<Tall<Expr>> {
        let opener = self.bump().span;
        let mut inner = self.expression()?;
        self.matching(Kind::RightParen, opener);
        inner.node.span = self.since(opener);
        Ok(inner)
    }

    /// A name or a call.
    fn named(&mut self) -> Parsed<Tall<Expr>> {
        if self.next_kind() == Kind::LeftParen {
            let name = self.name()?;
            return self.call(name);
        }
        let name = self.name()?;
        let kind = ExprKind::Name(canonical(name.name));
        self.tall(kind, name.span, 0)
    }

    fn call(&mut self, name: Ident) -> Parsed<Tall<Expr>> {
        let (arguments, height) = self.arguments()?;
        let span = self.since(name.span);
        self.tall(ExprKind::Call(name, arguments), span, height + 1)
    }

    /// `(a, b)`, with an optional comma at the end; also the height of the tallest.
    pub(super) fn arguments(&mut self) -> Parsed<(Vec<Expr>, usize)> {
        let opener = self.bump().span;
        let (mut arguments, mut height) = (Vec::new(), 0);
        while !self.at(Kind::RightParen) {
            let argument = self.expression()?;
            height = height.max(argument.height);
            arguments.push(argument.node);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.matching(Kind::RightParen, opener);
        Ok((arguments, height))
    }

    fn is_undefined(&mut self) -> Parsed<Tall<Expr>> {
        let start = self.bump().span;
        let opener = self.here();
        self.expect_or_insert(Kind::LeftParen);
        let place = self.descend(|parser| parser.postfix())?;
        self.must_be_place(&place.node);
        self.matching(Kind::RightParen, opener);
        let span = self.since(start);
        self.tall(ExprKind::IsUndefined(Box::new(place.node)), span, place.height + 1)
    }

    fn is_member(&mut self) -> Parsed<Tall<Expr>> {
        let start = self.bump().span;
        let opener = self.bump().span;
        let value = self.expression()?;
        self.expect_or_insert(Kind::Comma);
        let member = self.type_expr();
        self.matching(Kind::RightParen, opener);
        let kind = ExprKind::IsMember(Box::new(value.node), Box::new(member.node));
        let span = self.since(start);
        self.tall(kind, span, 1 + value.height.max(member.height))
    }

    fn multiset_count(&mut self) -> Parsed<Tall<Expr>> {
        let start = self.bump().span;
        let (name, multiset, predicate) = self.multiset_predicate()?;
        let height = 1 + multiset.height.max(predicate.height);
        let kind = ExprKind::MultisetCount {
            name,
            multiset: Box::new(multiset.node),
            predicate: Box::new(predicate.node),
        };
        let span = self.since(start);
        self.tall(kind, span, height)
    }

    /// `(i : multiset, predicate)`
    pub(super) fn multiset_predicate(&mut self) -> Parsed<(Ident, Tall<Expr>, Tall<Expr>)> {
        let opener = self.here();
        self.expect_or_insert(Kind::LeftParen);
        let name = self.name()?;
        self.expect_or_insert(Kind::Colon);
        let multiset = self.descend(|parser| parser.postfix())?;
        self.expect_or_insert(Kind::Comma);
        let predicate = self.expression()?;
        self.matching(Kind::RightParen, opener);
        Ok((name, multiset, predicate))
    }

    /// `forall i : T do … end`, or `forall i : T.` in front of all that follows; several binders, separated by `;`, are several
    /// quantifiers, and so are several names, separated by `,`.
    fn quantifier(&mut self) -> Parsed<Tall<Expr>> {
        let universal = self.at(Kind::Forall);
        let start = self.bump().span;
        let block = if universal { Block::Forall } else { Block::Exists };
        self.language.open.push(block);
        let binders = self.quantified_binders();
        self.language.open.pop();
        let body = match self.eat(Kind::Dot) {
            true => self.expression()?,
            false => self.block(block, start, |parser| {
                if parser.at(Kind::Comma) {
                    let help = "several variables are separated by `;`, or each gets its own quantifier";
                    let diagnostic = parser.unexpected_here("`do` or `;`").help(help);
                    parser.report(diagnostic);
                    parser.skip_to(&[Kind::Do]);
                }
                parser.expect_or_insert(Kind::Do);
                let body = parser.quantified();
                parser.semicolons();
                body
            }),
        };
        let mut tree = body;
        let span = self.since(start);
        for binder in binders.into_iter().rev() {
            let height = 1 + tree.height.max(binder.height);
            let kind =
                ExprKind::Quantifier { universal, binder: Box::new(binder.node), body: Box::new(tree.node) };
            tree = self.tall(kind, span, height)?;
        }
        Ok(tree)
    }

    /// The binders of a quantifier, up to `do` or a dot.
    fn quantified_binders(&mut self) -> Vec<Tall<Binder>> {
        let outer = self.language.is_binder;
        let mut binders = Vec::new();
        loop {
            self.language.is_binder = true;
            let mut names = Vec::new();
            while self.next_kind() == Kind::Comma && (self.at(Kind::Ident) || self.kind().is_soft()) {
                names.extend(self.name());
                self.bump();
            }
            let Some(last) = self.recover(|parser| parser.binder(), &[Kind::Do]) else { break };
            for name in names {
                let domain = last.node.domain.clone();
                binders.push(Tall { node: Binder { name, domain }, height: last.height });
            }
            binders.push(last);
            if !self.eat(Kind::Semicolon) {
                break;
            }
            self.semicolons();
            if self.at(Kind::Do) {
                break;
            }
        }
        self.language.is_binder = outer;
        binders
    }

    /// The body of a quantifier; after an error, parsing resumes at its `end`.
    fn quantified(&mut self) -> Tall<Expr> {
        let span = self.here();
        let read = self.recover(|parser| parser.expression(), &[]);
        read.unwrap_or(Tall { node: Expr { kind: ExprKind::Error, span }, height: 0 })
    }

    /// One or more binders before `do`.
    pub(super) fn binders(&mut self) -> Vec<Tall<Binder>> {
        let mut binders = Vec::new();
        loop {
            binders.extend(self.recover(|parser| parser.binder(), &[Kind::Do]));
            if !self.eat(Kind::Semicolon) {
                return binders;
            }
            self.semicolons();
            if self.at(Kind::Do) {
                return binders;
            }
        }
    }

    /// `i : T` or `i := a to b by c`
    pub(super) fn binder(&mut self) -> Parsed<Tall<Binder>> {
        let name = self.name()?;
        if self.eat(Kind::Assign) {
            return self.steps(name);
        }
        if !self.expect_or_insert(Kind::Colon) {
            return Err(Failed);
        }
        let domain = self.type_expr();
        Ok(Tall { node: Binder { name, domain: Domain::Type(domain.node) }, height: domain.height })
    }

    fn steps(&mut self, name: Ident) -> Parsed<Tall<Binder>> {
        self.language.is_binder = false;
        let from = self.expression()?;
        if !self.expect_or_insert(Kind::To) {
            return Err(Failed);
        }
        let to = self.expression()?;
        let step = if self.eat(Kind::By) { Some(self.expression()?) } else { None };
        let height = from.height.max(to.height).max(step.as_ref().map_or(0, |step| step.height));
        let (from, to) = (Box::new(from.node), Box::new(to.node));
        let domain = Domain::Steps { from, to, step: step.map(|step| Box::new(step.node)) };
        Ok(Tall { node: Binder { name, domain }, height })
    }
}

/// `true`, `false` and `boolean` are accepted in any case; other names keep theirs.
pub(super) fn canonical(name: String) -> String {
    match ["true", "false", "boolean"].into_iter().find(|word| word.eq_ignore_ascii_case(&name)) {
        Some(word) => word.to_string(),
        None => name,
    }
}

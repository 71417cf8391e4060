//! Statements.

use super::super::ast::{Binder, Domain, Expr, ExprKind, Ident, Put, Stmt, StmtKind, TypeExpr, TypeExprKind};
use super::super::lexer::{Block, Kind};
use super::{Failed, Parsed, Parser};
use crate::codes::syntax;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Keywords that start or end a statement, for suggestions.
const STATEMENT_WORDS: &[&str] = &[
    "alias",
    "assert",
    "assume",
    "case",
    "clear",
    "cover",
    "else",
    "elsif",
    "end",
    "endalias",
    "endfor",
    "endfunction",
    "endif",
    "endprocedure",
    "endrule",
    "endstartstate",
    "endswitch",
    "endwhile",
    "error",
    "for",
    "if",
    "put",
    "return",
    "switch",
    "undefine",
    "while",
];

impl Parser<'_> {
    /// Statements up to a token that does not start one: an `end`, `else`, `elsif`, `case` or item.
    pub(super) fn statements(&mut self) -> Vec<Stmt> {
        let mut statements = Vec::new();
        loop {
            self.semicolons();
            self.correct_statement();
            if self.at_statements_end() {
                return statements;
            }
            match self.statement() {
                Ok(statement) => {
                    statements.push(statement);
                    self.separator();
                }
                Err(Failed) => self.skip_statement(),
            }
        }
    }

    fn at_statements_end(&self) -> bool {
        self.at_end() || self.at_item() || matches!(self.kind(), Kind::Else | Kind::Elsif | Kind::Case)
    }

    /// A name at the start of a statement is a variable or a call, or else a misspelt keyword.
    fn correct_statement(&mut self) {
        if !self.at_plain_statement() {
            self.correct(STATEMENT_WORDS.iter().copied());
        }
    }

    /// Whether a name stands here that continues like an assignment or a call.
    pub(super) fn at_plain_statement(&self) -> bool {
        use Kind::*;
        self.at(Ident) && matches!(self.next_kind(), Assign | Equal | Dot | LeftBracket | LeftParen)
    }

    /// Skips the rest of a statement.
    fn skip_statement(&mut self) {
        if self.at_statements_end() || self.at(Kind::Semicolon) {
            return;
        }
        self.skip_to(&[Kind::Then, Kind::Do]);
        if matches!(self.kind(), Kind::Then | Kind::Do) {
            self.headless_block();
        }
    }

    /// The end of a statement: `;` or the end of the list.
    fn separator(&mut self) {
        if self.at(Kind::Semicolon) || self.at_statements_end() {
            return;
        }
        let gap = &self.source()[self.previous().end as usize..self.here().start as usize];
        self.correct_statement();
        if self.at_statements_end() {
            return;
        }
        // On a new line the `;` is missing; on the same line the statement itself is erroneous.
        if gap.contains('\n') && self.starts_statement() {
            return self.missing_semicolon();
        }
        self.report(self.unexpected_here("`;` or `end`"));
        self.skip_statement();
    }

    /// A block without its opening keyword is read for its errors up to its `end`, which would otherwise be taken for
    /// that of the block around it.
    fn headless_block(&mut self) {
        self.bump();
        self.descend(|parser| {
            parser.statements();
            while parser.eat(Kind::Elsif) {
                parser.arm();
            }
            parser.otherwise();
        });
        if self.at_end() {
            self.bump();
        }
    }

    fn starts_statement(&self) -> bool {
        self.at(Kind::Ident) || self.kind().is_soft() || self.at_statement_word()
    }

    fn missing_semicolon(&mut self) {
        let place = Span { start: self.previous().end, end: self.previous().end };
        let diagnostic = Diagnostic::error(&syntax::MISSING_SEMICOLON, "a `;` is missing", place)
            .label("`;` expected here")
            .also(self.here(), "another statement starts here");
        self.report(diagnostic);
    }

    /// Whether a keyword stands here that starts a statement.
    pub(super) fn at_statement_word(&self) -> bool {
        use Kind::*;
        match self.kind() {
            Alias | Assert | Clear | Error | For | If | Invariant | Put | Return | Switch | Undefine
            | While => true,
            Assume | Cover | Liveness => !matches!(self.next_kind(), Assign | Equal | Dot | LeftBracket),
            MultisetAdd | MultisetRemove | MultisetRemovePred => self.next_kind() == LeftParen,
            _ => false,
        }
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.here();
        let kind = if self.at_statement_word() { self.keyword_statement() } else { self.plain_statement() }?;
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn keyword_statement(&mut self) -> Parsed<StmtKind> {
        match self.kind() {
            Kind::If => Ok(self.if_statement()),
            Kind::Switch => Ok(self.switch_statement()),
            Kind::For => Ok(self.for_statement()),
            Kind::While => Ok(self.while_statement()),
            Kind::Alias => Ok(self.alias_statement()),
            Kind::Clear => self.after_keyword(|parser| Ok(StmtKind::Clear(parser.place()?))),
            Kind::Undefine => self.after_keyword(|parser| Ok(StmtKind::Undefine(parser.place()?))),
            Kind::Error => self.after_keyword(|parser| Ok(StmtKind::Error(parser.text_of("error")?))),
            Kind::Put => self.after_keyword(|parser| parser.put_statement()),
            Kind::Return => self.after_keyword(|parser| parser.return_statement()),
            Kind::MultisetAdd | Kind::MultisetRemove => self.multiset_statement(),
            Kind::MultisetRemovePred => self.after_keyword(|parser| parser.multiset_remove_pred()),
            _ => self.property_statement(),
        }
    }

    fn after_keyword(&mut self, rest: impl FnOnce(&mut Self) -> Parsed<StmtKind>) -> Parsed<StmtKind> {
        self.bump();
        rest(self)
    }

    /// An assignment or a call.
    fn plain_statement(&mut self) -> Parsed<StmtKind> {
        if !self.at(Kind::Ident) && !self.kind().is_soft() {
            return self.not_a_statement();
        }
        let place = self.descend(|parser| parser.postfix())?.node;
        match (self.kind(), place.kind) {
            (Kind::Assign, kind) => self.assignment(Expr { kind, ..place }),
            (Kind::Equal, kind) => {
                self.equal_for_assign();
                self.assignment(Expr { kind, ..place })
            }
            (_, ExprKind::Call(name, arguments)) => Ok(StmtKind::Call { name, arguments }),
            _ => self.unexpected("`:=`"),
        }
    }

    fn not_a_statement<T>(&mut self) -> Parsed<T> {
        let diagnostic = self.unexpected_here("a statement or `end`");
        let diagnostic = match self.kind() {
            Kind::Begin => diagnostic.help("`begin` stands once, before the first statement"),
            _ => diagnostic,
        };
        self.report(diagnostic);
        self.bump();
        Err(Failed)
    }

    fn equal_for_assign(&mut self) {
        let diagnostic = self
            .error(&syntax::ASSIGN_OR_EQUAL, "expected `:=`, found `=`")
            .label("expected `:=`")
            .help("`=` compares; an assignment is written with `:=`");
        self.report(diagnostic);
    }

    fn assignment(&mut self, place: Expr) -> Parsed<StmtKind> {
        self.must_be_place(&place);
        self.bump();
        Ok(StmtKind::Assign { place, value: self.expression()?.node })
    }

    fn if_statement(&mut self) -> StmtKind {
        let opener = self.bump().span;
        let before = self.line_before(opener).unwrap_or_default().trim_ascii();
        if before.ends_with(b"else") {
            self.language.else_if = Some(opener);
        }
        self.block(Block::If, opener, |parser| {
            let mut arms = vec![parser.arm()];
            while parser.eat(Kind::Elsif) {
                arms.push(parser.arm());
            }
            StmtKind::If { arms, otherwise: parser.otherwise() }
        })
    }

    /// A condition, `then`, and statements.
    fn arm(&mut self) -> (Expr, Vec<Stmt>) {
        let condition = self.expr_before(&[Kind::Then]);
        self.expect_after_head(Kind::Then);
        (condition, self.statements())
    }

    /// The `then` or `do` after the head of a block. Tokens before it that do not start a statement are part of the
    /// head and skipped.
    pub(super) fn expect_after_head(&mut self, keyword: Kind) {
        if self.expect_or_insert(keyword) || self.at_plain_statement() || self.at_statement_word() {
            return;
        }
        self.skip_to(&[keyword]);
        self.eat(keyword);
    }

    fn otherwise(&mut self) -> Vec<Stmt> {
        if self.eat(Kind::Else) { self.statements() } else { Vec::new() }
    }

    fn switch_statement(&mut self) -> StmtKind {
        let opener = self.bump().span;
        self.block(Block::Switch, opener, |parser| {
            let value = parser.expr_before(&[]);
            parser.semicolons();
            let mut cases = Vec::new();
            while parser.eat(Kind::Case) {
                let labels = parser.case_labels();
                cases.push((labels, parser.statements()));
            }
            StmtKind::Switch { value, cases, otherwise: parser.otherwise() }
        })
    }

    /// `a, b :`, with an optional comma before the colon.
    fn case_labels(&mut self) -> Vec<Expr> {
        let mut labels = Vec::new();
        while !self.at(Kind::Colon) {
            labels.push(self.expr_before(&[Kind::Colon, Kind::Comma]));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect_or_insert(Kind::Colon);
        labels
    }

    fn for_statement(&mut self) -> StmtKind {
        let opener = self.bump().span;
        self.block(Block::For, opener, |parser| {
            let head = parser.here();
            let binder = parser.recover(|parser| parser.binder(), &[Kind::Do]);
            parser.expect_after_head(Kind::Do);
            let body = parser.statements();
            let binder = binder.map_or_else(|| unreadable(head), |binder| binder.node);
            StmtKind::For { binder, body }
        })
    }

    fn while_statement(&mut self) -> StmtKind {
        let opener = self.bump().span;
        self.block(Block::While, opener, |parser| {
            let condition = parser.expr_before(&[Kind::Do]);
            parser.expect_after_head(Kind::Do);
            StmtKind::While { condition, body: parser.statements() }
        })
    }

    fn alias_statement(&mut self) -> StmtKind {
        let opener = self.bump().span;
        self.block(Block::Alias, opener, |parser| {
            let aliases = parser.aliases();
            parser.expect_after_head(Kind::Do);
            StmtKind::Alias { aliases, body: parser.statements() }
        })
    }

    fn text_of(&mut self, statement: &str) -> Parsed<String> {
        match self.string() {
            Some(text) => Ok(text.name),
            None => self.unexpected(&format!("the message of `{statement}` in double quotes")),
        }
    }

    fn put_statement(&mut self) -> Parsed<StmtKind> {
        if let Some(text) = self.string() {
            return Ok(StmtKind::Put(Put::Text(text.name)));
        }
        Ok(StmtKind::Put(Put::Value(self.expression()?.node)))
    }

    fn return_statement(&mut self) -> Parsed<StmtKind> {
        if !self.starts_expression() {
            return Ok(StmtKind::Return(None));
        }
        Ok(StmtKind::Return(Some(self.expression()?.node)))
    }

    /// `assert e "message"` or `assert "message" e`
    fn property_statement(&mut self) -> Parsed<StmtKind> {
        let property = self.property_kind();
        let before = self.string();
        let formula = self.expression()?.node;
        let message = before.or_else(|| self.string()).map(|text| text.name);
        Ok(StmtKind::Property { property, formula, message })
    }

    /// `multisetadd(e, m)` or `multisetremove(i, m)`
    fn multiset_statement(&mut self) -> Parsed<StmtKind> {
        let adds = self.bump().kind == Kind::MultisetAdd;
        let opener = self.bump().span;
        let first = self.expression()?.node;
        if !self.expect_or_insert(Kind::Comma) {
            return Err(Failed);
        }
        let multiset = self.place()?;
        self.matching(Kind::RightParen, opener);
        Ok(match adds {
            true => StmtKind::MultisetAdd { element: first, multiset },
            false => StmtKind::MultisetRemove { index: first, multiset },
        })
    }

    fn multiset_remove_pred(&mut self) -> Parsed<StmtKind> {
        let (name, multiset, predicate) = self.multiset_predicate()?;
        Ok(StmtKind::MultisetRemovePred { name, multiset: multiset.node, predicate: predicate.node })
    }
}

/// The binder of a loop whose head is erroneous.
fn unreadable(span: Span) -> Binder {
    let end = || Some(Box::new(Expr { kind: ExprKind::Error, span }));
    let domain = TypeExpr { kind: TypeExprKind::Range { lo: end(), hi: end() }, span };
    Binder { name: Ident { name: String::new(), span }, domain: Domain::Type(domain) }
}

//! Constants, types, variables, functions: everything that is not a rule.

use super::super::ast::{Alias, Declaration, Expr, Function, Ident, Item, Model, Parameter, TypeExpr};
use super::super::lexer::{Block, Kind};
use super::{Dialect, Parsed, Parser};
use crate::codes::syntax;
use crate::span::Span;

impl Parser<'_> {
    pub(super) fn model(&mut self) -> Model {
        let mut model = Model::default();
        loop {
            self.semicolons();
            self.promote();
            match self.kind() {
                Kind::Eof => return model,
                Kind::Const | Kind::Type | Kind::Var | Kind::Index => {
                    model.items.extend(self.section().into_iter().map(Item::Declaration));
                }
                Kind::Function | Kind::Procedure => model.items.extend(self.function().map(Item::Function)),
                Kind::Define => model.items.extend(self.define().map(Item::Define)),
                Kind::Predicate => model.items.push(Item::Predicate(self.predicate())),
                Kind::End(_) => self.stray_ends(),
                _ if self.at_rule() => model.items.push(Item::Rule(self.rule())),
                _ if self.correct_item(&[]) => {}
                _ => {
                    self.report(self.unexpected_here("a declaration, a function or a rule"));
                    self.skip_to_item();
                }
            }
        }
    }

    /// Skips everything up to the next item; blocks are skipped with their `end`s.
    fn skip_to_item(&mut self) {
        while !self.at_item() && !self.at_rule() {
            self.bump();
            self.promote();
        }
    }

    /// Reports a run of `end`s once.
    fn stray_ends(&mut self) {
        let diagnostic = self
            .error(&syntax::STRAY_END, format!("{} closes nothing", self.found()))
            .label("no block is open here")
            .help("remove it, or check which block the `end` before it closed");
        self.report(diagnostic);
        while self.at_end() || self.at(Kind::Semicolon) {
            self.bump();
        }
    }

    /// Any number of sections.
    pub(super) fn sections(&mut self) -> Vec<Declaration> {
        let mut declarations = Vec::new();
        while matches!(self.kind(), Kind::Const | Kind::Type | Kind::Var) {
            declarations.extend(self.section());
        }
        declarations
    }

    /// `const …`, `type …`, `var …` or `index …` with all declarations that follow.
    fn section(&mut self) -> Vec<Declaration> {
        self.word_of_tenet("a section of index variables");
        let section = self.bump().kind;
        let mut declarations = Vec::new();
        self.semicolons();
        self.promote();
        while self.at_declared_name() || self.at_keyword_as_name() || self.at_broken_declaration() {
            let start = self.here();
            match self.recover(|parser| parser.declaration(section), &[Kind::Begin]) {
                Some(declared) => declarations.extend(declared),
                None if self.at(Kind::Semicolon) => {}
                None => break,
            }
            self.declaration_end(start);
            self.semicolons();
            self.promote();
        }
        declarations
    }

    /// Skips the rest of a declaration that should have ended, and reports it unless part of it was.
    fn declaration_end(&mut self, start: Span) {
        use Kind::*;
        if !matches!(
            self.kind(),
            Comma | RightParen | RightBracket | RightBrace | Number | Text | DotDot | Assign
        ) {
            return;
        }
        if !self.has_reported_since(start) {
            self.report(self.unexpected_here("`;`"));
        }
        self.skip_to(&[Begin]);
    }

    /// A name without `:` that still looks like a declaration: `N = 5`, `a b : T`, `x array …`.
    fn at_broken_declaration(&mut self) -> bool {
        use Kind::*;
        if !self.at(Ident) {
            return false;
        }
        if matches!(self.next_kind(), Text | Eof | Semicolon | Dot | LeftBracket | LeftParen | Assign) {
            return false;
        }
        // `begni x := 1`, `ruel a = b ==> …`, `rulset i : T do …`: a misspelt keyword ends the section.
        !self.correct_item(&["begin"])
    }

    fn declaration(&mut self, section: Kind) -> Parsed<Vec<Declaration>> {
        let names = self.names()?;
        self.colon_of_declaration()?;
        Ok(match section {
            Kind::Const => self.constants(names),
            Kind::Type => {
                let definition = self.type_expr().node;
                repeat(names, definition, |name, definition| Declaration::Type { name, definition })
            }
            Kind::Index => vec![Declaration::Index { names, definition: self.type_expr().node }],
            _ => vec![Declaration::Var { names, definition: self.type_expr().node }],
        })
    }

    /// After the names of constants: their value or, in `.tenet` files, their type.
    fn constants(&mut self, names: Vec<Ident>) -> Vec<Declaration> {
        if self.at_constant_type() {
            let definition = self.type_expr().node;
            return repeat(names, definition, |name, definition| Declaration::Symbolic { name, definition });
        }
        let value = self.expr_before(&[Kind::DotDot]);
        if !self.at(Kind::DotDot) {
            return repeat(names, value, |name, value| Declaration::Const { name, value });
        }
        let start = value.span;
        self.tenet_only(start, "a constant without a value", "write its value, as in `const N : 4;`");
        let definition = self.range_from(value).node;
        repeat(names, definition, |name, definition| Declaration::Symbolic { name, definition })
    }

    /// Whether the token starts a type and cannot start an expression.
    fn at_constant_type(&mut self) -> bool {
        let starts = match self.kind() {
            Kind::Array | Kind::Enum | Kind::Scalarset | Kind::Record | Kind::DotDot => true,
            Kind::Union => self.next_kind() == Kind::LeftBrace,
            Kind::Multiset => self.next_kind() == Kind::LeftBracket,
            _ => false,
        };
        let is_tenet = self.language.dialect == Dialect::Tenet;
        starts && is_tenet
    }

    /// The `:` of a declaration; `=` and `:=` are accepted after an error.
    fn colon_of_declaration(&mut self) -> Parsed<()> {
        if self.eat(Kind::Colon) {
            return Ok(());
        }
        if !matches!(self.kind(), Kind::Equal | Kind::Assign) {
            return self.unexpected("`:`");
        }
        let diagnostic = self
            .error(&syntax::ASSIGN_OR_EQUAL, format!("expected `:`, found {}", self.found()))
            .label("expected `:`")
            .help("declarations are written `name : value` or `name : type`");
        self.report(diagnostic);
        self.bump();
        Ok(())
    }

    /// `a : e; b : e` before `do`.
    pub(super) fn aliases(&mut self) -> Vec<Alias> {
        let mut aliases = Vec::new();
        self.semicolons();
        while !self.at(Kind::Do) && !self.at_end() && !self.at_item() {
            match self.recover(|parser| parser.alias(), &[Kind::Do]) {
                Some(found) => aliases.extend(found),
                None if self.at(Kind::Semicolon) => {}
                None => break,
            }
            self.semicolons();
        }
        aliases
    }

    fn alias(&mut self) -> Parsed<Vec<Alias>> {
        let names = self.names()?;
        self.colon_of_declaration()?;
        let value: Expr = self.expression()?.node;
        Ok(repeat(names, value, |name, value| Alias { name, value }))
    }

    fn function(&mut self) -> Option<Function> {
        let keyword = self.bump();
        let block = if keyword.kind == Kind::Function { Block::Function } else { Block::Procedure };
        let name = self.recover(|parser| parser.name(), &[Kind::LeftParen, Kind::Begin]);
        let (parameters, result) = self.signature(keyword.kind);
        let (locals, body) = self.block(block, keyword.span, |parser| {
            let locals = parser.sections();
            parser.eat(Kind::Begin);
            (locals, parser.statements())
        });
        let span = self.since(keyword.span);
        Some(Function { name: name?, parameters, result, locals, body, span })
    }

    /// Parameters and result type, including the `;`.
    fn signature(&mut self, keyword: Kind) -> (Vec<Parameter>, Option<TypeExpr>) {
        let mut parameters = Vec::new();
        let opener = self.here();
        if self.expect_or_insert(Kind::LeftParen) {
            parameters = self.parameters();
            self.matching(Kind::RightParen, opener);
        }
        let result = self.result_type(keyword);
        self.semicolons();
        (parameters, result)
    }

    fn result_type(&mut self, keyword: Kind) -> Option<TypeExpr> {
        if self.eat(Kind::Colon) {
            return Some(self.type_expr().node);
        }
        if keyword == Kind::Function {
            let diagnostic = self
                .unexpected_here("`:` and the type of the result")
                .help("a function has a result; write `procedure` for one that has none");
            self.report(diagnostic);
        }
        None
    }

    pub(super) fn parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        self.semicolons();
        while self.at(Kind::Var) || self.at(Kind::Ident) || self.kind().is_soft() {
            let stops = [Kind::RightParen, Kind::Begin];
            parameters.extend(self.recover(|parser| parser.parameter(), &stops));
            self.semicolons();
        }
        parameters
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let by_reference = self.eat(Kind::Var);
        let names = self.names()?;
        if !self.at(Kind::Colon) {
            return self.unexpected("`:`");
        }
        self.bump();
        Ok(Parameter { by_reference, names, definition: self.type_expr().node })
    }

    /// The locals of a rule, with the `begin` that they require.
    pub(super) fn locals(&mut self) -> Vec<Declaration> {
        let locals = self.sections();
        if !self.at_plain_statement() {
            self.correct(["begin"]);
        }
        if self.eat(Kind::Begin) || locals.is_empty() {
            return locals;
        }
        self.missing_begin(self.previous());
        locals
    }

    fn missing_begin(&mut self, after: Span) {
        let diagnostic = self
            .error(&syntax::MISPLACED_DECLARATION, format!("expected `begin`, found {}", self.found()))
            .label("statements start here")
            .also(after, "declarations end here")
            .help("write `begin` between declarations and statements");
        self.report(diagnostic);
    }
}

/// The same value for each of several names.
fn repeat<V: Clone, T>(names: Vec<Ident>, value: V, build: impl Fn(Ident, V) -> T) -> Vec<T> {
    names.into_iter().map(|name| build(name, value.clone())).collect()
}

//! Rules, start states, properties, and the rulesets around them.

use super::super::ast::{Expr, Ident, PropertyKind, Rule, RuleKind};
use super::super::lexer::{Block, Kind};
use super::{Parsed, Parser, codes};
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    /// Whether a rule of some form starts here.
    pub(super) fn at_rule(&self) -> bool {
        use Kind::*;
        let starts = matches!(
            self.kind(),
            Rule | Ruleset
                | Startstate
                | Invariant
                | Assert
                | Assume
                | Cover
                | Liveness
                | Alias
                | Choose
                | Axiom
                | Instantiate
                | Never
        );
        starts && !self.at_declared_name()
    }

    /// A rule of any form; the current token starts one.
    pub(super) fn rule(&mut self) -> Rule {
        let start = self.here();
        let kind = match self.kind() {
            Kind::Rule => self.simple_rule(),
            Kind::Startstate => self.startstate(),
            Kind::Ruleset => self.ruleset(),
            Kind::Alias => self.alias_rule(),
            Kind::Choose => self.choose_rule(),
            Kind::Instantiate | Kind::Never => self.hint(),
            _ => self.property_rule(),
        };
        Rule { kind, span: self.since(start) }
    }

    /// The rules inside a ruleset.
    fn rules(&mut self) -> Vec<Rule> {
        let mut rules = Vec::new();
        loop {
            self.semicolons();
            self.promote();
            if self.at_rule() {
                rules.push(self.rule());
            } else if self.at_end() || self.at_item() {
                return rules;
            } else if !self.correct_item(&[]) {
                self.report(self.unexpected_here("a rule or `end`"));
                self.skip_to_rule();
            }
        }
    }

    fn skip_to_rule(&mut self) {
        let mut inside = 0;
        while !(self.at_item() || self.at_rule() || self.at_end() && inside == 0) {
            inside = self.bump_block(inside);
            self.promote();
        }
    }

    fn simple_rule(&mut self) -> RuleKind {
        let opener = self.bump().span;
        self.priority();
        let name = self.string();
        self.priority();
        self.block(Block::Rule, opener, |parser| {
            let guard = if parser.at_guard() { Some(parser.guard()) } else { None };
            if guard.is_none() {
                parser.eat(Kind::Arrow);
            }
            let locals = parser.locals();
            RuleKind::Simple { name, guard, locals, body: parser.statements() }
        })
    }

    /// A priority or a probability, as some versions of CMurphi have them before or after the name of a rule. What a rule may do does not
    /// depend on it.
    fn priority(&mut self) {
        use Kind::*;
        if !self.at(Number) {
            return;
        }
        let start = self.here();
        match self.next_kind() {
            Text | Ident | Not | LeftParen | Forall | Exists | IsUndefined => drop(self.bump()),
            Dot => {
                self.bump();
                self.bump();
                self.eat(Number);
            }
            _ => return,
        }
        let message = "priorities and probabilities of rules are ignored";
        let ignored = Diagnostic::warning(&codes::PRIORITY, message, self.since(start));
        self.report(ignored.label("every rule whose guard is true may be taken"));
    }

    /// Whether a guard follows, and not the statements already.
    fn at_guard(&self) -> bool {
        use Kind::*;
        if matches!(self.kind(), Begin | Const | Type | Var | End(_) | Eof | Arrow)
            || self.at_statement_word()
        {
            return false;
        }
        let assigns = matches!(self.next_kind(), Assign) && (self.at(Ident) || self.kind().is_soft());
        !assigns
    }

    /// A guard and its `==>`.
    fn guard(&mut self) -> Expr {
        let stops = [Kind::Arrow, Kind::Begin];
        let guard = self.expr_before(&stops);
        if self.eat(Kind::Arrow) {
            return guard;
        }
        let diagnostic = self.unexpected_here("`==>`");
        let is_assignment = self.at(Kind::Assign);
        self.report(match is_assignment {
            true => diagnostic,
            false => diagnostic.help("a guard and its statements are separated by `==>`"),
        });
        if self.at_fat_arrow() {
            self.bump();
            self.bump();
            return guard;
        }
        if !self.at(Kind::Begin) && !self.at_statement_word() && !self.at_item() {
            self.skip_to(&stops);
            self.eat(Kind::Arrow);
        }
        guard
    }

    fn startstate(&mut self) -> RuleKind {
        let opener = self.bump().span;
        let name = self.string();
        self.block(Block::Startstate, opener, |parser| {
            let locals = parser.locals();
            RuleKind::Start { name, locals, body: parser.statements() }
        })
    }

    fn ruleset(&mut self) -> RuleKind {
        let opener = self.bump().span;
        self.block(Block::Ruleset, opener, |parser| {
            let binders = parser.binders().into_iter().map(|binder| binder.node).collect();
            parser.expect_after_head(Kind::Do);
            RuleKind::Ruleset { binders, rules: parser.rules() }
        })
    }

    fn alias_rule(&mut self) -> RuleKind {
        let opener = self.bump().span;
        self.block(Block::Alias, opener, |parser| {
            let aliases = parser.aliases();
            parser.expect_after_head(Kind::Do);
            RuleKind::Alias { aliases, rules: parser.rules() }
        })
    }

    /// A `choose` whose head is erroneous counts as an empty ruleset, so that its rules are still read.
    fn choose_rule(&mut self) -> RuleKind {
        let opener = self.bump().span;
        self.block(Block::Choose, opener, |parser| {
            let head = parser.recover(|parser| parser.choose_head(), &[Kind::Do]);
            parser.semicolons();
            parser.expect_after_head(Kind::Do);
            let rules = parser.rules();
            match head {
                Some((name, multiset)) => RuleKind::Choose { name, multiset, rules },
                None => RuleKind::Ruleset { binders: Vec::new(), rules },
            }
        })
    }

    fn choose_head(&mut self) -> Parsed<(Ident, Expr)> {
        let name = self.name()?;
        if !self.at(Kind::Colon) {
            return self.unexpected("`:`");
        }
        self.bump();
        Ok((name, self.place()?))
    }

    /// `invariant "name" formula` or `invariant formula "name"`
    fn property_rule(&mut self) -> RuleKind {
        self.word_of_tenet("an axiom");
        let property = self.property_kind();
        let name = self.string();
        let formula = self.expr_before(&[]);
        let name = name.or_else(|| self.string());
        self.property_end();
        RuleKind::Property { property, name, formula }
    }

    /// Consumes the keyword of a property.
    pub(super) fn property_kind(&mut self) -> PropertyKind {
        match self.bump().kind {
            Kind::Assume => PropertyKind::Assume,
            Kind::Cover => PropertyKind::Cover,
            Kind::Liveness => PropertyKind::Liveness,
            Kind::Axiom => PropertyKind::Axiom,
            _ => PropertyKind::Invariant,
        }
    }

    /// A property must be followed by the next item; the usual error is a formula that continues.
    pub(super) fn property_end(&mut self) {
        self.promote();
        let follows = self.at_rule() || self.at_item() || self.at_end() || self.at(Kind::Semicolon);
        if follows || self.correct_item(&[]) {
            return;
        }
        self.report(self.unexpected_here("`;` or an operator"));
        self.skip_to(&[]);
    }
}

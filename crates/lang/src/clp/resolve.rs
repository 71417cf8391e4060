//! Name resolution: tells terms from formulas, and resolves predicates and variables.
//!
//! An item with an error is reported and left out: later passes see only valid ones. Recursion is bounded, since the
//! parser has bounded the depth of the tree.

use super::ast::{Expr, ExprKind, File, Item as Written, ItemKind as WrittenKind};
use super::hir::{Atom, Formula, FormulaKind, Item, ItemKind, Scope, State, Term, TermKind, Variable};
use super::signatures::Signatures;
use crate::codes::clp as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use std::collections::BTreeMap;

/// All valid items.
pub fn resolve(file: &File, signatures: &Signatures, found: &mut Vec<Diagnostic>) -> Vec<Item> {
    file.items.iter().filter_map(|item| resolve_item(item, signatures, found)).collect()
}

fn resolve_item(item: &Written, signatures: &Signatures, found: &mut Vec<Diagnostic>) -> Option<Item> {
    let mut resolver = Resolver::new(signatures, found);
    let kind = match &item.kind {
        WrittenKind::Rule(head, body) => resolver.rule(head, body.as_ref())?,
        WrittenKind::Prove(left, right) => resolver.entailment(false, left, right)?,
        WrittenKind::Property(left, right) => resolver.entailment(true, left, right)?,
        WrittenKind::Start(state) => ItemKind::Start(resolver.state(state)?),
        WrittenKind::Abstract(at, by) => {
            let at = resolver.state(at);
            let by = Resolver::new(signatures, found).state(by);
            ItemKind::Abstract(at?, by?)
        }
    };
    Some(Item { name: item.name.clone(), kind, span: item.span })
}

struct Resolver<'a> {
    signatures: &'a Signatures,
    found: &'a mut Vec<Diagnostic>,
    scope: Scope,
    positions: BTreeMap<String, usize>,
    /// Where `?` is allowed: on a right-hand side, for variables from this index on.
    universal: Option<usize>,
}

impl<'a> Resolver<'a> {
    fn new(signatures: &'a Signatures, found: &'a mut Vec<Diagnostic>) -> Resolver<'a> {
        Resolver { signatures, found, scope: Scope::new(), positions: BTreeMap::new(), universal: None }
    }

    fn error<T>(&mut self, error: Diagnostic) -> Option<T> {
        self.found.push(error);
        None
    }

    // Items.

    fn rule(&mut self, head: &Expr, body: Option<&Expr>) -> Option<ItemKind> {
        let truth = Formula { kind: FormulaKind::Truth(true), span: head.span, has_atom: false };
        let head = self.atom(head);
        let body = body.map_or(Some(truth), |body| self.formula(body));
        let (head, body) = (head?, body?);
        self.warn_about_singletons();
        Some(ItemKind::Rule { head, body, scope: self.take_scope() })
    }

    fn entailment(&mut self, is_property: bool, left: &Expr, right: &Expr) -> Option<ItemKind> {
        let left = self.formula(left);
        let universal = self.scope.len();
        self.universal = Some(universal);
        let right = self.formula(right);
        let (left, right) = (left?, right?);
        self.warn_about_unmarked(universal);
        Some(ItemKind::Entailment { is_property, left, right, scope: self.take_scope(), universal })
    }

    fn state(&mut self, formula: &Expr) -> Option<State> {
        let formula = self.formula(formula)?;
        Some(State { formula, scope: self.take_scope() })
    }

    /// The variables; those that were written `_` get names of their own.
    fn take_scope(&mut self) -> Scope {
        let mut number = 0;
        for variable in self.scope.iter_mut().filter(|variable| variable.name.is_empty()) {
            variable.name = loop {
                number += 1;
                let name = format!("_{number}");
                if !self.positions.contains_key(&name) {
                    break name;
                }
            };
        }
        std::mem::take(&mut self.scope)
    }

    /// A variable that occurs once is perhaps misspelt.
    fn warn_about_singletons(&mut self) {
        let lonely = |variable: &&Variable| variable.occurrences == 1 && !variable.name.starts_with('_');
        for variable in self.scope.iter().filter(lonely).filter(|variable| !variable.name.is_empty()) {
            let message = format!("`{}` occurs only once in this rule", variable.name);
            self.found.push(
                Diagnostic::warning(&codes::SINGLETON, message, variable.span)
                    .label("says nothing")
                    .help(format!("if that is meant, write `_` or `_{}`", variable.name)),
            );
        }
    }

    /// A variable that occurs only on the right is existential, which is easily overlooked.
    fn warn_about_unmarked(&mut self, universal: usize) {
        let unmarked = |variable: &&Variable| !variable.is_marked && !variable.name.is_empty();
        for variable in self.scope[universal..].iter().filter(unmarked) {
            let name = &variable.name;
            let message = format!("`{name}` stands only on the right: some value of it suffices");
            self.found.push(
                Diagnostic::warning(&codes::UNMARKED, message, variable.span)
                    .label(format!("read as `?{name}`"))
                    .help(format!("if that is meant, write `?{name}`; if all values are, add `{name} = {name}` on the left")),
            );
        }
    }

    // Formulas.

    fn formula(&mut self, expr: &Expr) -> Option<Formula> {
        let span = expr.span;
        let (kind, has_atom) = match &expr.kind {
            ExprKind::Truth(value) => (FormulaKind::Truth(*value), false),
            ExprKind::Atom(..) => (FormulaKind::Atom(self.atom(expr)?), true),
            ExprKind::Compare(operands, operators) => {
                let operands = self.tuples(operands)?;
                (FormulaKind::Compare(operands, operators.clone()), false)
            }
            ExprKind::All { operands, .. } => {
                let operands = self.formulas(operands)?;
                let has_atom = operands.iter().any(|operand| operand.has_atom);
                (FormulaKind::All(operands), has_atom)
            }
            ExprKind::Any(operands) => {
                let operands = self.formulas(operands)?;
                let has_atom = operands.iter().any(|operand| operand.has_atom);
                (FormulaKind::Any(operands), has_atom)
            }
            ExprKind::Not(operand) => (FormulaKind::Not(Box::new(self.negated(operand)?)), false),
            ExprKind::Error => return None,
            _ => {
                let error =
                    Diagnostic::error(&codes::WRONG_KIND, "a formula is expected here, this is a term", span)
                        .label("a term")
                        .help("formulas are comparisons such as `X = 1` and atoms such as `p(X)`");
                return self.error(error);
            }
        };
        Some(Formula { kind, span, has_atom })
    }

    /// Resolves all of them, so that all errors are found.
    fn formulas(&mut self, operands: &[Expr]) -> Option<Vec<Formula>> {
        let operands: Vec<Option<Formula>> = operands.iter().map(|operand| self.formula(operand)).collect();
        operands.into_iter().collect()
    }

    fn negated(&mut self, operand: &Expr) -> Option<Formula> {
        let formula = self.formula(operand)?;
        if !formula.has_atom {
            return Some(formula);
        }
        let error = Diagnostic::error(&codes::NEGATED_ATOM, "only constraints can be negated", operand.span)
            .label("there is an atom in this")
            .help("define the opposite by rules of its own");
        self.error(error)
    }

    fn atom(&mut self, expr: &Expr) -> Option<Atom> {
        let ExprKind::Atom(name, args) = &expr.kind else { return None };
        let predicate = self.signatures.find(name, args.len(), expr.span);
        let args = self.terms(args);
        match predicate {
            Ok(predicate) => Some(Atom { predicate, args: args?, span: expr.span }),
            Err(error) => self.error(error),
        }
    }

    /// The operands of a comparison: terms, or tuples of the same length.
    fn tuples(&mut self, operands: &[Expr]) -> Option<Vec<Vec<Term>>> {
        let tuples: Vec<Option<Vec<Term>>> = operands.iter().map(|operand| self.tuple(operand)).collect();
        let tuples: Vec<Vec<Term>> = tuples.into_iter().collect::<Option<_>>()?;
        let count = tuples[0].len();
        let Some(other) = tuples.iter().position(|tuple| tuple.len() != count) else { return Some(tuples) };
        let message = "tuples of different lengths are compared";
        let error = Diagnostic::error(&codes::TUPLE, message, operands[other].span)
            .label(format!("{} here", components(tuples[other].len())))
            .also(operands[0].span, format!("{} here", components(count)));
        self.error(error)
    }

    fn tuple(&mut self, operand: &Expr) -> Option<Vec<Term>> {
        match &operand.kind {
            ExprKind::All { operands, is_conjunction: false } => self.terms(operands),
            _ => Some(vec![self.term(operand)?]),
        }
    }

    // Terms.

    fn terms(&mut self, exprs: &[Expr]) -> Option<Vec<Term>> {
        let terms: Vec<Option<Term>> = exprs.iter().map(|expr| self.term(expr)).collect();
        terms.into_iter().collect()
    }

    fn three(&mut self, exprs: &[Expr; 3]) -> Option<[Term; 3]> {
        let [first, second, third] = exprs.each_ref().map(|expr| self.term(expr));
        Some([first?, second?, third?])
    }

    fn term(&mut self, expr: &Expr) -> Option<Term> {
        let span = expr.span;
        let kind = match &expr.kind {
            ExprKind::Number(value) => TermKind::Number(value.clone()),
            ExprKind::Variable(name) => TermKind::Variable(self.variable(name, span)),
            ExprKind::Existential(name) => TermKind::Variable(self.existential(name, span)?),
            ExprKind::Sum(summands) => {
                let terms: Vec<Option<(bool, Term)>> =
                    summands.iter().map(|(negated, expr)| Some((*negated, self.term(expr)?))).collect();
                TermKind::Sum(terms.into_iter().collect::<Option<_>>()?)
            }
            ExprKind::Product(factors) => TermKind::Product(self.product(factors, span)?),
            ExprKind::Read(array, place) => {
                let (array, place) = (self.term(array), self.term(place));
                TermKind::Read(Box::new([array?, place?]))
            }
            ExprKind::Update(parts) => TermKind::Update(Box::new(self.three(parts)?)),
            ExprKind::If(parts) => self.conditional(parts)?,
            ExprKind::Error => return None,
            ExprKind::Atom(name, args) if args.is_empty() => {
                let message = format!("`{}` is no term", name.text);
                let error = Diagnostic::error(&codes::LETTER, message, span)
                    .label("starts like a predicate")
                    .help("a variable starts with a capital letter or `_`");
                return self.error(error);
            }
            _ => {
                let error =
                    Diagnostic::error(&codes::WRONG_KIND, "a term is expected here, this is a formula", span)
                        .label("a formula")
                        .help("terms are variables, numbers, sums of these, `a[i]` and `<a,i,e>`");
                return self.error(error);
            }
        };
        Some(Term { kind, span })
    }

    fn product(&mut self, factors: &[Expr], span: Span) -> Option<Vec<Term>> {
        let factors = self.terms(factors)?;
        if factors.iter().filter(|factor| !is_constant(factor)).count() < 2 {
            return Some(factors);
        }
        let error = Diagnostic::error(&codes::NOT_LINEAR, "a product of two unknowns", span)
            .label("all factors but one have to be constants")
            .help("multiplication can be defined by rules, as repeated addition");
        self.error(error)
    }

    fn conditional(&mut self, [condition, then, otherwise]: &[Expr; 3]) -> Option<TermKind> {
        let holds = self.formula(condition);
        let (then, otherwise) = (self.term(then), self.term(otherwise));
        let holds = holds?;
        if holds.has_atom {
            let error = Diagnostic::error(
                &codes::NEGATED_ATOM,
                "the condition of a term is a constraint",
                condition.span,
            )
            .label("there is an atom in this")
            .help("write a rule for each case");
            return self.error(error);
        }
        Some(TermKind::If(Box::new(holds), Box::new([then?, otherwise?])))
    }

    fn variable(&mut self, name: &str, span: Span) -> usize {
        let next = self.scope.len();
        // A lone `_` is a new variable each time; it is named once all others are known.
        let is_new = name == "_";
        let position = if is_new { next } else { *self.positions.entry(name.to_string()).or_insert(next) };
        if position == next {
            let name = if is_new { String::new() } else { name.to_string() };
            self.scope.push(Variable { name, span, occurrences: 0, is_marked: false });
        }
        self.scope[position].occurrences += 1;
        position
    }

    fn existential(&mut self, name: &str, span: Span) -> Option<usize> {
        let position = self.variable(name, span);
        let Some(universal) = self.universal else {
            let message = "`?` marks a variable of a right-hand side";
            let error = Diagnostic::error(&codes::EXISTENTIAL, message, span)
                .label("not on the right of `|=`")
                .help(format!("write `{name}`"));
            return self.error(error);
        };
        if position >= universal {
            self.scope[position].is_marked = true;
            return Some(position);
        }
        let message = format!("`?{name}` stands on both sides");
        let first = self.scope[position].span;
        let error = Diagnostic::error(&codes::EXISTENTIAL, message, span)
            .label("the right-hand side cannot choose it")
            .also(first, "the left-hand side has it already")
            .help("choose another name, or leave the `?` out");
        self.error(error)
    }
}

fn components(count: usize) -> String {
    if count == 1 { "a single term".to_string() } else { format!("{count} components") }
}

/// Is the value known without any variable?
fn is_constant(term: &Term) -> bool {
    match &term.kind {
        TermKind::Number(_) => true,
        TermKind::Sum(summands) => summands.iter().all(|(_, summand)| is_constant(summand)),
        TermKind::Product(factors) => factors.iter().all(is_constant),
        _ => false,
    }
}

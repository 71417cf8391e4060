//! Sort inference: which variables and arguments are arrays, and which integers, by unification over the whole program.
//!
//! Each variable of an item and each argument of a predicate is a node; nodes that must have the same sort are unified. An
//! unconstrained node is an integer. The place that determined the sort of a node is kept for messages.

use super::ast::Comparison;
use super::hir::{Atom, Formula, FormulaKind, Item, ItemKind, State, Term, TermKind};
use super::signatures::Signatures;
use crate::codes::clp as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Integer,
    Array,
}

impl Shape {
    fn noun(self) -> &'static str {
        match self {
            Shape::Integer => "an integer",
            Shape::Array => "an array",
        }
    }
}

pub struct Sorts {
    /// For each predicate the sorts of its arguments.
    pub arguments: Vec<Vec<Shape>>,
    /// For each item the sorts of its variables; those of an abstraction's second part come last.
    pub variables: Vec<Vec<Shape>>,
}

/// Infers all sorts, and reports conflicts.
pub fn infer(signatures: &Signatures, items: &[Item], found: &mut Vec<Diagnostic>) -> Sorts {
    let mut graph = Graph { parents: Vec::new(), known: Vec::new(), arguments: Vec::new(), found };
    for signature in &signatures.all {
        let first = graph.nodes(signature.arity);
        graph.arguments.push(first);
    }
    let firsts: Vec<(usize, usize)> = items.iter().map(|item| graph.item(item)).collect();
    let arguments = signatures.all.iter().zip(graph.arguments.clone());
    let arguments = arguments.map(|(signature, first)| graph.shapes(first, signature.arity)).collect();
    let variables = firsts.into_iter().map(|(first, count)| graph.shapes(first, count)).collect();
    Sorts { arguments, variables }
}

/// What is known of a term's sort.
#[derive(Clone, Copy)]
enum Known {
    Shape(Shape),
    Node(usize),
}

/// Nodes, as a union-find structure.
struct Graph<'a> {
    parents: Vec<usize>,
    /// The sort of each root, and the place that determined it.
    known: Vec<Option<(Shape, Span)>>,
    /// The node of each predicate's first argument.
    arguments: Vec<usize>,
    found: &'a mut Vec<Diagnostic>,
}

impl Graph<'_> {
    fn nodes(&mut self, count: usize) -> usize {
        let first = self.parents.len();
        self.parents.extend(first..first + count);
        self.known.resize(first + count, None);
        first
    }

    fn root(&mut self, node: usize) -> usize {
        let mut at = node;
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn shapes(&mut self, first: usize, count: usize) -> Vec<Shape> {
        let mut shape = |node| {
            let root = self.root(node);
            self.known[root].map_or(Shape::Integer, |(shape, _)| shape)
        };
        (first..first + count).map(&mut shape).collect()
    }

    /// The nodes of an item's variables.
    fn item(&mut self, item: &Item) -> (usize, usize) {
        match &item.kind {
            ItemKind::Rule { head, body, scope } => {
                let first = self.nodes(scope.len());
                self.atom(head, first);
                self.formula(body, first);
                (first, scope.len())
            }
            ItemKind::Entailment { left, right, scope, .. } => {
                let first = self.nodes(scope.len());
                self.formula(left, first);
                self.formula(right, first);
                (first, scope.len())
            }
            ItemKind::Start(state) => (self.state(state), state.scope.len()),
            ItemKind::Abstract(at, by) => {
                let first = self.state(at);
                self.state(by);
                (first, at.scope.len() + by.scope.len())
            }
        }
    }

    fn state(&mut self, state: &State) -> usize {
        let first = self.nodes(state.scope.len());
        self.formula(&state.formula, first);
        first
    }

    fn formula(&mut self, formula: &Formula, scope: usize) {
        match &formula.kind {
            FormulaKind::Truth(_) => {}
            FormulaKind::Atom(atom) => self.atom(atom, scope),
            FormulaKind::Compare(tuples, operators) => {
                for (pair, operator) in tuples.windows(2).zip(operators) {
                    self.compare(&pair[0], *operator, &pair[1], scope);
                }
            }
            FormulaKind::All(operands) | FormulaKind::Any(operands) => {
                operands.iter().for_each(|operand| self.formula(operand, scope));
            }
            FormulaKind::Not(operand) => self.formula(operand, scope),
        }
    }

    fn atom(&mut self, atom: &Atom, scope: usize) {
        let first = self.arguments[atom.predicate];
        for (place, arg) in atom.args.iter().enumerate() {
            let known = self.term(arg, scope);
            self.unite(known, Known::Node(first + place), arg.span);
        }
    }

    fn compare(&mut self, left: &[Term], operator: Comparison, right: &[Term], scope: usize) {
        for (left, right) in left.iter().zip(right) {
            match operator {
                Comparison::Equal | Comparison::NotEqual => {
                    let (here, there) = (self.term(left, scope), self.term(right, scope));
                    self.unite(there, here, right.span);
                }
                _ => {
                    self.expect(left, Shape::Integer, scope);
                    self.expect(right, Shape::Integer, scope);
                }
            }
        }
    }

    fn term(&mut self, term: &Term, scope: usize) -> Known {
        match &term.kind {
            TermKind::Variable(position) => return Known::Node(scope + position),
            TermKind::Number(_) => {}
            TermKind::Sum(summands) => {
                summands.iter().for_each(|(_, summand)| self.expect(summand, Shape::Integer, scope));
            }
            TermKind::Product(factors) => {
                factors.iter().for_each(|factor| self.expect(factor, Shape::Integer, scope));
            }
            TermKind::Read(parts) => {
                self.expect(&parts[0], Shape::Array, scope);
                self.expect(&parts[1], Shape::Integer, scope);
            }
            TermKind::Update(parts) => {
                self.expect(&parts[0], Shape::Array, scope);
                self.expect(&parts[1], Shape::Integer, scope);
                self.expect(&parts[2], Shape::Integer, scope);
                return Known::Shape(Shape::Array);
            }
            TermKind::If(condition, parts) => {
                self.formula(condition, scope);
                let (then, otherwise) = (self.term(&parts[0], scope), self.term(&parts[1], scope));
                self.unite(otherwise, then, parts[1].span);
                return then;
            }
        }
        Known::Shape(Shape::Integer)
    }

    fn expect(&mut self, term: &Term, shape: Shape, scope: usize) {
        let known = self.term(term, scope);
        self.unite(known, Known::Shape(shape), term.span);
    }

    fn unite(&mut self, left: Known, right: Known, span: Span) {
        match (left, right) {
            (Known::Shape(left), Known::Shape(right)) => {
                if left != right {
                    let message = format!("{} is expected here, this is {}", right.noun(), left.noun());
                    self.found.push(Diagnostic::error(&codes::CLASH, message, span).label(left.noun()));
                }
            }
            (Known::Node(node), Known::Shape(shape)) | (Known::Shape(shape), Known::Node(node)) => {
                let root = self.root(node);
                match self.known[root] {
                    None => self.known[root] = Some((shape, span)),
                    Some((known, place)) if known != shape => self.clash(shape, span, known, place),
                    Some(_) => {}
                }
            }
            (Known::Node(left), Known::Node(right)) => {
                let (left, right) = (self.root(left), self.root(right));
                self.unite_roots(left, right, span);
            }
        }
    }

    fn unite_roots(&mut self, left: usize, right: usize, span: Span) {
        if left == right {
            return;
        }
        if let (Some((here, place)), Some((there, other))) = (self.known[left], self.known[right])
            && here != there
        {
            self.mismatch(span, (here, place), (there, other));
            return;
        }
        self.parents[right] = left;
        self.known[left] = self.known[left].or(self.known[right]);
    }

    /// Reports that one thing is used with two sorts.
    fn clash(&mut self, shape: Shape, span: Span, known: Shape, place: Span) {
        let message = format!("this is used as {} and as {}", known.noun(), shape.noun());
        let error = Diagnostic::error(&codes::CLASH, message, span).label(format!("{} here", shape.noun()));
        self.found.push(error.also(place, format!("{} here", known.noun())));
    }

    /// Reports two things that should have one sort and do not.
    fn mismatch(&mut self, span: Span, left: (Shape, Span), right: (Shape, Span)) {
        let message = "an integer and an array have to be the same here";
        let error = Diagnostic::error(&codes::CLASH, message, span).label("both have to be of one sort");
        let error = error.also(left.1, format!("{} here", left.0.noun()));
        self.found.push(error.also(right.1, format!("{} here", right.0.noun())));
    }
}

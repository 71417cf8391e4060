//! A program in which every expression is known to be a term or a formula, and every name is resolved.

use super::ast::{Comparison, Name};
use crate::span::Span;
use num_bigint::BigInt;

/// A term.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where.
    pub span: Span,
}

/// What a term is.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// An integer.
    Number(BigInt),
    /// A variable, by its position in the scope.
    Variable(usize),
    /// Summands, each with whether it is subtracted.
    Sum(Vec<(bool, Term)>),
    /// Factors, of which one at most is no constant.
    Product(Vec<Term>),
    /// `a[i]`
    Read(Box<[Term; 2]>),
    /// `<a,i,e>`
    Update(Box<[Term; 3]>),
    /// `if c then s else t`
    If(Box<Formula>, Box<[Term; 2]>),
}

/// A formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What it is.
    pub kind: FormulaKind,
    /// Where.
    pub span: Span,
    /// Is there an atom in it? Otherwise it is a constraint.
    pub has_atom: bool,
}

/// What a formula is.
#[derive(Clone, Debug)]
pub enum FormulaKind {
    /// `true`, `false`
    Truth(bool),
    /// A predicate applied to terms.
    Atom(Atom),
    /// Tuples, most of them of one term, and what stands between them.
    Compare(Vec<Vec<Term>>, Vec<Comparison>),
    /// A conjunction.
    All(Vec<Formula>),
    /// A disjunction.
    Any(Vec<Formula>),
    /// The negation of a constraint.
    Not(Box<Formula>),
}

/// A predicate applied to terms.
#[derive(Clone, Debug)]
pub struct Atom {
    /// Position among the signatures.
    pub predicate: usize,
    /// As many as the predicate has.
    pub args: Vec<Term>,
    /// Where.
    pub span: Span,
}

/// A variable of one item.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name; a lone `_` has got one that no other variable of the item has.
    pub name: String,
    /// Its first occurrence.
    pub span: Span,
    /// How often it occurs.
    pub occurrences: usize,
    /// Is it marked by `?`?
    pub is_marked: bool,
}

/// The variables of one item, in the order of their first occurrence.
pub type Scope = Vec<Variable>;

/// An item.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name in quotes.
    pub name: Option<Name>,
    /// What it is.
    pub kind: ItemKind,
    /// All of it but the dot.
    pub span: Span,
}

/// What an item is.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `head :- body`; the body of a fact is `true`.
    Rule {
        /// The head.
        head: Atom,
        /// The body.
        body: Formula,
        /// The variables.
        scope: Scope,
    },
    /// `prove left |= right` or `property left |= right`.
    Entailment {
        /// Is it about all reachable states?
        is_property: bool,
        /// What is assumed.
        left: Formula,
        /// What follows.
        right: Formula,
        /// The variables.
        scope: Scope,
        /// How many of these the left-hand side has; the others are existential.
        universal: usize,
    },
    /// `start state`.
    Start(State),
    /// `abstract at by instead`.
    Abstract(State, State),
}

/// A formula about states with its own variables.
#[derive(Clone, Debug)]
pub struct State {
    /// The formula.
    pub formula: Formula,
    /// The variables.
    pub scope: Scope,
}

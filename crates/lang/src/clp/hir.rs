//! A resolved program: every expression is known to be a term or a formula, and every name refers to something.

use super::ast::{Comparison, Name};
use crate::span::Span;
use num_bigint::BigInt;

#[derive(Clone, Debug)]
pub struct Term {
    pub kind: TermKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TermKind {
    Number(BigInt),
    /// A variable, by its position in the scope.
    Variable(usize),
    /// Summands, each with whether it is subtracted.
    Sum(Vec<(bool, Term)>),
    /// Factors, all but one of which are constants.
    Product(Vec<Term>),
    /// `a[i]`
    Read(Box<[Term; 2]>),
    /// `<a,i,e>`
    Update(Box<[Term; 3]>),
    /// `if c then s else t`
    If(Box<Formula>, Box<[Term; 2]>),
}

#[derive(Clone, Debug)]
pub struct Formula {
    pub kind: FormulaKind,
    pub span: Span,
    /// Does it contain an atom? Otherwise it is a constraint.
    pub has_atom: bool,
}

#[derive(Clone, Debug)]
pub enum FormulaKind {
    /// `true`, `false`
    Truth(bool),
    /// A predicate applied to terms.
    Atom(Atom),
    /// Tuples, mostly of one term, and the comparisons between them.
    Compare(Vec<Vec<Term>>, Vec<Comparison>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
    Not(Box<Formula>),
}

/// A predicate applied to terms.
#[derive(Clone, Debug)]
pub struct Atom {
    /// Index into the signatures.
    pub predicate: usize,
    pub args: Vec<Term>,
    pub span: Span,
}

/// A variable of one item.
#[derive(Clone, Debug)]
pub struct Variable {
    /// A lone `_` gets a name that no other variable of the item has.
    pub name: String,
    /// Its first occurrence.
    pub span: Span,
    /// The number of occurrences.
    pub occurrences: usize,
    /// Is it marked by `?`?
    pub is_marked: bool,
}

/// The variables of one item, in the order of their first occurrence.
pub type Scope = Vec<Variable>;

#[derive(Clone, Debug)]
pub struct Item {
    /// Its name in quotes.
    pub name: Option<Name>,
    pub kind: ItemKind,
    /// Everything but the dot.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `head :- body`; the body of a fact is `true`.
    Rule { head: Atom, body: Formula, scope: Scope },
    /// `prove left |= right` or `property left |= right`.
    Entailment {
        /// Is it about all reachable states?
        is_property: bool,
        /// The assumption.
        left: Formula,
        /// The conclusion.
        right: Formula,
        scope: Scope,
        /// How many of these occur on the left-hand side; the others are existential.
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
    pub formula: Formula,
    pub scope: Scope,
}

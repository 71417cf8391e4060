//! The syntax tree of a constraint logic program, with a span at every node.
//!
//! Terms, constraints and tuples are one kind of expression: whether `(X, Y)` is a pair or a conjunction is only known when
//! what stands behind it has been read. `resolve` tells them apart. Chains of operators are lists, so that a
//! long one makes no deep tree.

use crate::span::Span;
pub use crate::syntax::{Comparison, Name};
use num_bigint::BigInt;

/// A file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Its parts, in order.
    pub items: Vec<Item>,
}

/// A part of a file, which ends with a dot.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its name in quotes.
    pub name: Option<Name>,
    /// What it is.
    pub kind: ItemKind,
    /// All of it but the dot.
    pub span: Span,
}

/// What a part of a file is.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `head :- body`, or `head` alone.
    Rule(Expr, Option<Expr>),
    /// `prove left |= right`.
    Prove(Expr, Expr),
    /// `start state`.
    Start(Expr),
    /// `abstract at by instead`.
    Abstract(Expr, Expr),
    /// `property state |= right`.
    Property(Expr, Expr),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `42`
    Number(BigInt),
    /// `X`, or `_` for a new one.
    Variable(String),
    /// `?X`
    Existential(String),
    /// `p(X, Y)`, or `p` alone.
    Atom(Name, Vec<Expr>),
    /// Summands, each with whether it is subtracted.
    Sum(Vec<(bool, Expr)>),
    /// Factors.
    Product(Vec<Expr>),
    /// `a[i]`
    Read(Box<Expr>, Box<Expr>),
    /// `<a,i,e>`
    Update(Box<[Expr; 3]>),
    /// `if c then s else t`
    If(Box<[Expr; 3]>),
    /// `true`, `false`
    Truth(bool),
    /// Operands and what stands between them: `1 <= X < N`.
    Compare(Vec<Expr>, Vec<Comparison>),
    /// A conjunction; or, if `,` is all that stands between, perhaps a tuple.
    All {
        /// The operands.
        operands: Vec<Expr>,
        /// Is there a `/\` between them? Then it is no tuple.
        is_conjunction: bool,
    },
    /// A disjunction.
    Any(Vec<Expr>),
    /// `~c`, `not c`
    Not(Box<Expr>),
    /// What could not be read, and was reported.
    Error,
}

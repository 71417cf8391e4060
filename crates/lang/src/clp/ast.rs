//! The syntax tree of a constraint logic program, with a span at every node.
//!
//! Terms, constraints and tuples are one kind of expression: whether `(X, Y)` is a pair or a conjunction is only known after what
//! follows it has been read. `resolve` tells them apart. Chains of operators are lists, so that a long one does not make a deep
//! tree.

use crate::span::Span;
pub use crate::syntax::{Comparison, Name};
use num_bigint::BigInt;

#[derive(Clone, Debug, Default)]
pub struct File {
    pub items: Vec<Item>,
}

/// An item of a file, which ends with a dot.
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

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

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
    /// Operands and the comparisons between them: `1 <= X < N`.
    Compare(Vec<Expr>, Vec<Comparison>),
    /// A conjunction; or, if all separators are `,`, perhaps a tuple.
    All {
        operands: Vec<Expr>,
        /// Is there a `/\` between them? Then it is no tuple.
        is_conjunction: bool,
    },
    Any(Vec<Expr>),
    /// `~c`, `not c`
    Not(Box<Expr>),
    /// Erroneous; has been reported.
    Error,
}

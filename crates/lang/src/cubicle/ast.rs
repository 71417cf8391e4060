//! The syntax tree of a Cubicle file, with a span at every node.
//!
//! Terms and formulas are one kind of expression: telling them apart is a matter of types, and an error message about
//! types is better than one about grammar. Chains of operators are lists, so that a long one does not make a deep tree.

use crate::span::Span;
pub use crate::syntax::{Comparison, Name};
use num_bigint::BigInt;

/// A file. The relative order of items of different kinds means nothing.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// `number_procs n`, allowed once.
    pub sizes: Vec<Size>,
    /// `type t = A | B`, `type t`.
    pub types: Vec<TypeDeclaration>,
    /// `var`, `array` and `const`.
    pub symbols: Vec<SymbolDeclaration>,
    /// `predicate p(x) { … }`.
    pub predicates: Vec<Predicate>,
    /// `init (z) { … }`, required once.
    pub inits: Vec<Cube>,
    /// `invariant (z) { … }`.
    pub invariants: Vec<Cube>,
    /// `unsafe (z) { … }`.
    pub unsafes: Vec<Cube>,
    /// `transition t (x) requires { … } { … }`.
    pub transitions: Vec<Transition>,
}

/// `number_procs n`.
#[derive(Clone, Debug)]
pub struct Size {
    pub count: BigInt,
    /// The whole item.
    pub span: Span,
}

/// An enumeration, or an uninterpreted type if there are no constructors.
#[derive(Clone, Debug)]
pub struct TypeDeclaration {
    pub name: Name,
    pub constructors: Vec<Name>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// `var X : t`.
    Var,
    /// `array A[proc] : t`.
    Array,
    /// `const C : t`.
    Const,
}

/// A state variable or a constant.
#[derive(Clone, Debug)]
pub struct SymbolDeclaration {
    pub kind: SymbolKind,
    pub name: Name,
    /// The types of its indices, for arrays.
    pub indices: Vec<Name>,
    pub ty: Name,
}

/// A macro: a named formula that is expanded where it is used.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub name: Name,
    /// Its parameters: processes, values or formulas.
    pub params: Vec<Name>,
    pub body: Expr,
}

/// A formula over some process variables.
#[derive(Clone, Debug)]
pub struct Cube {
    pub variables: Vec<Name>,
    pub formula: Expr,
    /// The whole item.
    pub span: Span,
}

/// A guarded simultaneous update.
#[derive(Clone, Debug)]
pub struct Transition {
    pub name: Name,
    /// The participating processes.
    pub params: Vec<Name>,
    /// `requires { … }`; without it the transition is always enabled.
    pub guard: Option<Expr>,
    /// `let x = t in`.
    pub lets: Vec<(Name, Expr)>,
    pub updates: Vec<Update>,
    /// The whole item.
    pub span: Span,
}

/// `X := …` or `A[i, j] := …`.
#[derive(Clone, Debug)]
pub struct Update {
    /// The symbol that is updated.
    pub target: Name,
    /// Its indices, for arrays.
    pub indices: Vec<Expr>,
    pub value: NewValue,
    /// The whole update.
    pub span: Span,
}

/// The right-hand side of an update.
#[derive(Clone, Debug)]
pub enum NewValue {
    /// One value.
    One(Chosen),
    /// `case | f : t … | _ : t`; the first formula that holds decides.
    Case(Vec<Branch>),
}

/// A given or an arbitrary value.
#[derive(Clone, Debug)]
pub enum Chosen {
    Term(Expr),
    /// `.` or `?`.
    Any(Span),
}

/// `| f : t`.
#[derive(Clone, Debug)]
pub struct Branch {
    /// `None` for `_`.
    pub condition: Option<Expr>,
    pub value: Chosen,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Erroneous; has been reported.
    Error,
    /// A variable, constant, constructor, process variable or parameter.
    Name(String),
    /// `#1`.
    Process(BigInt),
    /// `42`.
    Number(BigInt),
    /// `0.25`: the digits without the point, and the number of those after it.
    Decimal(BigInt, u32),
    /// `true`, `false`.
    Truth(bool),
    /// `A[i, j]`.
    Access(Name, Vec<Expr>),
    /// `p(x, y)`.
    Call(Name, Vec<Expr>),
    /// `not f`.
    Not(Box<Expr>),
    /// `f && g && h`.
    All(Vec<Expr>),
    /// `f || g || h`.
    Any(Vec<Expr>),
    /// `f => g`.
    Implies(Box<Expr>, Box<Expr>),
    /// `f <=> g`.
    Iff(Box<Expr>, Box<Expr>),
    /// `if f then g else h`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `s < t` and the like.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `s + t - u`; true for the terms that are subtracted.
    Sum(Vec<(bool, Expr)>),
    /// `s * t`.
    Product(Vec<Expr>),
    /// `forall x <> y. f` and the like.
    Quantified(Quantifier, Vec<Name>, Box<Expr>),
}

/// `forall`, `exists` and their variants about the other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantifier {
    /// `forall` or `exists`?
    pub universal: bool,
    /// With `_other`?
    pub other: bool,
}

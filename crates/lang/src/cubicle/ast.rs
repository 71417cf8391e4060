//! The syntax tree of a Cubicle file, with a span at every node.
//!
//! Terms and formulas are one kind of expression: which of the two is meant is a matter of types, and a message about
//! types is better than one about grammar. Chains of operators are lists, so that a long one makes no deep tree.

use crate::span::Span;
pub use crate::syntax::{Comparison, Name};
use num_bigint::BigInt;

/// A file. The order of items of different kinds means nothing.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// `number_procs n`, which may be there once.
    pub sizes: Vec<Size>,
    /// `type t = A | B`, `type t`.
    pub types: Vec<TypeDeclaration>,
    /// `var`, `array` and `const`.
    pub symbols: Vec<SymbolDeclaration>,
    /// `predicate p(x) { … }`.
    pub predicates: Vec<Predicate>,
    /// `init (z) { … }`, of which there has to be one.
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
    /// How many.
    pub count: BigInt,
    /// The whole item.
    pub span: Span,
}

/// An enumeration, or without constructors a type of which nothing is known.
#[derive(Clone, Debug)]
pub struct TypeDeclaration {
    /// Its name.
    pub name: Name,
    /// Its values.
    pub constructors: Vec<Name>,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// `var X : t`.
    Var,
    /// `array A[proc] : t`.
    Array,
    /// `const C : t`.
    Const,
}

/// A part of the state, or a constant.
#[derive(Clone, Debug)]
pub struct SymbolDeclaration {
    /// What it is.
    pub kind: SymbolKind,
    /// Its name.
    pub name: Name,
    /// The types of its indices, for arrays.
    pub indices: Vec<Name>,
    /// The type of its values.
    pub ty: Name,
}

/// A named formula, which is put in the place of its uses.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: Name,
    /// Its parameters: processes, values or formulas, whatever it is given.
    pub params: Vec<Name>,
    /// What it stands for.
    pub body: Expr,
}

/// Some process variables and what is said of them.
#[derive(Clone, Debug)]
pub struct Cube {
    /// The variables.
    pub variables: Vec<Name>,
    /// What is said.
    pub formula: Expr,
    /// The whole item.
    pub span: Span,
}

/// A guarded simultaneous update.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its name.
    pub name: Name,
    /// The processes that take part.
    pub params: Vec<Name>,
    /// `requires { … }`; without it the transition is always possible.
    pub guard: Option<Expr>,
    /// `let x = t in`.
    pub lets: Vec<(Name, Expr)>,
    /// What changes.
    pub updates: Vec<Update>,
    /// The whole item.
    pub span: Span,
}

/// `X := …` or `A[i, j] := …`.
#[derive(Clone, Debug)]
pub struct Update {
    /// What is changed.
    pub target: Name,
    /// Where, for arrays.
    pub indices: Vec<Expr>,
    /// The new value.
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

/// A value, or any.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// A term.
    Term(Expr),
    /// `.` or `?`.
    Any(Span),
}

/// `| f : t`.
#[derive(Clone, Debug)]
pub struct Branch {
    /// When; `None` for `_`.
    pub condition: Option<Expr>,
    /// What.
    pub value: Chosen,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it says.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression says.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Could not be read; has been reported.
    Error,
    /// A variable, constant, constructor, process variable or parameter.
    Name(String),
    /// `#1`.
    Process(BigInt),
    /// `42`.
    Number(BigInt),
    /// `0.25`: the digits without the point, and how many of them stand behind it.
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

//! The syntax tree of a Murphi (`.m`) or Tenet (`.tenet`) file, as written.
//!
//! The tree keeps names and spans and decides nothing: whether `Empty` is an enumeration value or a variable, or
//! whether `f(x)` is a function, is decided by the checker. Sections may come in any order and any number, as Rumur
//! accepts them, so a model is a plain list of items.

use crate::span::Span;
use num_bigint::BigInt;

/// A name and its place. Names keep their case; keywords are recognised by the lexer regardless of case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: String,
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Declarations and rules in source order.
    pub items: Vec<Item>,
}

/// A top-level item.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A constant, type or variable declaration.
    Declaration(Declaration),
    /// A function or procedure.
    Function(Function),
    /// A rule, startstate, property, hint, ruleset, alias or choose.
    Rule(Rule),
    /// A predicate for abstraction (`.tenet`).
    Predicate(Predicate),
    /// A definition (`.tenet`).
    Define(Define),
}

/// `define name(parameters) : type := body`
#[derive(Clone, Debug, PartialEq)]
pub struct Define {
    pub name: Ident,
    /// Parameters in order.
    pub parameters: Vec<Parameter>,
    /// The type of its value.
    pub result: TypeExpr,
    /// Its value.
    pub body: Expr,
    /// From `define` to its end.
    pub span: Span,
}

/// `predicate "name" formula`
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate {
    /// The name, if any.
    pub name: Option<Ident>,
    pub formula: Expr,
    /// The formula's text, with whitespace collapsed to single spaces.
    pub text: String,
    /// From `predicate` to its end.
    pub span: Span,
}

/// `instantiate i with a, b` or `never instantiate (i, j) with (a, b), (c, d)`
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// False for `never`.
    pub force: bool,
    /// Index variables, or one type.
    pub targets: Vec<Ident>,
    /// One term for each target, any number of times.
    pub terms: Vec<Vec<Expr>>,
}

/// A declaration; also of locals of rules and functions.
#[derive(Clone, Debug, PartialEq)]
pub enum Declaration {
    /// `const NAME : expr;`
    Const { name: Ident, value: Expr },
    /// `const NAME : type;`: fixed, but arbitrary (`.tenet`). Where the type is a name alone, it is a
    /// [`Declaration::Const`]: only the checker knows what the name stands for.
    Symbolic { name: Ident, definition: TypeExpr },
    /// `type NAME : type;`
    Type { name: Ident, definition: TypeExpr },
    /// `var a, b : type;`
    Var { names: Vec<Ident>, definition: TypeExpr },
    /// `index i, j : type;`, at the top level of `.tenet` files.
    Index { names: Vec<Ident>, definition: TypeExpr },
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    pub kind: TypeExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeExprKind {
    /// A name, `boolean` and (in `.tenet`) `integer` among them.
    Name(String),
    /// `lo..hi`; in `.tenet` either end may be missing (`1..`).
    Range { lo: Option<Box<Expr>>, hi: Option<Box<Expr>> },
    /// `enum { a, b }`
    Enum(Vec<Ident>),
    /// `scalarset(n)`; in `.tenet` `scalarset` alone has no size of its own.
    Scalarset(Option<Box<Expr>>),
    /// `union { T, enum { a } }`
    Union(Vec<TypeExpr>),
    /// `array [ index ] of element`; `array [A, B] of T` is nested.
    Array { index: Box<TypeExpr>, element: Box<TypeExpr> },
    /// `multiset [ n ] of element`
    Multiset {
        /// The greatest number of elements.
        capacity: Box<Expr>,
        element: Box<TypeExpr>,
    },
    /// `record a, b : T; … end`
    Record(Vec<Field>),
}

/// Record fields of one type.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub names: Vec<Ident>,
    pub definition: TypeExpr,
}

/// `function` or `procedure`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: Ident,
    /// Parameters in order.
    pub parameters: Vec<Parameter>,
    /// The result type; `None` for a procedure.
    pub result: Option<TypeExpr>,
    pub locals: Vec<Declaration>,
    pub body: Vec<Stmt>,
    /// From `function` to its `end`.
    pub span: Span,
}

/// One or several parameters of one type.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// `var`: passed by reference.
    pub by_reference: bool,
    pub names: Vec<Ident>,
    pub definition: TypeExpr,
}

/// A rule-like item with its span (from its keyword to its `end`).
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub kind: RuleKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RuleKind {
    /// `rule "name" guard ==> … end`
    Simple {
        /// Names are optional and may repeat.
        name: Option<Ident>,
        /// The guard; missing means true.
        guard: Option<Expr>,
        locals: Vec<Declaration>,
        body: Vec<Stmt>,
    },
    /// `startstate "name" … end`
    Start {
        /// The name, if any.
        name: Option<Ident>,
        locals: Vec<Declaration>,
        body: Vec<Stmt>,
    },
    /// `invariant`, `assert`, `assume`, `cover`, `liveness` at top level.
    Property {
        property: PropertyKind,
        /// The name, if any.
        name: Option<Ident>,
        formula: Expr,
    },
    /// `instantiate … with …`
    Hint(Hint),
    /// `ruleset a : T; b : U do … end`
    Ruleset {
        binders: Vec<Binder>,
        /// The rules in its scope.
        rules: Vec<Rule>,
    },
    /// `alias a : expr; b : expr do … end`
    Alias {
        aliases: Vec<Alias>,
        /// The rules in its scope.
        rules: Vec<Rule>,
    },
    /// `choose i : multiset do … end`
    Choose {
        /// The chosen element's name (an index into the multiset).
        name: Ident,
        multiset: Expr,
        /// The rules in its scope.
        rules: Vec<Rule>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Must hold in every reachable state (`invariant`, top-level `assert`).
    Invariant,
    /// States that violate it are ignored.
    Assume,
    /// Must hold in at least one reachable state.
    Cover,
    /// Must hold infinitely often: parsed, and refused by the checker.
    Liveness,
    /// Holds of every state and of the constants; only at top level, in `.tenet` files.
    Axiom,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    pub name: Ident,
    /// The values that it ranges over.
    pub domain: Domain,
}

/// The range of a bound variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Every value of a type.
    Type(TypeExpr),
    /// `from to to by step`
    Steps {
        from: Box<Expr>,
        to: Box<Expr>,
        /// The step, 1 if missing.
        step: Option<Box<Expr>>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    pub name: Ident,
    pub value: Expr,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    Assign {
        place: Expr,
        value: Expr,
    },
    /// `if … then … elsif … else … end`
    If {
        /// Condition and statements of `if` and each `elsif`.
        arms: Vec<(Expr, Vec<Stmt>)>,
        /// The `else` part.
        otherwise: Vec<Stmt>,
    },
    /// `switch e case a, b: … else … end`
    Switch {
        value: Expr,
        /// Labels and statements of each case.
        cases: Vec<(Vec<Expr>, Vec<Stmt>)>,
        /// The `else` part.
        otherwise: Vec<Stmt>,
    },
    /// `for binder do … end`
    For {
        binder: Binder,
        body: Vec<Stmt>,
    },
    /// `while e do … end`
    While {
        condition: Expr,
        body: Vec<Stmt>,
    },
    /// `alias … do … end`
    Alias {
        aliases: Vec<Alias>,
        body: Vec<Stmt>,
    },
    /// `procedure(args)`
    Call {
        /// The procedure (or function whose result is dropped).
        name: Ident,
        arguments: Vec<Expr>,
    },
    /// `clear place`
    Clear(Expr),
    /// `undefine place`
    Undefine(Expr),
    /// `assert e "message"`; also `assume` and `cover` as statements.
    Property {
        property: PropertyKind,
        formula: Expr,
        /// The message, if any.
        message: Option<String>,
    },
    /// `error "message"`
    Error(String),
    /// `put e` or `put "text"`
    Put(Put),
    /// `return` or `return e`
    Return(Option<Expr>),
    /// `multisetadd(element, multiset)`
    MultisetAdd {
        element: Expr,
        multiset: Expr,
    },
    /// `multisetremove(index, multiset)`
    MultisetRemove {
        /// The chosen element's index (name of a `choose` or of `multisetremovepred`).
        index: Expr,
        multiset: Expr,
    },
    /// `multisetremovepred(i : multiset, e)`: removes every element that satisfies the predicate.
    MultisetRemovePred {
        /// The element's name inside the predicate.
        name: Ident,
        multiset: Expr,
        predicate: Expr,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Put {
    Text(String),
    Value(Expr),
}

/// An expression. The parser bounds its depth, so later passes may recurse.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number.
    Int(BigInt),
    /// A name: variable, constant, enumeration value, parameter, `true`, `false`.
    Name(String),
    /// `e.field`
    Field(Box<Expr>, Ident),
    /// `e[index]`; `e[i, j]` is nested.
    Index(Box<Expr>, Box<Expr>),
    /// `e[index := value]`: the array with one element replaced (`.tenet`); `e[i, j := value]` goes into an array of
    /// arrays.
    Update(Box<Expr>, Vec<Expr>, Box<Expr>),
    /// `f(args)`
    Call(Ident, Vec<Expr>),
    /// `!e`, `-e`
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall` / `exists`
    Quantifier {
        /// True for `forall`.
        universal: bool,
        binder: Box<Binder>,
        body: Box<Expr>,
    },
    /// `isundefined(place)`
    IsUndefined(Box<Expr>),
    /// `ismember(e, T)`: whether a union value is of member type T.
    IsMember(Box<Expr>, Box<TypeExpr>),
    /// `multisetcount(i : multiset, e)`
    MultisetCount {
        /// The element's name inside the predicate.
        name: Ident,
        multiset: Box<Expr>,
        /// Which elements count.
        predicate: Box<Expr>,
    },
    /// An erroneous expression; has been reported, so the checker stays silent about it.
    Error,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
}

/// Infix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `->`, right-associative.
    Implies,
    /// `|`
    Or,
    /// `&`
    And,
    /// `=` (also `==`)
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, rounds toward zero.
    Div,
    /// `%`, sign of the dividend.
    Mod,
}

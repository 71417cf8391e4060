//! A checked model: every name resolved, every expression typed, every constant known.
//!
//! Both readings of a Murphi model start from this: the finite one (`finite`, for `explore` and `simulate`) and the
//! unbounded one (`unbounded`, by symbolic execution, for `prove`). Constants and bounds keep the expression they came
//! from beside its value, because `--unbounded CONST` turns a constant into a symbol.

mod abstraction;

pub use abstraction::{Definition, Hint, HintTarget, Index, Predicate, RuleOfHint};

use crate::span::Span;
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// Index into [`Model::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// Index into [`Model::consts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstId(pub u32);

/// Index into [`Model::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// Index into [`Model::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// Index into the `locals` of the enclosing [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);

/// Index into [`Model::indices`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexId(pub u32);

/// Index into [`Model::definitions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionId(pub u32);

/// A checked model. After errors it is partial and must not be executed.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Constants in source order.
    pub consts: Vec<Const>,
    /// All types, named or not. `TypeId(0)` is boolean, `TypeId(1)` is integer.
    pub types: Vec<Type>,
    /// State variables in source order.
    pub vars: Vec<Var>,
    /// Functions and procedures in source order.
    pub functions: Vec<Function>,
    /// Rules, rulesets flattened: each has all the parameters of the rulesets around it.
    pub rules: Vec<Rule>,
    /// Startstates, flattened likewise.
    pub starts: Vec<Rule>,
    /// Invariants, assumptions, axioms and covers, flattened likewise.
    pub properties: Vec<Property>,
    /// Definitions in source order; each uses itself and earlier ones.
    pub definitions: Vec<Definition>,
    /// Index variables in source order.
    pub indices: Vec<Index>,
    /// Predicates in source order.
    pub predicates: Vec<Predicate>,
    /// Hints in source order.
    pub hints: Vec<Hint>,
}

/// The predeclared type `boolean`.
pub const BOOLEAN: TypeId = TypeId(0);
/// The predeclared type `integer`: unbounded, and the type of number literals and arithmetic.
pub const INTEGER: TypeId = TypeId(1);

impl Model {
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }
}

/// A constant and its value (after `--const`). Constants without a value that are not numbers are variables that never
/// change.
#[derive(Clone, Debug)]
pub struct Const {
    pub name: String,
    /// A placeholder if it is unknown.
    pub value: BigInt,
    /// Whether it was declared with a type only and `--const` does not give it a value, or is defined with such a
    /// constant.
    pub unknown: bool,
    /// The type it was declared with, if it has no value of its own.
    pub ty: Option<TypeId>,
    /// The expression of the value; `None` if `--const` gave it. Its `ConstRef`s are the constants that it mentions.
    pub definition: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Type {
    /// The name it was declared with; anonymous types have none.
    pub name: Option<String>,
    pub kind: TypeKind,
    pub span: Span,
}

/// The kinds of type. Bool, Integer, Range, Enum, Scalarset and Union are *simple*; the others are aggregates.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// `boolean`
    Bool,
    /// `integer`
    Integer,
    /// `lo..hi`
    Range {
        /// Lower end; `None` if open (`.tenet`).
        lo: Option<Bound>,
        /// Upper end; `None` if open (`.tenet`).
        hi: Option<Bound>,
    },
    /// `enum { … }`
    Enum { variants: Vec<String> },
    /// `scalarset(n)`
    Scalarset {
        /// Its size; `None` if it has none of its own (`.tenet`) and none was given with `--size`.
        size: Option<Bound>,
    },
    /// `union { … }`: each member is a scalarset or an enumeration (or a range, as CMurphi allows); flattened.
    Union { members: Vec<TypeId> },
    /// `array [index] of element`
    Array {
        /// A simple type.
        index: TypeId,
        element: TypeId,
    },
    /// `multiset [capacity] of element`
    Multiset {
        /// The greatest number of elements.
        capacity: Bound,
        element: TypeId,
    },
    /// `record … end`
    Record {
        /// Fields in order.
        fields: Vec<Field>,
    },
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub ty: TypeId,
}

/// A constant expression in a type: its value and the expression it came from.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The value (after `--const` and `--size`).
    pub value: i64,
    /// Its `ConstRef`s are the constants that it mentions.
    pub expr: Expr,
}

/// A state variable.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: TypeId,
    /// Whether it is a constant: arbitrary, but the same in every state of a run.
    pub is_constant: bool,
    pub span: Span,
}

/// The locals of one rule, startstate, property or function: everything a [`LocalId`] may point to.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Parameters first, then the rest in order of appearance.
    pub locals: Vec<Local>,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: TypeId,
    pub kind: LocalKind,
    /// Whether it is a parameter that may be undefined.
    pub is_optional: bool,
    pub span: Span,
}

/// The meaning of a local name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// A scalar that never changes: ruleset parameter, loop variable, quantified variable, chosen multiset index,
    /// or an alias of a value that is not a place.
    Value,
    /// A local variable, undefined at first; also a by-value parameter of a function (a copy).
    Variable,
    /// A reference to a place fixed when it is bound: `var` parameter or alias of a place.
    Reference,
}

/// A function or procedure. Recursion is possible.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// The parameters are the first locals.
    pub parameter_count: usize,
    /// The result type; `None` for a procedure.
    pub result: Option<TypeId>,
    pub code: Code,
    pub body: Vec<Stmt>,
    /// Whether it may write a state variable or a `var` parameter (so it must not be called in a guard).
    pub has_side_effects: bool,
    pub span: Span,
}

/// A rule or startstate with the parameters of the rulesets around it.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Unnamed ones are called `Rule 3`, `Startstate 1`; repeated names get ` #2` and so on.
    pub name: String,
    pub code: Code,
    /// Parameters, outermost first, with `choose` and `alias` in between.
    pub prelude: Vec<Prelude>,
    /// The guard; `None` means true (and for startstates).
    pub guard: Option<Expr>,
    pub body: Vec<Stmt>,
    pub span: Span,
}

/// A binding around a rule or property, outermost first.
#[derive(Clone, Debug)]
pub enum Prelude {
    /// A ruleset parameter.
    Parameter(Binder),
    /// An alias of a place or value.
    Alias(Alias),
    /// `choose`: the local is an index into the multiset.
    Choose { local: LocalId, multiset: Place },
}

/// A property with the parameters of the rulesets around it.
#[derive(Clone, Debug)]
pub struct Property {
    /// Unnamed ones are called `Invariant 1` and so on; repeated names get ` #2`.
    pub name: String,
    pub kind: PropertyKind,
    pub code: Code,
    /// The bindings around it.
    pub prelude: Vec<Prelude>,
    pub formula: Expr,
    pub span: Span,
}

/// The supported kinds of property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Holds in every reachable state.
    Invariant,
    /// States that violate it are ignored.
    Assume,
    /// Holds in at least one reachable state.
    Cover,
    /// Holds in every state: proofs rest on it, so searches check it (EX-T6).
    Axiom,
}

/// A bound scalar.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The local (kind `Value`).
    pub local: LocalId,
    pub domain: Domain,
}

/// The range of a binder.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "binders are few, and boxes would be in the way of matching")]
pub enum Domain {
    /// Every value of a simple type (the local's type).
    Type(TypeId),
    /// Integers `from`, `from+step`, … up to and including `to`.
    Steps {
        /// First value.
        from: Expr,
        /// Last value, included.
        to: Expr,
        /// The step (constant 1 if none was written).
        step: Expr,
    },
}

/// A checked `alias`.
#[derive(Clone, Debug)]
pub struct Alias {
    /// The local (kind `Reference` or `Value`).
    pub local: LocalId,
    pub target: AliasTarget,
}

#[derive(Clone, Debug)]
pub enum AliasTarget {
    /// A place; its index expressions are evaluated once, on entry.
    Place(Place),
    /// A scalar value, evaluated once, on entry.
    Value(Expr),
}

/// A variable or a component of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where the path starts.
    pub root: Root,
    pub steps: Vec<Step>,
    /// The type at its end.
    pub ty: TypeId,
    pub span: Span,
}

/// The start of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A state variable.
    Var(VarId),
    /// A local of kind `Variable` or `Reference`.
    Local(LocalId),
}

/// One step of a place.
#[derive(Clone, Debug)]
pub enum Step {
    /// A record field by position.
    Field(usize),
    /// An array element. The index has been converted to the array's index type.
    Index(Expr),
    /// A multiset element by the local that chose it.
    Element(Expr),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// Its type. Number literals and arithmetic have type [`INTEGER`].
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(BigInt),
    /// `true` or `false`.
    Bool(bool),
    /// A value of the enumeration `ty`, by position.
    Enum(u32),
    ConstRef(ConstId),
    /// An index variable; only in predicates and hints.
    Index(IndexId),
    /// A local of kind `Value`.
    Local(LocalId),
    /// The value of a place (scalar, or aggregate on the right of `:=` and in `=`).
    Read(Place),
    /// `!e` (Bool), `-e` (Integer).
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`. Operands of `=`/`!=` have been converted to one type, or are both integers or ranges.
    /// `Implies`, `And`, `Or` evaluate their right side only if needed.
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
    Call {
        function: FunctionId,
        /// One argument per parameter.
        arguments: Vec<Argument>,
    },
    /// A definition applied to one argument per parameter.
    Apply {
        definition: DefinitionId,
        arguments: Vec<Expr>,
    },
    /// The array with one element replaced; the only aggregate besides a place.
    Update {
        /// The array before.
        array: Box<Expr>,
        /// One index or more, for arrays of arrays; each converted to its index type.
        indices: Vec<Expr>,
        /// The new element, converted to its type.
        value: Box<Expr>,
    },
    /// `UNDEFINED`: only as an argument.
    Undefined,
    /// `isundefined(place)`
    IsUndefined(Place),
    /// Whether a union value is of this member type.
    IsMember(Box<Expr>, TypeId),
    /// How many elements of a multiset satisfy a predicate.
    MultisetCount {
        /// The element index (kind `Value`).
        local: LocalId,
        multiset: Place,
        /// The elements to count.
        predicate: Box<Expr>,
    },
    /// The same value as type `ty`: a member as its union, or a union value as a member (a fault if it is of another
    /// member). Also a union as another one that contains it or is contained in it (a fault likewise), and a number as
    /// the range of a union (a fault if it is outside).
    Convert(Box<Expr>),
}

impl Expr {
    /// The simple variable whose content is copied, undefined or not, where this is assigned or passed to something of this type. All
    /// others are read. `to_optional` says that it is passed to a parameter that may be undefined.
    pub fn copied(&self, code: &Code, to_optional: bool, ty: TypeId) -> Option<&Place> {
        let ExprKind::Read(place) = &self.kind else { return None };
        let is_optional = match place.root {
            Root::Local(local) => place.steps.is_empty() && code.locals[local.0 as usize].is_optional,
            Root::Var(_) => false,
        };
        Some(place).filter(|place| place.ty == ty && (to_optional || is_optional))
    }
}

pub use super::ast::{BinaryOp, UnaryOp};

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Argument {
    Value(Expr),
    /// By reference.
    Place(Place),
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// The forms of a statement. `switch` has become `if`; `elsif` is a nested `if`.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `place := value`, scalar or aggregate.
    Assign {
        place: Place,
        /// The right side, converted to the place's type (a range check may still be needed).
        value: Expr,
    },
    /// `if`
    If { condition: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt> },
    /// `for`
    For { binder: Binder, body: Vec<Stmt> },
    /// `while`
    While { condition: Expr, body: Vec<Stmt> },
    /// `alias`: binds and runs the body.
    Alias {
        /// The abbreviations, in order; a later one may use an earlier one.
        aliases: Vec<Alias>,
        body: Vec<Stmt>,
    },
    /// A call whose result, if any, is dropped.
    Call {
        function: FunctionId,
        /// One argument per parameter.
        arguments: Vec<Argument>,
    },
    /// Every scalar in the place gets the least value of its type (a multiset becomes empty).
    Clear(Place),
    /// Every scalar in the place becomes undefined (a multiset becomes empty).
    Undefine(Place),
    /// `assert`
    Assert {
        formula: Expr,
        /// The message, if any.
        message: Option<String>,
    },
    /// `assume` as a statement: the step is not taken if it is false.
    Assume(Expr),
    /// `cover` as a statement: must be true at least once when reached.
    Cover(Expr, Option<String>),
    /// `error`
    Error(String),
    /// `put`
    Put(Put),
    /// `return`
    Return(Option<Expr>),
    /// Adds an element; a fault if the multiset is full.
    MultisetAdd { element: Expr, multiset: Place },
    /// Removes the element with this index.
    MultisetRemove {
        /// The local that chose the element.
        index: Expr,
        multiset: Place,
    },
    /// Removes every element that satisfies the predicate.
    MultisetRemovePred {
        /// The element index (kind `Value`).
        local: LocalId,
        multiset: Place,
        predicate: Expr,
    },
}

#[derive(Clone, Debug)]
pub enum Put {
    Text(String),
    /// A scalar, or a whole place (`Read` of an aggregate).
    Value(Expr),
}

/// The constants that a constant expression mentions directly.
pub fn constants_in(expr: &Expr) -> BTreeSet<ConstId> {
    let constants = parts_of_constant(expr).filter_map(|part| match &part.kind {
        ExprKind::ConstRef(id) => Some(*id),
        _ => None,
    });
    constants.collect()
}

/// Whether a constant expression is small enough to be substituted wherever its name is used.
pub fn is_small(expr: &Expr) -> bool {
    parts_of_constant(expr).nth(1000).is_none()
}

fn parts_of_constant(expr: &Expr) -> impl Iterator<Item = &Expr> {
    let mut stack = vec![expr];
    std::iter::from_fn(move || {
        let expr = stack.pop()?;
        match &expr.kind {
            ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => stack.push(operand),
            ExprKind::Binary(_, left, right) => stack.extend([&**left, &**right]),
            ExprKind::Ite(condition, yes, no) => stack.extend([&**condition, &**yes, &**no]),
            _ => {}
        }
        Some(expr)
    })
}

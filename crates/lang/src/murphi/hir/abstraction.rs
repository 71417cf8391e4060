//! What a checked model says to an abstraction: definitions, index variables, predicates and hints.

use super::{Code, Expr, IndexId, Prelude, TypeId};
use crate::span::Span;

/// A definition: an abbreviation, or the least function that satisfies its equation.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The parameters are the first locals, of kind `Variable`.
    pub parameter_count: usize,
    /// Its locals.
    pub code: Code,
    /// The type of its value, a simple one; boolean if it is recursive.
    pub result: TypeId,
    /// Over parameters and constants.
    pub body: Expr,
    /// Whether it uses itself: in positive positions only, with its own array parameters.
    pub is_recursive: bool,
    /// Where.
    pub span: Span,
}

/// A variable that predicates leave free.
#[derive(Clone, Debug)]
pub struct Index {
    /// Its name.
    pub name: String,
    /// Its type, a simple one.
    pub ty: TypeId,
    /// Where it is declared.
    pub span: Span,
}

/// What an abstraction may observe.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name, or its text; repeated ones get ` #2`.
    pub name: String,
    /// Its locals.
    pub code: Code,
    /// The formula.
    pub formula: Expr,
    /// Where.
    pub span: Span,
}

/// Which terms to instantiate with, or never.
#[derive(Clone, Debug)]
pub struct Hint {
    /// False for `never instantiate`.
    pub force: bool,
    /// Its locals.
    pub code: Code,
    /// What is bound around it.
    pub prelude: Vec<Prelude>,
    /// The rules that it is about; `None` if it is about everything.
    pub rules: Option<Vec<RuleOfHint>>,
    /// What is instantiated.
    pub target: HintTarget,
    /// One term for each target, converted to its type.
    pub terms: Vec<Expr>,
    /// Where.
    pub span: Span,
}

/// A rule that a hint is about.
#[derive(Clone, Debug)]
pub struct RuleOfHint {
    /// Position among the rules.
    pub rule: usize,
    /// For each parameter around the hint the position of the rule's parameter that it is.
    pub parameters: Vec<usize>,
}

/// What a hint is about.
#[derive(Clone, Debug)]
pub enum HintTarget {
    /// These index variables.
    Indices(Vec<IndexId>),
    /// Every quantifier over this type.
    Type(TypeId),
}

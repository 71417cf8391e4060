//! Annotations for abstraction in a checked model: definitions, index variables, predicates and hints.

use super::{Code, Expr, IndexId, Prelude, TypeId};
use crate::span::Span;

/// A definition: an abbreviation, or the least function that satisfies its equation.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    /// The parameters are the first locals, of kind `Variable`.
    pub parameter_count: usize,
    pub code: Code,
    /// A simple type; boolean if the definition is recursive.
    pub result: TypeId,
    /// Over parameters and constants.
    pub body: Expr,
    /// Whether it uses itself: in positive positions only, with its own array parameters.
    pub is_recursive: bool,
    pub span: Span,
}

/// A variable that predicates leave free.
#[derive(Clone, Debug)]
pub struct Index {
    pub name: String,
    /// A simple type.
    pub ty: TypeId,
    pub span: Span,
}

/// A predicate for abstraction.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name, or its text; repeated ones get ` #2`.
    pub name: String,
    pub code: Code,
    pub formula: Expr,
    pub span: Span,
}

/// Which terms to instantiate with, or never.
#[derive(Clone, Debug)]
pub struct Hint {
    /// False for `never instantiate`.
    pub force: bool,
    pub code: Code,
    /// The bindings around it.
    pub prelude: Vec<Prelude>,
    /// The rules that it is about; `None` for all.
    pub rules: Option<Vec<RuleOfHint>>,
    /// The variables to instantiate.
    pub target: HintTarget,
    /// One term for each target, converted to its type.
    pub terms: Vec<Expr>,
    pub span: Span,
}

/// A rule that a hint is about.
#[derive(Clone, Debug)]
pub struct RuleOfHint {
    /// Position among the rules.
    pub rule: usize,
    /// For each parameter around the hint the index of the corresponding parameter of the rule.
    pub parameters: Vec<usize>,
}

/// The target of a hint.
#[derive(Clone, Debug)]
pub enum HintTarget {
    /// These index variables.
    Indices(Vec<IndexId>),
    /// Every quantifier over this type.
    Type(TypeId),
}

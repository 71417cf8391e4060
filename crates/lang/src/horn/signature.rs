//! What the names of a file mean: relations, macros, variables for rules, and what is declared but not supported.

use super::sexpr::NodeId;
use super::sorts;
use crate::span::Span;
use std::collections::BTreeMap;
use tenet_term::{SortId, SymbolId};

/// A relation that the clauses define.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its name, without bars.
    pub name: String,
    /// The sorts of its arguments.
    pub sorts: Vec<SortId>,
    /// Stands for it in terms: a function, or a truth value if there are no arguments.
    pub symbol: SymbolId,
    /// Where it is declared.
    pub span: Span,
}

/// A `define-fun`: its body is read again wherever it is used.
#[derive(Clone, Debug)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// The sorts of its parameters.
    pub params: Vec<SortId>,
    /// Their names.
    pub names: Vec<NodeId>,
    /// The sort of its value.
    pub result: SortId,
    /// What it stands for.
    pub body: NodeId,
}

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Position among the relations.
    Relation(usize),
    /// Position among the macros.
    Macro(usize),
    /// A variable that `declare-var` introduced, for rules and queries.
    Variable(SymbolId),
    /// A constant or function without a meaning, which must not be used.
    Uninterpreted,
}

/// What the names of a file mean.
#[derive(Debug, Default)]
pub struct Signature {
    /// Names of sorts.
    pub sorts: sorts::Named,
    /// The relations, in the order of their declarations.
    pub relations: Vec<Relation>,
    /// The macros.
    pub macros: Vec<Macro>,
    names: BTreeMap<String, (Meaning, Span)>,
}

impl Signature {
    /// What a name means.
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        self.names.get(name).map(|(meaning, _)| *meaning)
    }

    /// Gives a meaning to a name; says where it has one already.
    pub fn name(&mut self, name: &str, meaning: Meaning, span: Span) -> Result<(), Span> {
        match self.names.get(name) {
            Some((_, first)) => Err(*first),
            None => {
                self.names.insert(name.to_string(), (meaning, span));
                Ok(())
            }
        }
    }

    /// The names that can be used, for suggestions, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }
}

//! Name resolution: relations, macros, variables of rules, and declarations that are not supported.

use super::sexpr::NodeId;
use super::sorts;
use crate::span::Span;
use std::collections::BTreeMap;
use tenet_term::{SortId, SymbolId};

/// A relation defined by the clauses.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Without bars.
    pub name: String,
    /// The sorts of its arguments.
    pub sorts: Vec<SortId>,
    /// The symbol in terms: a function, or a Boolean if there are no arguments.
    pub symbol: SymbolId,
    pub span: Span,
}

/// A `define-fun`: its body is expanded wherever it is used.
#[derive(Clone, Debug)]
pub struct Macro {
    pub name: String,
    pub params: Vec<SortId>,
    pub names: Vec<NodeId>,
    pub result: SortId,
    pub body: NodeId,
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Index into the relations.
    Relation(usize),
    /// Index into the macros.
    Macro(usize),
    /// A variable that `declare-var` introduced, for rules and queries.
    Variable(SymbolId),
    /// An uninterpreted constant or function, whose use is an error.
    Uninterpreted,
}

#[derive(Debug, Default)]
pub struct Signature {
    pub sorts: sorts::Named,
    /// The relations, in the order of their declarations.
    pub relations: Vec<Relation>,
    pub macros: Vec<Macro>,
    names: BTreeMap<String, (Meaning, Span)>,
}

impl Signature {
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        self.names.get(name).map(|(meaning, _)| *meaning)
    }

    /// Declares a name; fails with the place of an earlier declaration.
    pub fn name(&mut self, name: &str, meaning: Meaning, span: Span) -> Result<(), Span> {
        match self.names.get(name) {
            Some((_, first)) => Err(*first),
            None => {
                self.names.insert(name.to_string(), (meaning, span));
                Ok(())
            }
        }
    }

    /// The names in scope, for suggestions, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }
}

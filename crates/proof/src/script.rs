//! The abstract syntax of a certificate: declarations, definitions, facts, checks.
//!
//! The same script is generated when a certificate is made and when it is checked. It has no instances: those are the
//! only thing, besides the lemmas, that a certificate adds to the model. A *fact* is a definition that is true for all
//! arguments in its scope, such as a lemma or one direction of a quantifier's meaning; an instance is a fact applied to
//! terms. So a wrong instance cannot be written, only an ill-sorted one.

use rustc_hash::FxHashSet;
use tenet_term::{SymbolId, TermId};

use crate::certify::Obligation;
use crate::names::Names;
use crate::obligations::Steps;

/// A whole certificate without its instances.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) names: Names,
    /// Declarations and definitions of the whole file.
    pub(crate) items: Vec<Item>,
    /// The scopes, in order.
    pub(crate) scopes: Vec<Scope>,
    /// How the checks about a step are made.
    pub(crate) steps: Steps,
    /// Facts that depend on an assumption, with that assumption.
    pub(crate) assumptions: Vec<(SymbolId, String)>,
    /// Conditions of the reading, on which everything depends.
    pub(crate) conditions: Vec<String>,
}

impl Script {
    /// The axioms, the definitions that instances of these facts depend on, without duplicates in the order of the model, and the
    /// conditions of the reading.
    pub(crate) fn assumptions(&self, used: &FxHashSet<SymbolId>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for (fact, assumption) in &self.assumptions {
            // An axiom is always listed, whether a check needs an instance of it or not: an order gives `<` its meaning.
            let is_axiom = assumption.starts_with("axiom ");
            if (is_axiom || used.contains(fact)) && !found.contains(assumption) {
                found.push(assumption.clone());
            }
        }
        found.extend(self.conditions.iter().cloned());
        found
    }

    pub(crate) fn checks(&self) -> usize {
        self.scopes.iter().map(|scope| scope.checks.len()).sum()
    }
}

/// Checks with common declarations: those about one startstate, one rule, or one property.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// For people.
    pub(crate) title: String,
    pub(crate) items: Vec<Item>,
    /// The facts available for instances.
    pub(crate) facts: Vec<SymbolId>,
    pub(crate) checks: Vec<Check>,
}

/// A part of the text.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// Without the semicolon.
    Comment(String),
    /// A comment: a text, followed by a formula.
    Meaning(String, TermId),
    /// An uninterpreted constant or function.
    Declare(SymbolId),
    /// A name for a term.
    Define(Macro),
    /// An assumption of the scope.
    Assert(TermId),
}

/// `symbol(params) = body`.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    pub(crate) symbol: SymbolId,
    pub(crate) params: Vec<SymbolId>,
    pub(crate) body: TermId,
}

/// One check: together with instances of facts, the goal's negation must be unsatisfiable.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) obligation: Obligation,
    /// For people.
    pub(crate) title: String,
    /// Constants for the variables of the goal.
    pub(crate) constants: Vec<SymbolId>,
    /// Those variables, in the same order.
    pub(crate) variables: Vec<SymbolId>,
    /// The negated goal.
    pub(crate) negation: TermId,
}

/// A fact applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Instance {
    pub(crate) fact: SymbolId,
    pub(crate) terms: Vec<TermId>,
}

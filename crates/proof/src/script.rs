//! What a certificate says, before it is text: declarations, definitions, facts, checks.
//!
//! The same script is generated when a certificate is made and when it is checked. It has no instances: those are the
//! only thing, besides the lemmas, that a certificate adds to the model. A *fact* is a definition that is true for all
//! arguments in the situation of its scope, such as a lemma or one direction of a quantifier's meaning; an instance is
//! a fact applied to terms. So a wrong instance cannot be written, only an ill-sorted one.

use rustc_hash::FxHashSet;
use tenet_term::{SymbolId, TermId};

use crate::certify::Obligation;
use crate::names::Names;
use crate::obligations::Steps;

/// A whole certificate but for its instances.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// All names.
    pub(crate) names: Names,
    /// Declarations and definitions that stand for the whole file.
    pub(crate) items: Vec<Item>,
    /// The parts, one after the other.
    pub(crate) scopes: Vec<Scope>,
    /// How the checks about a step are made.
    pub(crate) steps: Steps,
    /// Facts that rest on an assumption, and which.
    pub(crate) assumptions: Vec<(SymbolId, String)>,
    /// What was decided when the model was read, which everything rests on.
    pub(crate) conditions: Vec<String>,
}

impl Script {
    /// The axioms, the definitions that instances of these facts rest on, each once, in the order of the model, and the conditions
    /// of the reading.
    pub(crate) fn assumptions(&self, used: &FxHashSet<SymbolId>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for (fact, assumption) in &self.assumptions {
            // An axiom is a part of the reading, whether a check needs an instance of it or not: an order gives `<` its meaning.
            let is_axiom = assumption.starts_with("axiom ");
            if (is_axiom || used.contains(fact)) && !found.contains(assumption) {
                found.push(assumption.clone());
            }
        }
        found.extend(self.conditions.iter().cloned());
        found
    }

    /// How many checks there are.
    pub(crate) fn checks(&self) -> usize {
        self.scopes.iter().map(|scope| scope.checks.len()).sum()
    }
}

/// Checks that share a situation: those about one startstate, one rule, or one property.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// For people.
    pub(crate) title: String,
    /// What is declared and defined for it.
    pub(crate) items: Vec<Item>,
    /// The facts that instances may be made of.
    pub(crate) facts: Vec<SymbolId>,
    /// The checks.
    pub(crate) checks: Vec<Check>,
}

/// A part of the text.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// For people; without the semicolon.
    Comment(String),
    /// For people: a text, and a formula behind it.
    Meaning(String, TermId),
    /// A constant or function about which nothing is known.
    Declare(SymbolId),
    /// A name for a term.
    Define(Macro),
    /// Something that holds in the scope.
    Assert(TermId),
}

/// `symbol(params) = body`.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    pub(crate) symbol: SymbolId,
    pub(crate) params: Vec<SymbolId>,
    pub(crate) body: TermId,
}

/// One question: together with instances of facts, the goal's negation must be unsatisfiable.
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

/// A fact at terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Instance {
    pub(crate) fact: SymbolId,
    pub(crate) terms: Vec<TermId>,
}

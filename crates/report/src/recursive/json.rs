//! The view as JSON: statements and the structure of the tree. Derivations are in the certificate, where they can be checked.

use super::{Fate, Item, Line, Node, Theorem, Tree};
use crate::json::Pairs;
use serde::Serialize;

/// The lemmas and the tree.
#[derive(Serialize)]
pub(crate) struct Recursive<'a> {
    lemmas: Vec<Lemma<'a>>,
    tree: Option<ShownTree<'a>>,
}

/// The additional fields of a property of a constraint logic program.
#[derive(Serialize)]
pub(crate) struct Asked<'a> {
    kind: &'static str,
    statement: &'a str,
    counterexample: Option<Pairs<'a, String>>,
    refused: Option<&'a str>,
}

#[derive(Serialize)]
struct Lemma<'a> {
    statement: &'a str,
    measure: Option<&'a str>,
}

#[derive(Serialize)]
struct ShownTree<'a> {
    closed: bool,
    ranking: Option<&'a [String]>,
    nodes: Vec<ShownNode<'a>>,
}

/// Nodes are counted from one, as in texts. The fields depend on the fate.
#[derive(Serialize)]
struct ShownNode<'a> {
    state: &'a str,
    fate: &'static str,
    #[serde(flatten)]
    more: More<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum More<'a> {
    Open {},
    Subsumed { node: usize },
    Abstracted { node: usize, abstraction: Option<&'a str> },
    Split { cases: Vec<Case<'a>> },
    Expanded { transitions: Vec<Transition<'a>>, properties: Vec<&'a str> },
}

#[derive(Serialize)]
struct Case<'a> {
    when: &'a str,
    node: usize,
}

#[derive(Serialize)]
struct Transition<'a> {
    transition: &'a str,
    node: Option<usize>,
}

impl super::Recursive {
    /// The lemmas and the tree.
    pub(crate) fn shown(&self) -> Recursive<'_> {
        Recursive {
            lemmas: self.lemmas.iter().map(Theorem::shown).collect(),
            tree: self.tree.as_ref().map(Tree::shown),
        }
    }
}

impl Item {
    /// The additional fields of its property.
    pub(crate) fn asked(&self) -> Asked<'_> {
        let counterexample = (!self.counterexample.is_empty()).then_some(Pairs(&self.counterexample));
        let refused = self.refused.as_deref();
        Asked { kind: self.kind.word(), statement: &self.statement, counterexample, refused }
    }
}

impl Theorem {
    fn shown(&self) -> Lemma<'_> {
        Lemma { statement: &self.statement, measure: self.measure.as_deref() }
    }
}

impl Tree {
    fn shown(&self) -> ShownTree<'_> {
        ShownTree {
            closed: self.is_closed(),
            ranking: self.ranking.as_deref(),
            nodes: self.nodes.iter().map(Node::shown).collect(),
        }
    }
}

impl Node {
    fn shown<'a>(&'a self) -> ShownNode<'a> {
        let more = match &self.fate {
            Fate::Open => More::Open {},
            Fate::Subsumed { by, .. } => More::Subsumed { node: by + 1 },
            Fate::Abstracted { by, to, .. } => More::Abstracted { node: to + 1, abstraction: by.as_deref() },
            Fate::Split { cases, .. } => {
                let case = |(when, to, _): &'a (String, usize, Vec<Line>)| Case { when, node: to + 1 };
                More::Split { cases: cases.iter().map(case).collect() }
            }
            Fate::Expanded { edges, properties } => {
                let transitions = edges
                    .iter()
                    .map(|edge| Transition { transition: &edge.transition, node: edge.to.map(|to| to + 1) });
                let shown = properties.iter().filter(|(_, proof)| proof.is_some());
                More::Expanded {
                    transitions: transitions.collect(),
                    properties: shown.map(|(name, _)| name.as_str()).collect(),
                }
            }
        };
        ShownNode { state: &self.state, fate: self.fate.word(), more }
    }
}

//! The view of a computation tree.

use super::derivation::Line;
use crate::number::counted;

#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The first is the root; every other one is a child or the abstraction of one before it.
    pub nodes: Vec<Node>,
    /// The ranking function, if termination was proved.
    pub ranking: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
pub struct Node {
    /// In the syntax of the file.
    pub state: String,
    /// How its successors are covered.
    pub fate: Fate,
}

/// How the successors of a node's states are covered.
#[derive(Clone, Debug)]
pub enum Fate {
    /// Every transition was followed.
    Expanded {
        /// The transitions.
        edges: Vec<Edge>,
        /// For each property its name, and the proof that the node satisfies it, if there is one.
        properties: Vec<(String, Option<Vec<Line>>)>,
    },
    /// By the successors of a larger node.
    Abstracted {
        /// The name of the abstraction, if it is one of the file.
        by: Option<String>,
        /// The larger node.
        to: usize,
        proof: Vec<Line>,
    },
    /// By another node that contains all of its states.
    Subsumed {
        /// The subsuming node.
        by: usize,
        proof: Vec<Line>,
    },
    /// Each of its states is in another node.
    Split {
        /// For each case its formula, the node, and why it is in that.
        cases: Vec<(String, usize, Vec<Line>)>,
        /// Why one of the cases is always true.
        proof: Vec<Line>,
    },
    /// Not covered.
    Open,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub transition: String,
    /// The target; `None` if the transition is impossible.
    pub to: Option<usize>,
    pub proof: Vec<Line>,
}

impl Fate {
    pub fn word(&self) -> &'static str {
        match self {
            Fate::Expanded { .. } => "expanded",
            Fate::Abstracted { .. } => "abstracted",
            Fate::Subsumed { .. } => "subsumed",
            Fate::Split { .. } => "split",
            Fate::Open => "open",
        }
    }
}

impl Tree {
    /// Is every node covered?
    pub fn is_closed(&self) -> bool {
        !self.nodes.iter().any(|node| matches!(node.fate, Fate::Open))
    }

    /// The nodes that are not covered, counted from one.
    pub fn open(&self) -> Vec<usize> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(|(_, node)| matches!(node.fate, Fate::Open)).map(|(place, _)| place + 1).collect()
    }

    /// `5 nodes (3 expanded, 1 abstracted, 1 subsumed), 4 transitions impossible`
    pub fn counts(&self) -> String {
        let mut kinds: Vec<String> = Vec::new();
        for word in ["expanded", "abstracted", "subsumed", "split", "open"] {
            let count = self.nodes.iter().filter(|node| node.fate.word() == word).count();
            if count > 0 {
                kinds.push(format!("{count} {word}"));
            }
        }
        let edges = self.nodes.iter().flat_map(|node| match &node.fate {
            Fate::Expanded { edges, .. } => edges.as_slice(),
            _ => &[],
        });
        let impossible = edges.filter(|edge| edge.to.is_none()).count() as u64;
        let impossible = match impossible {
            0 => String::new(),
            count => format!("; {} impossible", counted(count, "step")),
        };
        format!("{} ({}){impossible}", counted(self.nodes.len() as u64, "node"), kinds.join(", "))
    }

    /// The children of a node in the picture, in pre-order with theirs. Subsuming nodes are named, not repeated. Each with the
    /// transition or abstraction that leads there.
    pub(super) fn children(&self, node: usize) -> Vec<(Link<'_>, Option<usize>)> {
        match &self.nodes[node].fate {
            Fate::Expanded { edges, .. } => {
                edges.iter().map(|edge| (Link::Step(&edge.transition), edge.to)).collect()
            }
            Fate::Abstracted { by, to, .. } => vec![(Link::Abstraction(by.as_deref()), Some(*to))],
            Fate::Split { cases, .. } => {
                cases.iter().map(|(when, to, _)| (Link::Case(when), Some(*to))).collect()
            }
            Fate::Subsumed { .. } | Fate::Open => Vec::new(),
        }
    }

    /// The parent of each node in the picture. The root has none.
    pub(super) fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.nodes.len()];
        for node in 0..self.nodes.len() {
            for (_, child) in self.children(node) {
                // The picture of any tree, even a malformed one, has no cycle: a parent comes before its children.
                if let Some(child) = child.filter(|&child| child > node && child < parents.len()) {
                    parents[child].get_or_insert(node);
                }
            }
        }
        parents
    }
}

/// An edge of the picture.
pub(super) enum Link<'a> {
    /// By a transition.
    Step(&'a str),
    /// To some of its states, by a formula.
    Case(&'a str),
    /// By an abstraction, with its name if it is one of the file.
    Abstraction(Option<&'a str>),
}

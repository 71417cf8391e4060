//! The computation tree as it is shown.

use super::derivation::Line;
use crate::number::counted;

/// A computation tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Its nodes. The first is the root; every other one is a child or the abstraction of one before it.
    pub nodes: Vec<Node>,
    /// What becomes smaller with each step, if it was shown that all runs end.
    pub ranking: Option<Vec<String>>,
}

/// A set of states.
#[derive(Clone, Debug)]
pub struct Node {
    /// The states, in the syntax of the file.
    pub state: String,
    /// Why nothing is missing below it.
    pub fate: Fate,
}

/// Why nothing is missing below a node.
#[derive(Clone, Debug)]
pub enum Fate {
    /// Every transition was followed.
    Expanded {
        /// Where each leads.
        edges: Vec<Edge>,
        /// For each property its name, and why the node satisfies it, if that was shown.
        properties: Vec<(String, Option<Vec<Line>>)>,
    },
    /// A larger node is dealt with instead.
    Abstracted {
        /// The abstraction of the file, if it is one of those.
        by: Option<String>,
        /// The larger node.
        to: usize,
        /// Why it is larger.
        proof: Vec<Line>,
    },
    /// Another node has all of its states.
    Subsumed {
        /// That one.
        by: usize,
        /// Why.
        proof: Vec<Line>,
    },
    /// Nothing was shown of it.
    Open,
}

/// Where a transition leads.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Its name.
    pub transition: String,
    /// The node, or nothing if it is impossible.
    pub to: Option<usize>,
    /// Why.
    pub proof: Vec<Line>,
}

impl Fate {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Fate::Expanded { .. } => "expanded",
            Fate::Abstracted { .. } => "abstracted",
            Fate::Subsumed { .. } => "subsumed",
            Fate::Open => "open",
        }
    }
}

impl Tree {
    /// Has every node been dealt with?
    pub fn is_closed(&self) -> bool {
        !self.nodes.iter().any(|node| matches!(node.fate, Fate::Open))
    }

    /// The nodes that nothing was shown of, counted from one.
    pub fn open(&self) -> Vec<usize> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(|(_, node)| matches!(node.fate, Fate::Open)).map(|(place, _)| place + 1).collect()
    }

    /// `5 nodes (3 expanded, 1 abstracted, 1 subsumed), 4 transitions impossible`
    pub fn counts(&self) -> String {
        let mut kinds: Vec<String> = Vec::new();
        for word in ["expanded", "abstracted", "subsumed", "open"] {
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

    /// What stands below a node in the picture: the transitions that lead to it, the node itself, and so on downwards. Nodes that
    /// subsume others are named, not repeated. Each with the transition or abstraction that leads there.
    pub(super) fn children(&self, node: usize) -> Vec<(Link<'_>, Option<usize>)> {
        match &self.nodes[node].fate {
            Fate::Expanded { edges, .. } => {
                edges.iter().map(|edge| (Link::Step(&edge.transition), edge.to)).collect()
            }
            Fate::Abstracted { by, to, .. } => vec![(Link::Abstraction(by.as_deref()), Some(*to))],
            Fate::Subsumed { .. } | Fate::Open => Vec::new(),
        }
    }

    /// The node that each node first appears below: its parent in the picture. The root has none.
    pub(super) fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.nodes.len()];
        for node in 0..self.nodes.len() {
            for (_, child) in self.children(node) {
                // Whatever a tree says, its picture has no cycle: a parent comes before its children.
                if let Some(child) = child.filter(|&child| child > node && child < parents.len()) {
                    parents[child].get_or_insert(node);
                }
            }
        }
        parents
    }
}

/// How one comes from a node to another.
pub(super) enum Link<'a> {
    /// By a transition.
    Step(&'a str),
    /// By an abstraction, with its name if it is one of the file.
    Abstraction(Option<&'a str>),
}

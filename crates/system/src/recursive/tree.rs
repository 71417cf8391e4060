//! Computation trees: all runs of a transition system, as finitely many sets of states (Jaffar and Santosa, section 3.1).
//!
//! A node is a set of states. It is *expanded* (each transition gives another node, or is proved impossible), *abstracted*
//! (it entails a larger node, which is dealt with in its place), *split* (each of its states is in one of several nodes, say
//! because it is the watched process that has moved, or another one) or *subsumed* by a node that is expanded itself: two
//! leaves that only subsume each other would prove nothing (RA-T4). In a closed tree every reachable state is in some
//! expanded node, so properties are shown of these. Like derivations, trees are not trusted but checked.
//!
//! The entailments that belong to a tree are in [`obligations`](super::obligations).

use super::{State, Step};
use tenet_term::{SymbolId, TermId};

/// A computation tree. It is closed if no node is open.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The nodes; the first is the root, and every other one is a child or the abstraction of one before it.
    pub nodes: Vec<Node>,
    /// Why all runs end, if that was shown.
    pub termination: Option<Termination>,
}

/// A set of states, and how all their successors are covered.
#[derive(Clone, Debug)]
pub struct Node {
    pub state: State,
    /// How its successors are covered.
    pub fate: Fate,
}

/// How the successors of a node's states are covered.
#[derive(Clone, Debug)]
pub enum Fate {
    /// What each transition leads to, and for each property why the node satisfies it.
    Expanded {
        /// One for each transition, in order. A node all of whose transitions are impossible is terminal, which is
        /// proved, not observed (RA-T10).
        children: Vec<Child>,
        /// One for each property, in order, if it was proved.
        properties: Vec<Option<Safe>>,
    },
    /// The node entails another one.
    Abstracted {
        /// The abstraction of the program, if it is one of those; else it was found.
        abstraction: Option<usize>,
        /// The larger node.
        to: usize,
        proof: Step,
    },
    /// Each of its states is in another node.
    Split {
        cases: Vec<Case>,
        /// A proof that one of the cases is always true.
        proof: Step,
    },
    /// Nothing was shown of it. A tree with such a node proves nothing.
    Open,
    /// The node entails an expanded one.
    Subsumed { by: usize, proof: Step },
}

/// Some of the states of a node.
#[derive(Clone, Debug)]
pub struct Case {
    /// Which: a formula over the variables of the node.
    pub when: TermId,
    /// The node that they are in.
    pub to: usize,
    pub proof: Step,
}

/// What a transition leads to.
#[derive(Clone, Debug)]
pub struct Child {
    /// What the variables of the transition are called (role `Index`, new to the tree).
    pub fresh: Vec<SymbolId>,
    /// The node, or why there is none.
    pub outcome: Outcome,
}

/// Where a transition leads.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// To this node, with a proof that what the transition gives is included in it: it may be written differently.
    Node(usize, Step),
    /// Nowhere: what the transition gives entails `false`.
    Impossible(Step),
}

/// Why a node satisfies a property.
#[derive(Clone, Debug)]
pub struct Safe {
    /// What the variables of the property are called (role `Index`, new to the node).
    pub fresh: Vec<SymbolId>,
    /// A proof that the node and the left-hand side of the property entail its right-hand side.
    pub proof: Step,
}

/// Why there is no infinite run: every step makes a tuple of integers smaller.
#[derive(Clone, Debug)]
pub struct Termination {
    /// Integer terms over the parameters of the process ([`Process::parameters`](super::Process::parameters)). They are compared
    /// lexicographically, and the one that becomes smaller must not have been negative.
    pub ranking: Vec<TermId>,
    /// For each node that is expanded, in order, and each of its transitions that is possible, in order, a proof.
    pub proofs: Vec<Step>,
}

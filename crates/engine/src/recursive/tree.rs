//! The computation tree: symbolic execution until every node is closed (Jaffar and Santosa, section 3.1).
//!
//! Breadth first, so that a leaf finds the nodes above it expanded (RA-T4: nothing else may subsume it). What the
//! tree says is shown by derivations; a node that nothing can be shown of stays open, and then the tree proves nothing.

use std::collections::VecDeque;
use tenet_solve::Effort;
use tenet_system::recursive::obligations::{emptiness, inclusion, safety, successor};
use tenet_system::recursive::tree::{Child, Fate, Node, Outcome, Safe, Tree};
use tenet_system::recursive::{Entailment, Process, State, Step};
use tenet_term::{Role, Substitution, SymbolId, TermId, TermStore};

use super::equations::{eliminate, solve};
use super::prover::{ProofContext, Prover};
use super::sequent::{Sequent, fresh_like};

/// Nodes after which a tree is given up.
pub(super) const MAX_NODES: usize = 40;

/// Effort to disprove an inclusion before a proof is tried.
const DISPROOF_EFFORT: Effort = Effort::millis(500);

/// An abstraction to use: where it is in the program, if it is there, and the two sets of states.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub number: Option<usize>,
    pub at: Option<State>,
    pub by: State,
}

pub(super) struct Builder<'p, 'a> {
    prover: &'p mut Prover<'a>,
    process: Process,
    choices: Vec<Choice>,
    limit: usize,
    nodes: Vec<Node>,
    queue: VecDeque<usize>,
    /// Nodes that an abstraction made are not abstracted again.
    is_abstraction: Vec<bool>,
}

impl<'p, 'a> Builder<'p, 'a> {
    pub(super) fn new(
        prover: &'p mut Prover<'a>,
        process: &Process,
        choices: Vec<Choice>,
        limit: usize,
    ) -> Self {
        let (nodes, queue) = (Vec::new(), VecDeque::new());
        Builder { prover, process: process.clone(), choices, limit, nodes, queue, is_abstraction: Vec::new() }
    }

    /// The tree, with open nodes where it could not be completed.
    pub(super) fn build(mut self) -> Tree {
        self.add(self.process.start.clone(), false);
        while let Some(index) = self.queue.pop_front() {
            if self.nodes.len() > self.limit || self.prover.stop().is_some() {
                break;
            }
            self.prover.report_progress("building the computation tree");
            let fate = match index {
                0 => self.abstracted(0),
                _ => self.subsumed(index).or_else(|| self.abstracted(index)),
            };
            let fate = fate.unwrap_or_else(|| self.expanded(index));
            self.nodes[index].fate = fate;
        }
        Tree { nodes: self.nodes, termination: None }
    }

    fn add(&mut self, state: State, is_abstraction: bool) -> usize {
        self.nodes.push(Node { state, fate: Fate::Open });
        self.is_abstraction.push(is_abstraction);
        self.queue.push_back(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Is the node subsumed by one that is expanded?
    fn subsumed(&mut self, index: usize) -> Option<Fate> {
        let candidates: Vec<usize> =
            (0..index).filter(|&other| matches!(self.nodes[other].fate, Fate::Expanded { .. })).collect();
        // Abstracted nodes are meant to subsume others and come first; and what is cheap is tried on all of them
        // first.
        for is_thorough in [false, true] {
            for &by in candidates.iter().rev() {
                let claim = self.inclusion(index, by);
                let proof = match is_thorough {
                    false => self.prover.quickly(&claim),
                    true => self.prover.prove_unless_wrong(&claim),
                };
                if let Some(proof) = proof {
                    return Some(Fate::Subsumed { by, proof });
                }
            }
        }
        None
    }

    fn inclusion(&mut self, index: usize, by: usize) -> Entailment {
        let (left, right) = (self.nodes[index].state.clone(), self.nodes[by].state.clone());
        inclusion(&mut self.prover.program.store, &left, &right)
    }

    /// Is there an abstraction for the node?
    fn abstracted(&mut self, index: usize) -> Option<Fate> {
        if self.is_abstraction[index] {
            return None;
        }
        for choice in self.choices.clone() {
            let state = self.nodes[index].state.clone();
            // Without a place of its own an abstraction is for what a transition has led to.
            let is_meant = match &choice.at {
                Some(at) => {
                    let claim = inclusion(&mut self.prover.program.store, &state, at);
                    self.prover.prove_unless_wrong(&claim).is_some()
                }
                None => index != 0,
            };
            if !is_meant {
                continue;
            }
            let store = &mut self.prover.program.store;
            let by = renamed(store, &choice.by);
            let claim = inclusion(store, &state, &by);
            if let Some(proof) = self.prover.prove_unless_wrong(&claim) {
                let to = self.add(by, true);
                return Some(Fate::Abstracted { abstraction: choice.number, to, proof });
            }
        }
        None
    }

    fn expanded(&mut self, index: usize) -> Fate {
        let mut children = Vec::new();
        for transition in 0..self.process.transitions.len() {
            children.push(self.child(index, transition));
        }
        let properties =
            (0..self.process.properties.len()).map(|property| self.safe(index, property)).collect();
        Fate::Expanded { children, properties }
    }

    fn child(&mut self, index: usize, transition: usize) -> Child {
        let state = self.nodes[index].state.clone();
        let store = &mut self.prover.program.store;
        let fresh = fresh_like(store, &self.process.transitions[transition].variables, Role::Index);
        let next = successor(store, &self.process, &state, transition, &fresh);
        let nothing = emptiness(store, &next);
        if let Some(proof) = self.prover.quickly(&nothing) {
            return Child { fresh, outcome: Outcome::Impossible(proof) };
        }
        let store = &mut self.prover.program.store;
        let simpler = simplified(store, &next);
        let chosen = itself(store, &simpler.variables);
        let proof = Step::Choose(chosen, Box::new(Step::Close));
        let node = self.add(simpler, false);
        Child { fresh, outcome: Outcome::Node(node, proof) }
    }

    fn safe(&mut self, index: usize, property: usize) -> Option<Safe> {
        let state = self.nodes[index].state.clone();
        let store = &mut self.prover.program.store;
        let fresh = fresh_like(store, &self.process.properties[property].state.variables, Role::Index);
        let claim = safety(store, &self.process, &state, property, &fresh);
        let proof = self.prover.prove(&claim)?;
        Some(Safe { fresh, proof })
    }
}

impl Prover<'_> {
    /// Tries to disprove an entailment first: most inclusions are wrong, and most of those are disproved at once.
    pub(super) fn prove_unless_wrong(&mut self, entailment: &Entailment) -> Option<Step> {
        match self.within(DISPROOF_EFFORT, |prover| prover.refute(entailment)) {
            Some(_) => None,
            None => self.prove(entailment),
        }
    }

    /// A proof that is found without induction, if there is one.
    pub(super) fn quickly(&mut self, entailment: &Entailment) -> Option<Step> {
        let sequent = Sequent::of(&self.program.store, entailment);
        let simpler = eliminate(&mut self.program.store, &sequent);
        let proof = self.direct(&simpler, &ProofContext { itself: None, unfoldings: 1 })?;
        Some(simpler.restate(&mut self.program.store, proof))
    }
}

/// Is every node closed?
pub(super) fn is_closed(tree: &Tree) -> bool {
    tree.nodes.iter().all(|node| !matches!(node.fate, Fate::Open))
}

/// Which properties hold in all nodes that are expanded?
pub(super) fn proved(tree: &Tree, properties: usize) -> Vec<bool> {
    let holds = |property: usize| {
        tree.nodes.iter().all(|node| match &node.fate {
            Fate::Expanded { properties, .. } => properties[property].is_some(),
            _ => true,
        })
    };
    (0..properties).map(holds).collect()
}

/// The set of states with new variables.
pub(super) fn renamed(store: &mut TermStore, state: &State) -> State {
    let names = fresh_like(store, &state.variables, Role::Index);
    let renaming = super::sequent::renaming(store, &state.variables, &names);
    State {
        source: state.source,
        variables: names,
        args: state.args.iter().map(|&arg| store.substitute(arg, &renaming)).collect(),
        goal: state.goal.substitute(store, &renaming),
    }
}

/// The same states with fewer variables.
fn simplified(store: &mut TermStore, state: &State) -> State {
    let mut state = state.clone();
    let is_variable = |store: &TermStore, symbol: SymbolId| store.symbol(symbol).role == Role::Index;
    loop {
        let parts = store.conjuncts(state.goal.constraint);
        let solution = parts.iter().enumerate().find_map(|(position, &part)| {
            solve(store, part, is_variable).map(|(symbol, value)| (position, symbol, value))
        });
        let Some((position, symbol, value)) = solution else { break };
        let rest = parts.iter().enumerate().filter(|(index, _)| *index != position).map(|(_, &part)| part);
        let rest: Vec<TermId> = rest.collect();
        state.goal.constraint = store.mk_and(rest);
        let replaced = Substitution::from_pairs(store, [(symbol, value)]);
        state.goal = state.goal.substitute(store, &replaced);
        state.args = state.args.iter().map(|&arg| store.substitute(arg, &replaced)).collect();
    }
    let args = state.args.iter().chain([&state.goal.constraint]);
    let atoms = state.goal.atoms.iter().flat_map(|atom| &atom.args);
    let mut used: Vec<SymbolId> = args.chain(atoms).flat_map(|&term| store.free_symbols(term)).collect();
    used.sort_unstable();
    used.dedup();
    state.variables.retain(|symbol| used.binary_search(symbol).is_ok());
    state
}

/// Each variable for the existential one of the same name.
fn itself(store: &mut TermStore, variables: &[SymbolId]) -> Vec<(SymbolId, TermId)> {
    let mut result = Vec::new();
    for &symbol in variables {
        let known = store.symbol(symbol).clone();
        let existential = store.declare(&known.name, known.sort, Role::Bound);
        result.push((existential, store.mk_symbol(symbol)));
    }
    result
}

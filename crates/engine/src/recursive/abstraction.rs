//! Abstractions beyond those that the program proposes: the first state after a transition, folded into a recursive
//! definition of the program.
//!
//! A definition about the process has arguments of the same sorts as some of its parameters. If the first states
//! after the start satisfy it, what it says may be an invariant; whether it is shows when the tree closes.

use tenet_solve::Effort;
use tenet_system::recursive::obligations::{emptiness, inclusion, successor};
use tenet_system::recursive::tree::Tree;
use tenet_system::recursive::{Atom, Goal, Process, State};
use tenet_term::{Role, SymbolId, TermId};

use super::prover::Prover;
use super::sequent::fresh_like;
use super::shape::is_recursive;
use super::tree::{Builder, Choice, is_closed, proved};

/// Effort for a tree with one abstraction.
const TREE_EFFORT: Effort = Effort::secs(20);
/// Effort to show that the first states are in a set.
const INCLUSION_EFFORT: Effort = Effort::secs(3);
/// Nodes of such a tree: with a good abstraction it is small.
const MAX_NODES: usize = 14;

impl Prover<'_> {
    /// A closed tree with an abstraction that was found; one that shows all properties, if there is one.
    pub(super) fn abstracted_tree(&mut self, process: &Process) -> Option<Tree> {
        let mut best = None;
        for by in self.candidates(process) {
            if self.stop().is_some() {
                break;
            }
            let choice = Choice { number: None, at: None, by };
            let tree = self
                .within(TREE_EFFORT, |prover| Builder::new(prover, process, vec![choice], MAX_NODES).build())
                .tree;
            if !is_closed(&tree) {
                continue;
            }
            if proved(&tree, process.properties.len()).into_iter().all(|holds| holds) {
                return Some(tree);
            }
            best = best.or(Some(tree));
        }
        best
    }

    /// Sets of states that the first ones after the start are in.
    fn candidates(&mut self, process: &Process) -> Vec<State> {
        let mut first = Vec::new();
        for transition in 0..process.transitions.len() {
            let store = &mut self.program.store;
            let fresh = fresh_like(store, &process.transitions[transition].variables, Role::Index);
            let state = successor(store, process, &process.start, transition, &fresh);
            let nothing = emptiness(store, &state);
            if self.quickly(&nothing).is_none() {
                first.push(state);
            }
        }
        let mut result = Vec::new();
        for predicate in 0..self.program.predicates.len() {
            if !is_recursive(self.program, predicate) {
                continue;
            }
            for places in self.assignments(process, predicate) {
                let state = self.folded(process, predicate, &places);
                let is_in = first.iter().all(|known| {
                    let claim = inclusion(&mut self.program.store, known, &state);
                    self.within(INCLUSION_EFFORT, |prover| prover.prove_unless_wrong(&claim)).is_some()
                });
                // What is true of the start alone is mostly about the start.
                if is_in && !first.is_empty() {
                    result.push(state);
                }
            }
        }
        result
    }

    /// The ways to give a predicate different parameters of the process.
    fn assignments(&self, process: &Process, predicate: usize) -> Vec<Vec<usize>> {
        let mut result: Vec<Vec<usize>> = vec![Vec::new()];
        for &sort in &self.program.predicates[predicate].sorts {
            let mut longer = Vec::new();
            for chosen in &result {
                let fits = |place: &usize| process.sorts[*place] == sort && !chosen.contains(place);
                let places = (0..process.sorts.len()).filter(fits);
                longer.extend(places.map(|place| chosen.iter().copied().chain([place]).collect::<Vec<_>>()));
            }
            result = longer;
        }
        result.truncate(12);
        result
    }

    /// All states of which a predicate is true.
    fn folded(&mut self, process: &Process, predicate: usize, places: &[usize]) -> State {
        let store = &mut self.program.store;
        let variables: Vec<SymbolId> = fresh_like(store, &process.parameters, Role::Index);
        let args: Vec<TermId> = variables.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let atom = Atom { predicate, args: places.iter().map(|&place| args[place]).collect() };
        let goal = Goal { atoms: vec![atom], constraint: TermId::TRUE };
        State { source: process.start.source, variables, args, goal }
    }
}

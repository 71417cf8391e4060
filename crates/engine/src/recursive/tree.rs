//! The computation tree: symbolic execution until every node is closed (Jaffar and Santosa, section 3.1).
//!
//! Breadth first, so that a leaf finds the nodes above it expanded (RA-T4: nothing else may subsume it). What the
//! tree says is shown by derivations; a node that nothing can be shown of stays open, and then the tree proves nothing.
//!
//! A transition says that some process takes a step. If nothing changes for the processes that a node speaks of when it is
//! another one, that case is subsumed by the node itself, and the rest is a node of its own: so a node is *split* by
//! which process has moved (`cases`). Of arrays only those values are kept that something is still said of.

use std::collections::VecDeque;
use tenet_solve::Effort;
use tenet_system::recursive::obligations::{cases, emptiness, inclusion, restricted, safety, successor};
use tenet_system::recursive::tree::{Case, Child, Fate, Node, Outcome, Safe, Tree};
use tenet_system::recursive::{Entailment, Process, State, Step};
use tenet_term::{Op, Role, Substitution, SymbolId, TermId, TermStore};

use super::equations::{eliminate, is_array, last_write, mentions, solve};
use super::outcome::{Limit, Rules};
use super::prover::{ProofContext, Prover};
use super::sequent::{Sequent, fresh_like};

/// Nodes after which a tree is given up.
pub(super) const MAX_NODES: usize = 200;

/// Effort to disprove an inclusion before a proof is tried.
const DISPROOF_EFFORT: Effort = Effort::millis(500);

/// An abstraction to use: where it is in the program, if it is there, and the two sets of states.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub number: Option<usize>,
    pub at: Option<State>,
    pub by: State,
}

/// A tree, and the limit that it has reached.
pub(super) struct Built {
    pub tree: Tree,
    pub limit: Option<Limit>,
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
    pub(super) fn build(mut self) -> Built {
        let mut is_too_large = false;
        self.add(self.process.start.clone(), false);
        while let Some(index) = self.queue.pop_front() {
            is_too_large = self.nodes.len() > self.limit;
            if is_too_large || self.prover.stop().is_some() {
                break;
            }
            self.prover.report_progress("building the computation tree");
            let fate = match index {
                0 => self.abstracted(0),
                _ => self.covered(index),
            };
            let fate = fate.unwrap_or_else(|| self.expanded(index));
            self.nodes[index].fate = fate;
        }
        let limit = is_too_large.then_some(Limit::Nodes(self.limit));
        Built { tree: Tree { nodes: self.nodes, termination: None }, limit }
    }

    /// What covers a node other than its own successors, the cheapest first.
    fn covered(&mut self, index: usize) -> Option<Fate> {
        self.subsumed(index, Prover::quickly)
            .or_else(|| self.split(index))
            .or_else(|| self.subsumed(index, Prover::prove_unless_wrong))
            .or_else(|| self.abstracted(index))
    }

    fn add(&mut self, state: State, is_abstraction: bool) -> usize {
        self.nodes.push(Node { state, fate: Fate::Open });
        self.is_abstraction.push(is_abstraction);
        self.queue.push_back(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Is the node subsumed by one that is expanded?
    fn subsumed(
        &mut self,
        index: usize,
        prove: fn(&mut Prover<'a>, &Entailment) -> Option<Step>,
    ) -> Option<Fate> {
        let state = self.nodes[index].state.clone();
        self.subsuming(index, &state, prove).map(|(by, proof)| Fate::Subsumed { by, proof })
    }

    /// An expanded node in front of this one that contains some states. Abstracted nodes are meant to subsume others, and come
    /// first.
    fn subsuming(
        &mut self,
        index: usize,
        state: &State,
        prove: fn(&mut Prover<'a>, &Entailment) -> Option<Step>,
    ) -> Option<(usize, Step)> {
        (0..index).rev().find_map(|by| {
            let Fate::Expanded { .. } = self.nodes[by].fate else { return None };
            let larger = self.nodes[by].state.clone();
            let claim = inclusion(&mut self.prover.program.store, state, &larger);
            prove(self.prover, &claim).map(|proof| (by, proof))
        })
    }

    /// Splits a node by which process a variable stands for, if the case that it is another one than those that are spoken of is
    /// subsumed.
    fn split(&mut self, index: usize) -> Option<Fate> {
        let state = self.nodes[index].state.clone();
        let places = places(&mut self.prover.program.store, &state);
        places.iter().rev().find_map(|&one| {
            let others: Vec<TermId> =
                places.iter().copied().filter(|&other| self.is_undecided(&state, one, other)).collect();
            if others.is_empty() { None } else { self.split_by(index, &state, one, &others) }
        })
    }

    /// May two places be the same or not, as far as constraints say?
    fn is_undecided(&mut self, state: &State, one: TermId, other: TermId) -> bool {
        let store = &mut self.prover.program.store;
        let same = store.mk_eq(one, other);
        let differ = store.mk_not(same);
        one != other
            && [same, differ].into_iter().all(|case| {
                let store = &self.prover.program.store;
                let claims: Vec<TermId> =
                    store.conjuncts(state.goal.constraint).into_iter().chain([case]).collect();
                !self.prover.solver.refutes(store, &claims)
            })
    }

    fn split_by(&mut self, index: usize, state: &State, one: TermId, others: &[TermId]) -> Option<Fate> {
        let store = &mut self.prover.program.store;
        let same: Vec<TermId> = others.iter().map(|&other| store.mk_eq(one, other)).collect();
        let differ: Vec<TermId> = same.iter().map(|&same| store.mk_not(same)).collect();
        let apart = store.mk_and(differ);
        let another = restricted(store, state, apart);
        let (by, proof) = self.subsuming(index, &another, Prover::quickly)?;
        let formulas: Vec<TermId> = [apart].into_iter().chain(same).collect();
        let claim = cases(&mut self.prover.program.store, state, &formulas);
        let cover = self.prover.quickly(&claim)?;
        let mut parts = Vec::new();
        for &when in &formulas {
            let store = &mut self.prover.program.store;
            let some = restricted(store, state, when);
            let (some, chosen) =
                if when == apart { unchanged(store, &some) } else { simplified(store, &some) };
            let to = self.add(some, false);
            parts.push(Case { when, to, proof: Step::Choose(chosen, Box::new(Step::Close)) });
        }
        let done = parts[0].to;
        self.nodes[done].fate = Fate::Subsumed { by, proof };
        self.queue.retain(|&waiting| waiting != done);
        Some(Fate::Split { cases: parts, proof: cover })
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
        let (simpler, chosen) = simplified(store, &next);
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
        if self.rules == Rules::Paper {
            return self.reduce_to(entailment, 0);
        }
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

/// The same states, and what the variables are to be for that.
fn unchanged(store: &mut TermStore, state: &State) -> (State, Vec<(SymbolId, TermId)>) {
    (state.clone(), itself(store, &state.variables))
}

/// The same states with fewer variables, and what these are to be for that.
fn simplified(store: &mut TermStore, state: &State) -> (State, Vec<(SymbolId, TermId)>) {
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
    let forgotten = forget_old_entries(store, &mut state);
    let used = symbols_of(store, &state);
    state.variables.extend(forgotten.iter().map(|(symbol, _)| *symbol));
    state.variables.retain(|symbol| used.binary_search(symbol).is_ok());
    let mut chosen = itself(store, &state.variables);
    for (symbol, value) in forgotten {
        let existential = existential(store, symbol);
        chosen.iter_mut().filter(|(known, _)| *known == existential).for_each(|(_, term)| *term = value);
    }
    (state, chosen)
}

/// `<K,i,e>` where nothing else is said of `K` than what it was at `i`: this is any array with `e` at `i`. The new arrays, and what
/// they stand for.
fn forget_old_entries(store: &mut TermStore, state: &mut State) -> Vec<(SymbolId, TermId)> {
    let mut result = Vec::new();
    for position in 0..state.args.len() {
        let arg = state.args[position];
        let Some(write) = is_array(store, arg).then(|| last_write(store, arg)).flatten() else { continue };
        let Some(symbol) = store.as_symbol(write.base) else { continue };
        let before = store.mk_apply(write.base, &[write.place]);
        let parts = store.conjuncts(state.goal.constraint);
        let (old, rest): (Vec<TermId>, Vec<TermId>) =
            parts.into_iter().partition(|&part| says_what_it_was(store, part, before, symbol));
        let others = state.args.iter().enumerate().filter(|(other, _)| *other != position);
        let others = others.map(|(_, &term)| term).chain([write.place, write.value]);
        let atoms = state.goal.atoms.iter().flat_map(|atom| atom.args.iter().copied());
        let is_elsewhere =
            others.chain(atoms).chain(rest.iter().copied()).any(|term| mentions(store, term, symbol));
        if old.len() > 1 || is_elsewhere {
            continue;
        }
        let known = store.symbol(symbol).clone();
        let array = store.fresh(&known.name, known.sort, Role::Index);
        let term = store.mk_symbol(array);
        let entry = store.mk_apply(term, &[write.place]);
        let said = store.mk_eq(entry, write.value);
        state.args[position] = term;
        state.goal.constraint = store.mk_and(rest.into_iter().chain([said]));
        result.push((array, arg));
    }
    result
}

/// Is it an equation of an entry with something that has nothing to do with the array?
fn says_what_it_was(store: &TermStore, part: TermId, entry: TermId, array: SymbolId) -> bool {
    let Op::Eq = store.op(part) else { return false };
    let [one, other] = [0, 1].map(|index| store.args(part)[index]);
    (one == entry && !mentions(store, other, array)) || (other == entry && !mentions(store, one, array))
}

/// The variables that stand for places of arrays.
fn places(store: &mut TermStore, state: &State) -> Vec<TermId> {
    let mut result = Vec::new();
    for &arg in &state.args {
        let mut array = arg;
        while let Some(write) = is_array(store, array).then(|| last_write(store, array)).flatten() {
            result.push(write.place);
            array = write.base;
        }
    }
    let formulas: Vec<TermId> = state.args.iter().copied().chain([state.goal.constraint]).collect();
    for term in store.subterms_of_all(formulas) {
        if let Op::Apply = store.op(term) {
            result.extend(store.args(term).iter().skip(1).copied());
        }
    }
    result.retain(|&term| store.as_symbol(term).is_some_and(|symbol| state.variables.contains(&symbol)));
    result.sort_unstable_by_key(|&term| store.as_symbol(term));
    result.dedup();
    result
}

/// The symbols of a set of states.
fn symbols_of(store: &TermStore, state: &State) -> Vec<SymbolId> {
    let args = state.args.iter().chain([&state.goal.constraint]);
    let atoms = state.goal.atoms.iter().flat_map(|atom| &atom.args);
    let mut used: Vec<SymbolId> = args.chain(atoms).flat_map(|&term| store.free_symbols(term)).collect();
    used.sort_unstable();
    used.dedup();
    used
}

fn existential(store: &mut TermStore, symbol: SymbolId) -> SymbolId {
    let known = store.symbol(symbol).clone();
    store.declare(&known.name, known.sort, Role::Bound)
}

/// Each variable for the existential one of the same name.
fn itself(store: &mut TermStore, variables: &[SymbolId]) -> Vec<(SymbolId, TermId)> {
    let mut result = Vec::new();
    for &symbol in variables {
        result.push((existential(store, symbol), store.mk_symbol(symbol)));
    }
    result
}

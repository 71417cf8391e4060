//! Variables whose sort a printed program has to imply.
//!
//! Sorts are not declared but inferred by the reader, and the part that implied that a variable is an array may have been
//! simplified away: `K[0] = K[0]` becomes `true`. So the same inference is done here on what will be printed, and where it fails,
//! such an equation is printed again. It is read as `true`, so nothing else changes.

use std::collections::{BTreeMap, BTreeSet};
use tenet_term::{Op, Sort, SymbolId, TermId, TermStore};

/// An argument of a predicate, or of the transition system if there is no predicate.
pub type Slot = (Option<usize>, usize);

/// A part of a program with variables of its own.
#[derive(Default)]
pub struct Unit {
    pub terms: Vec<TermId>,
    /// Those that are arguments.
    pub slots: Vec<(Slot, TermId)>,
}

impl Unit {
    /// Adds a predicate's arguments.
    pub fn call(mut self, predicate: Option<usize>, args: &[TermId]) -> Unit {
        self.terms.extend(args);
        self.slots.extend(args.iter().enumerate().map(|(place, &arg)| ((predicate, place), arg)));
        self
    }
}

/// For each unit the variables whose sort is not implied by anything.
pub fn undetermined(store: &TermStore, units: &[Unit]) -> Vec<Vec<SymbolId>> {
    let mut graphs: Vec<Graph> = units.iter().map(|unit| Graph::of(store, unit)).collect();
    let mut undetermined = vec![Vec::new(); units.len()];
    let mut slots = BTreeSet::new();
    loop {
        spread(&mut graphs, units, &mut slots);
        let first = graphs.iter().enumerate().find_map(|(unit, graph)| Some((unit, graph.open(store)?)));
        let Some((unit, term)) = first else { return undetermined };
        graphs[unit].tell(term);
        undetermined[unit].extend(store.as_symbol(term));
    }
}

/// The sort of an argument is the same in all units.
fn spread(graphs: &mut [Graph], units: &[Unit], slots: &mut BTreeSet<Slot>) {
    loop {
        let before = slots.len();
        for (graph, unit) in graphs.iter_mut().zip(units) {
            for &(slot, term) in &unit.slots {
                if slots.contains(&slot) {
                    graph.tell(term);
                }
            }
            for &(slot, term) in &unit.slots {
                if graph.is_told(term) {
                    slots.insert(slot);
                }
            }
        }
        if slots.len() == before {
            return;
        }
    }
}

/// The sort constraints of one unit: which variables have equal sorts, and which are arrays.
#[derive(Default)]
struct Graph {
    parents: BTreeMap<TermId, TermId>,
    told: BTreeSet<TermId>,
}

impl Graph {
    fn of(store: &TermStore, unit: &Unit) -> Graph {
        let is_array = |term: TermId| matches!(store.sort(store.sort_of(term)), Sort::Function { .. });
        let mut graph = Graph::default();
        for part in store.subterms_of_all(unit.terms.iter().copied()) {
            if is_array(part) {
                graph.parents.insert(part, part);
            }
            match (store.op(part), store.args(part)) {
                (Op::Eq, &[left, right]) if is_array(left) => graph.unite(left, right),
                (Op::Ite, &[_, yes, no]) if is_array(yes) => {
                    graph.unite(part, yes);
                    graph.unite(part, no);
                }
                (Op::Apply, &[function, ..]) => graph.tell(function),
                (Op::Lambda(_), _) => graph.tell(part),
                _ => {}
            }
        }
        graph
    }

    fn root(&self, term: TermId) -> Option<TermId> {
        let mut at = *self.parents.get(&term)?;
        while self.parents[&at] != at {
            at = self.parents[&at];
        }
        Some(at)
    }

    fn unite(&mut self, left: TermId, right: TermId) {
        if let (Some(left), Some(right)) = (self.root(left), self.root(right))
            && left != right
        {
            self.parents.insert(right, left);
            if self.told.contains(&right) {
                self.told.insert(left);
            }
        }
    }

    fn tell(&mut self, term: TermId) {
        self.told.extend(self.root(term));
    }

    fn is_told(&self, term: TermId) -> bool {
        self.root(term).is_some_and(|root| self.told.contains(&root))
    }

    /// A variable that nothing implies to be an array.
    fn open(&self, store: &TermStore) -> Option<TermId> {
        self.parents.keys().copied().find(|&term| store.as_symbol(term).is_some() && !self.is_told(term))
    }
}

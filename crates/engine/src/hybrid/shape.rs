//! Which registers are kept, and which definitions of predicates are invariants (Clarke et al., section 3).
//!
//! A cluster with as many predicates as its variables have bits is one of control: keeping the variables costs no more and
//! says more. They are kept if the next value of each of them, over predicates and kept registers, has few other inputs;
//! if one has too many, the predicates of its cluster stay what they are. What is kept stays kept, so that nothing that a
//! refinement has learned of it is lost.

use super::concrete::Concrete;
use super::options::{Images, Options};
use super::view::{Sight, View};
use std::collections::BTreeSet;
use tenet_abstraction::bits::width;
use tenet_abstraction::cluster::{Cluster, clusters};
use tenet_term::{SymbolId, TermId, TermStore};

#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub clusters: Vec<Cluster>,
    pub kept: Vec<SymbolId>,
    /// Predicates whose definitions are invariants.
    pub definitions: Vec<TermId>,
}

impl Shape {
    /// The shape for these predicates, when these registers are kept already.
    pub fn new(
        store: &mut TermStore,
        concrete: &Concrete,
        predicates: &[TermId],
        kept: &[SymbolId],
        options: &Options,
    ) -> Shape {
        if options.images == Images::None {
            let all = concrete.cone.iter().copied();
            let kept = all.filter(|&symbol| width(store, store.symbol(symbol).sort).is_some()).collect();
            return Shape { kept, ..Shape::default() };
        }
        if !options.clusters {
            return Shape::default();
        }
        let supports: Vec<BTreeSet<SymbolId>> =
            predicates.iter().map(|&atom| store.free_symbols(atom).into_iter().collect()).collect();
        let clusters = clusters(&supports, options.threshold);
        let kept = keep(store, concrete, predicates, &clusters, kept, options);
        let definitions = definitions(store, concrete, predicates, &kept, options);
        Shape { clusters, kept, definitions }
    }

    /// The predicates in the order in which their variables are to lie: those of a cluster together.
    pub fn in_order(&self, predicates: &[TermId]) -> Vec<TermId> {
        if self.clusters.is_empty() {
            return predicates.to_vec();
        }
        self.clusters.iter().flat_map(|cluster| cluster.members.iter().map(|&p| predicates[p])).collect()
    }

    /// The clusters whose variables are not all kept.
    pub fn open_clusters(&self) -> impl Iterator<Item = &Cluster> {
        let is_open = |cluster: &&Cluster| !cluster.support.iter().all(|symbol| self.kept.contains(symbol));
        self.clusters.iter().filter(is_open)
    }
}

/// The registers to keep: those of control clusters all of whose registers have few inputs, when all of these are kept.
fn keep(
    store: &mut TermStore,
    concrete: &Concrete,
    predicates: &[TermId],
    clusters: &[Cluster],
    kept: &[SymbolId],
    options: &Options,
) -> Vec<SymbolId> {
    let control =
        clusters.iter().filter(|c| c.is_control(bits(store, concrete, &c.support), options.control));
    let mut control: Vec<&Cluster> = control.collect();
    loop {
        let mut all: BTreeSet<SymbolId> = kept.iter().copied().collect();
        all.extend(control.iter().flat_map(|cluster| cluster.support.iter().copied()));
        let all: Vec<SymbolId> = all.into_iter().collect();
        let view = View::new(store, &all, predicates);
        let has_few = |&register: &SymbolId| {
            kept.contains(&register) || {
                let inputs = view.inputs(store, concrete.next_value(register), Sight::Abstract);
                inputs.values().sum::<usize>() <= options.few_inputs
            }
        };
        let fitting: Vec<&Cluster> =
            control.iter().copied().filter(|cluster| cluster.support.iter().all(has_few)).collect();
        if fitting.len() == control.len() {
            return all;
        }
        control = fitting;
    }
}

/// The bits of these variables; `None` if there is a memory, a number without bounds or a constant of the program among them.
fn bits(store: &TermStore, concrete: &Concrete, support: &BTreeSet<SymbolId>) -> Option<usize> {
    let is_register = |symbol: SymbolId| concrete.circuit.state.contains(&symbol);
    let bits = |&symbol: &SymbolId| width(store, store.symbol(symbol).sort).filter(|_| is_register(symbol));
    support.iter().map(bits).sum()
}

/// The predicates most of whose variables are kept, or are inputs of what is kept: their definitions tie the two together.
/// The variables that are missing become inputs, so there may only be few.
fn definitions(
    store: &mut TermStore,
    concrete: &Concrete,
    predicates: &[TermId],
    kept: &[SymbolId],
    options: &Options,
) -> Vec<TermId> {
    let view = View::new(store, kept, predicates);
    let mut near: BTreeSet<SymbolId> = kept.iter().copied().collect();
    for &register in kept {
        let inputs = view.inputs(store, concrete.next_value(register), Sight::Abstract);
        near.extend(inputs.keys().filter_map(|&input| store.as_symbol(input)));
    }
    let is_tied = |&&atom: &&TermId| {
        let support = store.free_symbols(atom);
        let known = support.iter().filter(|symbol| near.contains(symbol)).count();
        let missing = view.inputs(store, atom, Sight::Concrete).values().sum::<usize>();
        // What kept registers decide altogether is a definition anyway.
        2 * known > support.len() && (1..=options.few_inputs).contains(&missing)
    };
    predicates.iter().filter(is_tied).copied().collect()
}

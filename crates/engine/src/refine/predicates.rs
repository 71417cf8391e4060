//! The predicates of each location.

use super::program::{LocationId, Program};
use crate::common::linear::{Linear, Relation};
use crate::common::log;
use num_rational::BigRational;
use num_traits::{One, Signed};
use rustc_hash::FxHashSet;
use tenet_term::{Model, Role, TermId, TermStore};
use tracing::debug;

pub struct Predicates {
    at: Vec<Vec<TermId>>,
    known: Vec<FxHashSet<TermId>>,
}

impl Predicates {
    /// The first predicates: the atoms of guards and properties, and truth values that are variables.
    pub fn new(store: &mut TermStore, program: &Program) -> Predicates {
        let count = program.locations.len();
        let mut predicates =
            Predicates { at: vec![Vec::new(); count], known: vec![FxHashSet::default(); count] };
        for (location, place) in program.locations.iter().enumerate() {
            for &symbol in &place.data {
                let term = store.mk_symbol(symbol);
                if store.is_bool(term) {
                    predicates.add(store, location, term);
                }
            }
            for &step in &place.outgoing {
                for atom in store.atoms(program.transitions[step].guard) {
                    predicates.add(store, location, atom);
                }
            }
        }
        predicates
    }

    pub fn len(&self) -> usize {
        self.at.iter().map(Vec::len).sum()
    }

    /// Adds a formula over the state. An equation of numbers is observed as two inequalities (Ball, Podelski and Rajamani,
    /// section 7): one side of it is often enough, and what has to be excluded is on one side only. False if there is nothing new.
    pub fn add(&mut self, store: &mut TermStore, location: LocationId, formula: TermId) -> bool {
        let mut is_new = false;
        for atom in observed(store, formula) {
            let about_state = |&symbol: &tenet_term::SymbolId| {
                matches!(store.symbol(symbol).role, Role::State | Role::Const)
            };
            if atom.is_bool_literal() || !store.symbols_in(atom).iter().all(about_state) {
                continue;
            }
            if self.known[location].insert(atom) {
                debug!(location, predicate = log::formula(store, atom), "predicate added");
                self.at[location].push(atom);
                is_new = true;
            }
        }
        is_new
    }

    /// The literals that hold in a model; `None` if something has no value.
    pub fn literals(
        &self,
        store: &mut TermStore,
        location: LocationId,
        model: &Model,
    ) -> Option<Vec<TermId>> {
        let mut literals = Vec::with_capacity(self.at[location].len());
        for &atom in &self.at[location] {
            let holds = model.holds(store, atom).ok()?;
            literals.push(if holds { atom } else { store.mk_not(atom) });
        }
        Some(literals)
    }
}

/// The atoms that stand for a formula: without equations of numbers, in a normal form.
pub fn observed(store: &mut TermStore, formula: TermId) -> Vec<TermId> {
    let mut atoms = Vec::new();
    for atom in store.atoms(formula) {
        match Linear::comparison(store, atom) {
            Some((sum, Relation::Zero)) => {
                atoms.push(inequality(store, sum.clone(), Relation::AtMost));
                atoms.push(inequality(store, sum, Relation::Below));
            }
            Some((sum, relation)) => atoms.push(inequality(store, sum, relation)),
            None => atoms.push(store.literal(atom).atom),
        }
    }
    atoms
}

/// An inequality or its negation, whichever has a positive factor first: so that there is one atom for both.
fn inequality(store: &mut TermStore, mut sum: Linear<TermId>, relation: Relation) -> TermId {
    let is_negative = sum.factors.values().next().is_some_and(Signed::is_negative);
    let relation = match (is_negative, relation) {
        (false, relation) => relation,
        (true, Relation::AtMost) => Relation::Below,
        (true, _) => Relation::AtMost,
    };
    if is_negative {
        sum.scale(&-BigRational::one());
    }
    sum.formula(store, relation)
}

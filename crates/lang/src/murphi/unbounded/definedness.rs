//! Definedness of values, tracked through a model: the proof that no undefined value is read.
//!
//! Every slot has a companion that says where it holds a value. Assignments, copies of arrays and records, loops and calls treat
//! a companion like any other slot, so it is known wherever the value is; and each read has the obligation that it is true. Only
//! companions that can be false in some state become part of the state, and those are found by reading the model until a
//! fixpoint: at first everything counts as defined, then whatever a startstate or a rule leaves without a value does not.
//!
//! The only properties of the resulting system are these obligations. The value of an undefined slot does not matter in it:
//! nothing depends on one before the first is read. So it is a fixed one for each type, which leaves nothing to choose.
//!
//! Comparing records or arrays is no read: an undefined part equals an undefined one and no other. Where that may happen, the
//! companions are part of the model's own system as well, since there an undefined value is some value of its type and would be
//! equal to that.

use super::memory::{Slot, Spot};
use super::sorts::Simple;
use super::{Reader, Unbounded};
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{BOOLEAN, Model, TypeId, TypeKind};
use crate::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use tenet_system::System;
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

/// The suffix of a companion's name.
const COMPANION: &str = ".defined";

/// The names of the tracked parts of the state, and of those that turned out to need it.
#[derive(Debug, Default)]
pub(super) struct Followed {
    known: BTreeSet<String>,
    missing: BTreeSet<String>,
    /// The element of each index sort in undefined slots.
    elements: BTreeMap<SortId, TermId>,
    /// Whether this is the model's own system, with the model's properties.
    is_model: bool,
    /// Whether records or arrays with undefined parts may be compared, and the companions that this depends on.
    compares: bool,
    compared: BTreeSet<SymbolId>,
}

/// Reads of values that may be undefined.
#[allow(clippy::large_enum_variant, reason = "there is one of it for a model")]
pub enum Reads {
    /// There are none.
    Defined,
    /// The properties of this system imply that there are none.
    Asked(System),
    /// There may be some, but definedness cannot be tracked.
    NotFollowed,
}

/// The obligations for no undefined value to be read.
pub fn reads(model: &Model, options: &Unbounded) -> Reads {
    follow(model, options).0
}

/// The same, with the companions that the model's own system needs.
pub(super) fn follow(model: &Model, options: &Unbounded) -> (Reads, Option<Followed>) {
    let mut known = BTreeSet::new();
    loop {
        let mut reader = Reader::new(model);
        reader.followed = Some(Followed { known: known.clone(), ..Followed::default() });
        reader.read(options);
        if reader.diagnostics.iter().any(Diagnostic::is_error) {
            return (Reads::NotFollowed, None);
        }
        let Followed { missing, compares, compared, .. } = reader.followed.take().unwrap_or_default();
        if missing.is_empty() {
            let (mut system, _) = reader.finish();
            let known = names_of(&system, sources_of(&system, compared));
            let of_model = compares.then(|| Followed { known, is_model: true, ..Followed::default() });
            if system.properties.is_empty() {
                return (Reads::Defined, of_model);
            }
            guess_reasons(&mut system);
            return (Reads::Asked(system), of_model);
        }
        known.extend(missing);
    }
}

/// Some companions, and all those that their values depend on.
fn sources_of(system: &System, mut companions: BTreeSet<SymbolId>) -> BTreeSet<SymbolId> {
    loop {
        let updates = system.rules.iter().flat_map(|rule| &rule.updates);
        let updates = updates.filter(|(symbol, _)| companions.contains(symbol));
        let more: Vec<SymbolId> = updates
            .flat_map(|&(_, value)| companions_in(&system.store, value))
            .filter(|symbol| !companions.contains(symbol))
            .collect();
        if more.is_empty() {
            return companions;
        }
        companions.extend(more);
    }
}

fn names_of(system: &System, companions: BTreeSet<SymbolId>) -> BTreeSet<String> {
    companions.into_iter().map(|symbol| system.store.symbol(symbol).name.clone()).collect()
}

/// The companions of state variables in a term. Names of a model contain no dot except before parts of records.
fn companions_in(store: &TermStore, term: TermId) -> Vec<SymbolId> {
    let is_companion = |symbol: &SymbolId| {
        let symbol = store.symbol(*symbol);
        symbol.role == Role::State && symbol.name.ends_with(COMPANION)
    };
    store.free_symbols(term).into_iter().filter(is_companion).collect()
}

/// Candidate lemmas. Why a value is defined where it is read is mostly a part of the condition under which that happens:
/// `state[p] = Owner & !busy -> data[p] is defined` holds because owners have data. So each part alone is a candidate, and so are
/// all comparisons together, which describe the used places of a buffer.
fn guess_reasons(system: &mut System) {
    let formulas: Vec<TermId> = system.properties.iter().map(|property| property.formula).collect();
    for formula in formulas {
        let demand = Demand::of(&system.store, formula);
        let store = &mut system.store;
        let (numbers, others): (Vec<TermId>, Vec<TermId>) =
            demand.premises.iter().partition(|&&premise| matches!(store.op(premise), Op::Lt | Op::Le));
        let mut reasons = vec![TermId::TRUE, store.mk_and(numbers)];
        reasons.extend(others);
        for reason in reasons {
            let guess = store.mk_implies(reason, demand.defined);
            let free = store.free_symbols(guess);
            let bound = demand.bound.iter().copied().filter(|symbol| free.contains(symbol));
            let bound: Vec<SymbolId> = bound.collect();
            let guess = if bound.is_empty() { guess } else { store.mk_forall(&bound, guess) };
            if guess != formula && !system.candidates.contains(&guess) {
                system.candidates.push(guess);
            }
        }
    }
}

/// An obligation that something is defined, under premises.
struct Demand {
    bound: Vec<SymbolId>,
    premises: Vec<TermId>,
    defined: TermId,
}

impl Demand {
    fn of(store: &TermStore, formula: TermId) -> Demand {
        let mut demand = Demand { bound: Vec::new(), premises: Vec::new(), defined: formula };
        loop {
            match (store.op(demand.defined), store.args(demand.defined)) {
                (Op::Forall(bound), &[body]) if !bound.iter().any(|symbol| demand.bound.contains(symbol)) => {
                    demand.bound.extend(bound.iter().copied());
                    demand.defined = body;
                }
                (Op::Implies, &[premise, then]) => {
                    demand.premises.extend(store.conjuncts(premise));
                    demand.defined = then;
                }
                _ => return demand,
            }
        }
    }
}

impl Reader<'_> {
    /// Adds the companions of the slots from `first` on, if definedness is tracked.
    pub(super) fn allocate_companions(&mut self, first: usize) {
        if self.followed.is_none() {
            return;
        }
        for slot in first..self.memory.slots.len() {
            // A multiset is never undefined, but empty.
            if self.is_presence(slot) {
                continue;
            }
            let companion = self.memory.slots.len();
            let Slot { name, args, is_constant, .. } = self.memory.slots[slot].clone();
            let name = format!("{name}{COMPANION}");
            let defined = Slot {
                parts: Vec::new(),
                name,
                args,
                ty: BOOLEAN,
                symbol: None,
                is_constant,
                companion: None,
                is_companion: true,
                is_presence: false,
            };
            self.memory.slots[slot].companion = Some(companion);
            self.memory.slots.push(defined);
        }
    }

    /// Are reads of undefined values the only property?
    pub(super) fn is_about_reads(&self) -> bool {
        self.followed.as_ref().is_some_and(|followed| !followed.is_model)
    }

    /// Records the dependencies of a comparison that holds where both sides are defined.
    pub(super) fn note_comparison(&mut self, are_defined: TermId) {
        if let Some(followed) = &mut self.followed {
            // The undefined part may be local, and then the state says nothing about it.
            followed.compares |= are_defined != TermId::TRUE;
            followed.compared.extend(companions_in(&self.store, are_defined));
        }
    }

    /// Is this companion part of the state?
    pub(super) fn is_followed(&self, slot: usize) -> bool {
        let slot = &self.memory.slots[slot];
        !slot.is_companion
            || self.followed.as_ref().is_some_and(|followed| followed.known.contains(&slot.name))
    }

    /// A companion that is constant in its arguments from the position `from` on.
    pub(super) fn everywhere_defined(&mut self, slot: usize, from: usize, is_defined: bool) -> TermId {
        let types = self.memory.slots[slot].args.clone();
        let rest = self.rest_symbols(&types, from, &[]);
        let value = TermId::bool(is_defined);
        if rest.is_empty() { value } else { self.store.mk_lambda(&rest, value) }
    }

    /// Records a part of the state that is not defined everywhere, contrary to the current assumption.
    pub(super) fn note_undefined(&mut self, slot: usize) {
        let (value, slot) = (self.memory.env.values[slot], &self.memory.slots[slot]);
        let is_true = |term: TermId| match self.store.op(term) {
            Op::Lambda(_) => self.store.args(term)[0] == TermId::TRUE,
            _ => term == TermId::TRUE,
        };
        if let Some(followed) = &mut self.followed
            && slot.is_companion
            && !slot.is_constant
            && !is_true(value)
            && !followed.known.contains(&slot.name)
        {
            followed.missing.insert(slot.name.clone());
        }
    }

    /// The companions of a place, if definedness is tracked.
    pub(super) fn read_companions(&mut self, spot: &Spot) -> Vec<TermId> {
        let slots = spot.first..spot.first + spot.count;
        let companions: Vec<usize> = slots.filter_map(|slot| self.memory.slots[slot].companion).collect();
        companions.into_iter().map(|slot| self.read_slot(slot, &spot.args, spot.span)).collect()
    }

    /// Writes the companions of a place.
    pub(super) fn write_companions(&mut self, spot: &Spot, values: &[TermId], span: Span) {
        let slots = spot.first..spot.first + spot.count;
        let companions: Vec<usize> = slots.filter_map(|slot| self.memory.slots[slot].companion).collect();
        for (slot, &value) in companions.into_iter().zip(values) {
            self.write_slot(slot, &spot.args, value, span);
        }
    }

    /// Makes a place defined or undefined as a whole.
    pub(super) fn set_companions(&mut self, spot: &Spot, is_defined: bool, span: Span) {
        let slots = spot.first..spot.first + spot.count;
        let companions: Vec<usize> = slots.filter_map(|slot| self.memory.slots[slot].companion).collect();
        for slot in companions {
            let value = self.everywhere_defined(slot, spot.args.len(), is_defined);
            self.write_slot(slot, &spot.args, value, span);
        }
    }

    /// The placeholder for undefined values, as a function of arguments of these types.
    pub(super) fn some_content(&mut self, args: &[TypeId], ty: TypeId) -> TermId {
        let value = self.some_value(ty);
        let bound = self.rest_symbols(args, 0, &[]);
        if bound.is_empty() { value } else { self.store.mk_lambda(&bound, value) }
    }

    pub(super) fn some_value(&mut self, ty: TypeId) -> TermId {
        let Simple { sort, bounds } = self.simple(ty);
        let model = self.model;
        match (&model.ty(ty).kind, self.store.sort(sort).clone()) {
            (TypeKind::Union { members }, Sort::Union { .. }) => {
                let member = self.some_value(members[0]);
                let member_sort = self.store.sort_of(member);
                self.store.mk_in(sort, member_sort, member)
            }
            (_, Sort::Bool) => TermId::FALSE,
            (_, Sort::Enum { .. }) => self.store.mk_enum(sort, 0),
            (_, Sort::Index { name }) => {
                if let Some(followed) = &self.followed
                    && let Some(&known) = followed.elements.get(&sort)
                {
                    return known;
                }
                let symbol = self.store.fresh(&format!("some_{name}"), sort, Role::Const);
                self.system.consts.push(symbol);
                let term = self.store.mk_symbol(symbol);
                if let Some(followed) = &mut self.followed {
                    followed.elements.insert(sort, term);
                }
                term
            }
            _ => bounds.lo.or(bounds.hi).unwrap_or_else(|| self.store.mk_int(0)),
        }
    }

    /// The obligation for reading a scalar: it is defined.
    pub(super) fn demand_defined(&mut self, spot: &Spot) {
        if let [defined] = self.read_companions(spot)[..] {
            let name = format!("`{}` is defined", self.place_name(spot));
            self.demand_definedness(defined, name, spot.span);
        }
    }

    /// The obligation for passing an array or record to a definition, which may read all of it.
    pub(super) fn demand_all_defined(&mut self, ty: TypeId, companions: &[TermId], name: &str, span: Span) {
        let leaves = self.leaves(ty);
        for (leaf, &companion) in leaves.iter().zip(companions) {
            let bound = self.rest_symbols(&leaf.args, 0, &[companion]);
            let mut all = companion;
            if !bound.is_empty() {
                let places: Vec<TermId> = bound.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
                let mut guards = Vec::new();
                for (&place, &arg) in places.iter().zip(&leaf.args) {
                    let bounds = self.symbolic_bounds(arg);
                    guards.push(self.between(place, bounds));
                }
                let (guard, defined) = (self.store.mk_and(guards), self.store.mk_apply(companion, &places));
                let guarded = self.store.mk_implies(guard, defined);
                all = self.store.mk_forall(&bound, guarded);
            }
            self.demand_definedness(all, format!("{name} is defined"), span);
        }
    }
}

//! The symbolic state: a current term for each leaf of the state and of the local variables.
//!
//! Leaves live in numbered *slots*, those of the state first. A function-valued leaf is a function-valued term, and an
//! assignment to one place of it is a new function. Locals get slots when their code is entered and lose them when it
//! is left.

use super::Reader;
use super::accesses::Access;
use super::calls::Binding;
use super::sorts::type_name;
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{LocalId, Place, Root, Step, TypeId, TypeKind};
use crate::span::Span;
use std::collections::{BTreeMap, BTreeSet};
use tenet_term::{SymbolId, TermId};

/// The static properties of a slot.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// As in `Cache.State`.
    pub(super) name: String,
    /// The same as it is written, with an index between two parts.
    pub(super) parts: Vec<String>,
    pub(super) args: Vec<TypeId>,
    pub(super) ty: TypeId,
    /// The symbol, if it is part of the state.
    pub(super) symbol: Option<SymbolId>,
    /// Whether it is a constant, which no rule changes and no start chooses.
    pub(super) is_constant: bool,
    /// The slot that says where this one is defined, if definedness is tracked.
    pub(super) companion: Option<usize>,
    /// Whether it is such a slot itself.
    pub(super) is_companion: bool,
    /// Whether it says at which places a multiset has elements.
    pub(super) is_presence: bool,
}

/// The contents of the slots on the current path.
#[derive(Clone, Debug)]
pub(super) struct Env {
    pub(super) values: Vec<TermId>,
    /// The path condition, relative to the innermost call or loop; the values matter only under it.
    pub(super) live: TermId,
    /// For each loop that is executed once for all its iterations: the slots that were assigned on every path since the
    /// iteration began.
    pub(super) assigned: Vec<BTreeSet<usize>>,
    /// Slots with the values that the last iteration of an unbounded loop left, and where they were written.
    pub(super) leftover: BTreeMap<usize, Span>,
}

impl Default for Env {
    fn default() -> Env {
        Env { values: Vec::new(), live: TermId::TRUE, assigned: Vec::new(), leftover: BTreeMap::new() }
    }
}

/// All slots and their contents.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) slots: Vec<Slot>,
    pub(super) env: Env,
    /// The first slot of each state variable.
    pub(super) vars: Vec<usize>,
    /// The number of slots of the state.
    pub(super) state_count: usize,
}

/// A place: a run of slots and the indices so far.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) first: usize,
    /// The number of slots.
    pub(super) count: usize,
    pub(super) args: Vec<TermId>,
    pub(super) ty: TypeId,
    pub(super) span: Span,
}

impl Reader<'_> {
    /// Adds slots for a variable; their contents are set later.
    pub(super) fn allocate(&mut self, name: &str, ty: TypeId) -> usize {
        let first = self.memory.slots.len();
        for leaf in self.leaves(ty).iter() {
            let mut parts = leaf.parts.clone();
            parts[0] = format!("{name}{}", parts[0]);
            let name = parts.concat();
            let args = leaf.args.clone();
            let (symbol, companion) = (None, None);
            let slot = Slot {
                name,
                parts,
                args,
                ty: leaf.ty,
                symbol,
                is_constant: false,
                companion,
                is_companion: false,
                is_presence: leaf.is_presence,
            };
            self.memory.slots.push(slot);
        }
        self.allocate_companions(first);
        first
    }

    /// The place as a run of slots, its indices evaluated now.
    pub(super) fn spot(&mut self, place: &Place) -> Spot {
        let mut spot = self.root(place);
        for step in &place.steps {
            let model = self.model;
            match (step, &model.ty(spot.ty).kind) {
                (Step::Field(field), TypeKind::Record { fields }) => {
                    spot.first += self.field_offset(spot.ty, *field);
                    spot.ty = fields[*field].ty;
                }
                (Step::Index(index), TypeKind::Array { index: index_type, element }) => {
                    let name = self.place_name(&spot);
                    let argument = self.index_value(index, *index_type, &name);
                    spot.args.push(argument);
                    spot.ty = *element;
                }
                (Step::Element(index), TypeKind::Multiset { element, .. }) => {
                    let place = self.scalar(index).term;
                    spot.args.push(place);
                    spot.first += 1;
                    spot.ty = *element;
                }
                _ => unreachable!("the steps of a place fit its type"),
            }
            spot.count = self.leaves(spot.ty).len();
        }
        spot.span = place.span;
        spot
    }

    fn root(&mut self, place: &Place) -> Spot {
        let (first, ty) = match place.root {
            Root::Var(var) => {
                let index = var.0 as usize;
                (self.memory.vars[index], self.model.vars[index].ty)
            }
            Root::Local(local) => match self.binding(local) {
                Binding::Slots(first, ty) => (first, ty),
                Binding::Spot(spot) => return spot,
                Binding::Scalar(_) => unreachable!("a place starts at a variable or reference"),
            },
        };
        Spot { first, count: self.leaves(ty).len(), args: Vec::new(), ty, span: place.span }
    }

    /// The name of a place, without its indices.
    pub(super) fn place_name(&self, spot: &Spot) -> String {
        match self.memory.slots.get(spot.first) {
            Some(slot) if spot.count == 1 => slot.name.clone(),
            Some(slot) => slot.name.split('.').next().unwrap_or_default().to_owned(),
            None => type_name(self.model, spot.ty),
        }
    }

    /// The place that a reference refers to, or the slots of a local variable.
    pub(super) fn local_spot(&mut self, local: LocalId) -> Spot {
        let span = self.frame().code.locals[local.0 as usize].span;
        let ty = self.frame().code.locals[local.0 as usize].ty;
        self.root(&Place { root: Root::Local(local), steps: Vec::new(), ty, span })
    }

    /// The contents of each slot of a place, as a function of the remaining indices.
    pub(super) fn read_leaves(&mut self, spot: &Spot) -> Vec<TermId> {
        (spot.first..spot.first + spot.count)
            .map(|slot| self.read_slot(slot, &spot.args, spot.span))
            .collect()
    }

    pub(super) fn read_slot(&mut self, slot: usize, args: &[TermId], span: Span) -> TermId {
        self.note_read(slot, args, span);
        if let Some(&written) = self.memory.env.leftover.get(&slot) {
            self.report_leftover(slot, written, span);
        }
        let value = self.memory.env.values[slot];
        self.at(value, args, slot)
    }

    fn report_leftover(&mut self, slot: usize, written: Span, span: Span) {
        let name = &self.memory.slots[slot].name;
        let message = format!("`{name}` holds what the last iteration of an unbounded loop left in it");
        let diagnostic = Diagnostic::error(&codes::LAST_ITERATION, message, span)
            .label("read here")
            .also(written, "each iteration writes its own value here");
        self.report(diagnostic.help("give it a value after the loop"));
    }

    /// The value of a slot at some of its arguments: a function of the rest.
    pub(super) fn at(&mut self, value: TermId, args: &[TermId], slot: usize) -> TermId {
        let arity = self.memory.slots[slot].args.len();
        if args.is_empty() {
            return value;
        }
        if args.len() == arity {
            return self.store.mk_apply(value, args);
        }
        let types = self.memory.slots[slot].args.clone();
        let rest = self.rest_symbols(&types, args.len(), &[&[value], args].concat());
        let all: Vec<TermId> =
            args.iter().copied().chain(rest.iter().map(|&symbol| self.store.mk_symbol(symbol))).collect();
        let body = self.store.mk_apply(value, &all);
        self.store.mk_lambda(&rest, body)
    }

    /// Symbols to bind for arguments of these types from position `from` on, none of which is free in the terms.
    pub(super) fn rest_symbols(&mut self, types: &[TypeId], from: usize, terms: &[TermId]) -> Vec<SymbolId> {
        let mut avoid: Vec<SymbolId> = self.open.iter().map(|open| open.symbol).collect();
        avoid.extend(terms.iter().flat_map(|&term| self.store.free_bound(term)).copied());
        let mut symbols = Vec::new();
        for (position, &ty) in types.iter().enumerate().skip(from) {
            let base = ["u", "v", "w"].get(position).copied().unwrap_or("u");
            let sort = self.sort(ty);
            let symbol = self.store.bound_avoiding(base, sort, &avoid);
            avoid.push(symbol);
            symbols.push(symbol);
        }
        symbols
    }

    /// Writes a place, slot by slot, with its companions if definedness is tracked; each value is a function of the remaining
    /// indices.
    pub(super) fn write_leaves(&mut self, spot: &Spot, values: &[TermId], span: Span) {
        for (slot, &value) in (spot.first..spot.first + spot.count).zip(values) {
            self.write_slot(slot, &spot.args, value, span);
        }
        if values.len() > spot.count {
            self.write_companions(spot, &values[spot.count..], span);
        }
    }

    pub(super) fn write_slot(&mut self, slot: usize, args: &[TermId], value: TermId, span: Span) {
        self.note_write(slot, args, value, span);
        let types = self.memory.slots[slot].args.clone();
        let changed = self.changed(self.memory.env.values[slot], &types, args, value);
        self.memory.env.values[slot] = changed;
        if args.is_empty() {
            self.memory.env.leftover.remove(&slot);
            for assigned in &mut self.memory.env.assigned {
                assigned.insert(slot);
            }
        }
    }

    /// A function of arguments of these types changed at some place.
    pub(super) fn changed(
        &mut self,
        old: TermId,
        types: &[TypeId],
        args: &[TermId],
        value: TermId,
    ) -> TermId {
        if args.is_empty() {
            return value;
        }
        if args.len() == types.len() {
            return self.store.mk_store(old, args, value);
        }
        let bound = self.rest_symbols(types, 0, &[&[old, value], args].concat());
        let places: Vec<TermId> = bound.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let here: Vec<TermId> =
            places.iter().zip(args).map(|(&place, &arg)| self.store.mk_eq(place, arg)).collect();
        let here = self.store.mk_and(here);
        let new = self.store.mk_apply(value, &places[args.len()..]);
        let kept = self.store.mk_apply(old, &places);
        let body = self.store.mk_ite(here, new, kept);
        self.store.mk_lambda(&bound, body)
    }

    /// Merges the two branches of an `if`; `live` is the path condition before it.
    pub(super) fn merge(&mut self, condition: TermId, yes: Env, no: Env, live: TermId) -> Env {
        if yes.live == TermId::FALSE {
            return no;
        }
        if no.live == TermId::FALSE {
            return yes;
        }
        let otherwise = self.store.mk_not(condition);
        let (whole_yes, whole_no) =
            (self.store.mk_and([live, condition]), self.store.mk_and([live, otherwise]));
        let all_paths_continue = yes.live == whole_yes && no.live == whole_no;
        let live = if all_paths_continue { live } else { self.store.mk_or([yes.live, no.live]) };
        self.blend(condition, yes, no, live)
    }

    /// The first environment if the condition holds, otherwise the second.
    pub(super) fn blend(&mut self, condition: TermId, yes: Env, no: Env, live: TermId) -> Env {
        let pairs = yes.values.iter().zip(&no.values);
        let values = pairs.map(|(&a, &b)| self.store.mk_ite(condition, a, b)).collect();
        let assigned = yes.assigned.iter().zip(&no.assigned).map(|(a, b)| a & b).collect();
        let mut leftover = yes.leftover;
        leftover.extend(no.leftover);
        Env { values, live, assigned, leftover }
    }

    /// The path condition of the current statement, relative to the call or loop at this depth of `outer`.
    pub(super) fn path_from(&mut self, depth: usize) -> TermId {
        let conditions: Vec<TermId> =
            self.outer[depth..].iter().copied().chain([self.memory.env.live]).collect();
        self.store.mk_and(conditions)
    }

    fn note_read(&mut self, slot: usize, args: &[TermId], span: Span) {
        let fresh = self.memory.env.assigned.iter().map(|assigned| assigned.contains(&slot)).collect();
        if let Some(log) = self.logs.last_mut()
            && slot < log.slots
        {
            log.accesses.push(Access::read(slot, args, span, fresh));
        }
    }

    fn note_write(&mut self, slot: usize, args: &[TermId], value: TermId, span: Span) {
        let Some(log) = self.logs.last() else { return };
        if slot >= log.slots {
            return;
        }
        let condition = self.path_from(log.depth);
        if let Some(log) = self.logs.last_mut() {
            log.accesses.push(Access::write(slot, args, span, value, condition));
        }
    }
}

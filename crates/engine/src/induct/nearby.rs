//! What explored states of the same instance, and of slightly larger ones, say about the state before a step: whether one looks like it,
//! and what tells it from all of them. The latter, negated and said of any elements, is a lemma that would exclude the step: a guess.

use super::finite::Counterexample;
use super::relevant::Cell;
use crate::common::watch::Watch;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;
use tenet_system::finite::explore::{Sampling, reached};
use tenet_system::instance::{Region, Sizes, sample};
use tenet_system::{Bounds, IndexVar, Lemma, System};
use tenet_term::{Model, Role, Sort, SortId, SymbolId, TermId, TermStore, Value};

/// States of each instance.
const MAX_STATES: u64 = 4_000;
/// Rules that may be tried for each instance.
const MAX_WORK: u64 = 200_000;
/// Combinations of free choices tried for each rule.
const MAX_CHOICES: u64 = 16;
/// Elements that larger instances have more of each type.
const MORE: [u32; 2] = [1, 2];
/// Elements of a type in the largest of them.
const MAX_SIZE: u32 = 4;
/// Parts that a lemma may speak of.
const MAX_LITERALS: usize = 8;

/// What is known of the state before a step.
#[derive(Clone, Debug)]
pub struct Nearby {
    /// How many states of its own instance were explored.
    pub states: usize,
    /// Whether one of these is the same in everything that matters.
    pub is_reached: bool,
    /// A lemma that excludes the state and that no explored state contradicts.
    pub candidate: Option<Lemma>,
    /// The parts of the state that the lemma is about.
    pub cells: Vec<Cell>,
}

/// Explores the instance of a step, and larger ones. Nothing if there are no such instances.
pub fn nearby(system: &mut System, found: &Counterexample, watch: &dyn Watch) -> Option<Nearby> {
    let before = found.step.before.clone()?;
    let own = Instance::explored(system, found, 0, watch)?;
    let model = found.step.model(system, &before);
    let all = all_cells(system, &model);
    let code = |cells: &[Cell], instance: &Instance| -> Option<Vec<(usize, i64)>> {
        cells.iter().map(|cell| instance.literal(system, &model, cell)).collect()
    };
    let states = own.states.len();
    let is_reached = match code(&found.cells, &own) {
        Some(literals) => own.has(&literals),
        None => return Some(Nearby { states, is_reached: false, candidate: None, cells: Vec::new() }),
    };
    let mut instances = vec![own];
    instances.extend(MORE.iter().filter_map(|&more| Instance::explored(system, found, more, watch)));
    let mut cells = found.cells.clone();
    cells.extend(all.into_iter().filter(|cell| !found.cells.contains(cell)));
    let is_excluded = |cells: &[Cell]| {
        let has = |instance: &Instance| code(cells, instance).is_none_or(|literals| instance.has(&literals));
        !instances.iter().any(has)
    };
    if !is_excluded(&cells) {
        return Some(Nearby { states, is_reached, candidate: None, cells: Vec::new() });
    }
    // What does not matter for the step is dropped first.
    for place in (0..cells.len()).rev() {
        let mut fewer = cells.clone();
        fewer.remove(place);
        if is_excluded(&fewer) {
            cells = fewer;
        }
    }
    let candidate = if cells.len() <= MAX_LITERALS { lemma(system, &model, &cells) } else { None };
    Some(Nearby { states, is_reached, candidate, cells })
}

/// Every part of the state.
fn all_cells(system: &System, model: &Model) -> Vec<Cell> {
    let mut cells = Vec::new();
    for var in &system.state {
        let Sort::Function { args, .. } = system.store.sort(system.store.symbol(var.symbol).sort) else {
            cells.push((var.symbol, Vec::new()));
            continue;
        };
        let mut places: Vec<Vec<Value>> = vec![Vec::new()];
        for &sort in args {
            let values = model.elements(&system.store, sort).unwrap_or_default();
            let longer = places.iter().flat_map(|place| {
                values.iter().map(move |value| place.iter().cloned().chain([value.clone()]).collect())
            });
            places = longer.collect();
        }
        cells.extend(places.into_iter().map(|place| (var.symbol, place)));
    }
    cells
}

/// An instance with explored states.
struct Instance {
    regions: BTreeMap<SymbolId, Region>,
    states: Vec<Vec<i64>>,
    /// The instance's sizes: where values of unions lie depends on them.
    sizes: Model,
}

impl Instance {
    /// The instance with so many more elements of each type.
    fn explored(system: &System, found: &Counterexample, more: u32, watch: &dyn Watch) -> Option<Instance> {
        let mut sizes = Model::new();
        let mut wanted = Sizes::default();
        for &(sort, size) in &found.step.sizes {
            let size = size + more;
            if more > 0 && size > MAX_SIZE {
                return None;
            }
            sizes.set_size(sort, size);
            wanted.sorts.push((system.store.sort_name(sort), size));
        }
        for (symbol, value) in &found.step.consts {
            if let Value::Int(value) = value {
                wanted.consts.push((system.store.symbol(*symbol).name.clone(), value.to_i64()?));
            }
        }
        let mut sample = sample(system, &wanted, MAX_CHOICES).ok()?;
        // All states are wanted, not only those up to symmetry.
        sample.program.layout.scalarsets.iter_mut().for_each(|set| set.symmetric = false);
        let sampling = Sampling { states: MAX_STATES, steps: 0, work: MAX_WORK, longest: 0, seed: 0 };
        let reached = reached(&sample.program, &sampling, &mut || watch.stop().is_none());
        let mut states = Vec::new();
        reached.each(|state| states.push(state.to_vec()));
        Some(Instance { regions: sample.regions, states, sizes })
    }

    /// The slot of a part of the state, and what its value is there.
    fn literal(&self, system: &System, model: &Model, (symbol, place): &Cell) -> Option<(usize, i64)> {
        let store = &system.store;
        let region = self.regions.get(symbol)?;
        let mut slot = i64::from(region.base);
        let (args, result) = match store.sort(store.symbol(*symbol).sort) {
            Sort::Function { args, result } => (args.clone(), *result),
            _ => (Vec::new(), store.symbol(*symbol).sort),
        };
        for ((dim, value), &sort) in region.dims.iter().zip(place).zip(&args) {
            let value = self.code(store, sort, value)?;
            if value < dim.extent.lo || value > dim.extent.hi {
                return None;
            }
            slot += (value - dim.extent.lo) * i64::from(dim.stride);
        }
        let value = match (model.get(*symbol)?, place.is_empty()) {
            (Value::Function(table), false) => table.get(place).clone(),
            (value, _) => value.clone(),
        };
        Some((usize::try_from(slot).ok()?, self.code(store, result, &value)?))
    }

    /// A value as a number of the instance.
    fn code(&self, store: &TermStore, sort: SortId, value: &Value) -> Option<i64> {
        match value {
            Value::Bool(value) => Some(i64::from(*value)),
            Value::Int(value) => value.to_i64(),
            Value::Enum(position) | Value::Index(position) => Some(i64::from(*position)),
            Value::Union(..) => {
                let values = self.sizes.elements(store, sort).ok()?;
                values.iter().position(|known| known == value).and_then(|place| i64::try_from(place).ok())
            }
            Value::Real(_) | Value::BitVec(_) | Value::Function(_) => None,
        }
    }

    fn has(&self, literals: &[(usize, i64)]) -> bool {
        self.states.iter().any(|state| literals.iter().all(|&(slot, value)| state.get(slot) == Some(&value)))
    }
}

/// That no elements are in such a state: a clause over variables, one for each element that is not named by a constant.
fn lemma(system: &mut System, model: &Model, cells: &[Cell]) -> Option<Lemma> {
    let mut names = Names { vars: Vec::new(), named: Vec::new() };
    for &symbol in &system.consts {
        if let Some(Value::Index(place)) = model.get(symbol) {
            names.named.push(((system.store.symbol(symbol).sort, *place), symbol));
        }
    }
    let store = &mut system.store;
    let mut literals = Vec::new();
    for (symbol, place) in cells {
        let (args, result) = match store.sort(store.symbol(*symbol).sort).clone() {
            Sort::Function { args, result } => (args, result),
            _ => (Vec::new(), store.symbol(*symbol).sort),
        };
        let places: Option<Vec<TermId>> =
            args.iter().zip(place).map(|(&sort, value)| names.term(store, sort, value)).collect();
        let array = store.mk_symbol(*symbol);
        let (entry, value) = match (model.get(*symbol)?, args.is_empty()) {
            (Value::Function(table), false) => (store.mk_apply(array, &places?), table.get(place).clone()),
            (value, _) => (array, value.clone()),
        };
        let value = names.term(store, result, &value)?;
        literals.push(match store.is_bool(entry) {
            true => store.mk_iff(entry, value),
            false => store.mk_eq(entry, value),
        });
    }
    let mut clause: Vec<TermId> = literals.into_iter().map(|literal| store.mk_not(literal)).collect();
    // Different elements have different names, and none of them is one that has a name of its own.
    let all: Vec<(SortId, TermId)> = names.terms(store);
    for (place, &(sort, term)) in all.iter().enumerate() {
        for &(_, other) in all[..place].iter().filter(|(other, _)| *other == sort) {
            clause.push(store.mk_eq(other, term));
        }
    }
    let vars = names.vars.iter().map(|&(_, symbol)| IndexVar { symbol, bounds: Bounds::default() }).collect();
    Some(Lemma { vars, body: store.mk_or(clause) })
}

/// Names of elements.
struct Names {
    vars: Vec<((SortId, u32), SymbolId)>,
    named: Vec<((SortId, u32), SymbolId)>,
}

impl Names {
    /// A value with a variable in the place of an element.
    fn term(&mut self, store: &mut TermStore, sort: SortId, value: &Value) -> Option<TermId> {
        match value {
            Value::Index(place) => Some(self.element(store, sort, *place)),
            Value::Union(member, place) if matches!(store.sort(*member), Sort::Index { .. }) => {
                let element = self.element(store, *member, *place);
                Some(store.mk_in(sort, *member, element))
            }
            value => store.mk_value(sort, value),
        }
    }

    fn element(&mut self, store: &mut TermStore, sort: SortId, place: u32) -> TermId {
        let known = self.named.iter().chain(&self.vars).find(|(element, _)| *element == (sort, place));
        if let Some(&(_, symbol)) = known {
            return store.mk_symbol(symbol);
        }
        let number = self.vars.len();
        let name = ["i", "j", "k"].get(number).map_or_else(|| format!("i{number}"), ToString::to_string);
        let symbol = store.declare(&name, sort, Role::Index);
        self.vars.push(((sort, place), symbol));
        store.mk_symbol(symbol)
    }

    /// All terms that stand for elements, with their types.
    fn terms(&self, store: &mut TermStore) -> Vec<(SortId, TermId)> {
        let mut terms = Vec::new();
        let sorts: Vec<SortId> = self.vars.iter().map(|((sort, _), _)| *sort).collect();
        for &((sort, _), symbol) in self.named.iter().filter(|((sort, _), _)| sorts.contains(sort)) {
            terms.push((sort, store.mk_symbol(symbol)));
        }
        for &((sort, _), symbol) in &self.vars {
            terms.push((sort, store.mk_symbol(symbol)));
        }
        // Constants may be the same element; then it has one name.
        terms.dedup();
        terms
    }
}

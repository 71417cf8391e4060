//! A small explored instance: which cubes contain one of its states?
//!
//! States are stored in columns, one for each slot. A literal at an assignment of elements to variables is a bit set
//! of states, a cube the intersection of its literals. States are representatives up to symmetry, so every assignment
//! has to be tried. Nothing is proved here: a cube without a state is a candidate lemma, no more.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tenet_system::System;
use tenet_system::finite::explore::{Reached, Sampling, reached, reached_from};
use tenet_system::finite::program::Program;
use tenet_system::instance::{InstanceError, Region, Sizes, sample, window};
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

use super::code::{operand_sort, union_code};
use super::column::{Column, UNKNOWN};
use super::cube::{Cube, Vocabulary};
use super::structure::Env;

/// Combinations of free choices tried for each rule. Protocols have few free choices; samples of them suffice.
const MAX_CHOICES: u64 = 16;
/// The same for programs over given arrays: they hardly choose anything later, so the initial arrays have to vary.
const MAX_CHOICES_OF_PROGRAMS: u64 = 128;
/// Size of sorts that are plain data: two elements are enough to tell equal from different.
const DATA_SIZE: u32 = 2;
/// The same for ordered data: between two elements there should be another.
const ORDERED_SIZE: u32 = 3;
/// By how much symbolic constants, which often bound the number of places, exceed the size of index sorts.
const CONSTANT_SLACK: i64 = 4;
/// Assignments of elements to the variables of a cube; with more of them a table costs more than the questions it
/// saves.
const MAX_ASSIGNMENTS: usize = 5000;

const MAX_FOLLOWED_STATES: usize = 16;
/// States explored when a cube is followed for the first time.
const INITIAL_FOLLOW_STATES: u64 = 400;
/// The limit grows up to this: cubes that have to be followed often are in parts of the state space that are not well
/// known.
const MAX_FOLLOW_STATES: u64 = 5_000;

/// A set of states.
pub type Bits = Vec<u64>;

/// The states of a literal among a number of first states; `None` if the instance does not determine them.
type Known = (usize, Option<Rc<Bits>>);

/// An instance and its states.
pub struct Explored {
    /// Elements of each index sort, besides the named ones.
    pub size: u32,
    pub complete: bool,
    pub states: usize,
    regions: BTreeMap<SymbolId, Region>,
    consts: BTreeMap<SymbolId, i64>,
    ranks: Vec<SymbolId>,
    sizes: FxHashMap<SortId, i64>,
    columns: Vec<Rc<Vec<i32>>>,
    program: Program,
    /// How many states are explored when a cube is followed next.
    following: u64,
    /// The instance's code for each code of `code.rs`, for slots that hold unions.
    recode: Vec<Option<Rc<Vec<i64>>>>,
    sets: FxHashMap<(TermId, Env), Known>,
    /// The variables of literals.
    vars: FxHashMap<TermId, Rc<[SymbolId]>>,
    /// The range of integers tried for integer variables.
    integers: (i64, i64),
}

impl Explored {
    /// Explores the instance with `size` elements of each index sort besides the named ones and with these values of
    /// numbers, within the limits of `sampling`.
    pub fn new(
        system: &System,
        vocabulary: &Vocabulary,
        size: u32,
        consts: Option<Vec<(String, i64)>>,
        sampling: &Sampling,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Explored, InstanceError> {
        let is_wide = consts.is_some();
        let (sizes, all) = sizes(system, vocabulary, size, consts);
        let sample = match is_wide {
            true => window(system, &all, MAX_CHOICES_OF_PROGRAMS, i64::from(size) + 1)?,
            // Arrays may be over all integers, beside others over elements.
            false => sample(system, &all, MAX_CHOICES)
                .or_else(|_| window(system, &all, MAX_CHOICES, i64::from(size) + CONSTANT_SLACK))?,
        };
        let reached = reached(&sample.program, sampling, go_on);
        let slots = sample.program.layout.slots.len();
        let recode = recoding(system, &sample.regions, &sizes, slots);
        let mut integers = (0, i64::from(size));
        for region in sample.regions.values() {
            for dim in &region.dims {
                integers = (integers.0.min(dim.extent.lo), integers.1.max(dim.extent.hi));
            }
        }
        if is_wide {
            // Just outside the bounds, too: a lemma has to say that a place is within them.
            integers = (integers.0 - 1, integers.1 + 1);
        }
        let mut explored = Explored {
            size,
            complete: reached.complete,
            states: 0,
            regions: sample.regions,
            consts: sample.consts,
            ranks: system.orders.iter().map(|order| order.rank).collect(),
            sizes,
            columns: vec![Rc::default(); slots],
            program: sample.program,
            following: INITIAL_FOLLOW_STATES,
            recode,
            sets: FxHashMap::default(),
            vars: FxHashMap::default(),
            integers,
        };
        explored.add(&reached);
        Ok(explored)
    }

    fn add(&mut self, reached: &Reached) {
        let mut columns: Vec<&mut Vec<i32>> = self.columns.iter_mut().map(Rc::make_mut).collect();
        let mut states = self.states;
        let recode = &self.recode;
        reached.each(|state| {
            states += 1;
            for (slot, (column, &value)) in columns.iter_mut().zip(state).enumerate() {
                let value = recode[slot].as_ref().map_or(value, |table| table[value as usize]);
                column.push(i32::try_from(value).unwrap_or(i32::MAX));
            }
        });
        self.states = states;
    }

    /// Explores further from states in a cube. False if there are none, or if all states are known.
    pub fn follow(&mut self, store: &TermStore, cube: &Cube, go_on: &mut dyn FnMut() -> bool) -> bool {
        if self.complete {
            return false;
        }
        let Some(table) = self.table(store, cube, go_on) else { return false };
        let all: Vec<usize> = (0..cube.literals.len()).collect();
        let rows = table.states_of(&all, MAX_FOLLOWED_STATES);
        let states: Vec<Vec<i64>> = rows.iter().map(|&row| self.state(row)).collect();
        if states.is_empty() {
            return false;
        }
        let reached = reached_from(&self.program, &states, self.following, go_on);
        self.following = (self.following + self.following / 4).min(MAX_FOLLOW_STATES);
        self.add(&reached);
        true
    }

    fn state(&self, row: usize) -> Vec<i64> {
        let values = self.columns.iter().zip(&self.recode).map(|(column, recode)| {
            let value = i64::from(column[row]);
            let place = recode.as_ref().map(|table| table.iter().position(|&known| known == value));
            place.flatten().map_or(value, |place| place as i64)
        });
        values.collect()
    }

    /// The states of each literal of a cube, for each assignment of its variables; `None` if there are too many
    /// assignments or fewer elements than variables, or if the search was cancelled.
    pub fn table(
        &mut self,
        store: &TermStore,
        cube: &Cube,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Table> {
        let mut rows = Vec::new();
        let assignments = self.assignments(store, &cube.vars)?;
        for &literal in &cube.literals {
            self.vars.entry(literal).or_insert_with(|| Cube::of(store, vec![literal]).vars.into());
        }
        for env in assignments {
            if !go_on() {
                return None;
            }
            let sets = cube.literals.iter().map(|&literal| self.set(store, literal, &env)).collect();
            rows.push(sets);
        }
        Some(Table { rows, words: self.states.div_ceil(64), states: self.states })
    }

    /// Is a state known to be in a cube?
    pub fn has(&self, store: &TermStore, cube: &Cube) -> bool {
        let Some(assignments) = self.assignments(store, &cube.vars) else { return false };
        assignments.iter().any(|env| {
            let columns = cube.literals.iter().map(|&literal| self.column(store, literal, env, 0));
            let Some(columns) = columns.collect::<Option<Vec<Column>>>() else { return false };
            (0..self.states).any(|row| columns.iter().all(|column| column.at(row) == 1))
        })
    }

    fn assignments(&self, store: &TermStore, vars: &[SymbolId]) -> Option<Vec<Env>> {
        let mut envs = vec![Env::new()];
        for &var in vars {
            let sort = store.symbol(var).sort;
            let values: Vec<i64> = match store.sort(sort) {
                Sort::Index { .. } => (0..self.sizes[&sort]).collect(),
                _ if store.sort(sort).is_integer() => (self.integers.0..=self.integers.1).collect(),
                _ => return None,
            };
            let is_distinct = matches!(store.sort(sort), Sort::Index { .. });
            let mut extended = Vec::new();
            for env in &envs {
                for &value in &values {
                    let taken = |&(other, known): &(SymbolId, i64)| {
                        is_distinct && known == value && store.symbol(other).sort == sort
                    };
                    if !env.iter().any(taken) {
                        let mut env = env.clone();
                        env.push((var, value));
                        extended.push(env);
                    }
                }
            }
            envs = extended;
            if envs.len() > MAX_ASSIGNMENTS {
                return None;
            }
        }
        (!envs.is_empty()).then_some(envs)
    }

    /// The states in which a literal holds; `None` if that cannot be told, which counts as all.
    fn set(&mut self, store: &TermStore, literal: TermId, env: &Env) -> Option<Rc<Bits>> {
        let vars = &self.vars[&literal];
        let env: Env = env.iter().copied().filter(|(symbol, _)| vars.contains(symbol)).collect();
        let key = (literal, env);
        let (known, set) = self.sets.get(&key).cloned().unwrap_or((0, Some(Rc::default())));
        if known == self.states {
            return set;
        }
        let set = set.and_then(|set| {
            let column = self.column(store, literal, &key.1, known)?;
            let mut bits = Rc::unwrap_or_clone(set);
            bits.resize(self.states.div_ceil(64), 0);
            let mut enter = |row: usize| bits[(known + row) / 64] |= 1 << ((known + row) % 64);
            column.each_true(self.states - known, &mut enter);
            Some(Rc::new(bits))
        });
        self.sets.insert(key, (self.states, set.clone()));
        set
    }

    /// The values of a term in the states from number `first` on.
    fn column(&self, store: &TermStore, term: TermId, env: &Env, first: usize) -> Option<Column> {
        let args = store.args(term);
        match store.op(term) {
            Op::Symbol(symbol) => self.symbol(store, *symbol, env, first),
            Op::Apply => {
                let symbol = store.as_symbol(args[0])?;
                let places: Option<Vec<Column>> =
                    args[1..].iter().map(|&arg| self.column(store, arg, env, first)).collect();
                self.cell(symbol, &places?, first)
            }
            Op::Forall(bound) => self.quantifier(store, bound, args[0], env, true, first),
            Op::Exists(bound) => self.quantifier(store, bound, args[0], env, false, first),
            Op::Lambda(_) => None,
            op => {
                let columns: Option<SmallVec<[Column; 4]>> =
                    args.iter().map(|&arg| self.column(store, arg, env, first)).collect();
                Column::operate(store, op, operand_sort(store, term), &columns?, self.states - first)
            }
        }
    }

    /// Whether a formula is true for all, or for some, values of the bound symbols.
    fn quantifier(
        &self,
        store: &TermStore,
        bound: &[SymbolId],
        body: TermId,
        env: &Env,
        universal: bool,
        from: usize,
    ) -> Option<Column> {
        let Some((&first, rest)) = bound.split_first() else { return self.column(store, body, env, from) };
        let sort = store.symbol(first).sort;
        let count = match store.sort(sort) {
            Sort::Index { .. } => self.sizes[&sort],
            Sort::Bool => 2,
            Sort::Enum { variants, .. } => variants.len() as i64,
            _ => return None,
        };
        let mut truth = vec![i32::from(universal); self.states - from];
        for value in 0..count {
            let mut inner = env.clone();
            inner.push((first, value));
            let column = self.quantifier(store, rest, body, &inner, universal, from)?;
            for (row, truth) in truth.iter_mut().enumerate() {
                if (column.at(row) != 0) != universal {
                    *truth = i32::from(!universal);
                }
            }
        }
        Some(Column::new(truth))
    }

    fn symbol(&self, store: &TermStore, symbol: SymbolId, env: &Env, first: usize) -> Option<Column> {
        if let Some(&(_, value)) = env.iter().find(|(known, _)| *known == symbol) {
            return Some(Column::Same(value));
        }
        if store.symbol(symbol).role == Role::Const {
            return self.consts.get(&symbol).map(|&value| Column::Same(value));
        }
        let region = self.regions.get(&symbol)?;
        region.dims.is_empty().then(|| Column::Each(self.columns[region.base as usize].clone(), first))
    }

    fn cell(&self, symbol: SymbolId, places: &[Column], first: usize) -> Option<Column> {
        if self.ranks.contains(&symbol) {
            return places.first().cloned();
        }
        let region = self.regions.get(&symbol)?;
        let slot = |row: usize| {
            let mut slot = region.base as usize;
            for (dim, place) in region.dims.iter().zip(places) {
                let value = place.at(row);
                if value < dim.extent.lo || value > dim.extent.hi {
                    return None;
                }
                slot += (value - dim.extent.lo) as usize * dim.stride as usize;
            }
            Some(slot)
        };
        if places.iter().all(|place| matches!(place, Column::Same(_))) {
            return slot(0).map(|slot| Column::Each(self.columns[slot].clone(), first));
        }
        let value = |row: usize| slot(row).map_or(UNKNOWN, |slot| self.columns[slot][first + row]);
        Some(Column::new((0..self.states - first).map(value).collect()))
    }
}

/// The sizes of the instance: by sort, and as the instance wants them.
fn sizes(
    system: &System,
    vocabulary: &Vocabulary,
    size: u32,
    consts: Option<Vec<(String, i64)>>,
) -> (FxHashMap<SortId, i64>, Sizes) {
    let mut by_sort = FxHashMap::default();
    let mut all = Sizes::default();
    for (sort, kind) in system.store.sorts() {
        if let Sort::Index { name } = kind {
            let is_ordered = system.orders.iter().any(|order| order.sort == sort);
            let free = match vocabulary.is_indexed(&system.store, sort) {
                true => size,
                false if is_ordered || consts.is_some() => ORDERED_SIZE.max(size + 1),
                false => size.min(DATA_SIZE),
            };
            let count = free + vocabulary.consts(sort).len() as u32;
            by_sort.insert(sort, i64::from(count));
            all.sorts.push((name.clone(), count));
        }
    }
    let numbers = || {
        let infos = system.consts.iter().map(|&symbol| system.store.symbol(symbol));
        let numbers = infos.filter(|info| system.store.sort(info.sort).is_numeric());
        numbers.map(|info| (info.name.clone(), i64::from(size) + CONSTANT_SLACK)).collect()
    };
    all.consts = consts.unwrap_or_else(numbers);
    (by_sort, all)
}

/// For slots that hold unions: our code for each of the instance's.
fn recoding(
    system: &System,
    regions: &BTreeMap<SymbolId, Region>,
    sizes: &FxHashMap<SortId, i64>,
    slots: usize,
) -> Vec<Option<Rc<Vec<i64>>>> {
    let mut recode = vec![None; slots];
    let store = &system.store;
    for (&symbol, region) in regions {
        let sort = store.symbol(symbol).sort;
        let result = if let Sort::Function { result, .. } = store.sort(sort) { *result } else { sort };
        let Sort::Union { members, .. } = store.sort(result) else { continue };
        let mut table = Vec::new();
        for &member in members {
            let first = union_code(store, result, member).unwrap_or(0);
            let count = match store.sort(member) {
                Sort::Enum { variants, .. } => variants.len() as i64,
                _ => sizes.get(&member).copied().unwrap_or(0),
            };
            table.extend((0..count).map(|position| first + position));
        }
        let table = Rc::new(table);
        let count = region.dims.first().map_or(1, |dim| dim.stride * dim.extent.count() as u32);
        for slot in region.base..region.base + count {
            recode[slot as usize] = Some(table.clone());
        }
    }
    recode
}

/// The sets of states of a cube's literals, for each assignment.
pub struct Table {
    rows: Vec<Vec<Option<Rc<Bits>>>>,
    words: usize,
    states: usize,
}

impl Table {
    /// Is there a state in which these literals hold together?
    pub fn is_reachable(&self, literals: &[usize]) -> bool {
        self.states > 0 && self.rows.iter().any(|row| self.meets(row, literals))
    }

    /// Some of the states in which these literals hold together, for some assignment.
    pub fn states_of(&self, literals: &[usize], most: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for row in &self.rows {
            for word in 0..self.words {
                let sets = literals.iter().filter_map(|&literal| row[literal].as_ref());
                let mut bits = sets.fold(u64::MAX, |all, set| all & set[word]);
                while bits != 0 {
                    let state = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if state < self.states && !found.contains(&state) {
                        found.push(state);
                    }
                    if found.len() >= most {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// For some states in which these literals hold together, the literals that are false there, for some assignment.
    /// Neighbouring states are much alike, so each block contributes one.
    pub fn false_in_states_of(&self, literals: &[usize], most: usize) -> Vec<u128> {
        let mut found = Vec::new();
        for row in &self.rows {
            for word in 0..self.words {
                let sets = literals.iter().filter_map(|&literal| row[literal].as_ref());
                let bit = sets.fold(u64::MAX, |all, set| all & set[word]).trailing_zeros();
                if bit == u64::BITS || word * 64 + bit as usize >= self.states {
                    continue;
                }
                let is_false =
                    |set: &Option<Rc<Bits>>| set.as_ref().is_some_and(|set| set[word] & (1 << bit) == 0);
                let places = (0..row.len()).filter(|&place| is_false(&row[place]));
                found.push(places.fold(0, |all, place| all | 1 << place));
                if found.len() >= most {
                    return found;
                }
            }
        }
        found
    }

    fn meets(&self, row: &[Option<Rc<Bits>>], literals: &[usize]) -> bool {
        let sets: SmallVec<[&Rc<Bits>; 16]> =
            literals.iter().filter_map(|&literal| row[literal].as_ref()).collect();
        if sets.is_empty() {
            return true;
        }
        (0..self.words).any(|word| sets.iter().fold(u64::MAX, |all, set| all & set[word]) != 0)
    }
}

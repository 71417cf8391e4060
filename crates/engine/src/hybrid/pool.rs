//! Sampled steps of the circuit: implications that they refute need no query.
//!
//! The abstraction of steps asks thousands of questions "does this always imply that?", and nearly all of them are
//! refuted by one of a few thousand steps. The first ones are made up: from arbitrary states, whose words are random
//! or constants of the design or next to one, and from walks from initial states. Later every model of the solver is
//! added. States need not be reachable; the abstraction is about all of them.

use super::columns::{Column, Columns, mask};
use super::concrete::Concrete;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tenet_abstraction::bits::width;
use tenet_solve::Solver;
use tenet_system::random::XorShift;
use tenet_term::{Op, Role, Sort, SymbolId, TermId, TermStore, Value};

const ARBITRARY_STEPS: usize = 1024;
/// Walks from initial states.
const WALKS: usize = 64;
const WALK_LENGTH: usize = 8;
/// Steps that are kept; each costs a bit in every column.
const MAX_STEPS: usize = 4096;

/// Tried steps.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    columns: Columns,
    /// The symbols whose values a model is asked for.
    asked: Vec<SymbolId>,
}

/// Where a formula is known to be true, and where it is known to be false: a bit for each step.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    pub yes: Vec<u64>,
    pub no: Vec<u64>,
}

impl Truth {
    fn of(column: Option<&Column>) -> Truth {
        let mut truth = Truth::default();
        for (sample, &value) in column.into_iter().flatten().enumerate() {
            truth.put(sample, value == 1);
        }
        truth
    }

    pub fn put(&mut self, sample: usize, value: bool) {
        let (word, bit) = (sample / 64, sample % 64);
        let column = if value { &mut self.yes } else { &mut self.no };
        if column.len() <= word {
            column.resize(word + 1, 0);
        }
        column[word] |= 1 << bit;
    }

    pub fn is(&self, value: bool) -> &[u64] {
        if value { &self.yes } else { &self.no }
    }
}

impl Pool {
    /// The first steps.
    pub fn new(store: &TermStore, concrete: &Concrete) -> Pool {
        let symbols: BTreeSet<SymbolId> = relevant(store, concrete);
        let is_narrow = |symbol: &SymbolId| bits(store, *symbol).is_some();
        let asked: Vec<SymbolId> = symbols.into_iter().filter(is_narrow).collect();
        let mut chance = Chance::new(constants(store, concrete));
        let mut arbitrary = Columns { samples: ARBITRARY_STEPS, ..Columns::default() };
        for &symbol in &asked {
            arbitrary.symbols.insert(symbol, chance.column(store, symbol, ARBITRARY_STEPS));
        }
        let mut pool = Pool { columns: Columns::default(), asked };
        pool.append(store, concrete, arbitrary);
        pool.walk(store, concrete, &mut chance);
        pool
    }

    /// Walks from first states.
    fn walk(&mut self, store: &TermStore, concrete: &Concrete, chance: &mut Chance) {
        let mut here = Columns { samples: WALKS, ..Columns::default() };
        for &symbol in &concrete.circuit.arbitrary {
            if bits(store, symbol).is_some() {
                here.symbols.insert(symbol, chance.column(store, symbol, WALKS));
            }
        }
        let registers: Vec<SymbolId> =
            self.asked.iter().copied().filter(|&symbol| store.symbol(symbol).role == Role::State).collect();
        let mut values: Vec<TermId> =
            registers.iter().map(|&register| concrete.first_value(register)).collect();
        for _ in 0..WALK_LENGTH {
            let columns = here.evaluate(store, &values);
            here.symbols.clear();
            here.symbols.extend(registers.iter().zip(columns).filter_map(|(&r, column)| Some((r, column?))));
            for &symbol in self.asked.iter().filter(|symbol| !registers.contains(symbol)) {
                here.symbols.insert(symbol, chance.column(store, symbol, WALKS));
            }
            // A register without a value is anything.
            for &register in &registers {
                here.symbols.entry(register).or_insert_with(|| chance.column(store, register, WALKS));
            }
            self.append(store, concrete, here.clone());
            values = registers.iter().map(|&register| concrete.next_value(register)).collect();
        }
    }

    /// Adds the steps that satisfy the assumptions.
    fn append(&mut self, store: &TermStore, concrete: &Concrete, columns: Columns) {
        let allowed = columns.evaluate(store, &[concrete.circuit.constraint]).pop().flatten();
        let Some(allowed) = allowed else { return };
        let kept: Vec<usize> = (0..columns.samples).filter(|&sample| allowed[sample] == 1).collect();
        for symbol in &self.asked {
            let column = self.columns.symbols.entry(*symbol).or_default();
            column.extend(kept.iter().map(|&sample| columns.symbols[symbol][sample]));
        }
        self.columns.samples += kept.len();
    }

    pub fn len(&self) -> usize {
        self.columns.samples
    }

    /// What the steps say of formulas.
    pub fn truths(&self, store: &TermStore, formulas: &[TermId]) -> Vec<Truth> {
        let columns = self.columns.evaluate(store, formulas);
        columns.iter().map(|column| Truth::of(column.as_ref())).collect()
    }

    /// Takes the solver's model as another step; false if there are enough.
    pub fn learn(&mut self, store: &mut TermStore, solver: &mut dyn Solver) -> bool {
        if self.columns.samples >= MAX_STEPS {
            return false;
        }
        let terms: Vec<TermId> = self.asked.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let values = solver.values(store, &terms);
        for (symbol, value) in self.asked.iter().zip(values) {
            self.columns.symbols.entry(*symbol).or_default().push(word(value.as_ref()));
        }
        self.columns.samples += 1;
        true
    }
}

/// A value as a word; anything if there is none, since the model does not care.
pub fn word(value: Option<&Value>) -> u64 {
    match value {
        Some(Value::Bool(value)) => u64::from(*value),
        Some(Value::BitVec(value)) => value.unsigned().iter_u64_digits().next().unwrap_or(0),
        Some(Value::Enum(position)) => u64::from(*position),
        _ => 0,
    }
}

/// The bits of a symbol that has a column.
fn bits(store: &TermStore, symbol: SymbolId) -> Option<u32> {
    width(store, store.symbol(symbol).sort).filter(|&width| width <= 64).map(|width| width as u32)
}

/// The registers of the cone, and the inputs that they depend on.
fn relevant(store: &TermStore, concrete: &Concrete) -> BTreeSet<SymbolId> {
    let values = concrete.cone.iter().map(|&register| concrete.next_value(register));
    let terms = values.chain([concrete.circuit.constraint]);
    let symbols = store.subterms_of_all(terms).into_iter().filter_map(|term| store.as_symbol(term));
    let free = symbols.filter(|&symbol| store.symbol(symbol).role != Role::Bound);
    free.chain(concrete.cone.iter().copied()).collect()
}

/// The constants of the design, by width.
fn constants(store: &TermStore, concrete: &Concrete) -> FxHashMap<u32, Vec<u64>> {
    let values = concrete.cone.iter().map(|&register| concrete.next_value(register));
    let mut found: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    for term in store.subterms_of_all(values.chain([concrete.bad])) {
        if let Op::BitVec(value) = store.op(term)
            && value.width() <= 64
        {
            let (number, ones) =
                (value.unsigned().iter_u64_digits().next().unwrap_or(0), mask(value.width()));
            let near = [number, number.wrapping_add(1) & ones, number.wrapping_sub(1) & ones];
            found.entry(value.width()).or_default().extend(near);
        }
    }
    found.into_iter().map(|(width, numbers)| (width, numbers.into_iter().collect())).collect()
}

/// Values for samples, drawn from a fixed seed.
struct Chance {
    random: XorShift,
    constants: FxHashMap<u32, Vec<u64>>,
}

impl Chance {
    fn new(constants: FxHashMap<u32, Vec<u64>>) -> Chance {
        Chance { random: XorShift::new(0x9e37_79b9_7f4a_7c15), constants }
    }

    fn next(&mut self) -> u64 {
        self.random.mixed()
    }

    /// Words for a symbol, of which about half are constants of the design, or next to one.
    fn column(&mut self, store: &TermStore, symbol: SymbolId, samples: usize) -> Column {
        let width = bits(store, symbol).expect("invariant: narrow symbols are asked for");
        let mut words = self.words(width, samples);
        if let Sort::Enum { variants, .. } = store.sort(store.symbol(symbol).sort) {
            words.iter_mut().for_each(|word| *word %= variants.len() as u64);
        }
        words
    }

    fn words(&mut self, width: u32, samples: usize) -> Column {
        let constants = self.constants.get(&width).cloned().unwrap_or_default();
        let mut word = || {
            let (choice, number) = (self.next(), self.next());
            if constants.is_empty() || choice >> 63 == 0 {
                return number >> (64 - width);
            }
            constants[(number >> 32) as usize % constants.len()]
        };
        (0..samples).map(|_| word()).collect()
    }
}

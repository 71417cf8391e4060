//! All assignments of values to some symbols of finite sorts, numbered.
//!
//! The exact abstraction of a finite instance goes through every state, every choice of parameters and every tuple of
//! index values; each of these is an assignment, and as a number it is cheap to keep in sets.

use rustc_hash::FxHashMap;
use tenet_term::{EvalError, FunctionTable, Model, Sort, SortId, SymbolId, TermStore, Value};
use thiserror::Error;

/// Why there is no exact answer about a finite instance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FiniteError {
    /// A term has no value.
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    /// There is more to go through than allowed.
    #[error("there are more than {limit} {what} to go through")]
    TooMany { what: &'static str, limit: usize },
    /// A step or a start gives a symbol a value that is not of its sort.
    #[error("`{name}` gives a variable a value outside its type")]
    OutsideSort { name: String },
    /// Something that has no exact treatment here.
    #[error("{0}")]
    Unsupported(&'static str),
}

/// The assignments of some symbols.
#[derive(Clone, Debug)]
pub struct Domain {
    slots: Vec<Slot>,
    count: usize,
}

/// One symbol: a value at each place, where a scalar has one place without arguments.
#[derive(Clone, Debug)]
struct Slot {
    symbol: SymbolId,
    is_function: bool,
    places: Vec<Vec<Value>>,
    values: Vec<Value>,
    positions: FxHashMap<Value, usize>,
    count: usize,
}

impl Domain {
    /// The assignments of these symbols, which must not be more than the limit; `what` they are is for the message. The
    /// model tells the sizes of index sorts.
    pub fn new(
        store: &TermStore,
        model: &Model,
        symbols: &[SymbolId],
        what: &'static str,
        limit: usize,
    ) -> Result<Domain, FiniteError> {
        let mut count = 1usize;
        let mut slots = Vec::with_capacity(symbols.len());
        let within = |count: Option<usize>| {
            count.filter(|&count| count <= limit).ok_or(FiniteError::TooMany { what, limit })
        };
        for &symbol in symbols {
            let slot = Slot::new(store, model, symbol, &within)?;
            count = within(count.checked_mul(slot.count))?;
            slots.push(slot);
        }
        Ok(Domain { slots, count })
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Gives the symbols the values of this assignment.
    pub fn assign(&self, mut number: usize, model: &mut Model) {
        for slot in self.slots.iter().rev() {
            model.set(slot.symbol, slot.value(number % slot.count));
            number /= slot.count;
        }
    }

    /// The number of the assignment that gives each symbol this value; `None` if one is not of the symbol's sort.
    pub fn number(&self, value: impl Fn(SymbolId) -> Value) -> Option<usize> {
        self.slots
            .iter()
            .try_fold(0, |number, slot| Some(number * slot.count + slot.position(&value(slot.symbol))?))
    }
}

impl Slot {
    fn new(
        store: &TermStore,
        model: &Model,
        symbol: SymbolId,
        within: &impl Fn(Option<usize>) -> Result<usize, FiniteError>,
    ) -> Result<Slot, FiniteError> {
        let sort = store.symbol(symbol).sort;
        let (args, result) = match store.sort(sort) {
            Sort::Function { args, result } => (args.as_slice(), *result),
            _ => (&[] as &[SortId], sort),
        };
        within(usize::try_from(model.cardinality(store, result)?).ok())?;
        let values = model.elements(store, result)?;
        let mut places = vec![Vec::new()];
        for &arg in args {
            let size = usize::try_from(model.cardinality(store, arg)?).ok();
            within(size.and_then(|size| size.checked_mul(places.len())))?;
            let elements = model.elements(store, arg)?;
            let extend = |place: &Vec<Value>| -> Vec<Vec<Value>> {
                elements
                    .iter()
                    .map(|element| [place.as_slice(), std::slice::from_ref(element)].concat())
                    .collect()
            };
            places = places.iter().flat_map(extend).collect();
        }
        let count = within(u32::try_from(places.len()).ok().and_then(|n| values.len().checked_pow(n)))?;
        let positions =
            values.iter().cloned().enumerate().map(|(position, value)| (value, position)).collect();
        Ok(Slot { symbol, is_function: !args.is_empty(), places, values, positions, count })
    }

    fn value(&self, mut number: usize) -> Value {
        if !self.is_function {
            return self.values[number].clone();
        }
        let mut table = FunctionTable::new(self.values[0].clone());
        for place in self.places.iter().rev() {
            table.set(place.clone(), self.values[number % self.values.len()].clone());
            number /= self.values.len();
        }
        table.into()
    }

    fn position(&self, value: &Value) -> Option<usize> {
        let Value::Function(table) = value else { return self.positions.get(value).copied() };
        self.places.iter().try_fold(0, |number, place| {
            Some(number * self.values.len() + self.positions.get(table.get(place)).copied()?)
        })
    }
}

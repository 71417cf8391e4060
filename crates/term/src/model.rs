//! Finite models: how large each index sort is and what each symbol means.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::bitvec::BitVec;
use crate::id::{SortId, SymbolId};
use crate::sort::Sort;
use crate::sparse;
use crate::store::TermStore;
use crate::value::Value;

/// Why a term has no value in a model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EvalError {
    /// A quantifier or lambda over a sort with infinitely many values, or too many to go through.
    #[error("type `{sort}` has too many values to go through")]
    Unbounded { sort: String },
    /// An index sort without a size.
    #[error("type `{sort}` has no size in this model")]
    NoSize { sort: String },
    /// A symbol without a value.
    #[error("symbol `{symbol}` has no value in this model")]
    NoValue { symbol: String },
}

/// More combinations than this are not gone through.
pub(crate) const DOMAIN_LIMIT: u64 = 1 << 32;

/// A size for each index sort, a value for each symbol.
///
/// The values are trusted to fit the symbols' sorts and the sizes. Sizes and values are looked up and never iterated
/// over, so hashing cannot show in any result.
#[derive(Clone, Debug, Default)]
pub struct Model {
    sizes: FxHashMap<SortId, u32>,
    values: FxHashMap<SymbolId, Value>,
}

impl Model {
    /// A model that says nothing.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives an index sort a size. Panics for size zero: every sort is inhabited.
    pub fn set_size(&mut self, sort: SortId, size: u32) {
        assert!(size > 0, "invariant: index sorts are inhabited");
        self.sizes.insert(sort, size);
    }

    pub fn size(&self, sort: SortId) -> Option<u32> {
        self.sizes.get(&sort).copied()
    }

    pub fn set(&mut self, symbol: SymbolId, value: impl Into<Value>) {
        self.values.insert(symbol, value.into());
    }

    pub fn get(&self, symbol: SymbolId) -> Option<&Value> {
        self.values.get(&symbol)
    }

    pub fn cardinality(&self, store: &TermStore, sort: SortId) -> Result<u64, EvalError> {
        let unbounded = || EvalError::Unbounded { sort: store.sort_name(sort) };
        match store.sort(sort) {
            Sort::Bool => Ok(2),
            Sort::Enum { variants, .. } => Ok(variants.len() as u64),
            Sort::Range { lo: Some(lo), hi: Some(hi), .. } => (hi - lo + 1u32).to_u64().ok_or_else(unbounded),
            Sort::Index { .. } => self
                .size(sort)
                .map(u64::from)
                .ok_or_else(|| EvalError::NoSize { sort: store.sort_name(sort) }),
            Sort::Union { members, .. } => {
                members.iter().map(|&member| self.cardinality(store, member)).sum()
            }
            Sort::BitVec(width) if *width < 64 => Ok(1 << width),
            _ => Err(unbounded()),
        }
    }

    /// Value number `position` of a sort, counted from zero and below its cardinality.
    pub fn element(&self, store: &TermStore, sort: SortId, position: u64) -> Result<Value, EvalError> {
        Ok(match store.sort(sort) {
            Sort::Bool => Value::Bool(position == 1),
            Sort::Enum { .. } => Value::Enum(position as u32),
            Sort::Range { lo: Some(lo), .. } => Value::Int(lo + position),
            Sort::Index { .. } => Value::Index(position as u32),
            Sort::Union { members, .. } => return self.element_of_union(store, members, position),
            Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, position.into())),
            _ => return Err(EvalError::Unbounded { sort: store.sort_name(sort) }),
        })
    }

    fn element_of_union(
        &self,
        store: &TermStore,
        members: &[SortId],
        mut position: u64,
    ) -> Result<Value, EvalError> {
        for &member in members {
            let size = self.cardinality(store, member)?;
            if position < size {
                return Ok(Value::Union(member, position as u32));
            }
            position -= size;
        }
        unreachable!("the position is below the cardinality")
    }

    /// All values of a sort, in order.
    pub fn elements(&self, store: &TermStore, sort: SortId) -> Result<Vec<Value>, EvalError> {
        (0..self.cardinality(store, sort)?).map(|position| self.element(store, sort, position)).collect()
    }

    /// Are two values of a sort equal? Functions are compared at every place of a finite domain; over an infinite
    /// one their tables decide.
    pub fn equal(&self, store: &TermStore, sort: SortId, a: &Value, b: &Value) -> Result<bool, EvalError> {
        let (Value::Function(left), Value::Function(right)) = (a, b) else { return Ok(a == b) };
        let Sort::Function { args, result } = store.sort(sort) else { return Ok(left == right) };
        if left == right {
            return Ok(true);
        }
        if let Some(equal) = sparse::equal(self, store, args, left, right) {
            return Ok(equal);
        }
        let mut places = match Places::new(self, store, args) {
            Ok(places) => places,
            Err(EvalError::Unbounded { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        loop {
            let place = places.current(self, store)?;
            if !self.equal(store, *result, left.get(&place), right.get(&place))? {
                return Ok(false);
            }
            if !places.advance() {
                return Ok(true);
            }
        }
    }

    /// A value for a symbol of this sort, if nothing is known about it: the first one, zero for numbers.
    pub fn default_value(&self, store: &TermStore, sort: SortId) -> Value {
        match store.sort(sort) {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::zero()),
            Sort::Real => Value::Real(Zero::zero()),
            Sort::BitVec(width) => Value::BitVec(BitVec::zero(*width)),
            Sort::Enum { .. } => Value::Enum(0),
            Sort::Range { lo, hi, .. } => Value::Int(lo.clone().or_else(|| hi.clone()).unwrap_or_default()),
            Sort::Index { .. } => Value::Index(0),
            Sort::Union { members, .. } => Value::Union(members[0], 0),
            Sort::Function { result, .. } => {
                crate::value::FunctionTable::new(self.default_value(store, *result)).into()
            }
        }
    }
}

/// An odometer over the combinations of values of some finite sorts; the last one turns fastest.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    sorts: Vec<SortId>,
    sizes: Vec<u64>,
    position: Vec<u64>,
}

impl Places {
    /// At the first combination; there always is one.
    pub(crate) fn new(model: &Model, store: &TermStore, sorts: &[SortId]) -> Result<Places, EvalError> {
        let mut combinations: u64 = 1;
        let mut sizes = Vec::with_capacity(sorts.len());
        for &sort in sorts {
            let size = model.cardinality(store, sort)?;
            sizes.push(size);
            combinations = combinations
                .checked_mul(size)
                .filter(|&all| all <= DOMAIN_LIMIT)
                .ok_or_else(|| EvalError::Unbounded { sort: store.sort_name(sort) })?;
        }
        Ok(Places { sorts: sorts.to_vec(), position: vec![0; sizes.len()], sizes })
    }

    pub(crate) fn current(&self, model: &Model, store: &TermStore) -> Result<Vec<Value>, EvalError> {
        let pairs = self.sorts.iter().zip(&self.position);
        pairs.map(|(&sort, &position)| model.element(store, sort, position)).collect()
    }

    /// Moves on; false if that was the last combination.
    pub(crate) fn advance(&mut self) -> bool {
        for place in (0..self.position.len()).rev() {
            self.position[place] += 1;
            if self.position[place] < self.sizes[place] {
                return true;
            }
            self.position[place] = 0;
        }
        false
    }
}

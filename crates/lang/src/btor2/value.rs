//! Values of lines, as the simulator has them.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// What a line has in a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Bits, as the number that they stand for.
    Word(BigUint),
    /// An array.
    Memory(Memory),
}

/// An array: one value everywhere but at some places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The value at all other places.
    pub default: BigUint,
    /// The places that were written.
    pub cells: BTreeMap<BigUint, BigUint>,
}

impl Memory {
    /// One value everywhere.
    pub fn new(default: BigUint) -> Memory {
        Memory { default, cells: BTreeMap::new() }
    }

    /// The value at a place.
    pub fn read(&self, index: &BigUint) -> &BigUint {
        self.cells.get(index).unwrap_or(&self.default)
    }

    /// The array with another value at a place.
    pub fn write(&self, index: &BigUint, value: &BigUint) -> Memory {
        let mut written = self.clone();
        written.cells.insert(index.clone(), value.clone());
        written
    }

    /// Do both have the same values at all places that an index of this width can name?
    pub fn equals(&self, other: &Memory, index_width: u32) -> bool {
        let places: BTreeSet<&BigUint> = self.cells.keys().chain(other.cells.keys()).collect();
        let is_all = BigUint::from(places.len()) == BigUint::one() << index_width;
        places.iter().all(|place| self.read(place) == other.read(place))
            && (is_all || self.default == other.default)
    }
}

impl Value {
    /// Zero in every bit.
    pub fn zero(sort: super::document::Sort) -> Value {
        match sort {
            super::document::Sort::Bits(_) => Value::Word(BigUint::zero()),
            super::document::Sort::Array { .. } => Value::Memory(Memory::new(BigUint::zero())),
        }
    }

    /// The number, if it is one.
    pub fn word(&self) -> &BigUint {
        match self {
            Value::Word(bits) => bits,
            Value::Memory(_) => panic!("invariant: the parser tells arrays and bit-vectors apart"),
        }
    }

    /// The array, if it is one.
    pub fn memory(&self) -> &Memory {
        match self {
            Value::Memory(memory) => memory,
            Value::Word(_) => panic!("invariant: the parser tells arrays and bit-vectors apart"),
        }
    }
}

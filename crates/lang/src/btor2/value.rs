//! Values in the simulator.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Bits, as an unsigned number.
    Word(BigUint),
    Memory(Memory),
}

/// An array: a default value and exceptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    pub default: BigUint,
    pub cells: BTreeMap<BigUint, BigUint>,
}

impl Memory {
    /// The constant array.
    pub fn new(default: BigUint) -> Memory {
        Memory { default, cells: BTreeMap::new() }
    }

    pub fn read(&self, index: &BigUint) -> &BigUint {
        self.cells.get(index).unwrap_or(&self.default)
    }

    /// The array with one element replaced.
    pub fn write(&self, index: &BigUint, value: &BigUint) -> Memory {
        let mut written = self.clone();
        written.cells.insert(index.clone(), value.clone());
        written
    }

    /// Are both equal at all indices of this width?
    pub fn equals(&self, other: &Memory, index_width: u32) -> bool {
        let places: BTreeSet<&BigUint> = self.cells.keys().chain(other.cells.keys()).collect();
        let is_all = BigUint::from(places.len()) == BigUint::one() << index_width;
        places.iter().all(|place| self.read(place) == other.read(place))
            && (is_all || self.default == other.default)
    }
}

impl Value {
    /// All bits zero.
    pub fn zero(sort: super::document::Sort) -> Value {
        match sort {
            super::document::Sort::Bits(_) => Value::Word(BigUint::zero()),
            super::document::Sort::Array { .. } => Value::Memory(Memory::new(BigUint::zero())),
        }
    }

    pub fn word(&self) -> &BigUint {
        match self {
            Value::Word(bits) => bits,
            Value::Memory(_) => panic!("invariant: the parser tells arrays and bit-vectors apart"),
        }
    }

    pub fn memory(&self) -> &Memory {
        match self {
            Value::Memory(memory) => memory,
            Value::Word(_) => panic!("invariant: the parser tells arrays and bit-vectors apart"),
        }
    }
}

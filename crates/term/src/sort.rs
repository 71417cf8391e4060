//! Sorts, hash-consed like terms: two structurally equal sorts have the same id.
//!
//! A *range* is a sort of its own, because quantifiers and finite instances need its bounds, but its values **are**
//! integers: every place that takes an integer takes a range and the other way round, and operators on ranges give
//! `Int`. Treating ranges as disjoint sorts would have forced a conversion around every array index.
//! An *index sort* has any size of at least one and knows nothing but equality.
//! Every sort is inhabited; the constructors of quantifiers rely on it.

use indexmap::IndexSet;
use num_bigint::BigInt;
use rustc_hash::FxBuildHasher;

use crate::error::SortError;
use crate::id::SortId;

/// A sort. Obtained from [`TermStore::sort`](crate::TermStore::sort).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Bool,
    Int,
    /// Rational numbers (the reals, as far as terms can tell).
    Real,
    /// Bit-vectors of the given width, at least one bit.
    BitVec(u32),
    /// A finite enumeration; a value is a position in `variants`.
    Enum {
        name: String,
        /// The names of the values, distinct and at least one.
        variants: Vec<String>,
    },
    /// The integers from `lo` to `hi`, both included; an absent bound leaves that end open.
    Range {
        /// The name of the type; `lo..hi` for an anonymous one.
        name: String,
        lo: Option<BigInt>,
        hi: Option<BigInt>,
    },
    /// An index sort (a scalarset): any size of at least one, only equality.
    Index {
        name: String,
    },
    /// The disjoint sum of enumerations and index sorts.
    Union {
        name: String,
        /// The summands, distinct and at least one.
        members: Vec<SortId>,
    },
    /// Total functions; arrays are functions.
    Function {
        /// The argument sorts, at least one.
        args: Vec<SortId>,
        result: SortId,
    },
}

impl Sort {
    /// Are the values integers (`Int` or a range)?
    pub fn is_integer(&self) -> bool {
        matches!(self, Sort::Int | Sort::Range { .. })
    }

    /// Are the values numbers with an order (`Int`, a range or `Real`)?
    pub fn is_numeric(&self) -> bool {
        self.is_integer() || matches!(self, Sort::Real)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct SortTable {
    sorts: IndexSet<Sort, FxBuildHasher>,
}

impl SortTable {
    pub(crate) fn new() -> SortTable {
        // The order is fixed by the constants `SortId::BOOL` and its neighbours.
        SortTable { sorts: [Sort::Bool, Sort::Int, Sort::Real].into_iter().collect() }
    }

    pub(crate) fn get(&self, id: SortId) -> &Sort {
        &self.sorts[id.index()]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (SortId, &Sort)> {
        self.sorts.iter().enumerate().map(|(index, sort)| (SortId::from_index(index), sort))
    }

    pub(crate) fn intern(&mut self, sort: Sort) -> Result<SortId, SortError> {
        if let Some(index) = self.sorts.get_index_of(&sort) {
            return Ok(SortId::from_index(index));
        }
        self.validate(&sort)?;
        Ok(SortId::from_index(self.sorts.insert_full(sort).0))
    }

    fn validate(&self, sort: &Sort) -> Result<(), SortError> {
        let fail = |name: &str, reason| Err(SortError::BadSort { name: name.to_string(), reason });
        match sort {
            Sort::BitVec(0) => fail("bit-vector", "a bit-vector has at least one bit"),
            Sort::Enum { name, variants } if variants.is_empty() => fail(name, "an enumeration has a value"),
            Sort::Enum { name, variants } if has_duplicates(variants) => fail(name, "a value occurs twice"),
            Sort::Range { name, lo: Some(lo), hi: Some(hi) } if lo > hi => fail(name, "the range is empty"),
            Sort::Union { name, members } if members.is_empty() => fail(name, "a union has a member"),
            Sort::Union { name, members } if has_duplicates(members) => fail(name, "a member occurs twice"),
            Sort::Union { name, members } if !members.iter().all(|&member| self.may_be_member(member)) => {
                fail(name, "the members of a union are enumerations and index sorts")
            }
            Sort::Function { args, .. } if args.is_empty() => fail("function", "a function has an argument"),
            _ => Ok(()),
        }
    }

    fn may_be_member(&self, sort: SortId) -> bool {
        matches!(self.get(sort), Sort::Enum { .. } | Sort::Index { .. })
    }

    /// May a term of one sort stand where the other is expected? Ranges and `Int` are interchangeable, also below
    /// function arrows.
    pub(crate) fn compatible(&self, left: SortId, right: SortId) -> bool {
        if left == right {
            return true;
        }
        match (self.get(left), self.get(right)) {
            (Sort::Function { args: a, result: r }, Sort::Function { args: b, result: s }) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|(&x, &y)| self.compatible(x, y))
                    && self.compatible(*r, *s)
            }
            (a, b) => a.is_integer() && b.is_integer(),
        }
    }

    /// The least sort that holds the values of both (compatible) sorts: two different ranges give `Int`.
    pub(crate) fn join(&mut self, left: SortId, right: SortId) -> SortId {
        if left == right {
            return left;
        }
        match (self.get(left).clone(), self.get(right).clone()) {
            (Sort::Function { args, result: r }, Sort::Function { args: others, result: s }) => {
                let args = args.iter().zip(&others).map(|(&a, &b)| self.join(a, b)).collect();
                let result = self.join(r, s);
                self.intern(Sort::Function { args, result })
                    .expect("invariant: joined arguments stay nonempty")
            }
            _ => SortId::INT,
        }
    }

    /// The name of a sort as the printer shows it.
    pub(crate) fn name(&self, id: SortId) -> String {
        match self.get(id) {
            Sort::Bool => "boolean".to_string(),
            Sort::Int => "integer".to_string(),
            Sort::Real => "real".to_string(),
            Sort::BitVec(width) => format!("bits({width})"),
            Sort::Enum { name, .. }
            | Sort::Range { name, .. }
            | Sort::Index { name }
            | Sort::Union { name, .. } => name.clone(),
            Sort::Function { args, result } => {
                let args: Vec<String> = args.iter().map(|&arg| self.name(arg)).collect();
                format!("[{}] -> {}", args.join(", "), self.name(*result))
            }
        }
    }
}

fn has_duplicates<T: Ord>(items: &[T]) -> bool {
    let mut sorted: Vec<&T> = items.iter().collect();
    sorted.sort();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

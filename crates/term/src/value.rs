//! Values: what terms denote in a finite model.
//!
//! Values carry no sort; the term or symbol they belong to does. Functions are tables with a default, which covers
//! finite domains completely and infinite ones at finitely many places.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::bitvec::BitVec;
use crate::id::{SortId, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::term::Op;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Bool(bool),
    /// An integer; also the value of a range.
    Int(BigInt),
    Real(BigRational),
    BitVec(BitVec),
    /// A position in an enumeration.
    Enum(u32),
    /// An element of an index sort.
    Index(u32),
    /// A value of a union: the member, and the position in it.
    Union(SortId, u32),
    Function(Box<FunctionTable>),
}

impl Value {
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<FunctionTable> for Value {
    fn from(table: FunctionTable) -> Value {
        Value::Function(Box::new(table))
    }
}

/// A function that has its default value everywhere but at finitely many places.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionTable {
    default: Value,
    entries: BTreeMap<Vec<Value>, Value>,
}

impl FunctionTable {
    /// The constant function.
    pub fn new(default: Value) -> FunctionTable {
        FunctionTable { default, entries: BTreeMap::new() }
    }

    pub fn get(&self, args: &[Value]) -> &Value {
        self.entries.get(args).unwrap_or(&self.default)
    }

    /// Changes the value at a place. An entry that equals the default is not kept, so equal tables over an infinite
    /// domain look equal.
    pub fn set(&mut self, args: Vec<Value>, value: Value) {
        if value == self.default {
            self.entries.remove(&args);
        } else {
            self.entries.insert(args, value);
        }
    }

    /// The value at all places that have no entry.
    pub fn default_value(&self) -> &Value {
        &self.default
    }

    /// The places whose value is not the default, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&[Value], &Value)> {
        self.entries.iter().map(|(args, value)| (args.as_slice(), value))
    }
}

impl TermStore {
    /// The value of a literal, also of one injected into a union.
    pub fn value_of(&self, term: TermId) -> Option<Value> {
        Some(match self.op(term) {
            Op::Bool(value) => Value::Bool(*value),
            Op::Int(value) => Value::Int(value.clone()),
            Op::Rational(value) => Value::Real(BigRational::clone(value)),
            Op::BitVec(value) => Value::BitVec(value.clone()),
            Op::Enum(_, position) => Value::Enum(*position),
            Op::Index(_, position) => Value::Index(*position),
            Op::In(_, member) => match self.op(self.args(term)[0]) {
                Op::Enum(_, position) | Op::Index(_, position) => Value::Union(*member, *position),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The literal of a sort for a value. A function becomes a lambda that tells its entries apart. Nothing if the
    /// sort has no such value.
    pub fn mk_value(&mut self, sort: SortId, value: &Value) -> Option<TermId> {
        Some(match (self.sort(sort).clone(), value) {
            (Sort::Bool, Value::Bool(value)) => TermId::bool(*value),
            (Sort::Int | Sort::Range { .. }, Value::Int(value)) => self.mk_int(value.clone()),
            (Sort::Real, Value::Real(value)) => self.mk_rational(value.clone()),
            (Sort::BitVec(width), Value::BitVec(value)) if value.width() == width => {
                self.mk_bitvec_value(value.clone())
            }
            (Sort::Enum { variants, .. }, Value::Enum(position)) if (*position as usize) < variants.len() => {
                self.mk_enum(sort, *position)
            }
            (Sort::Index { .. }, Value::Index(position)) => self.mk_index(sort, *position),
            (Sort::Union { members, .. }, Value::Union(member, position)) if members.contains(member) => {
                let inner = match self.sort(*member) {
                    Sort::Enum { .. } => Value::Enum(*position),
                    _ => Value::Index(*position),
                };
                let inner = self.mk_value(*member, &inner)?;
                self.mk_in(sort, *member, inner)
            }
            (Sort::Function { args, result }, Value::Function(table)) => {
                self.mk_table(&args, result, table)?
            }
            _ => return None,
        })
    }

    fn mk_table(&mut self, domain: &[SortId], result: SortId, table: &FunctionTable) -> Option<TermId> {
        let default = self.mk_value(result, &table.default)?;
        let bound: Vec<_> = domain
            .iter()
            .enumerate()
            .map(|(place, &sort)| self.bound_avoiding(&format!("u{}", place + 1), sort, &[]))
            .collect();
        let mut body = default;
        for (args, value) in table.entries() {
            let mut here = Vec::new();
            for (&symbol, arg) in bound.iter().zip(args) {
                let (sort, symbol) = (self.symbol(symbol).sort, self.mk_symbol(symbol));
                let arg = self.mk_value(sort, arg)?;
                here.push(self.mk_eq(symbol, arg));
            }
            let here = self.mk_and(here);
            let value = self.mk_value(result, value)?;
            body = self.mk_ite(here, value, body);
        }
        Some(self.mk_lambda(&bound, body))
    }
}

//! Places, values and loops in the analysis, and which of them may overlap.

use super::super::hir::{TypeId, VarId};
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// A variable: of the state, or of one activation of a function or rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    State(VarId),
    /// Numbered in order of entry, together with bound values.
    Local(u32),
    Nowhere,
}

/// A value without any dependencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    Int(BigInt),
    Bool(bool),
    Enum(TypeId, u32),
    /// The value that `clear` stores.
    Cleared,
    Undefined,
}

/// One step of a place's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Field(usize),
    /// Indexed by exactly this bound value.
    Bound(u32),
    /// Indexed by a literal with this value.
    Literal(Literal),
    Unknown,
}

/// A place that is read or written.
#[derive(Clone, Debug)]
pub(super) struct Location {
    pub origin: Origin,
    pub path: Vec<Part>,
    /// The source text.
    pub text: String,
}

impl Location {
    /// Overlaps nothing.
    pub fn nowhere() -> Location {
        Location { origin: Origin::Nowhere, path: Vec::new(), text: String::new() }
    }
}

/// The dependencies of a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Depends {
    pub bound: BTreeSet<u32>,
    pub reads: Vec<Location>,
}

impl Depends {
    pub fn add(&mut self, other: Depends) {
        self.bound.extend(other.bound);
        self.reads.extend(other.reads);
    }
}

/// Operations that commute with themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// Additions of arbitrary numbers to an unbounded one.
    Sum,
    /// Additions of nonnegative numbers: a bound is exceeded in every order or in none.
    Up,
    /// Additions of nonpositive numbers.
    Down,
    Or,
    And,
    MultisetAdd,
    MultisetRemove,
}

/// How a place is updated.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// With a new value.
    Value { depends: Depends, literal: Option<Literal> },
    /// With its old value combined with another.
    Fold(Fold),
}

#[derive(Clone, Debug)]
pub(super) struct Write {
    pub location: Location,
    pub kind: Kind,
}

/// An event in the execution of code.
#[derive(Clone, Debug)]
pub(super) enum Event {
    Read(Location),
    Write(Write),
    /// `return` from this frame.
    Return {
        frame: u32,
        depends: Depends,
        literal: Option<Literal>,
    },
    /// An operation that can fail.
    MayFail,
    /// `assume`, which can end the rule.
    Assume,
    /// A recursive call, which is not followed.
    Unknown(String),
}

/// A loop over a scalarset that has just been analysed.
pub(super) struct LoopRun {
    /// The loop variable; everything numbered from here on is local to an iteration.
    pub variable: u32,
    /// The frame it runs in.
    pub frame: u32,
}

impl LoopRun {
    /// Whether each iteration has its own.
    pub fn is_private(&self, location: &Location) -> bool {
        matches!(location.origin, Origin::Local(id) if id >= self.variable)
    }

    /// Whether two different iterations may access the same place.
    pub fn clash(&self, first: &Location, second: &Location) -> bool {
        first.origin == second.origin
            && !first.path.iter().zip(&second.path).any(|parts| self.are_apart(parts.0, parts.1))
    }

    fn are_apart(&self, first: &Part, second: &Part) -> bool {
        match (first, second) {
            (Part::Field(first), Part::Field(second)) => first != second,
            (Part::Literal(first), Part::Literal(second)) => first != second,
            (Part::Bound(first), Part::Bound(second)) => *first == self.variable && *second == self.variable,
            _ => false,
        }
    }

    /// Whether a value written to a location is the same in all iterations that write to it.
    pub fn is_invariant(&self, value: &Depends, location: &Location, writes: &[&Write]) -> bool {
        let fixed = |id: &u32| *id < self.variable || location.path.contains(&Part::Bound(*id));
        let read_only = |read: &Location| {
            !self.is_private(read) && !writes.iter().any(|write| overlap(&write.location, read))
        };
        value.bound.iter().all(fixed) && value.reads.iter().all(read_only)
    }
}

/// Whether two places may overlap, within one iteration or not.
fn overlap(first: &Location, second: &Location) -> bool {
    let apart = |parts: (&Part, &Part)| match parts {
        (Part::Field(first), Part::Field(second)) => first != second,
        (Part::Literal(first), Part::Literal(second)) => first != second,
        _ => false,
    };
    first.origin == second.origin && !first.path.iter().zip(&second.path).any(apart)
}

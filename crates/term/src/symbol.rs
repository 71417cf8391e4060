//! Symbols: named, sorted, and tagged with the part they play.
//!
//! The role is part of the symbol's identity: a state variable `x` and an input `x` are two symbols, and a formula
//! that may speak only of some roles is checked with [`TermStore::check_roles`](crate::TermStore::check_roles). With
//! names alone, an input that leaks from one step into the next (RC-T9) would go unnoticed.

use crate::id::SortId;

/// The part a symbol plays. Mixing roles where they are not allowed is a type error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Role {
    /// Part of the state; rules update it.
    State,
    /// Fixed for ever, value unknown.
    Const,
    /// Arbitrary, occurs only in initial values.
    Initial,
    /// Chosen anew at each step: a rule's parameter.
    Input,
    /// Free in predicates, universally quantified in the invariant.
    Index,
    /// A fresh constant that stands for an existential.
    Skolem,
    /// Stands for a predicate in an abstraction.
    AbstractBool,
    /// Bound by a quantifier or a lambda; the only role that can be.
    Bound,
}

/// All roles, in declaration order.
pub const ROLES: [Role; 8] = [
    Role::State,
    Role::Const,
    Role::Initial,
    Role::Input,
    Role::Index,
    Role::Skolem,
    Role::AbstractBool,
    Role::Bound,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct RoleSet(u8);

impl RoleSet {
    pub const EMPTY: RoleSet = RoleSet(0);
    pub const ALL: RoleSet = RoleSet(u8::MAX);

    pub const fn of(roles: &[Role]) -> RoleSet {
        let mut set = 0;
        let mut next = 0;
        while next < roles.len() {
            set |= 1 << roles[next] as u8;
            next += 1;
        }
        RoleSet(set)
    }

    pub const fn contains(self, role: Role) -> bool {
        self.0 & (1 << role as u8) != 0
    }
}

/// A symbol. Obtained from [`TermStore::symbol`](crate::TermStore::symbol).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    pub name: String,
    /// The sort; a function sort for arrays.
    pub sort: SortId,
    pub role: Role,
}

/// How a symbol is written in the language that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// In parts, with the arguments between them: a function `Net.Cmd` of two arguments may be `Net[i].Cmd[j]`.
    Parts(Vec<String>),
    /// The place of an element in an order, which is written where elements are compared: `i < j`.
    Order,
}

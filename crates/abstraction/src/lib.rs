//! Predicate abstraction: sets of valuations, what they mean, and images under the rules of a system.
//!
//! Two kinds of abstraction live here (SPEC 6.1). With *indexed* predicates, which leave variables free, a set of
//! valuations means one formula that is universally quantified over these variables; that meaning does not distribute
//! over union, so there is no abstract transition relation and no frontier (SPEC QI-T1). With *closed* predicates a
//! state has exactly one valuation, and everything is as usual.
#![forbid(unsafe_code)]

mod clauses;
mod context;
pub mod exact;
mod facts;
pub mod finite;
mod independence;
mod layout;
mod parts;
mod query;
pub mod recursion;
pub mod set;
mod skeleton;
pub mod substitutions;
mod valuation;

pub use clauses::Clauses;
pub use layout::{Clause, Layout};
pub use parts::{Observation, Origin, sort_hints};
pub use query::{Interrupted, Parts, Query, Solution};

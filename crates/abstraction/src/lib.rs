//! Predicate abstraction: sets of valuations, what they mean, and images under the rules of a system.
//!
//! Two kinds of abstraction live here. With *indexed* predicates, which leave variables free, a set of
//! valuations means one formula that is universally quantified over these variables; that meaning does not distribute
//! over union, so there is no abstract transition relation and no frontier (QI-T1). With *closed* predicates a
//! state has exactly one valuation, and everything is as usual. Beside these sets there is the lattice of negation-free
//! formulas over predicates ([`monotone`]), in which [`alpha`] finds the least one above a formula (Ball, Podelski and
//! Rajamani, section 2).
#![forbid(unsafe_code)]

mod alpha;
pub mod bits;
mod clauses;
pub mod cluster;
mod context;
pub mod correlation;
mod elimination;
pub mod exact;
mod facts;
pub mod finite;
pub mod formula;
mod independence;
mod layout;
pub mod monotone;
mod parts;
mod query;
pub mod recursion;
pub mod set;
mod skeleton;
pub mod substitutions;
mod valuation;

pub use alpha::{Inconclusive, alpha};
pub use clauses::Clauses;
pub use layout::{Clause, Layout};
pub use parts::{Observation, Origin, sort_hints};
pub use query::{Interrupted, Parts, Query, Solution};

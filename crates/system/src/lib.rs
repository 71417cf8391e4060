//! Transition systems and their finite instances: simulator, explicit-state explorer, traces.
//!
//! `system` is the transition system, `run` a run of it over data without bound, `circuit` the view of it that engines for
//! hardware read, `instance` makes a finite program of it, `finite` runs such programs, `random` has the numbers that
//! choose where anything may be chosen, and `recursive` has constraint logic
//! programs. Behind `finite::layout` nothing knows arrays or records: everything is slots.
#![forbid(unsafe_code)]

mod advice;
pub mod circuit;
mod cone;
pub mod finite;
pub mod instance;
mod lemma;
pub mod random;
pub mod recursive;
pub mod run;
mod system;
pub mod words;

pub use advice::Advice;
pub use circuit::Circuit;
pub use cone::Cone;
pub use lemma::{Lemma, domain, within_sort};
pub use run::Run;
pub use system::{
    Activation, Axiom, Bounds, Definition, Hint, HintTarget, IndexVar, Order, Parameter, Predicate, Property,
    PropertyKind, READS_ARE_DEFINED, Rule, Start, StateVar, System,
};

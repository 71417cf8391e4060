//! Transition systems and their finite instances: simulator, explicit-state explorer, traces.
#![forbid(unsafe_code)]

pub mod circuit;
pub mod finite;
pub mod instance;
mod lemma;
pub mod recursive;
pub mod run;
mod system;

pub use circuit::Circuit;
pub use lemma::{Lemma, domain, within_sort};
pub use run::Run;
pub use system::{
    Activation, Axiom, Bounds, Definition, Hint, HintTarget, IndexVar, Order, Parameter, Predicate, Property,
    PropertyKind, READS_ARE_DEFINED, Rule, Start, StateVar, System,
};

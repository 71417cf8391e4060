//! Transition systems and their finite instances: simulator, explicit-state explorer, traces.
#![forbid(unsafe_code)]

pub mod finite;
pub mod instance;
mod system;

pub use system::{Axiom, Bounds, Property, PropertyKind, Rule, Start, StateVar, System};

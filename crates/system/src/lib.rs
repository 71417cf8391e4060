//! Transition systems and their finite instances: simulator, explicit-state explorer, traces.
#![forbid(unsafe_code)]

pub mod finite;

//! The commands, one file each.

pub mod abstraction;
pub mod check;
pub mod completions;
pub mod doctor;
pub mod explain;
pub mod explore;
mod interactive;
pub mod man;
pub mod prove;
pub mod simulate;
mod simulate_circuit;
pub mod verify;

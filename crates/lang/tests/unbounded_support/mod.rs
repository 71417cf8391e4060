//! Shared by several tests of the unbounded reading.

pub mod generate;
pub mod integers;

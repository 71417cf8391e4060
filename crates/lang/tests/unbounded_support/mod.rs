//! What several tests of the unbounded reading share.

pub mod generate;
pub mod integers;

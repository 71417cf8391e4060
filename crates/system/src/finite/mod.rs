//! Finite instances: programs over scalar slots, compiled to a small register machine, and what runs them.
//!
//! The pipeline is `program` (a tree with loops and places) → `compile` (parameters and loop variables become
//! constants, loops unroll, places become slot numbers) → `machine` (flat instructions, no tree walking in the inner
//! loop). `explore` searches, `simulate` walks, `trace` tells what happened and replays it.

pub mod compile;
pub mod definite;
pub mod explore;
pub mod layout;
pub mod machine;
pub mod pack;
pub mod program;
pub mod simulate;
pub mod store;
pub mod symmetry;
pub mod trace;

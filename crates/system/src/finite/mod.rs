//! Finite instances: programs over scalar slots, compiled to a small register machine, and what runs them.
//!
//! The pipeline is `program` (a tree with loops and places) → `compile` (parameters and loop variables become
//! constants, loops unroll, places become slot numbers) → `machine` (flat instructions, no tree walking in the inner
//! loop). `explore` searches, `simulate` walks, `trace` tells what happened and replays it.
//!
//! Specialised and generic code give the same result, fault for fault. Runs are replayed with generic code before
//! they are shown, so neither specialisation nor symmetry nor packing can invent a run.

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

//! The engine `hybrid`: circuits and programs, by predicates and kept registers together (Clarke, Grumberg, Talupur and Wang, 2003).
//!
//! An abstract model observes the predicates of the property. Where a cluster of predicates has become as large as the
//! registers it speaks of, the registers are kept instead. The model is checked with decision diagrams; a counterexample
//! that is not real is excluded by branch conditions of the design if these suffice (lazily, by proofs), and by new
//! predicates if not. Everything that is claimed is checked elsewhere: lemmas by a certificate, runs by being replayed.
//!
//! The modules: `program` reads a program as a circuit; `concrete` is the circuit of one property and `observe` finds what can be a predicate; `shape` and
//! `view` say which registers are kept and what an abstract model sees of a term; a `fact` is a clause over
//! predicates that holds of the circuit, from `implicit` (with steps that were tried, `pool` and `columns`) or
//! `exact`; `model`, `order`, `schedule` and `rings` are the abstract model as decision diagrams; `unroll` asks
//! whether a counterexample is real, and `guided` finds runs that are too long for that; `questions`, `lazy` and `traditional` refine, and `table` shows how; `lemmas` is the proof, `size` measures the design. `search` is
//! the CEGAR loop.
//!
//! A fact is about the circuit, never about an abstraction of it, so facts, predicates and kept registers are only ever added.

mod columns;
mod concrete;
mod engine;
mod exact;
mod fact;
mod guided;
mod halt;
mod implicit;
mod lazy;
mod lemmas;
mod model;
mod observe;
mod options;
mod order;
mod pool;
mod program;
mod questions;
mod rings;
mod schedule;
mod search;
mod shape;
mod size;
mod table;
mod traditional;
mod unroll;
mod view;
mod work;

#[cfg(test)]
pub(crate) mod tests;

pub use engine::Hybrid;
pub use options::{Images, Method, Options};
pub use table::{Row, Standing, Table};
pub use work::{Means, Refinement, Work};

use tenet_solve::Solver;

type Maker<'a> = &'a dyn Fn() -> Box<dyn Solver>;

//! Are invariants inductive as they stand? For each of them: it holds in every startstate, every rule keeps it if all of them hold before,
//! or a counterexample to induction, a step of a small instance that breaks it.
//!
//! A counterexample comes from the smallest instance that has one (`finite`), in which quantifiers are written out (`ground`), and shows
//! only what matters (`relevant`). Explored states tell whether the state before it is reached, and what might exclude it (`nearby`).
//! That every rule keeps an invariant in all instances is for a solver to say (`engine`), and is believed with a certificate only. The
//! same counterexample explains why another engine has found no proof (`explain`).

mod engine;
mod explain;
mod finite;
mod ground;
mod nearby;
mod relevant;

pub use engine::Induct;
pub use explain::{Induction, Progressed, explain};
pub use finite::Counterexample;
pub use nearby::Nearby;
pub use relevant::Cell;

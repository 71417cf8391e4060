//! Solvers, and the one place where a solver's answer is given a meaning.
//!
//! The crates above ask a question and get one of three answers; that a timeout, a resource limit, an incomplete
//! theory or a crashed process all mean "unknown", and never "no", is decided here and nowhere else ([`Answer`]). Z3
//! runs in this process, because the engines ask thousands of small questions and a process per question would cost
//! more than the answers ([`Z3Solver`]); any other solver that speaks SMT-LIB runs as a process ([`ProcessSolver`]), and
//! any problem can be written down for one ([`Script`]). `encode` says what terms mean to solvers, once for all of them.
//!
//! ```
//! assert!(tenet_solve::z3_version().starts_with("5."));
//! ```
#![forbid(unsafe_code)]

mod bits;
mod effort;
mod encode;
mod freedom;
pub mod quantifier;
mod questions;
mod smtlib;
mod solver;
mod stack;
mod z3;
mod z3_library;
mod z3_refutation;
mod z3_spacer;
mod z3_text;

pub use self::bits::{BitSimulator, BitSolver, Lanes, bits_of, gate_count};
pub use self::z3::Z3Solver;
pub use effort::{Effort, EffortBudget, Meter};
pub use freedom::{Choice, Freedom, freedom};
pub use questions::{QUESTION, SMTLIB};
pub use smtlib::{ProcessSolver, Script, find_solvers};
pub use solver::{Answer, Limits, Solver, Statistics};
pub use z3_library::z3_version;
pub use z3_refutation::{Fact, Use, z3_refutation};
pub use z3_spacer::{Opinion, z3_spacer};
pub use z3_text::{Asked, z3_check_texts};

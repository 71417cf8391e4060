//! Questions over bits alone, for a SAT solver.
//!
//! Where every sort is finite and narrow, translating terms to gates and gates to clauses once, and asking CaDiCaL with
//! assumptions, is far cheaper per question than asking Z3, which is what engines for circuits need: they ask tens of
//! thousands of times about the same netlist.

mod blast;
mod clauses;
mod gates;
mod simulate;
mod solver;
mod words;

pub use blast::{bits_of, gate_count};
pub use simulate::{BitSimulator, Lanes};
pub use solver::BitSolver;

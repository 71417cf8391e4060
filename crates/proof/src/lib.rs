//! Certificates: proofs that can be checked again, and the checker.
//!
//! A certificate is one SMT-LIB 2 file. It is made from a system and an invariant, from any engine ([`certify`]), and
//! checked against the model alone ([`verify`]): the checker reads the model again, generates every obligation itself,
//! and demands that the file contains exactly these, with instances that are instances. Nothing here depends on
//! engines.
//!
//! The parts: `obligations` generates the proof obligations and `purify` makes them quantifier-free, which gives a
//! `script`; `text`, `print`, `names` and `header` write it, `sexpr` and `parse` read what a file adds to it; `search`
//! finds the instances when a certificate is made; `model` reads the model again and `run` calls a solver when it is
//! checked.
#![forbid(unsafe_code)]

mod certify;
mod header;
mod model;
mod names;
mod obligations;
mod parallel;
mod parse;
mod print;
mod purify;
pub mod recursive;
mod run;
mod script;
mod search;
mod sexpr;
mod text;
mod verify;
mod walk;

pub use certify::{Certificate, Gap, Obligation, Origin, certify};
pub use search::Solvers;
pub use tenet_system::Advice;
pub use verify::{Backend, Checker, Kind, Rejection, Verified, verify, verify_against, verify_reads};

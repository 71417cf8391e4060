//! Recursive definitions: what RA-A1 to RA-A10, X-A5 and X-A6 demand of the engine `recursive`, and random programs against
//! their least models.
//!
//! `guards` has small programs and wrong proofs, `paper` the examples of the paper, `bakery` independent checks of one of them,
//! `random` random programs.

mod bakery;
mod guards;
mod paper;
mod random;
mod support;

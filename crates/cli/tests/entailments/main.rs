//! Recursive definitions: what RA-A1 to RA-A10, X-A5 and X-A6 demand of the engine `recursive`, and random programs against
//! their least models.
//!
//! `guards` has small programs and wrong proofs, `paper` the examples of the paper, `bakery` what is known of one of them by
//! other means, `random` the programs that chance makes.

mod bakery;
mod guards;
mod paper;
mod random;
mod support;

//! Certificates: proofs that anyone can check again, and the checker.
//!
//! A certificate is one SMT-LIB 2 file. It is made from a system and an invariant, whoever found that ([`certify`]),
//! and checked against the model alone ([`verify`]): the checker reads the model again, generates every obligation
//! itself, and demands that the file says exactly these, with instances that are instances. Nothing here knows engines.
#![forbid(unsafe_code)]

mod certify;
mod verify;

pub use certify::{Advice, Certificate, Gap, Obligation, Origin, certify};
pub use verify::{Backend, Rejection, Verified, verify};

//! The published experiments, `models/papers/`: the acceptance checks of `docs/acceptance.md` about them, and the claims of their
//! headers.
//!
//! `qi` has the acceptance checks QI-A6 to QI-A17, `ex` EX-A7 to EX-A11, `rc` those about refinement, `again` the checks
//! that do something twice (X-T5 and EX-A12), and `headers` runs what the models' headers say.

mod again;
mod ex;
mod headers;
mod qi;
mod rc;
mod support;

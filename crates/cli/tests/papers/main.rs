//! The published experiments, `models/papers/`: what SPEC 1.3, 2.3 and 5.3 demand of them, and what their headers promise.
//!
//! `qi` has the acceptance checks of SPEC 1.3, `ex` those of SPEC 2.3, `rc` those of SPEC 5.3, `again` the checks that do something
//! twice (X-T5 and EX-A12), and `headers` runs what the models' headers say.

mod again;
mod ex;
mod headers;
mod qi;
mod rc;
mod support;

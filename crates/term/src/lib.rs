//! (layer `term`)
#![forbid(unsafe_code)]

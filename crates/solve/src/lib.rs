//! (layer `solve`)
#![forbid(unsafe_code)]

//! (layer `system`)
#![forbid(unsafe_code)]

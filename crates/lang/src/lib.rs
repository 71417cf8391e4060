//! (layer `lang`)
#![forbid(unsafe_code)]

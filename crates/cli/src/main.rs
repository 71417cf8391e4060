//! The `tenet` command.
#![forbid(unsafe_code)]

fn main() {}

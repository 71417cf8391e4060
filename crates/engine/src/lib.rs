//! The provers. An engine takes a system and gives lemmas or a reason; it neither prints nor reads files.
#![forbid(unsafe_code)]

pub mod circuit;
pub mod direct;
pub mod hybrid;
pub mod reach;
pub mod recursive;
pub mod refine;
pub mod run;
pub mod trust;
mod watch;

pub use watch::{Alone, Progress, Stop, Watch};

//! Every back end passes the same suite.

#[path = "../../../term/tests/common/mod.rs"]
mod common;
mod in_process;
mod processes;
mod suite;

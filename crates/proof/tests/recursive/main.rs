//! Proofs about recursive definitions: right ones are accepted, wrong ones are not.

mod cases;
mod right;
mod support;
mod wrong;

//! Proofs about recursive definitions: right ones are accepted, wrong ones are not.

mod cases;
mod certificates;
mod right;
mod support;
mod trees;
mod wrong;

//! Proofs about recursive definitions: correct ones are accepted, wrong ones are not.

mod brute;
mod cases;
mod certificates;
mod mutants;
mod random;
mod right;
mod support;
mod trees;
mod wrong;

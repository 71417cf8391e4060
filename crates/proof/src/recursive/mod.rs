//! The independent checker of proofs about recursive definitions (Jaffar and Santosa, section 4.2).
//!
//! A proof is checked step by step. Side conditions are checked here; what needs reasoning about constraints becomes a
//! [`Question`], a formula without atoms that must be unsatisfiable. If no step is rejected and all questions are
//! unsatisfiable, then what was proved holds in the least model, for this reason.
//!
//! *What a step shows.* Fix values for the variables in scope, derivations (finite trees of rule instances) of the atoms
//! on the left, and let the constraint be true. Then the right-hand side is true for some values of its existential
//! variables. Every step keeps this for all values and all derivations at once; nothing is ever assumed of a variable but what the
//! left-hand side says. So each obligation is a closed statement, and a hypothesis may be used with other terms for its variables
//! although the same symbols still occur around it: they are its own.
//!
//! *Hypotheses.* The obligation of an `Unfold` is proved by induction on the tuple of derivations of its atoms, where a tuple is
//! smaller if each part is the same derivation or a part of it, and one is a proper part. This order is well-founded, since the
//! sum of the heights decreases. Lineages record just that: an atom descends from an atom of the hypothesis if its derivation is
//! (a proper part of) the one that was fixed there. Replacing an atom by the body of a rule takes its derivation apart; `Restate`
//! and the equations of `Recall` write an atom differently with the same values, and so keep its derivation; an atom that
//! `Recall` adds has an unknown derivation, and descends from nothing (RA-T1).
//!
//! *Inner hypotheses.* The outer ones speak of derivations that were fixed outside. The inner induction goes over smaller tuples, whose
//! parts are parts of the same derivations, so an atom of the inner obligation keeps its outer lineage in every instance of
//! the inner hypothesis: outer hypotheses stay usable below inner ones.
//!
//! *Measures.* A lemma with a measure is shown by induction on that integer at the lemma's own variables, which keep their values
//! along the whole proof, because new symbols are new. A hypothesis would be used with other values for them, and
//! then what "smaller" means would be another thing; therefore no hypothesis may be recalled there.
//!
//! *Trees.* Every node is included in an expanded one: an abstracted node in the node at the end of its chain, which must end; a
//! subsumed one in one that is expanded itself (RA-T4). The start is a node, and what a transition gives from an expanded node is
//! included in a node. So every reachable state is in an expanded node.
//!
//! *Names.* Variables are of role `Index`; free symbols of role `Bound` occur in rules and in the existential part of right-hand sides
//! only. They are all replaced, at once, by terms without any, before the two meet. So it does not matter if they coincide.
//!
//! Ranges are refused, because for a solver they are all integers; so are numbered elements of index sorts, whose numbers would
//! imply a number of elements.
//!
//! *Files.* `check` checks a whole proof with `obligation` and `lineage`; `shape` and `scope` check well-formedness; `steps`,
//! `recall`, `restate` and `tree` are the rules; `question` and `places` are what is left to a solver; `vocabulary`, `write` and
//! `read` are a proof as text, `copy` a program in a store of its own, and `certificate` the file.

mod certificate;
mod check;
mod copy;
mod lineage;
mod obligation;
mod places;
mod question;
mod read;
mod recall;
mod restate;
mod scope;
mod shape;
mod steps;
mod tree;
mod vocabulary;
mod write;

pub(crate) use certificate::verify_axioms;
pub use certificate::{certify, read_proof, verify_against, write_proof};
pub use check::{Proved, check, proved, questions};
pub use question::{Question, Rejection};

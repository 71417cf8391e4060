//! A process over “for all” definitions as a transition system with indices: the way from recursive definitions to
//! engines that know nothing of them.
//!
//! A definition that says the same of each place up to `N` by recursion is a universal quantifier (`reading`). With all
//! definitions that a process uses read like that, its transitions are guarded updates of arrays over the integers (`process`).
//! What has no such reading is refused: nothing is approximated, so a verdict about the system is one about the process.

mod body;
mod process;
mod reading;

pub use process::system;
pub use reading::{Reading, reading};

use crate::finite::program::Source;
use tenet_term::{Op, Sort, TermId, TermStore};

/// Why something has no reading without recursion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} cannot be said with quantifiers over places: {reason}")]
pub struct Refusal {
    /// What it is about, with its name.
    pub what: String,
    /// Where that is written, unless it is the whole file.
    pub place: Option<Source>,
    pub reason: String,
}

fn is_array(store: &TermStore, term: TermId) -> bool {
    matches!(store.sort(store.sort_of(term)), Sort::Function { .. })
}

/// Is there something in a formula that is true or false of whole arrays, or chooses between them? Entries are compared freely.
fn is_about_whole_arrays(store: &TermStore, formula: TermId) -> bool {
    store.subterms(formula).into_iter().any(|term| match store.op(term) {
        Op::Eq => is_array(store, store.args(term)[0]),
        Op::Ite => is_array(store, term),
        _ => false,
    })
}

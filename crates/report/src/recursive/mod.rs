//! The view of what was proved with recursive definitions: entailments, lemmas, derivations and the computation tree.
//!
//! [`view`] turns the data of `system::recursive` into texts in the syntax of the file; the printers ([`dot`], [`html`] and those of
//! the crate for text and JSON) only arrange them. Nothing here decides what is proved.

mod derivation;
pub mod dot;
pub mod html;
pub(crate) mod json;
mod layout;
mod names;
pub mod run;
pub(crate) mod text;
mod tree;
pub mod value;
pub mod view;

pub use derivation::{Case, Kind, Line};
pub use tree::{Edge, Fate, Node, Tree};

/// What was proved, and how.
#[derive(Clone, Debug, Default)]
pub struct Recursive {
    /// What was asked, in the order of [`Report::properties`](crate::view::Report::properties).
    pub items: Vec<Item>,
    /// What was proved on the way. Each may use those before it.
    pub lemmas: Vec<Theorem>,
    /// The computation tree, if there is a transition system that was asked about.
    pub tree: Option<Tree>,
}

/// One thing that the file asks for.
#[derive(Clone, Debug)]
pub struct Item {
    /// Whether it is an entailment or a property of all reachable states.
    pub kind: ItemKind,
    /// What it says, in the syntax of the file.
    pub statement: String,
    /// The derivation, if it is an entailment that was proved.
    pub proof: Vec<Line>,
    /// Values that contradict it, if it is an entailment that was refuted.
    pub counterexample: Vec<(String, String)>,
}

/// What can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `prove`
    Entailment,
    /// `property`
    Property,
}

impl ItemKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            ItemKind::Entailment => "entailment",
            ItemKind::Property => "property",
        }
    }
}

/// An entailment and its derivation.
#[derive(Clone, Debug)]
pub struct Theorem {
    /// What it says.
    pub statement: String,
    /// What becomes smaller when it is used in its own proof.
    pub measure: Option<String>,
    /// Why it holds.
    pub proof: Vec<Line>,
}

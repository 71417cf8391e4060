//! The view of proofs about recursive definitions: entailments, lemmas, derivations and the computation tree.
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

pub use derivation::{Case, Kind, Line, Names};
pub use tree::{Edge, Fate, Node, Tree};

#[derive(Clone, Debug, Default)]
pub struct Recursive {
    /// The questions, in the order of [`Report::properties`](crate::view::Report::properties).
    pub items: Vec<Item>,
    /// The auxiliary lemmas. Each may use those before it.
    pub lemmas: Vec<Theorem>,
    /// The computation tree, if there is a transition system with properties.
    pub tree: Option<Tree>,
}

/// One question of the file.
#[derive(Clone, Debug)]
pub struct Item {
    /// Whether it is an entailment or a safety property.
    pub kind: ItemKind,
    /// In the syntax of the file.
    pub statement: String,
    /// The derivation, if it is a proved entailment.
    pub proof: Vec<Line>,
    /// A counterexample, if it is a refuted entailment.
    pub counterexample: Vec<(String, String)>,
    /// What the published rules would have derived of it, and why that is refused.
    pub refused: Option<String>,
}

/// The kinds of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// `prove`
    Entailment,
    /// `property`
    Property,
}

impl ItemKind {
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
    /// In the syntax of the file.
    pub statement: String,
    /// The measure that decreases when it is used in its own proof.
    pub measure: Option<String>,
    pub proof: Vec<Line>,
}

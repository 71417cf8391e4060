//! The engine `direct`: quantified invariants without user-given predicates, by strengthening from counterexamples to
//! induction.
//!
//! A counterexample to induction is lifted to a predecessor cube; generalised as far as small explored instances have
//! no state in it, the negated cube becomes the next lemma (`search`). Questions about steps go to the solver with
//! instances of lemmas added where its models violate them (`question`). The implicant of a step is read off the
//! model (`structure`, `implicant`) and becomes literals about a few elements (`cube`), with auxiliary ones about how
//! their numbers compare and what else the model asks of them (`kind`, `compare`, `ask`, `equate`); explored
//! instances say which of these are needed (`explored`, `generalise`). Where no such literal helps, lemmas get an
//! existential quantifier (`existential`).
//!
//! Explored instances only guide the choice of lemmas. That they are inductive for every size is for the solver to
//! say, and even that is believed only with a certificate. The same seed gives the same lemmas.

mod ask;
mod code;
mod column;
mod compare;
mod cube;
mod engine;
mod equate;
mod existential;
mod explored;
mod generalise;
mod halt;
mod implicant;
mod kind;
mod numbers;
mod pattern;
mod quantified;
mod question;
mod search;
mod structure;
mod weaken;

pub use engine::Direct;

/// How samples of small instances are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The seed of random walks and of randomised restarts.
    pub seed: u64,
    /// How many rules the random walks through one instance may try.
    pub walking: u64,
}

impl Options {
    /// Walks as long as most protocols need, with this seed.
    pub fn with_seed(seed: u64) -> Options {
        Options { seed, walking: 5_000_000 }
    }

    /// Short walks, for properties whose lemmas are mostly parts of the conditions in the model.
    pub fn with_short_walks(seed: u64) -> Options {
        Options { seed, walking: 500_000 }
    }
}

//! The engines by their names.

use super::Engine;
use crate::circuit::CircuitEngine;
use crate::direct::{self, Direct};
use crate::hybrid::{self, Hybrid};
use crate::induct::Induct;
use crate::reach::{self, Reach};
use crate::recursive::{self, Recursive};
use crate::refine::Refine;
use crate::refine::methods::{self, Methods};

/// The options of all engines. Each takes its own and leaves the others.
#[derive(Clone, Debug)]
pub struct Choices {
    pub direct: direct::Options,
    /// Whether `direct` is given the reading of a recursive program without recursion.
    pub is_reading_of_program: bool,
    pub reach: reach::Options,
    pub hybrid: hybrid::Options,
    /// Of the published methods; without them, `refine` is our own search.
    pub methods: Option<methods::Options>,
    pub recursive: recursive::Options,
}

impl Choices {
    /// What is best in most cases, with this seed.
    pub fn with_seed(seed: u64) -> Choices {
        Choices {
            direct: direct::Options::with_seed(seed),
            is_reading_of_program: false,
            reach: reach::Options::default(),
            hybrid: hybrid::Options::default(),
            methods: None,
            recursive: recursive::Options::default(),
        }
    }
}

impl Default for Choices {
    fn default() -> Choices {
        Choices::with_seed(0)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    pub about: &'static str,
    pub make: fn(&Choices) -> Box<dyn Engine>,
}

/// All engines. A new one is a folder and a line here.
pub const ENGINES: &[Entry] = &[
    Entry {
        name: "circuit",
        about: "For hardware: lemmas over words and bits, and runs of bounded length",
        make: |_| Box::new(CircuitEngine),
    },
    Entry {
        name: "direct",
        about: "Searches for lemmas; needs no predicates",
        make: |choices| {
            Box::new(Direct { options: choices.direct, is_reading_of_program: choices.is_reading_of_program })
        },
    },
    Entry {
        name: "induct",
        about: "Looks for no lemmas: are the invariants inductive as they stand?",
        make: |_| Box::new(Induct),
    },
    Entry {
        name: "reach",
        about: "Computes the strongest invariant over the predicates",
        make: |choices| Box::new(Reach { options: choices.reach.clone() }),
    },
    Entry {
        name: "refine",
        about: "For programs: predicates for each control location, from paths that are not possible",
        make: refine,
    },
    Entry {
        name: "hybrid",
        about: "For circuits and programs: predicates and kept registers together, refined by branch conditions",
        make: |choices| Box::new(Hybrid { options: choices.hybrid.clone() }),
    },
    Entry {
        name: "recursive",
        about: "For constraint logic programs: derivations by induction, and computation trees",
        make: |choices| Box::new(Recursive { options: choices.recursive.clone() }),
    },
];

fn refine(choices: &Choices) -> Box<dyn Engine> {
    match &choices.methods {
        Some(options) => Box::new(Methods { options: options.clone() }),
        None => Box::new(Refine),
    }
}

pub fn engine(name: &str, choices: &Choices) -> Option<Box<dyn Engine>> {
    ENGINES.iter().find(|entry| entry.name == name).map(|entry| (entry.make)(choices))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_go_by_the_names_in_the_table() {
        for entry in ENGINES {
            assert_eq!((entry.make)(&Choices::default()).name(), entry.name);
        }
        let choices = Choices { methods: Some(methods::Options::default()), ..Choices::default() };
        assert_eq!(engine("refine", &choices).map(|engine| engine.name()), Some("refine"));
        assert!(engine("nothing", &choices).is_none());
    }
}

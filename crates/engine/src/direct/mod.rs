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
mod implicant;
mod kind;
mod numbers;
mod outcome;
mod pattern;
mod quantified;
mod question;
mod search;
mod structure;
mod weaken;

pub use engine::Direct;
pub use outcome::{Outcome, Reason};

use crate::common::watch::Watch;
use search::Search;
use tenet_system::System;
use tenet_term::{Op, Sort, TermId};
use tracing::{info, info_span};

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

/// Searches for an invariant that implies these properties, guided by samples of small instances.
pub fn direct(system: &mut System, properties: &[usize], options: Options, watch: &mut dyn Watch) -> Outcome {
    let _span = info_span!("direct").entered();
    info!(rules = system.rules.len(), properties = properties.len(), seed = options.seed, "engine begins");
    if takes_functions(system) {
        return Outcome::without(Reason::Functional);
    }
    let mut search = Search::new(system, properties, options, watch);
    let result = search.run();
    let (solver_calls, solver_seconds) = search.statistics();
    match &result {
        Ok(()) => info!(lemmas = search.lemmas().len(), solver_calls, "engine ends with a proof"),
        Err(reason) => info!(?reason, solver_calls, "engine ends without a proof"),
    }
    Outcome {
        result: result.map(|()| search.lemmas()),
        uses: search.uses(),
        warnings: search.warnings(),
        solver_calls,
        solver_seconds,
    }
}

/// Does a function have functions as arguments somewhere? Questions here are incremental, and no solver takes such functions; `reach`
/// gives each of them its versions (`tenet_solve::quantifier`).
fn takes_functions(system: &System) -> bool {
    let store = &system.store;
    let is_function = |&term: &TermId| matches!(store.sort(store.sort_of(term)), Sort::Function { .. });
    let takes_one =
        |term: TermId| *store.op(term) == Op::Apply && store.args(term)[1..].iter().any(is_function);
    let starts =
        system.starts.iter().flat_map(|start| start.values.iter().copied().chain([start.constraint]));
    let rules = system.rules.iter();
    let rules = rules.flat_map(|rule| rule.updates.iter().map(|&(_, value)| value).chain([rule.guard]));
    let axioms = system.axioms.iter().map(|axiom| axiom.formula);
    let properties = system.properties.iter().map(|property| property.formula);
    let asked = starts.chain(rules).chain(axioms).chain(properties);
    store.subterms_of_all(asked).into_iter().any(takes_one)
}

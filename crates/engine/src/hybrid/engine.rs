//! `hybrid` behind the interface of all engines.

use super::halt::Halt;
use super::program::Reading;
use super::search::Search;
use super::{Maker, Options, Work};
use crate::common::search::{Found, unreadable};
use crate::common::watch::Watch;
use crate::interface::{
    ANOTHER_ENGINE, BEFORE_LEMMAS, Details, Engine, Obstacle, Open, Outcome, Reason, Statistics, Subject,
    Unfit,
};
use tenet_solve::{BitSolver, Z3Solver};
use tenet_system::run::{Violation, replay_violation};
use tenet_system::{Advice, Circuit, Lemma, System};
use tenet_term::Sort;
use tracing::{info, info_span};

#[derive(Clone, Debug, Default)]
pub struct Hybrid {
    pub options: Options,
}

impl Engine for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        // Reading it adds terms, so it is done on a copy.
        match Reading::of(&mut subject.system(self.name())?.clone()) {
            Ok(_) => Ok(()),
            Err(why) => Err(unreadable(self.name(), why)),
        }
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
        let Subject::System(system) = subject else {
            return Outcome::unfit(properties, Unfit::for_systems(self.name()));
        };
        let reading = match Reading::of(system) {
            Ok(reading) => reading,
            Err(why) => return Outcome::unfit(properties, unreadable(self.name(), why)),
        };
        let _span = info_span!("hybrid").entered();
        info!(registers = reading.circuit.next.len(), properties = properties.len(), "engine begins");
        let mut statistics = Statistics::default();
        let mut work = Vec::new();
        let outcome = self.one_by_one(system, &reading, properties, watch, &mut statistics, &mut work);
        statistics.details = Details::Hybrid(work);
        Outcome { statistics, so_far: BEFORE_LEMMAS.to_string(), ..outcome }
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some(ANOTHER_ENGINE)
    }
}

impl Hybrid {
    /// Each property has an abstract model of its own; the first that is not proved ends the search.
    fn one_by_one(
        &self,
        system: &mut System,
        reading: &Reading,
        properties: &[usize],
        watch: &mut dyn Watch,
        statistics: &mut Statistics,
        all_work: &mut Vec<Work>,
    ) -> Outcome {
        let solvers = solvers(system, &reading.circuit);
        let mut lemmas: Vec<Lemma> = Vec::new();
        for &property in properties {
            let mut search = Search::new(system, reading, property, &self.options, solvers, watch);
            let result = search.run();
            let (work, asked) = search.finish();
            let (solver_calls, refinements) = (asked.calls, work.refinements.len());
            statistics.solver_calls += asked.calls;
            statistics.solver_seconds += asked.seconds;
            all_work.push(work);
            match result {
                Ok(Found::Proof(found)) => {
                    info!(solver_calls, refinements, "property proved");
                    lemmas.extend(found);
                }
                Ok(Found::Run(violation)) => {
                    info!(solver_calls, refinements, "engine ends with a run");
                    return violated(system, properties, reading.violation(violation));
                }
                Err(halt) => {
                    info!(solver_calls, refinements, ?halt, "engine ends without an answer");
                    return Outcome::open(properties, open(halt));
                }
            }
        }
        info!(lemmas = lemmas.len(), "engine ends with a proof");
        if reading.is_program() {
            // What a cycle assumes of the types of variables has to be shown.
            lemmas.extend(system.value_lemmas());
        }
        lemmas.dedup_by_key(|lemma: &mut Lemma| lemma.body);
        Outcome::proof(properties, lemmas, Advice::default())
    }
}

/// Plain SAT suffices where everything is made of bits.
fn solvers(system: &System, circuit: &Circuit) -> Maker<'static> {
    let terms = circuit.next.iter().chain(&circuit.initial).chain(&circuit.bad);
    let mut terms = terms.chain([&circuit.start, &circuit.constraint]);
    match terms.all(|&term| BitSolver::understands(&system.store, term)) {
        true => &|| Box::new(BitSolver::new()),
        false => &|| Box::new(Z3Solver::new()),
    }
}

/// A run is claimed even if it fails to replay: it is replayed again before it is shown, and an internal error then, never a
/// verdict (HL-A10).
fn violated(system: &mut System, properties: &[usize], violation: Violation) -> Outcome {
    // A model of an array that is no table is not read exactly, and the run then says nothing about the engine.
    if replay_violation(system, &violation).is_err() && has_arrays(system, &violation) {
        return Outcome::open(properties, open(Halt::Inconclusive("its arrays cannot be read".to_owned())));
    }
    Outcome::violation(properties, violation)
}

/// Does a run choose the content of arrays?
fn has_arrays(system: &System, violation: &Violation) -> bool {
    let taken = std::iter::once(&violation.run.start).chain(&violation.run.rules);
    let mut chosen =
        taken.flat_map(|taken| &taken.params).map(|(symbol, _)| system.store.symbol(*symbol).sort);
    chosen.any(|sort| matches!(system.store.sort(sort), Sort::Function { .. }))
}

fn open(halt: Halt) -> Open {
    let hint = "raise --timeout, or add an invariant that says why it holds";
    match halt {
        Halt::Stopped(stop) => Open::stopped(stop, BEFORE_LEMMAS),
        Halt::Inconclusive(why) => {
            let text = format!("the solver does not know whether a run is possible: {why}");
            Open::new(Reason::NoLemmas, text, hint).because_of(Obstacle::Words(why))
        }
        Halt::TooManyClauses => {
            let text =
                "no violation is reachable, but the reachable states are too many clauses for a certificate";
            Open::new(Reason::NoLemmas, text, ANOTHER_ENGINE)
        }
        Halt::NoRoom => {
            let text = "the decision diagrams of the abstract model need more nodes than there is room for";
            Open::new(Reason::NoLemmas, text, ANOTHER_ENGINE)
        }
        Halt::NoDiagrams => {
            let text =
                "memories, products and numbers have no decision diagrams, and what they may be violates it";
            Open::new(Reason::NoLemmas, text, "leave `--abstraction none` out")
        }
        Halt::Stuck => {
            let text = "nothing was found that excludes a run which is not possible";
            Open::new(Reason::NoLemmas, text, hint)
        }
    }
}

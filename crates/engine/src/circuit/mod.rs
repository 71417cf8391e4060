//! The engine `circuit`: hardware.
//!
//! A portfolio of bounded model checking and three searches for lemmas, run in slices of growing size. Lemmas come
//! from property-directed reachability over a vocabulary of atoms: twice over words, where data are observed only by
//! how they compare (implicit predicate abstraction, refined by spurious counterexamples), and once over all bits.
//! Which of them succeeds cannot be told in advance.
//!
//! The modules: `netlist` takes the cone of influence and `dead_ends` finds flags after which nothing can go wrong;
//! `fields`, `data` and `narrow` find words that are only moved and compared, and make them narrower; `vocabulary`
//! has the atoms; `facts` finds invariants over one or two of them; `frames` and `question` are property-directed
//! reachability, which `lemmas` runs with a vocabulary that grows; `bounded` finds runs and `localise` the registers
//! that refute a spurious counterexample; `minimise` keeps the lemmas that a proof needs.
//!
//! An abstract counterexample is no run until one of that length was found and replayed (HL-A10), and an invariant
//! counts when its certificate does. So guessed facts, lifting, narrower data and dead ends may all be wrong.

mod bounded;
mod data;
mod dead_ends;
mod engine;
mod facts;
mod fields;
mod frames;
mod lemmas;
mod localise;
mod minimise;
mod narrow;
mod netlist;
mod question;
#[cfg(test)]
mod tests;
mod vacuity;
mod vocabulary;

pub use engine::CircuitEngine;
pub use vacuity::vacuity;

use crate::common::search::{Ended, Found, Reason, unreadable};
use crate::common::watch::{Progress, Stop, Watch};
use crate::interface::{Outcome, Unfit};
use bounded::Bounded;
use lemmas::Lemmas;
use netlist::Netlist;
use tenet_solve::{Effort, EffortBudget, Limits, Meter, Statistics};
use tenet_system::{Circuit, Lemma, System};
use tenet_term::TermId;
use tracing::{debug, info, info_span};

/// Bounded model checking comes first, within these limits: shallow violations need no search for lemmas.
const FIRST_UNROLLING_EFFORT: Effort = Effort::millis(100);
const FIRST_UNROLLING_CYCLES: usize = 20;
/// The first slice of each part of the portfolio.
const FIRST_SLICE: Effort = Effort::millis(500);
/// Charged for each look at the budget: an estimate of the work between two looks that no solver does.
const EFFORT_PER_BUDGET_CHECK: Effort = Effort::units(20);
/// Rounds of the portfolio. Since slices grow by half, the last one would take years; the limit only ends searches
/// that give up at once.
const MAX_ROUNDS: usize = 50;

/// The vocabulary that a search for lemmas starts with.
#[derive(Clone, Copy)]
enum Kind {
    /// Comparisons of words, in a circuit with narrower data.
    NarrowWords,
    /// Comparisons of words.
    Words,
    Bits,
}

/// Why work was interrupted.
#[derive(Debug)]
pub enum Halt {
    /// The search was cancelled.
    Stopped(Stop),
    /// The budget of the slice is used up.
    SliceSpent,
    /// The search cannot go on, for this reason.
    Stuck(String),
}

/// A slice of the portfolio: the budget of one search at a time, in work and not in time, so that what is found does
/// not depend on the machine.
pub struct Slice<'a> {
    budget: EffortBudget,
    watch: &'a dyn Watch,
}

impl<'a> Slice<'a> {
    /// Half of what is left.
    pub fn half(&self) -> Slice<'a> {
        Slice { budget: self.budget.half(), watch: self.watch }
    }

    /// Charges a step, and fails if the slice is used up or the search was cancelled.
    pub fn check(&self) -> Result<(), Halt> {
        self.budget.meter().charge(EFFORT_PER_BUDGET_CHECK);
        if !self.budget.is_spent() && self.watch.stop().is_none() { Ok(()) } else { Err(self.halt()) }
    }

    pub fn is_left(&self) -> bool {
        self.check().is_ok()
    }

    pub fn halt(&self) -> Halt {
        self.watch.stop().map_or(Halt::SliceSpent, Halt::Stopped)
    }

    pub fn limits(&self) -> Limits {
        Limits::until(self.watch.interrupt()).counted(self.budget.meter()).within(self.budget.left())
    }
}

/// Searches for an invariant that implies these properties, or for a run that violates one.
pub fn circuit(system: &mut System, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
    let Some(circuit) = Circuit::of(system) else { return Outcome::unfit(properties, not_a_circuit()) };
    let _span = info_span!("circuit").entered();
    info!(registers = circuit.next.len(), properties = properties.len(), "engine begins");
    let mut netlist = Netlist::of(system, &circuit, properties);
    let limits = Limits::until(watch.interrupt()).within(FIRST_UNROLLING_EFFORT);
    dead_ends::cut_dead_ends(&mut system.store, &mut netlist, &limits);
    let mut search = Search::new(system, &circuit, &netlist, properties, watch);
    let result = search.run();
    let (statistics, predicates, refinements) = search.effort();
    Ended { result, warnings: Vec::new(), predicates, refinements, statistics }.outcome(properties)
}

fn not_a_circuit() -> Unfit {
    unreadable("circuit", "it is not a circuit")
}

/// The portfolio.
struct Search<'a> {
    system: &'a mut System,
    circuit: &'a Circuit,
    netlist: &'a Netlist,
    properties: &'a [usize],
    watch: &'a mut dyn Watch,
    bounded: Bounded,
    lemmas: Vec<Lemmas>,
    obstacle: String,
    /// Counts the work of all parts.
    meter: Meter,
}

impl<'a> Search<'a> {
    fn new(
        system: &'a mut System,
        circuit: &'a Circuit,
        netlist: &'a Netlist,
        properties: &'a [usize],
        watch: &'a mut dyn Watch,
    ) -> Search<'a> {
        let bounded = Bounded::new(&system.store, netlist, &Limits::default());
        let (lemmas, obstacle, meter) = (Vec::new(), String::new(), Meter::default());
        Search { system, circuit, netlist, properties, watch, bounded, lemmas, obstacle, meter }
    }

    fn effort(&self) -> (Statistics, usize, usize) {
        let mut all = self.bounded.statistics();
        for lemmas in &self.lemmas {
            all.calls += lemmas.statistics().calls;
            all.seconds += lemmas.statistics().seconds;
        }
        let predicates = self.lemmas.iter().map(|lemmas| lemmas.vocabulary.atoms.len()).max();
        let refinements = self.lemmas.iter().map(|lemmas| lemmas.refinements).sum();
        (all, predicates.unwrap_or(0), refinements)
    }

    fn run(&mut self) -> Result<Found, Reason> {
        if let Some(found) = self.look_for_run(FIRST_UNROLLING_EFFORT, FIRST_UNROLLING_CYCLES)? {
            return Ok(found);
        }
        let mut effort = FIRST_SLICE;
        for round in 0..MAX_ROUNDS {
            if round == 0 {
                for kind in [Kind::NarrowWords, Kind::Words, Kind::Bits] {
                    if let Some(found) = self.begin(kind, effort)? {
                        return Ok(found);
                    }
                }
            } else {
                for position in 0..self.lemmas.len() {
                    if let Some(found) = self.look_for_lemmas(position, effort)? {
                        return Ok(found);
                    }
                }
            }
            if let Some(found) = self.look_for_run(effort, usize::MAX)? {
                return Ok(found);
            }
            effort = effort.and_a_half();
        }
        Err(Reason::GivenUp(std::mem::take(&mut self.obstacle)))
    }

    /// Starts a search for lemmas with its first slice, if its vocabulary is not empty.
    fn begin(&mut self, kind: Kind, effort: Effort) -> Result<Option<Found>, Reason> {
        let bad = self.properties.iter().map(|&property| self.circuit.bad[property]);
        let given: Vec<TermId> =
            bad.chain(self.system.branches.iter().map(|branch| branch.formula)).collect();
        let store = &mut self.system.store;
        let lemmas = match kind {
            Kind::NarrowWords => Lemmas::of_narrow_words(store, self.netlist, &given),
            Kind::Words => Some(Lemmas::of_words(store, self.netlist, &given)),
            Kind::Bits => Lemmas::of_bits(store, self.netlist),
        };
        let Some(lemmas) = lemmas else { return Ok(None) };
        self.lemmas.push(lemmas);
        self.look_for_lemmas(self.lemmas.len() - 1, effort)
    }

    /// Unrolls until the slice is used up or this many cycles are known to be free of violations.
    fn look_for_run(&mut self, effort: Effort, cycles: usize) -> Result<Option<Found>, Reason> {
        let _span = info_span!("bounded").entered();
        let budget = EffortBudget::of(&self.meter, effort);
        while self.bounded.clean() < cycles {
            self.report_progress("looking for a run");
            let slice = Slice { budget: budget.clone(), watch: self.watch };
            let halt = match slice.check() {
                Ok(()) => {
                    let (system, properties) = (&mut *self.system, self.properties);
                    match self.bounded.cycle(system, self.circuit, self.netlist, properties, &slice) {
                        Ok(Some(violation)) => return Ok(Some(Found::Run(violation))),
                        Ok(None) => {
                            debug!(cycles = self.bounded.clean(), "no violation within so many cycles");
                            continue;
                        }
                        Err(halt) => halt,
                    }
                }
                Err(halt) => halt,
            };
            return self.pause(halt).map(|()| None);
        }
        Ok(None)
    }

    fn look_for_lemmas(&mut self, position: usize, effort: Effort) -> Result<Option<Found>, Reason> {
        let _span = info_span!("lemmas", search = position).entered();
        let budget = EffortBudget::of(&self.meter, effort);
        loop {
            self.report_progress("looking for lemmas");
            let slice = Slice { budget: budget.clone(), watch: self.watch };
            let store = &mut self.system.store;
            let found = self.lemmas[position].search(store, &self.bounded, &slice);
            match found {
                Ok(lemmas::Found::Invariant(formulas)) => {
                    let limits = Limits::until(self.watch.interrupt());
                    // An invariant found with narrower data may not hold in the original circuit; the other searches
                    // go on then.
                    if self.lemmas[position].is_of_other_circuit()
                        && minimise::minimise(store, self.netlist, &formulas, &limits).is_none()
                    {
                        self.lemmas[position].mark_refuted();
                        return Ok(None);
                    }
                    return Ok(Some(Found::Proof(self.as_lemmas(formulas))));
                }
                Ok(lemmas::Found::AbstractCounterexample(length)) => {
                    debug!(cycles = length, "abstract counterexample");
                    if let Some(found) = self.look_for_run(effort, length + 1)? {
                        return Ok(Some(found));
                    }
                    if self.bounded.clean() <= length {
                        return Ok(None);
                    }
                }
                Err(halt) => return self.pause(halt).map(|()| None),
            }
        }
    }

    /// Lemmas from formulas that hold where no dead end has been reached.
    fn as_lemmas(&mut self, formulas: Vec<TermId>) -> Vec<Lemma> {
        let store = &mut self.system.store;
        let dead = &self.netlist.dead;
        let mut lemma = |formula| {
            let body = store.mk_or([formula].into_iter().chain(dead.iter().copied()));
            Lemma { vars: Vec::new(), body }
        };
        formulas.into_iter().map(&mut lemma).collect()
    }

    /// Ends a slice, or the whole search.
    fn pause(&mut self, halt: Halt) -> Result<(), Reason> {
        match halt {
            Halt::Stopped(stop) => Err(Reason::Stopped(stop)),
            Halt::SliceSpent => Ok(()),
            Halt::Stuck(obstacle) => {
                debug!(obstacle = obstacle.as_str(), "search for lemmas is stuck");
                self.obstacle = obstacle;
                Ok(())
            }
        }
    }

    fn report_progress(&mut self, phase: &'static str) {
        let (statistics, predicates, _) = self.effort();
        self.watch.progress(&Progress {
            phase,
            iteration: self.bounded.clean(),
            abstract_states: 0,
            predicates,
            solver_calls: statistics.calls,
        });
    }
}

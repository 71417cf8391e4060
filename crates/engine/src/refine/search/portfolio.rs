//! Who does what, and for how long: facts, walks, runs of bounded length, lemmas and Spacer take turns, each a little longer
//! every time. Some programs are decided by one of them at once and by the others never. Turns are measured in work and not
//! in time, so that who finds the answer does not depend on the machine.

use super::{Halt, Search};
use crate::common::log;
use crate::common::search::{Found, Reason};
use crate::refine::bounded::Bounded;
use crate::refine::facts::{self, Kind};
use crate::refine::minimise::minimise;
use crate::refine::path::run;
use crate::refine::spacer::{SpacerAnswer, spacer};
use crate::refine::walk::Walks;
use tenet_solve::{Budget, Effort};
use tenet_term::TermId;
use tracing::{debug, info_span};

/// So long it may take to find facts of one kind.
const FACTS_EFFORT: Effort = Effort::millis(1500);
/// So long errors are looked for by walking.
const WALKS_EFFORT: Effort = Effort::millis(200);
/// So long lemmas are looked for before anything else.
const FIRST_LEMMAS_EFFORT: Effort = Effort::millis(150);
/// So long runs and lemmas are looked for the first time.
const FIRST_SLICE: Effort = Effort::millis(500);
/// What a step of a walk costs besides questions to solvers.
const EFFORT_PER_STEP: Effort = Effort::units(10);
/// What a look at facts costs besides questions to solvers.
const EFFORT_PER_FACT: Effort = Effort::units(200);
/// So many turns everybody gets. The last one would take years, so only who gives up at once gets there.
const MAX_ROUNDS: usize = 50;

impl Search<'_> {
    /// Searches until there is an answer: for runs and for lemmas in turn, each a little longer every time.
    pub fn run(&mut self) -> Result<Found, Reason> {
        self.learn_facts(0);
        if let Some(found) = self.slice(FIRST_LEMMAS_EFFORT)? {
            return Ok(found);
        }
        if let Some(found) = self.walk() {
            return Ok(found);
        }
        let store = &mut self.system.store;
        let mut bounded = vec![
            Bounded::new(store, &self.program, &self.consts, self.steps.limits(), true),
            Bounded::new(store, &self.program, &self.consts, self.steps.limits(), false),
        ];
        if !bounded[0].has_loops() {
            bounded.remove(0);
        }
        let mut effort = FIRST_SLICE;
        let mut is_likely_unsafe = false;
        for round in 0..MAX_ROUNDS {
            for bounded in &mut bounded {
                bounded.know(&self.invariants);
                if let Some(found) = self.look_for_run(bounded, effort)? {
                    return Ok(found);
                }
            }
            if !is_likely_unsafe {
                if round < 2 {
                    self.learn_facts(2 + 2 * round);
                }
                if let Some(found) = self.slice(effort)? {
                    return Ok(found);
                }
                match self.ask_spacer(effort.times(2)) {
                    SpacerAnswer::Proof(formulas) if self.is_inductive(&formulas) => {
                        return Ok(Found::Proof(self.as_lemmas(formulas)));
                    }
                    SpacerAnswer::Reachable => is_likely_unsafe = true,
                    SpacerAnswer::Proof(_) | SpacerAnswer::Unknown => {}
                }
            }
            effort = effort.and_a_half();
        }
        Err(Reason::GivenUp(std::mem::take(&mut self.obstacle)))
    }

    /// Looks for lemmas for a while. Getting stuck is not the end: there are other ways.
    fn slice(&mut self, effort: Effort) -> Result<Option<Found>, Reason> {
        let _span = info_span!("lemmas").entered();
        self.slice_budget = Budget::of(&self.meter, effort);
        match self.look_for_lemmas() {
            Ok(found) => return Ok(Some(found)),
            Err(Halt::Stopped(stop)) => return Err(Reason::Stopped(stop)),
            Err(Halt::Stuck(obstacle)) => {
                debug!(obstacle = obstacle.as_str(), "search for lemmas is stuck");
                self.obstacle = obstacle;
            }
            Err(Halt::SliceSpent) => debug!(effort = effort.as_units(), "turn is over"),
        }
        self.watch.stop().map_or(Ok(None), |stop| Err(Reason::Stopped(stop)))
    }

    /// Asks for a second opinion.
    fn ask_spacer(&mut self, effort: Effort) -> SpacerAnswer {
        let _span = info_span!("spacer").entered();
        let limits = self.steps.limits().clone().within(effort);
        let (second, statistics) = spacer(&mut self.system.store, &self.program, &self.consts, &limits);
        self.others.calls += statistics.calls;
        self.others.seconds += statistics.seconds;
        second
    }

    /// An opinion that does not hold is none: a certificate would fail, and we can go on.
    fn is_inductive(&mut self, formulas: &[Vec<TermId>]) -> bool {
        let _span = info_span!("spacer").entered();
        let limits = self.steps.limits().clone();
        minimise(&mut self.system.store, &self.program, formulas, &limits).is_some()
    }

    fn look_for_run(&mut self, bounded: &mut Bounded, effort: Effort) -> Result<Option<Found>, Reason> {
        let _span = info_span!("bounded").entered();
        let budget = Budget::of(&self.meter, effort);
        while !budget.is_spent() {
            self.watch.stop().map_or(Ok(()), |stop| Err(Reason::Stopped(stop)))?;
            let before = bounded.statistics();
            let found = bounded.search(&mut self.system.store, &self.program, budget.left());
            let after = bounded.statistics();
            self.others.calls += after.calls - before.calls;
            self.others.seconds += after.seconds - before.seconds;
            match found {
                Ok(Some(route)) => {
                    if let Some(found) = run(self.system, &self.program, &route) {
                        return Ok(Some(found));
                    }
                    break;
                }
                Ok(None) => {}
                Err(_) => break,
            }
        }
        Ok(None)
    }

    /// Looks for a run without any search.
    fn walk(&mut self) -> Option<Found> {
        let _span = info_span!("walks").entered();
        let budget = Budget::of(&self.meter, WALKS_EFFORT);
        let goes_on = || goes_on(&budget, EFFORT_PER_STEP) && self.watch.stop().is_none();
        let limits = self.steps.limits().clone();
        let route = Walks::new(&self.program, &self.consts, limits).walk(&mut self.system.store, goes_on)?;
        run(self.system, &self.program, &route)
    }

    /// Learns what needs no search, with locations split by so many atoms.
    fn learn_facts(&mut self, atoms: usize) {
        let _span = info_span!("facts").entered();
        let splits = facts::splits(&mut self.system.store, &self.program, atoms);
        for kind in [Kind::Linear, Kind::Remainders] {
            let budget = Budget::of(&self.meter, FACTS_EFFORT);
            let goes_on = || goes_on(&budget, EFFORT_PER_FACT) && self.watch.stop().is_none();
            let store = &mut self.system.store;
            let facts =
                facts::find(store, &self.program, &self.consts, &splits, kind, &mut self.steps, goes_on);
            for (location, formulas) in
                facts.unwrap_or_default().into_iter().enumerate().take(self.program.error())
            {
                for formula in formulas {
                    if !self.invariants[location].contains(&formula) {
                        debug!(location, lemma = log::formula(store, formula), "lemma learned");
                        self.steps.learn(store, &self.program, location, formula, None);
                        self.invariants[location].push(formula);
                    }
                }
            }
        }
    }
}

/// One step more: is there something left of the turn?
fn goes_on(budget: &Budget, step: Effort) -> bool {
    budget.meter().charge(step);
    !budget.is_spent()
}

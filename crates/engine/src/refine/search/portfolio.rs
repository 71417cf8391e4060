//! The portfolio: facts, random walks, bounded model checking, lemmas and Spacer run in slices of growing size. Some
//! programs are decided by one of them at once and by the others never. Slices are measured in work and not in time,
//! so that which of them answers does not depend on the machine.

use super::{Halt, Search};
use crate::common::log;
use crate::common::search::{Found, Reason};
use crate::refine::bounded::Bounded;
use crate::refine::facts::{self, Kind};
use crate::refine::minimise::minimise;
use crate::refine::path::run;
use crate::refine::spacer::{SpacerAnswer, spacer};
use crate::refine::walk::Walks;
use tenet_solve::{Effort, EffortBudget};
use tenet_term::TermId;
use tracing::{debug, info_span};

/// Effort for facts of one kind.
const FACTS_EFFORT: Effort = Effort::millis(1500);
/// Effort for random walks: they find errors early or hardly ever.
const WALKS_EFFORT: Effort = Effort::millis(200);
/// The search for lemmas comes first, for this long: many programs need no more.
const FIRST_LEMMAS_EFFORT: Effort = Effort::millis(150);
/// The first slice of bounded model checking and of lemmas.
const FIRST_SLICE: Effort = Effort::millis(500);
/// Charged for a step of a walk besides questions to solvers.
const EFFORT_PER_STEP: Effort = Effort::units(10);
/// Charged for an iteration over facts besides questions to solvers.
const EFFORT_PER_FACT: Effort = Effort::units(200);
/// Rounds of the portfolio. Since slices grow by half, the last one would take years; the limit only ends searches
/// that give up at once.
const MAX_ROUNDS: usize = 50;

impl Search<'_> {
    /// Runs the portfolio until there is an answer.
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

    /// A slice of the search for lemmas. Getting stuck does not end the portfolio.
    fn slice(&mut self, effort: Effort) -> Result<Option<Found>, Reason> {
        let _span = info_span!("lemmas").entered();
        self.slice_budget = EffortBudget::of(&self.meter, effort);
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

    fn ask_spacer(&mut self, effort: Effort) -> SpacerAnswer {
        let _span = info_span!("spacer").entered();
        let limits = self.steps.limits().clone().within(effort);
        let (second, statistics) = spacer(&mut self.system.store, &self.program, &self.consts, &limits);
        self.others.calls += statistics.calls;
        self.others.seconds += statistics.seconds;
        second
    }

    /// Checks invariants from Spacer before they are claimed: if they are wrong the portfolio can go on, whereas a
    /// failed certificate ends it.
    fn is_inductive(&mut self, formulas: &[Vec<TermId>]) -> bool {
        let _span = info_span!("spacer").entered();
        let limits = self.steps.limits().clone();
        minimise(&mut self.system.store, &self.program, formulas, &limits).is_some()
    }

    fn look_for_run(&mut self, bounded: &mut Bounded, effort: Effort) -> Result<Option<Found>, Reason> {
        let _span = info_span!("bounded").entered();
        let budget = EffortBudget::of(&self.meter, effort);
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

    fn walk(&mut self) -> Option<Found> {
        let _span = info_span!("walks").entered();
        let budget = EffortBudget::of(&self.meter, WALKS_EFFORT);
        let goes_on = || goes_on(&budget, EFFORT_PER_STEP) && self.watch.stop().is_none();
        let limits = self.steps.limits().clone();
        let route = Walks::new(&self.program, &self.consts, limits).walk(&mut self.system.store, goes_on)?;
        run(self.system, &self.program, &route)
    }

    /// Learns facts, with locations split by this many atoms.
    fn learn_facts(&mut self, atoms: usize) {
        let _span = info_span!("facts").entered();
        let splits = facts::splits(&mut self.system.store, &self.program, atoms);
        for kind in [Kind::Linear, Kind::Remainders] {
            let budget = EffortBudget::of(&self.meter, FACTS_EFFORT);
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

/// Charges a step. Is something left of the budget?
fn goes_on(budget: &EffortBudget, step: Effort) -> bool {
    budget.meter().charge(step);
    !budget.is_spent()
}

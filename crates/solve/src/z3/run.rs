//! One check, within limits.
//!
//! Engines make tens of thousands of checks that take microseconds, so a check must not start a timer or a thread. It
//! first runs within a small budget of Z3's own resource counter, which costs nothing and is deterministic. Only a check
//! that exhausts it is started again with a thread beside it that watches the clock and the interrupt flag. Such a thread
//! ends with its check. A limit of effort is a budget of the same counter, so that the answer does not depend on the clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ::z3::ast::Bool;
use ::z3::{Params, SatResult, Solver, StatisticsValue};

use crate::z3_library::new_solver;
use crate::{Answer, Effort, Limits};

/// Resource units of the first attempt: some ten milliseconds.
const FIRST_ATTEMPT_UNITS: u32 = 20_000;

/// Charged for a check besides its search: terms have to be made, and answers read.
const UNITS_PER_CHECK: u64 = 100;

/// Why there is no answer when a limit of effort is reached.
const BUDGET_SPENT: &str = "no effort is left";

const WATCH_INTERVAL: Duration = Duration::from_millis(2);

/// A solver of Z3 and the limits of its checks.
pub(crate) struct Runner {
    pub(crate) solver: Solver,
    pub(super) limits: Limits,
    /// The budget that the solver is set to; zero is no limit, `None` not set yet.
    budget: Option<u32>,
    /// What a check may take at most; zero is no limit.
    pub(super) ceiling: u32,
    purpose: Purpose,
    /// What the last check took, if it was counted.
    pub(crate) spent: Option<Effort>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    General,
    /// Formulas without quantifiers.
    Ground,
    /// The same, most of which are instances, and say something only if what they are instances of holds.
    Instances,
    /// One long question to a solver with parameters of its own.
    Whole,
}

impl Runner {
    pub(super) fn new(purpose: Purpose) -> Runner {
        let (solver, limits) = (new_solver(), Limits::default());
        Runner { solver, limits, budget: None, ceiling: 0, purpose, spent: None }
    }

    /// Runs a solver within limits and a number of resource units, for checks that are long anyway.
    pub(crate) fn within(solver: Solver, limits: Limits, ceiling: u32) -> Runner {
        Runner { solver, limits, budget: None, ceiling, purpose: Purpose::General, spent: None }
    }

    /// Runs a solver that is not incremental within limits, in one go.
    pub(crate) fn whole(solver: Solver, limits: Limits) -> Runner {
        Runner { solver, limits, budget: None, ceiling: 0, purpose: Purpose::Whole, spent: None }
    }

    /// Checks the assertions with these literals. An error is a limit, in words.
    pub(crate) fn run(&mut self, start: Instant, literals: &[Bool]) -> Result<SatResult, String> {
        self.spent = None;
        // Z3 may go another way after it was asked for its statistics, so a log is no reason to ask.
        let Some(meter) = self.limits.meter.clone() else { return self.run_unmetered(start, literals) };
        let before = self.resources();
        let answer = self.run_unmetered(start, literals);
        // The counter has 32 bits.
        let used = self.resources().wrapping_sub(before);
        let spent = Effort::units(UNITS_PER_CHECK + u64::from(used));
        meter.charge(spent);
        self.spent = Some(spent);
        answer
    }

    fn run_unmetered(&mut self, start: Instant, literals: &[Bool]) -> Result<SatResult, String> {
        let deadline = self.limits.timeout.map(|timeout| start + timeout);
        let ceiling = self.ceiling()?;
        if deadline.is_none() && self.limits.interrupt.is_none() {
            self.set_budget(ceiling);
            return self.answered(self.check(literals));
        }
        if self.ceiling == 0
            && self.purpose != Purpose::Whole
            && !(1..=FIRST_ATTEMPT_UNITS).contains(&ceiling)
        {
            self.exceeded(deadline)?;
            self.set_budget(FIRST_ATTEMPT_UNITS);
            let quick = self.check(literals);
            if quick != SatResult::Unknown || !self.is_out_of_budget() {
                return Ok(quick);
            }
        }
        self.exceeded(deadline)?;
        self.set_budget(ceiling);
        let answer = self.run_watched(deadline, literals)?;
        // An answer that came just in time counts, a failure is explained by the limit that caused it.
        if answer == SatResult::Unknown {
            self.exceeded(deadline)?;
        }
        self.answered(answer)
    }

    fn check(&self, literals: &[Bool]) -> SatResult {
        match self.purpose {
            Purpose::Whole => self.solver.check(),
            _ => self.solver.check_assumptions(literals),
        }
    }

    /// The resource units of a check; zero is no limit. An error if nothing is left.
    fn ceiling(&self) -> Result<u32, String> {
        let Some(effort) = self.limits.effort else { return Ok(self.ceiling) };
        let allowed = u32::try_from(effort.as_units()).unwrap_or(u32::MAX);
        match (allowed, self.ceiling) {
            (0, _) => Err(BUDGET_SPENT.to_owned()),
            (allowed, 0) => Ok(allowed),
            (allowed, ceiling) => Ok(allowed.min(ceiling)),
        }
    }

    /// What a check says; a limit of effort explains why there is no answer.
    fn answered(&self, answer: SatResult) -> Result<SatResult, String> {
        match answer {
            SatResult::Unknown if self.limits.effort.is_some() && self.is_out_of_budget() => {
                Err(BUDGET_SPENT.to_owned())
            }
            answer => Ok(answer),
        }
    }

    /// What Z3 has counted so far, in all solvers of this thread.
    fn resources(&self) -> u32 {
        match self.solver.get_statistics().value("rlimit count") {
            Some(StatisticsValue::UInt(count)) => count,
            _ => 0,
        }
    }

    /// What the result of the last check means.
    pub(crate) fn answer(&self, result: &Result<SatResult, String>) -> Answer {
        match result {
            Ok(SatResult::Sat) => Answer::Sat,
            Ok(SatResult::Unsat) => Answer::Unsat,
            Ok(SatResult::Unknown) => Answer::Unknown(self.reason()),
            Err(reason) => Answer::Unknown(reason.clone()),
        }
    }

    /// Why the last check had no answer, as Z3 says it.
    fn reason(&self) -> String {
        self.solver.get_reason_unknown().unwrap_or_else(|| "no reason given".to_owned())
    }

    /// Did the last check end because its budget was used up? The first attempt is never interrupted, so that is what
    /// `canceled` means there.
    fn is_out_of_budget(&self) -> bool {
        let reason = self.reason();
        reason.contains("canceled") || reason.contains("resource")
    }

    fn exceeded(&self, deadline: Option<Instant>) -> Result<(), String> {
        exceeded(&self.limits, deadline).map_or(Ok(()), |reason| Err(reason.to_owned()))
    }

    fn set_budget(&mut self, budget: u32) {
        // Setting parameters is not free, so they are set when they change.
        if self.budget == Some(budget) {
            return;
        }
        if self.purpose == Purpose::Whole {
            // It has parameters of its own, and keeps them.
            if budget != 0 {
                let mut params = Params::new();
                params.set_u32("rlimit", budget);
                self.solver.set_params(&params);
            }
        } else {
            let mut params = Params::new();
            params.set_u32("rlimit", budget);
            // Signals are the business of the program, not of a library.
            params.set_bool("ctrl_c", false);
            // Otherwise another solver starts over when the incremental one has exhausted its budget.
            params.set_bool("ignore_solver1", true);
            if self.purpose == Purpose::Ground {
                // Which atoms matter is interesting where most do not; elsewhere keeping track is a waste.
                params.set_u32("relevancy", 0);
            }
            if self.purpose != Purpose::General {
                // Comparisons of many terms, hardly any sums: the simpler arithmetic is faster.
                params.set_u32("arith.solver", 2);
            }
            self.solver.set_params(&params);
        }
        self.budget = Some(budget);
    }

    fn run_watched(&self, deadline: Option<Instant>, literals: &[Bool]) -> Result<SatResult, String> {
        let finished = AtomicBool::new(false);
        let context = self.solver.get_context();
        let (handle, limits) = (context.handle(), &self.limits);
        thread::scope(|scope| {
            let watch = || {
                while !finished.load(Ordering::Acquire) {
                    // Again and again: Z3 forgets an interrupt that comes before the check has really begun.
                    if exceeded(limits, deadline).is_some() {
                        handle.interrupt();
                    }
                    thread::park_timeout(WATCH_INTERVAL);
                }
            };
            // Where memory is scarce there may be no thread left that could keep the limits.
            let watcher =
                thread::Builder::new().spawn_scoped(scope, watch).map_err(|error| error.to_string())?;
            let answer = self.check(literals);
            finished.store(true, Ordering::Release);
            watcher.thread().unpark();
            Ok(answer)
        })
    }
}

fn exceeded(limits: &Limits, deadline: Option<Instant>) -> Option<&'static str> {
    if limits.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
        return Some("interrupted");
    }
    deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| "timeout")
}

//! Effort: how much has been done, in units that do not depend on the machine or on what else it is doing.
//!
//! Engines try one thing for a while and then another. If a clock told them when, what they find would depend on how
//! busy the machine is, and the same command would print another proof each time. So budgets count work instead: a
//! unit is one step of Z3's own resource counter, and other work is converted to it. The clock is left to the user's
//! limit, which ends a run with `unknown` and never chooses between two answers.

use std::ops::Add;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Units that Z3 counts in about a millisecond of an ordinary machine.
const UNITS_PER_MILLISECOND: u64 = 3_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Effort(u64);

impl Effort {
    /// What an ordinary machine does in about this many milliseconds.
    pub const fn millis(milliseconds: u64) -> Effort {
        Effort(milliseconds.saturating_mul(UNITS_PER_MILLISECOND))
    }

    /// What an ordinary machine does in about this many seconds.
    pub const fn secs(seconds: u64) -> Effort {
        Effort::millis(seconds.saturating_mul(1000))
    }

    pub const fn units(units: u64) -> Effort {
        Effort(units)
    }

    pub const fn as_units(self) -> u64 {
        self.0
    }

    /// What is left of it after some work.
    #[must_use]
    pub const fn saturating_sub(self, other: Effort) -> Effort {
        Effort(self.0.saturating_sub(other.0))
    }

    #[must_use]
    pub const fn times(self, factor: u64) -> Effort {
        Effort(self.0.saturating_mul(factor))
    }

    /// Half as much again.
    #[must_use]
    pub const fn and_a_half(self) -> Effort {
        Effort(self.0.saturating_add(self.0 / 2))
    }

    #[must_use]
    pub const fn half(self) -> Effort {
        Effort(self.0 / 2)
    }
}

impl Add for Effort {
    type Output = Effort;

    fn add(self, other: Effort) -> Effort {
        Effort(self.0.saturating_add(other.0))
    }
}

/// Counts the work of one search. Its copies count together; they belong to one thread, or the sum would depend on who is
/// faster.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// What was done so far.
    pub fn spent(&self) -> Effort {
        Effort(self.0.load(Ordering::Relaxed))
    }

    pub fn charge(&self, effort: Effort) {
        self.0.fetch_add(effort.0, Ordering::Relaxed);
    }
}

/// An amount of work that may be done, counted by a meter: a slice of a portfolio, or a limit.
#[derive(Clone, Debug, Default)]
pub struct EffortBudget {
    meter: Meter,
    until: Effort,
}

impl EffortBudget {
    /// A budget of this much work from now on.
    pub fn of(meter: &Meter, effort: Effort) -> EffortBudget {
        EffortBudget { meter: meter.clone(), until: meter.spent() + effort }
    }

    pub fn left(&self) -> Effort {
        self.until.saturating_sub(self.meter.spent())
    }

    /// Is nothing left?
    pub fn is_spent(&self) -> bool {
        self.left() == Effort::default()
    }

    #[must_use]
    pub fn half(&self) -> EffortBudget {
        EffortBudget::of(&self.meter, self.left().half())
    }

    /// The smaller one of two budgets of one meter.
    #[must_use]
    pub fn min(self, other: EffortBudget) -> EffortBudget {
        if self.until <= other.until { self } else { other }
    }

    pub fn meter(&self) -> &Meter {
        &self.meter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_what_its_meter_has_not_counted_yet() {
        let meter = Meter::default();
        meter.charge(Effort::units(100));
        let budget = EffortBudget::of(&meter, Effort::units(10));
        assert_eq!(budget.left(), Effort::units(10));
        meter.clone().charge(Effort::units(4));
        assert_eq!((budget.left(), budget.half().left()), (Effort::units(6), Effort::units(3)));
        meter.charge(Effort::units(7));
        assert!(budget.is_spent() && budget.half().is_spent());
        let larger = EffortBudget::of(&meter, Effort::secs(1));
        assert!(budget.clone().min(larger.clone()).is_spent() && larger.min(budget).is_spent());
    }

    #[test]
    fn nothing_overflows() {
        let most = Effort::units(u64::MAX);
        assert_eq!(most.and_a_half(), most);
        assert_eq!(most.times(2), most);
        assert_eq!(most + Effort::millis(1), most);
        assert_eq!(Effort::secs(u64::MAX), most);
    }
}

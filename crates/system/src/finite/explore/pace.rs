//! How many states to expand between two polls for cancellation.
//!
//! A fixed number would be wrong by orders of magnitude either way: a state of a small model takes a microsecond, one of a
//! model with seventy symmetric processes a good part of a second, and a time limit or Ctrl-C must not wait for thousands
//! of those. So the number follows the time that the last ones took. It has no influence on what is found.

use std::time::Duration;

/// The intended time between two ticks.
pub(super) const TICK_INTERVAL: Duration = Duration::from_millis(50);

/// The current number of states.
pub(super) struct Pace {
    states: usize,
}

impl Pace {
    /// Starts carefully.
    pub(super) fn new() -> Pace {
        Pace { states: 1 }
    }

    /// How many states to expand next, if there are that many.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// Learns from the states that were expanded last. Growth is by steps, because the first states of a search are often
    /// cheaper than the rest; shrinking is immediate.
    pub(super) fn learn(&mut self, states: usize, took: Duration) {
        if took > TICK_INTERVAL {
            let share = TICK_INTERVAL.as_secs_f64() / took.as_secs_f64();
            self.states = ((states as f64 * share) as usize).max(1);
        } else if states >= self.states && took < TICK_INTERVAL / 2 {
            self.states = self.states.saturating_mul(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_states_come_in_large_numbers() {
        let mut pace = Pace::new();
        for _ in 0..15 {
            let states = pace.states();
            pace.learn(states, Duration::from_micros(states as u64));
        }
        assert!((16_384..100_000).contains(&pace.states()), "{}", pace.states());
    }

    #[test]
    fn slow_states_come_one_by_one() {
        let mut pace = Pace { states: 4096 };
        pace.learn(4096, Duration::from_secs(400));
        assert_eq!(pace.states(), 1);
        pace.learn(1, Duration::from_millis(100));
        assert_eq!(pace.states(), 1);
    }

    #[test]
    fn a_small_level_says_nothing_about_large_ones() {
        let mut pace = Pace { states: 64 };
        pace.learn(3, Duration::from_micros(1));
        assert_eq!(pace.states(), 64);
    }
}

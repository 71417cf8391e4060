//! Which random cases tests look at.
//!
//! What decides whether a change is good must not depend on chance: a tree that is green for one person has to be green for
//! everybody, at any time. So random tests draw their cases from a fixed seed, and write nothing into the checkout. New cases
//! are the business of `make campaign`, which sets two variables: `TENET_SEED`, from which all cases are drawn then, and
//! `TENET_TIMES`, how many times as many there are. The same seed gives the same cases again.
//!
//! ```
//! use tenet_chance::{cases, seeds};
//!
//! let config = cases(24);
//! assert!(config.cases >= 24 && config.failure_persistence.is_none());
//! assert!(seeds(0..40).count() >= 40);
//! ```
#![forbid(unsafe_code)]

mod random;

pub use random::Random;

use proptest::test_runner::{Config, RngSeed};
use std::ops::Range;

/// The seed of every day.
const SEED: u64 = 1;

/// A configuration of property tests with so many cases.
pub fn cases(count: u32) -> Config {
    let times = u32::try_from(times()).unwrap_or(u32::MAX);
    Config {
        cases: count.saturating_mul(times),
        rng_seed: RngSeed::Fixed(fresh().unwrap_or(SEED)),
        failure_persistence: None,
        ..Config::default()
    }
}

/// The seeds that a test goes through by itself: these, or in a campaign others.
pub fn seeds(usual: Range<u64>) -> impl Iterator<Item = u64> {
    chosen(usual, fresh(), times())
}

fn chosen(usual: Range<u64>, fresh: Option<u64>, times: u64) -> impl Iterator<Item = u64> {
    let count = usual.end.saturating_sub(usual.start).saturating_mul(times);
    let start = usual.start;
    (0..count).map(move |number| match fresh {
        None => start + number,
        Some(seed) => mixed(mixed(seed) ^ mixed(start).wrapping_add(number)),
    })
}

/// The seed of a campaign.
fn fresh() -> Option<u64> {
    number("TENET_SEED")
}

fn times() -> u64 {
    number("TENET_TIMES").unwrap_or(1).max(1)
}

/// A variable that has to be a number if it is there: a campaign with another seed than the one that it prints would be
/// worth nothing.
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok().filter(|text| !text.is_empty())?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is `{text}`, which is no number")))
}

/// Numbers that have nothing to do with each other, from numbers that follow each other.
fn mixed(number: u64) -> u64 {
    Random::new(number).number()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn without_a_campaign_seeds_are_what_the_test_says() {
        assert_eq!(chosen(3..6, None, 1).collect::<Vec<_>>(), [3, 4, 5]);
    }

    #[test]
    fn a_campaign_has_seeds_of_its_own_and_the_same_ones_again() {
        let first: Vec<u64> = chosen(3..6, Some(7), 10).collect();
        assert_eq!(first, chosen(3..6, Some(7), 10).collect::<Vec<_>>());
        let other: Vec<u64> = chosen(3..6, Some(8), 10).collect();
        let all: BTreeSet<u64> = first.iter().chain(&other).copied().collect();
        assert_eq!(all.len(), 60);
    }
}

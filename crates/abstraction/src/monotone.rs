//! The free distributive lattice over finitely many predicates (Ball, Podelski and Rajamani, section 2).
//!
//! Its elements are the negation-free formulas over the predicates, with *false* and *true*. Predicates are pairwise
//! incomparable here even if one implies the other: the order `[=` looks at names, never at meanings, so `z = 0 | z != 0`
//! is not *true*. That is what makes a fixpoint test cheap and a chain finite; whether an element implies something is a
//! question for a solver, and another order (RC-T3).
//!
//! An element is kept as its minimal sets of predicates, an antichain: two elements are equal just when their
//! antichains are.

use std::collections::BTreeSet;

/// A conjunction of predicates: their positions, in ascending order. The empty one is *true*.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conjunction(Vec<usize>);

impl Conjunction {
    /// The predicates, in ascending order.
    pub fn predicates(&self) -> &[usize] {
        &self.0
    }

    /// Does it have all predicates of the other one? Then it implies the other, whatever they mean.
    pub fn contains(&self, other: &Conjunction) -> bool {
        let mut rest = self.0.iter();
        other.0.iter().all(|wanted| rest.any(|predicate| predicate == wanted))
    }

    fn with(&self, other: &Conjunction) -> Conjunction {
        self.0.iter().chain(&other.0).copied().collect()
    }
}

impl FromIterator<usize> for Conjunction {
    fn from_iter<I: IntoIterator<Item = usize>>(predicates: I) -> Conjunction {
        let set: BTreeSet<usize> = predicates.into_iter().collect();
        Conjunction(set.into_iter().collect())
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Monotone {
    minimal: BTreeSet<Conjunction>,
}

impl Monotone {
    /// *false*: no conjunction at all.
    pub fn bottom() -> Monotone {
        Monotone::default()
    }

    /// *true*: the empty conjunction.
    pub fn top() -> Monotone {
        Monotone::of([Conjunction::default()])
    }

    pub fn predicate(position: usize) -> Monotone {
        Monotone::of([Conjunction(vec![position])])
    }

    pub fn of(conjunctions: impl IntoIterator<Item = Conjunction>) -> Monotone {
        let mut element = Monotone::bottom();
        for conjunction in conjunctions {
            element.add(conjunction);
        }
        element
    }

    /// Adds a disjunct. False if it changes nothing.
    pub fn add(&mut self, conjunction: Conjunction) -> bool {
        if self.covers(&conjunction) {
            return false;
        }
        self.minimal.retain(|larger| !larger.contains(&conjunction));
        self.minimal.insert(conjunction)
    }

    /// Is the conjunction below this element?
    pub fn covers(&self, conjunction: &Conjunction) -> bool {
        self.minimal.iter().any(|smaller| conjunction.contains(smaller))
    }

    /// The order of the lattice: each disjunct of this one has all predicates of some disjunct of the other.
    pub fn is_below(&self, other: &Monotone) -> bool {
        self.minimal.iter().all(|conjunction| other.covers(conjunction))
    }

    pub fn join(&self, other: &Monotone) -> Monotone {
        Monotone::of(self.minimal.iter().chain(&other.minimal).cloned())
    }

    pub fn meet(&self, other: &Monotone) -> Monotone {
        let pairs = self.minimal.iter().flat_map(|left| other.minimal.iter().map(|right| left.with(right)));
        Monotone::of(pairs)
    }

    /// The minimal conjunctions, in ascending order.
    pub fn minimal(&self) -> impl ExactSizeIterator<Item = &Conjunction> {
        self.minimal.iter()
    }

    /// Its value when the predicates have these values.
    pub fn holds(&self, valuation: &[bool]) -> bool {
        self.minimal.iter().any(|conjunction| conjunction.0.iter().all(|&predicate| valuation[predicate]))
    }

    /// As text, with the predicates as they are named by position.
    pub fn print(&self, name: impl Fn(usize) -> String) -> String {
        let conjunction = |one: &Conjunction| match one.0.as_slice() {
            [] => "true".to_string(),
            predicates => predicates.iter().map(|&p| name(p)).collect::<Vec<_>>().join(" & "),
        };
        match self.minimal.len() {
            0 => "false".to_string(),
            _ => self.minimal.iter().map(conjunction).collect::<Vec<_>>().join(" | "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_what_is_printed() {
        let both = Monotone::predicate(0).meet(&Monotone::predicate(2));
        let element = both.join(&Monotone::predicate(1));
        assert_eq!(element.print(|position| format!("p{position}")), "p0 & p2 | p1");
        assert_eq!(Monotone::top().print(|_| String::new()), "true");
        assert_eq!(Monotone::bottom().print(|_| String::new()), "false");
    }

    #[test]
    fn only_minimal_sets_are_kept() {
        let mut element = Monotone::of([[0, 1].into_iter().collect(), [1, 2].into_iter().collect()]);
        assert!(!element.add([0, 1, 3].into_iter().collect()), "it is implied");
        assert!(element.add([1].into_iter().collect()), "it implies both");
        assert_eq!(element, Monotone::predicate(1));
    }
}

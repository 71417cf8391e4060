//! What is known of the concrete model in terms of predicates: the abstract model is the conjunction of it all.
//!
//! Facts are about the circuit and not about an abstraction of it, so they stay when predicates are added and when
//! registers are kept. An abstract model takes those whose literals it knows, which are all of them: whatever a fact
//! mentions was a predicate or a bit of a kept register when it was found, and neither is ever given up.

use tenet_term::Literal;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// In every state.
    Always,
    /// In every first state.
    First,
    /// In every state with a next one, and that one.
    Step,
    /// In every state in which the property is violated.
    Bad,
}

/// A disjunction that holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    pub when: When,
    pub now: Vec<Literal>,
    pub next: Vec<Literal>,
}

impl Fact {
    /// Where these literals hold, one of the others does.
    pub fn implication(when: When, if_now: &[Literal], if_next: &[Literal], then_next: &[Literal]) -> Fact {
        let denied =
            |literals: &[Literal]| literals.iter().copied().map(super::observe::negated).collect::<Vec<_>>();
        let mut next = denied(if_next);
        next.extend(then_next);
        Fact { when, now: denied(if_now), next }
    }
}

//! The least model of a small program within a window: an under- and an over-approximation.
//!
//! The over-approximation does not distinguish values beyond an edge: one fact about them stands for all. It contains the least
//! model, if the window reaches far enough beyond the edge: terms and constraints only compare variables plus small numbers, so
//! the gaps between values beyond the edge can be made small without changing any comparison.

use super::language::{Atom, Entailment, Goal, Kind, PLACES, Program};
use std::collections::{BTreeMap, BTreeSet};

/// A predicate and values.
type Fact = (usize, Vec<i64>);

/// The values that are tried.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The values of the variables of rules, both included.
    pub rules: (i64, i64),
    /// The values of the variables of entailments.
    pub universal: (i64, i64),
    /// The values of their existential variables.
    pub existential: (i64, i64),
    /// Values that are farther from zero are not distinguished.
    pub edge: i64,
}

/// Approximations of the least model.
pub struct Least {
    window: Window,
    certain: BTreeSet<Fact>,
    possible: BTreeSet<Fact>,
}

impl Least {
    /// That of a program.
    pub fn new(program: &Program, window: Window) -> Least {
        let mut instances = Vec::new();
        for rule in &program.rules {
            every(&rule.variables, window.rules, &mut |values| {
                if rule.body.constraints.iter().all(|constraint| constraint.holds(values))
                    && let Some(head) = fact(&rule.head, values)
                    && let Some(body) = rule.body.atoms.iter().map(|atom| fact(atom, values)).collect()
                {
                    instances.push((head, body));
                }
                false
            });
        }
        let certain = fixpoint(&instances);
        let instances: Vec<(Fact, Vec<Fact>)> = instances
            .iter()
            .map(|(head, body)| {
                (window.seen(head), body.iter().map(|fact| window.seen(fact)).collect::<Vec<_>>())
            })
            .collect();
        Least { window, certain, possible: fixpoint(&instances) }
    }

    /// Values of an instance that certainly contradicts an entailment.
    pub fn contradiction(&self, entailment: &Entailment) -> Option<Vec<i64>> {
        let mut found = None;
        every(&entailment.variables[..entailment.universal], self.window.universal, &mut |values| {
            if self.is_certain(&entailment.left, values) && !self.may_follow(entailment, values) {
                found = Some(values.to_vec());
            }
            found.is_some()
        });
        found
    }

    /// May an instance contradict an entailment, as far as the approximations tell?
    pub fn may_contradict(&self, entailment: &Entailment, values: &[i64]) -> bool {
        let follows = |values: &[i64]| self.is_certain(&entailment.right, values);
        self.is_possible(&entailment.left, values) && !self.some(entailment, values, &follows)
    }

    /// Does the left-hand side certainly have an instance?
    pub fn has_instance(&self, entailment: &Entailment) -> bool {
        let variables = &entailment.variables[..entailment.universal];
        every(variables, self.window.universal, &mut |values| self.is_certain(&entailment.left, values))
    }

    fn may_follow(&self, entailment: &Entailment, values: &[i64]) -> bool {
        self.some(entailment, values, &|values| self.is_possible(&entailment.right, values))
    }

    /// Are there values for the existential variables?
    fn some(&self, entailment: &Entailment, values: &[i64], is_right: &dyn Fn(&[i64]) -> bool) -> bool {
        let existential = &entailment.variables[entailment.universal..];
        every(existential, self.window.existential, &mut |more| is_right(&[values, more].concat()))
    }

    fn is_certain(&self, goal: &Goal, values: &[i64]) -> bool {
        let holds = |atom: &Atom| fact(atom, values).is_some_and(|fact| self.certain.contains(&fact));
        goal.constraints.iter().all(|constraint| constraint.holds(values)) && goal.atoms.iter().all(holds)
    }

    fn is_possible(&self, goal: &Goal, values: &[i64]) -> bool {
        let holds = |atom: &Atom| {
            fact(atom, values).is_some_and(|fact| self.possible.contains(&self.window.seen(&fact)))
        };
        goal.constraints.iter().all(|constraint| constraint.holds(values)) && goal.atoms.iter().all(holds)
    }
}

impl Window {
    fn seen(&self, (predicate, values): &Fact) -> Fact {
        (*predicate, values.iter().map(|&value| value.clamp(-self.edge - 1, self.edge + 1)).collect())
    }
}

fn fact(atom: &Atom, values: &[i64]) -> Option<Fact> {
    Some((atom.predicate, atom.values(values)?))
}

/// Visits all values of variables until a callback is satisfied; was it?
fn every(variables: &[Kind], (low, high): (i64, i64), look: &mut dyn FnMut(&[i64]) -> bool) -> bool {
    let range = |kind: Kind| match kind {
        Kind::Number => (low, high),
        Kind::Array => (0, (1 << PLACES) - 1),
    };
    let mut values: Vec<i64> = variables.iter().map(|&kind| range(kind).0).collect();
    loop {
        if look(&values) {
            return true;
        }
        let Some(position) = (0..values.len()).rev().find(|&at| values[at] < range(variables[at]).1) else {
            return false;
        };
        values[position] += 1;
        for later in position + 1..values.len() {
            values[later] = range(variables[later]).0;
        }
    }
}

/// The facts that instances of rules derive.
fn fixpoint(instances: &[(Fact, Vec<Fact>)]) -> BTreeSet<Fact> {
    let mut numbers: BTreeMap<&Fact, usize> = BTreeMap::new();
    for fact in instances.iter().flat_map(|(head, body)| body.iter().chain([head])) {
        let next = numbers.len();
        numbers.entry(fact).or_insert(next);
    }
    let numbered: Vec<(usize, Vec<usize>)> = instances
        .iter()
        .map(|(head, body)| (numbers[head], body.iter().map(|fact| numbers[fact]).collect()))
        .collect();
    let mut holds = vec![false; numbers.len()];
    loop {
        let mut is_new = false;
        for (head, body) in &numbered {
            if !holds[*head] && body.iter().all(|&fact| holds[fact]) {
                holds[*head] = true;
                is_new = true;
            }
        }
        if !is_new {
            break;
        }
    }
    numbers.into_iter().filter(|(_, number)| holds[*number]).map(|(fact, _)| fact.clone()).collect()
}

//! An abstract run to the first abstract state that violates a property, and the step of it at which precision is lost (Das, Dill
//! and Park, section 4: predicates are found by looking at such steps).
//!
//! The sets only grow, so the history of the fixpoint is searched by bisection: for the earliest set that violates the property,
//! and then for the earliest one from which each state is reached. That makes the run short without a search of its own.
//! With index variables a state has several valuations, one for each tuple of elements; the run follows the one that came in last.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Clauses, Interrupted, Observation, Query, Solution, set::Set};
use tenet_system::{System, domain};
use tenet_term::{Substitution, TermId};

use super::details::Step;
use super::fixpoint::Fixpoint;
use super::property::Question;
use crate::common::query::query;

/// Asks for a solution from a set, which is given in two forms.
type Solve<'s, 'a> = dyn FnMut(&mut Past<'a>, &Set, &Clauses) -> Result<Option<Solution>, Interrupted> + 's;

/// What the explanation of a violation looks at.
pub struct Past<'a> {
    pub system: &'a mut System,
    pub observation: &'a Observation,
    pub fixpoint: &'a Fixpoint,
    pub interrupt: &'a Arc<AtomicBool>,
    /// The set after each entry of the history.
    sets: Vec<Set>,
}

impl<'a> Past<'a> {
    pub fn new(
        system: &'a mut System,
        observation: &'a Observation,
        fixpoint: &'a Fixpoint,
        interrupt: &'a Arc<AtomicBool>,
    ) -> Past<'a> {
        let mut known = fixpoint.layout.space.empty();
        let sets = fixpoint.history.iter().map(|added| {
            known = known.union(&added.set);
            known.clone()
        });
        Past { sets: sets.collect(), system, observation, fixpoint, interrupt }
    }

    /// The abstract run, from its startstate on.
    pub fn path(&mut self, question: &mut Question) -> Result<Vec<Step>, Interrupted> {
        let mut path = Vec::new();
        if question.is_about_start() {
            return Ok(path);
        }
        let mut solve = |past: &mut Past<'_>, set: &Set, clauses: &Clauses| {
            question.query.solve(&mut past.system.store, set, clauses.list(), &[])
        };
        let Some(violating) = self.earliest(self.sets.len(), &mut solve)? else { return Ok(path) };
        let mut next = self.last_to_come_in(&violating);
        while let Some((when, state)) = next {
            let added = &self.fixpoint.history[when];
            path.push(Step { iteration: added.iteration, rule: added.rule, state: state.clone() });
            let Some(rule) = added.rule else { break };
            let usable = self.sets.iter().take(when).take_while(|set| set.implies(&added.from)).count();
            let after: Vec<(usize, bool)> = state.iter().copied().enumerate().collect();
            let mut query = self.query(rule);
            let mut solve = |past: &mut Past<'_>, set: &Set, clauses: &Clauses| {
                query.solve(&mut past.system.store, set, clauses.list(), &after)
            };
            let before = self.earliest(usable, &mut solve)?;
            next = before.and_then(|before| self.last_to_come_in(&before));
        }
        path.reverse();
        Ok(path)
    }

    /// The predicates whose value after a step of a rule is not determined by the abstract state before it, for closed predicates.
    pub fn undetermined(
        &mut self,
        rule: usize,
        before: &[bool],
        after: &[bool],
    ) -> Result<Vec<usize>, Interrupted> {
        let from = self.fixpoint.layout.valuation(before);
        let clauses = self.clauses(&from);
        let mut query = self.query(rule);
        let mut found = Vec::new();
        for (predicate, &value) in after.iter().enumerate() {
            let other = [(predicate, !value)];
            if query.solve(&mut self.system.store, &from, clauses.list(), &other)?.is_some() {
                found.push(predicate);
            }
        }
        Ok(found)
    }

    /// Can the rule be disabled, whatever its parameters, in the abstract state? For closed predicates.
    pub fn may_be_disabled(&mut self, rule: usize, before: &[bool]) -> Result<bool, Interrupted> {
        let from = self.fixpoint.layout.valuation(before);
        let clauses = self.clauses(&from);
        let disabled = disabled(self.system, rule);
        let parts = self.observation.state(self.system, &[disabled], &[Substitution::new()]);
        let fixpoint = self.fixpoint;
        let mut query =
            query(self.system, &fixpoint.layout, &parts, Some(rule), fixpoint.depth, self.interrupt);
        Ok(query.solve(&mut self.system.store, &from, clauses.list(), &[])?.is_some())
    }

    /// The rules that were taken on the way to the end of a path. With index variables these are all that have added anything.
    pub fn rules(&self, path: &[Step]) -> Vec<usize> {
        let end = path.last().and_then(|last| self.origin(&last.state));
        match (self.system.indices.is_empty(), end) {
            (false, Some(end)) => {
                self.fixpoint.history[..=end].iter().filter_map(|added| added.rule).collect()
            }
            _ => path.iter().filter_map(|step| step.rule).collect(),
        }
    }

    /// A query about steps of a rule, with a model of one that leads from the set to the valuation.
    pub fn step(&mut self, rule: usize, from: &Set, after: &[bool]) -> Result<Option<Query>, Interrupted> {
        let clauses = self.clauses(from);
        let after: Vec<(usize, bool)> = after.iter().copied().enumerate().collect();
        let mut query = self.query(rule);
        let solution = query.solve(&mut self.system.store, from, clauses.list(), &after)?;
        Ok(solution.map(|_| query))
    }

    /// The set before the entry of the history that a state came in with.
    pub fn set_before(&self, state: &[bool]) -> Set {
        let origin = self.origin(state).map(|when| self.fixpoint.history[when].from.clone());
        origin.unwrap_or_else(|| self.fixpoint.set.clone())
    }

    fn query(&mut self, rule: usize) -> Query {
        let fixpoint = self.fixpoint;
        let parts = self.observation.rule(self.system, rule, &fixpoint.substitutions[rule]);
        query(self.system, &fixpoint.layout, &parts, Some(rule), fixpoint.depth, self.interrupt)
    }

    fn clauses(&self, set: &Set) -> Clauses {
        let mut clauses = Clauses::default();
        clauses.update(&self.fixpoint.layout, set);
        clauses
    }

    /// A solution for the earliest of the first `count` sets that has one.
    fn earliest(&mut self, count: usize, solve: &mut Solve<'_, 'a>) -> Result<Option<Solution>, Interrupted> {
        let (mut low, mut high, mut found) = (0, count, None);
        while low < high {
            // What is wanted is mostly early; the last set decides whether there is anything at all.
            let middle = if found.is_none() { high - 1 } else { low + (high - low) / 2 };
            let set = self.sets[middle].clone();
            let clauses = self.clauses(&set);
            match solve(self, &set, &clauses)? {
                Some(solution) => (high, found) = (middle, Some(solution)),
                None => low = middle + 1,
            }
        }
        Ok(found)
    }

    /// Of the valuations of a state, the one that came in last, with the place in the history.
    fn last_to_come_in(&self, solution: &Solution) -> Option<(usize, Vec<bool>)> {
        let known = solution.before.iter().filter_map(|values| Some((self.origin(values)?, values.clone())));
        known.max_by_key(|(when, _)| *when)
    }

    fn origin(&self, values: &[bool]) -> Option<usize> {
        let is_in = |set: &Set| self.fixpoint.layout.contains(set, values);
        self.fixpoint.history.iter().position(|added| is_in(&added.set))
    }
}

/// That the guard of a rule holds for no parameters.
fn disabled(system: &mut System, rule: usize) -> TermId {
    let (params, guard) = (system.rules[rule].params.clone(), system.rules[rule].guard);
    let store = &mut system.store;
    let mut bound = Vec::new();
    let mut renaming = Substitution::new();
    for param in params {
        let symbol = store.symbol(param).clone();
        let variable = store.bound_avoiding(&symbol.name, symbol.sort, &bound);
        bound.push(variable);
        let variable = store.mk_symbol(variable);
        renaming.insert(store, param, variable);
    }
    let domains: Vec<TermId> = bound.iter().map(|&symbol| domain(store, symbol)).collect();
    let guard = store.substitute(guard, &renaming);
    let blocked = store.mk_not(guard);
    let within = store.mk_and(domains);
    let blocked = store.mk_implies(within, blocked);
    store.mk_forall(&bound, blocked)
}

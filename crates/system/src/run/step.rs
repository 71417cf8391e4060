//! A single step, from any state of a finite instance, whether or not it is reachable: what a counterexample to induction consists of.
//!
//! Like a run it is known by what was chosen; the state after it is computed by the reference evaluator, which also goes through
//! quantifiers, since every index sort has a size here.

use super::{RunError, State, choose, compute, enter, require};
use crate::System;
use tenet_term::{Model, SortId, SymbolId, TermId, Value};

/// What makes the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Start(usize),
    Rule(usize),
}

/// A step by its choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many elements each index sort has.
    pub sizes: Vec<(SortId, u32)>,
    pub consts: Vec<(SymbolId, Value)>,
    pub origin: Origin,
    pub params: Vec<(SymbolId, Value)>,
    /// The state that a rule is taken in, in the order of [`System::state`]; a startstate has none.
    pub before: Option<State>,
}

impl Step {
    /// The sizes and constants alone.
    fn instance(&self, system: &System) -> Model {
        let mut model = Model::new();
        self.sizes.iter().for_each(|&(sort, size)| model.set_size(sort, size));
        // A sort that nothing is known of may have any size.
        for (sort, _) in system.store.sorts() {
            let is_index = matches!(system.store.sort(sort), tenet_term::Sort::Index { .. });
            if is_index && model.size(sort).is_none() {
                model.set_size(sort, 1);
            }
        }
        self.consts.iter().for_each(|(symbol, value)| model.set(*symbol, value.clone()));
        model
    }

    /// A state of its instance, in which formulas can be evaluated.
    pub fn model(&self, system: &System, state: &State) -> Model {
        let mut model = self.instance(system);
        system.state.iter().zip(state).for_each(|(var, value)| model.set(var.symbol, value.clone()));
        model
    }

    /// The state before it with what was chosen.
    pub fn choice(&self, system: &System) -> Model {
        let mut model = match &self.before {
            Some(before) => self.model(system, before),
            None => self.instance(system),
        };
        self.params.iter().for_each(|(symbol, value)| model.set(*symbol, value.clone()));
        model
    }

    /// The state after it, if it happens: constants and parameters have values of their types, the axioms hold in both states, and
    /// the guard in the first.
    pub fn after(&self, system: &mut System) -> Result<State, RunError> {
        let mut model = self.instance(system);
        let consts = system.consts.clone();
        choose(system, &mut model, 0, &consts, &self.consts)?;
        if let Some(before) = &self.before {
            enter(system, &mut model, 0, before)?;
        }
        let (guard, params, values): (TermId, Vec<SymbolId>, Vec<Option<TermId>>) = match self.origin {
            Origin::Start(start) => {
                let start = &system.starts[start];
                (start.constraint, start.params.clone(), start.values.iter().copied().map(Some).collect())
            }
            Origin::Rule(rule) => {
                let rule = &system.rules[rule];
                let new = |symbol| rule.updates.iter().find(|(known, _)| *known == symbol);
                let values = system.state.iter().map(|var| new(var.symbol).map(|&(_, value)| value));
                (rule.guard, rule.params.clone(), values.collect())
            }
        };
        choose(system, &mut model, 1, &params, &self.params)?;
        require(system, &model, 1, guard)?;
        let mut state = State::new();
        for (place, value) in values.into_iter().enumerate() {
            state.push(match (value, &self.before) {
                (Some(value), _) => compute(system, &model, 1, value)?,
                (None, Some(before)) => before[place].clone(),
                (None, None) => return Err(RunError::NotEnabled(1)),
            });
        }
        enter(system, &mut model, 1, &state)?;
        Ok(state)
    }
}

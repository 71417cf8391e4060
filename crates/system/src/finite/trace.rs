//! Runs: what happened step by step, and whether it really happens.
//!
//! A run is only shown after [`replay`] has executed it again, with code compiled in the generic mode: no
//! specialisation, no symmetry, no packing, so that a bug in one of those cannot produce a run that is none.

use super::compile::{self, Compiled, Mode, RuleCode, parameters};
use super::layout::{Layout, UNDEFINED};
use super::machine::{Context, Fault};
use super::program::{FaultKind, Program, PropertyKind, Rule, Site};
use super::symmetry::Symmetry;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The startstate and then each rule, with the state after it.
    pub steps: Vec<Step>,
    /// What is wrong at the end.
    pub finding: Finding,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub action: Action,
    pub state: Vec<i64>,
}

/// A rule or startstate with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Action {
    /// Position among the rules (or the startstates, for the first step of a run).
    pub rule: usize,
    pub instance: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// An invariant is false in the last state.
    Property(usize),
    /// Evaluating a property in the last state fails.
    PropertyFault(usize, Fault),
    /// Taking this rule in the last state fails (or evaluating its guard).
    StepFault(Action, Fault),
    /// Computing a startstate fails; the run has no steps.
    StartFault(Action, Fault),
    /// Nothing can happen in the last state.
    Deadlock,
}

impl Finding {
    pub fn fault(&self) -> Option<Fault> {
        match self {
            Finding::PropertyFault(_, fault)
            | Finding::StepFault(_, fault)
            | Finding::StartFault(_, fault) => Some(*fault),
            Finding::Property(_) | Finding::Deadlock => None,
        }
    }

    /// Whether it says that this tool cannot follow the model, rather than that the model is wrong.
    pub fn is_limit(&self, program: &Program) -> bool {
        let site = self.fault().map(|fault| &program.sites[fault.site.0 as usize]);
        site.is_some_and(|site| matches!(site.kind, FaultKind::Overflow | FaultKind::Endless))
    }
}

/// Names and values of an action's parameters.
pub fn shown_parameters(layout: &Layout, rule: &Rule, instance: u64) -> Vec<(String, String)> {
    let values = parameters(&rule.params, instance);
    let named = rule.params.iter().zip(values);
    named.map(|(param, value)| (param.name.clone(), layout.show(param.domain, value))).collect()
}

/// The slots in which two states differ.
pub fn changes(before: &[i64], after: &[i64]) -> Vec<usize> {
    (0..after.len()).filter(|&slot| before[slot] != after[slot]).collect()
}

pub fn site<'a>(program: &'a Program, fault: &Fault) -> &'a Site {
    &program.sites[fault.site.0 as usize]
}

/// Why a run did not replay: a bug of this tool, never a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A guard is false.
    #[error("step {0} is not enabled")]
    NotEnabled(usize),
    /// A step leads elsewhere.
    #[error("step {0} leads to another state")]
    OtherState(usize),
    #[error("step {0} fails")]
    Failed(usize),
    /// An assumption is false after a step.
    #[error("step {0} leads to a state that an assumption excludes")]
    Excluded(usize),
    /// The last state is not what was claimed.
    #[error("the end of the run does not show what was found")]
    OtherFinding,
}

/// Executes a run again and checks every step and the finding.
pub fn replay(program: &Program, trace: &Trace) -> Result<(), ReplayError> {
    Replayer::new(program).replay(trace)
}

/// Executes single actions with generic code.
pub struct Replayer<'a> {
    program: &'a Program,
    compiled: Compiled,
    context: Context,
    memory: Vec<i64>,
    /// Only puts multisets in order.
    multisets: Symmetry,
}

impl<'a> Replayer<'a> {
    pub fn new(program: &'a Program) -> Replayer<'a> {
        let compiled = compile::compile(program, Mode::Generic);
        let context = compiled.machine.context();
        let memory = vec![UNDEFINED; compiled.memory];
        let multisets = Symmetry::new(&program.layout, false);
        Replayer { program, compiled, context, memory, multisets }
    }

    pub fn start(&mut self, action: Action) -> Result<Option<Vec<i64>>, Fault> {
        let nothing = vec![UNDEFINED; self.program.layout.slots.len()];
        self.execute(true, action, &nothing)
    }

    /// The state after an action; `None` if it is not enabled.
    pub fn step(&mut self, state: &[i64], action: Action) -> Result<Option<Vec<i64>>, Fault> {
        self.execute(false, action, state)
    }

    /// Every action that is enabled, or fails, in a state.
    pub fn enabled(&mut self, state: &[i64]) -> Vec<(Action, Result<Vec<i64>, Fault>)> {
        let mut found = Vec::new();
        for rule in 0..self.program.rules.len() {
            for instance in 0..self.compiled.rules[rule].instances {
                let action = Action { rule, instance };
                match self.step(state, action) {
                    Ok(None) => {}
                    Ok(Some(next)) => found.push((action, Ok(next))),
                    Err(fault) => found.push((action, Err(fault))),
                }
            }
        }
        found
    }

    pub fn property(&mut self, state: &[i64], property: usize) -> Result<bool, Fault> {
        self.load(state);
        self.compiled.machine.run(self.compiled.properties[property], &mut self.memory, &mut self.context)
    }

    /// Whether all assumptions are true in a state. One that fails counts as true, as it does in the search.
    pub fn assumed(&mut self, state: &[i64]) -> bool {
        let properties = self.program.properties.iter().enumerate();
        let mut assumptions = properties.filter(|(_, property)| property.kind == PropertyKind::Assume);
        assumptions.all(|(index, _)| self.property(state, index).unwrap_or(true))
    }

    /// The first thing wrong with a state itself: an assumption that fails, an invariant that is false or fails, a
    /// cover that fails.
    pub fn judge(&mut self, state: &[i64]) -> Option<Finding> {
        let program = self.program;
        let kinds = [PropertyKind::Assume, PropertyKind::Invariant, PropertyKind::Cover];
        let of_kind =
            |kind| (0..program.properties.len()).filter(move |&p| program.properties[p].kind == kind);
        kinds.into_iter().flat_map(of_kind).find_map(|property| match self.property(state, property) {
            Ok(false) if program.is_invariant(property) => Some(Finding::Property(property)),
            Ok(_) => None,
            Err(fault) => Some(Finding::PropertyFault(property, fault)),
        })
    }

    pub fn replay(&mut self, trace: &Trace) -> Result<(), ReplayError> {
        let mut before: Option<&[i64]> = None;
        for (number, step) in trace.steps.iter().enumerate() {
            let next = match before {
                None => self.start(step.action),
                Some(state) => self.step(state, step.action),
            };
            let next =
                next.map_err(|_| ReplayError::Failed(number))?.ok_or(ReplayError::NotEnabled(number))?;
            if next != step.state {
                return Err(ReplayError::OtherState(number));
            }
            if !self.assumed(&step.state) {
                return Err(ReplayError::Excluded(number));
            }
            before = Some(&step.state);
        }
        if self.shows(before, &trace.finding) { Ok(()) } else { Err(ReplayError::OtherFinding) }
    }

    fn shows(&mut self, last: Option<&[i64]>, finding: &Finding) -> bool {
        match (last, *finding) {
            (None, Finding::StartFault(action, fault)) => self.start(action) == Err(fault),
            (Some(state), Finding::Property(index)) => {
                self.program.is_invariant(index) && self.property(state, index) == Ok(false)
            }
            (Some(state), Finding::PropertyFault(index, fault)) => {
                index < self.program.properties.len() && self.property(state, index) == Err(fault)
            }
            (Some(state), Finding::StepFault(action, fault)) => self.step(state, action) == Err(fault),
            (Some(state), Finding::Deadlock) => {
                self.enabled(state).iter().all(|(_, next)| next.as_ref().is_ok_and(|next| next == state))
            }
            _ => false,
        }
    }

    fn load(&mut self, state: &[i64]) {
        self.memory[..state.len()].copy_from_slice(state);
    }

    fn execute(&mut self, start: bool, action: Action, state: &[i64]) -> Result<Option<Vec<i64>>, Fault> {
        let (rules, compiled) = match start {
            true => (&self.program.starts, &self.compiled.starts),
            false => (&self.program.rules, &self.compiled.rules),
        };
        let Some(rule) = compiled.get(action.rule).filter(|rule| action.instance < rule.instances) else {
            return Ok(None);
        };
        let RuleCode::Generic(guard, body) = rule.code else {
            unreachable!("invariant: replaying uses generic code")
        };
        let values = parameters(&rules[action.rule].params, action.instance);
        self.memory[..state.len()].copy_from_slice(state);
        self.context.regs[..values.len()].copy_from_slice(&values);
        let machine = &self.compiled.machine;
        let taken = machine.run(guard, &mut self.memory, &mut self.context)?
            && machine.run(body, &mut self.memory, &mut self.context)?;
        if !taken {
            return Ok(None);
        }
        let mut next = self.memory[..state.len()].to_vec();
        self.multisets.normalise(&mut next);
        Ok(Some(next))
    }
}

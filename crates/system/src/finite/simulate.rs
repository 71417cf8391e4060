//! Walking through a finite instance: at random, or as a person chooses.

use super::machine::Fault;
use super::program::Program;
use super::trace::{Action, Finding, Replayer, Step, Trace};
use crate::random::Random;

/// A walk under way.
pub struct Simulator<'a> {
    program: &'a Program,
    replayer: Replayer<'a>,
    steps: Vec<Step>,
}

/// What one can do next.
pub type Choice = (Action, Result<Vec<i64>, Fault>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// It took as many steps as asked.
    Steps,
    /// Something is wrong.
    Found(Finding),
    NoStart,
    /// Every next state is excluded by an assumption.
    Excluded,
}

impl<'a> Simulator<'a> {
    /// A walk that has not started.
    pub fn new(program: &'a Program) -> Simulator<'a> {
        Simulator { program, replayer: Replayer::new(program), steps: Vec::new() }
    }

    /// The steps so far; the first is the startstate.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps so far as a run with a finding at its end.
    pub fn into_trace(self, finding: Finding) -> Trace {
        Trace { steps: self.steps, finding }
    }

    /// What can happen next: startstates at first, then rules. Steps that an assumption excludes are left out.
    pub fn choices(&mut self) -> Vec<Choice> {
        let all = match self.steps.last() {
            None => self.starts(),
            Some(step) => {
                let state = step.state.clone();
                self.replayer.enabled(&state)
            }
        };
        all.into_iter().filter(|(_, next)| self.assumed(next)).collect()
    }

    /// Takes a choice. Returns what is wrong, if anything is.
    pub fn take(&mut self, choice: Choice) -> Option<Finding> {
        let (action, next) = choice;
        match next {
            Err(fault) if self.steps.is_empty() => Some(Finding::StartFault(action, fault)),
            Err(fault) => Some(Finding::StepFault(action, fault)),
            Ok(state) => {
                let finding = self.replayer.judge(&state);
                self.steps.push(Step { action, state });
                finding
            }
        }
    }

    /// Takes back the last step.
    pub fn back(&mut self) {
        self.steps.pop();
    }

    /// Takes up to `count` random steps after the startstate.
    pub fn walk(&mut self, count: usize, random: &mut Random) -> WalkEnd {
        while self.steps.len() <= count {
            let mut choices = self.choices();
            if choices.is_empty() {
                return self.stuck();
            }
            let choice = choices.swap_remove(random.below(choices.len()));
            if let Some(finding) = self.take(choice) {
                return WalkEnd::Found(finding);
            }
        }
        WalkEnd::Steps
    }

    /// Why there are no choices. What an assumption excludes is not a deadlock, here as in the search.
    fn stuck(&mut self) -> WalkEnd {
        let Some(step) = self.steps.last() else { return WalkEnd::NoStart };
        let dead = self.replayer.enabled(&step.state).is_empty();
        if dead { WalkEnd::Found(Finding::Deadlock) } else { WalkEnd::Excluded }
    }

    fn starts(&mut self) -> Vec<Choice> {
        let mut found = Vec::new();
        for (rule, start) in self.program.starts.iter().enumerate() {
            let instances = start.params.iter().map(|param| param.count()).fold(1, u64::saturating_mul);
            for instance in 0..instances {
                let action = Action { rule, instance };
                match self.replayer.start(action) {
                    Ok(Some(state)) => found.push((action, Ok(state))),
                    Ok(None) => {}
                    Err(fault) => found.push((action, Err(fault))),
                }
            }
        }
        found
    }

    fn assumed(&mut self, next: &Result<Vec<i64>, Fault>) -> bool {
        next.as_ref().map_or(true, |state| self.replayer.assumed(state))
    }
}

//! The run to a stored state.
//!
//! Stored states are representatives, so their chain is not a run by itself: element names may change between two of
//! them. The run is rebuilt forwards from a real startstate, taking at each step a rule instance whose result has the
//! next representative. By symmetry there always is one.

use super::worker::Worker;
use super::{Search, action_of};
use crate::finite::layout::UNDEFINED;
use crate::finite::store::StateNo;
use crate::finite::trace::{Action, Finding, Step, Trace};

impl<'a> Search<'a> {
    /// The shortest run to what was found at a state (`None`: while computing a startstate).
    pub(super) fn trace(&mut self, state: Option<StateNo>, finding: Finding) -> Trace {
        let Some(state) = state else { return Trace { steps: Vec::new(), finding } };
        let path = self.path(state);
        let mut worker = Worker::new(self.shared);
        let mut steps = vec![self.first_step(&mut worker, path[0])];
        for &next in &path[1..] {
            let before = steps.last().expect("invariant: there is a first step").state.clone();
            worker.load_state(&before);
            steps.push(self.step_to(&mut worker, next));
        }
        let last = steps.last().expect("invariant: there is a first step").state.clone();
        let finding = self.concrete(&mut worker, &last, finding);
        Trace { steps, finding }
    }

    /// State numbers from a startstate to `state`.
    fn path(&mut self, state: StateNo) -> Vec<StateNo> {
        let mut path = vec![state];
        let mut current = state;
        while current as usize >= self.initial {
            current = self.parent(current);
            path.push(current);
        }
        path.reverse();
        path
    }

    fn parent(&mut self, state: StateNo) -> StateNo {
        let target = self.store.get(state).to_vec();
        let mut worker = Worker::new(self.shared);
        let mut candidates = self.store.parent_candidates(state);
        candidates
            .find(|&candidate| {
                worker.load(self.store.get(candidate));
                first_hit(&mut worker, false, &target).is_some()
            })
            .expect("invariant: the parent is among the candidates")
    }

    fn first_step(&self, worker: &mut Worker<'a>, target: StateNo) -> Step {
        first_hit(worker, true, self.store.get(target))
            .expect("invariant: a startstate has this representative")
    }

    fn step_to(&self, worker: &mut Worker<'a>, target: StateNo) -> Step {
        first_hit(worker, false, self.store.get(target))
            .expect("invariant: some rule leads to the next state")
    }

    /// The finding with the parameters it has in the real state.
    fn concrete(&self, worker: &mut Worker<'a>, state: &[i64], finding: Finding) -> Finding {
        if action_of(&finding).is_some() {
            return self.failing_step(worker, state).unwrap_or(finding);
        }
        worker.memory.fill(UNDEFINED);
        worker.memory[..state.len()].copy_from_slice(state);
        match finding {
            // A quantified formula may fail at another element first.
            Finding::PropertyFault(..) => worker.judge_state().unwrap_or(finding),
            _ => finding,
        }
    }

    fn failing_step(&self, worker: &mut Worker<'a>, state: &[i64]) -> Option<Finding> {
        worker.load_state(state);
        let result = worker.each_successor(&mut |_, action, result| match result {
            Err(fault) => Err(Finding::StepFault(action, fault)),
            Ok(()) => Ok(()),
        });
        result.err()
    }
}

/// The first startstate or successor whose packed representative is `target`.
fn first_hit(worker: &mut Worker<'_>, start: bool, target: &[u8]) -> Option<Step> {
    let mut check = |worker: &mut Worker<'_>, action: Action, result: Result<(), _>| {
        if result.is_err() {
            return Ok(());
        }
        let state = worker.state();
        worker.pack();
        if worker.bytes() == target { Err(Step { action, state }) } else { Ok(()) }
    };
    let result = if start { worker.each_start(&mut check) } else { worker.each_successor(&mut check) };
    result.err()
}

//! The run to a stored state.
//!
//! Stored states are representatives, so their chain is not a run by itself: element names may change between two of
//! them. The run is rebuilt forwards from a real startstate, taking at each step a rule instance whose result has the
//! next representative. By symmetry there always is one.

use super::Search;
use super::worker::Worker;
use crate::finite::machine::Fault;
use crate::finite::store::StateNo;
use crate::finite::trace::{Action, Finding, Step, Trace};
use std::convert::Infallible;

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
            let Some(step) = first_hit(&mut worker, false, self.store.get(next)) else {
                // Only a rule that fails or not depending on the order of elements brings us here. It fails.
                let finding = failing_step(&mut worker, finding).unwrap_or(finding);
                return Trace { steps, finding };
            };
            steps.push(step);
        }
        let last = steps.last().expect("invariant: there is a first step").state.clone();
        let finding = concrete(&mut worker, &last, finding);
        Trace { steps, finding }
    }

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
}

/// The finding as it is in the real state: other elements may be at fault, or a formula fail before it is false.
fn concrete(worker: &mut Worker<'_>, state: &[i64], finding: Finding) -> Finding {
    let found = match finding {
        Finding::StepFault(..) => {
            worker.load_state(state);
            failing_step(worker, finding)
        }
        Finding::Property(index) | Finding::PropertyFault(index, _) => {
            worker.memory[..state.len()].copy_from_slice(state);
            worker.judge(index)
        }
        Finding::StartFault(..) | Finding::Deadlock => None,
    };
    found.unwrap_or(finding)
}

/// The step of the loaded state that fails most like `finding`: at the same site, by the same rule, the first.
fn failing_step(worker: &mut Worker<'_>, finding: Finding) -> Option<Finding> {
    let mut found = Vec::new();
    let Ok(()) = worker.each_successor(&mut |_, action, result| {
        found.extend(result.and_then(Result::err).map(|fault| (action, fault)));
        Ok::<(), Infallible>(())
    });
    let unlike = |&(action, fault): &(Action, Fault)| match finding {
        Finding::StepFault(wanted, like) => (fault.site != like.site, action.rule != wanted.rule),
        _ => (true, true),
    };
    found.into_iter().min_by_key(unlike).map(|(action, fault)| Finding::StepFault(action, fault))
}

/// The first startstate or successor whose packed representative is `target`.
fn first_hit(worker: &mut Worker<'_>, start: bool, target: &[u8]) -> Option<Step> {
    let mut check = |worker: &mut Worker<'_>, action: Action, result: Option<Result<(), _>>| {
        if !matches!(result, Some(Ok(()))) {
            return Ok(());
        }
        let state = worker.state();
        worker.pack();
        if worker.bytes() == target { Err(Step { action, state }) } else { Ok(()) }
    };
    let result = if start { worker.each_start(&mut check) } else { worker.each_successor(&mut check) };
    result.err()
}

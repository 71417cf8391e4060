//! Runs of a process that violate a property: the transitions one after the other, without abstraction.

use std::collections::VecDeque;
use tenet_system::recursive::obligations::{safety, successor};
use tenet_system::recursive::{Process, State};
use tenet_term::{Role, TermId};

use super::outcome::Run;
use super::prover::Prover;
use super::sequent::fresh_like;

/// Sequences of transitions that are looked at.
const MAX_PATHS: usize = 400;

/// A sequence of transitions.
#[derive(Clone, Debug)]
struct Path {
    state: State,
    args: Vec<Vec<TermId>>,
    transitions: Vec<usize>,
}

impl Prover<'_> {
    /// A run that violates a property, if a short one is found.
    pub(super) fn violating_run(&mut self, process: &Process, property: usize) -> Option<Run> {
        let start = process.start.clone();
        let first = Path { args: vec![start.args.clone()], state: start, transitions: Vec::new() };
        let mut queue: VecDeque<Path> = [first].into();
        for _ in 0..MAX_PATHS {
            let path = queue.pop_front()?;
            if self.stop().is_some() {
                return None;
            }
            self.tell("looking for a run");
            if let Some(run) = self.violating_end(process, property, &path) {
                return Some(run);
            }
            for transition in 0..process.transitions.len() {
                queue.extend(self.longer(process, &path, transition));
            }
        }
        None
    }

    fn longer(&mut self, process: &Process, path: &Path, transition: usize) -> Option<Path> {
        let store = &mut self.program.store;
        let fresh = fresh_like(store, &process.transitions[transition].variables, Role::Index);
        let state = successor(store, process, &path.state, transition, &fresh);
        let nothing = tenet_system::recursive::obligations::emptiness(store, &state);
        if self.quickly(&nothing).is_some() {
            return None;
        }
        let mut next = path.clone();
        next.args.push(state.args.clone());
        next.state = state;
        next.transitions.push(transition);
        Some(next)
    }

    fn violating_end(&mut self, process: &Process, property: usize, path: &Path) -> Option<Run> {
        let store = &mut self.program.store;
        let variables = &process.properties[property].state.variables;
        let fresh = fresh_like(store, variables, Role::Index);
        let claim = safety(store, process, &path.state, property, &fresh);
        let further: Vec<TermId> = path.args.iter().flatten().copied().collect();
        let (found, further) = self.refute_with(&claim, &further)?;
        let states = further.chunks(process.parameters.len().max(1)).map(<[TermId]>::to_vec).collect();
        let value = |name| found.values.iter().find(|(symbol, _)| *symbol == name).map(|(_, value)| *value);
        let witness = variables.iter().zip(fresh).filter_map(|(&symbol, name)| Some((symbol, value(name)?)));
        Some(Run { states, transitions: path.transitions.clone(), witness: witness.collect() })
    }
}

//! Symbolic execution for runs that violate a property: the transitions one after the other, without abstraction.
//!
//! Each state is unfolded until no atoms are left, before the next transition is taken. So the number of processes, or whatever the
//! definitions count, is a number from the start on, and each further definition can be unfolded in few ways.

use std::collections::VecDeque;
use tenet_system::recursive::obligations::safety;
use tenet_system::recursive::{Goal, Process, State};
use tenet_term::{Role, SymbolId, TermId};

use super::outcome::Run;
use super::prover::Prover;
use super::refute::Partial;
use super::sequent::{fresh_like, renaming};

/// Complete unfoldings of a goal.
const MAX_WAYS: usize = 4;
const MAX_GOALS: usize = 60;

/// A sequence of transitions. The values are for each state what was chosen to come there, and the arguments of the process.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub states: Partial,
    pub transitions: Vec<usize>,
}

impl Prover<'_> {
    /// A run that violates a property, if one is found among this many sequences of transitions.
    pub(super) fn violating_run(&mut self, process: &Process, property: usize, paths: usize) -> Option<Run> {
        let starts = self.starts(process);
        self.first_violation(process, property, paths, starts, |prover, path| {
            let transitions = 0..process.transitions.len();
            transitions.flat_map(|transition| prover.longer(process, path, transition)).collect()
        })
    }

    /// The run along the first path with a violation at its end, breadth first, up to a number of paths.
    pub(super) fn first_violation(
        &mut self,
        process: &Process,
        property: usize,
        paths: usize,
        starts: Vec<Path>,
        mut longer: impl FnMut(&mut Self, &Path) -> Vec<Path>,
    ) -> Option<Run> {
        let mut queue: VecDeque<Path> = starts.into();
        for _ in 0..paths {
            let path = queue.pop_front()?;
            if self.stop().is_some() {
                return None;
            }
            self.report_progress("looking for a run");
            if let Some(run) = self.violating_end(process, property, &path) {
                return Some(run);
            }
            queue.extend(longer(self, &path));
        }
        None
    }

    /// The start, unfolded in several ways.
    pub(super) fn starts(&mut self, process: &Process) -> Vec<Path> {
        let start = &process.start;
        let store = &mut self.program.store;
        let mut values: Vec<TermId> = start.variables.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        values.extend(&start.args);
        let start = self.partial(&start.goal, values);
        let ways = self.without_atoms(start).into_iter();
        ways.map(|states| Path { states, transitions: Vec::new() }).collect()
    }

    /// The ways to unfold all atoms, the shortest ones first.
    fn without_atoms(&mut self, goal: Partial) -> Vec<Partial> {
        let (mut queue, mut result) = (VecDeque::from([goal]), Vec::new());
        for _ in 0..MAX_GOALS {
            let Some(partial) = queue.pop_front() else { break };
            if result.len() >= MAX_WAYS || self.stop().is_some() {
                break;
            }
            if partial.atoms.is_empty() {
                result.push(partial);
            } else {
                queue.extend(self.unfolded(&partial));
            }
        }
        result
    }

    /// The path with one more transition, in several ways.
    pub(super) fn longer(&mut self, process: &Process, path: &Path, transition: usize) -> Vec<Path> {
        let taken = &process.transitions[transition];
        let store = &mut self.program.store;
        let fresh = fresh_like(store, &taken.variables, Role::Index);
        let names = renaming(store, &taken.variables, &fresh);
        let goal = taken.goal.substitute(store, &names);
        let mut states = path.states.clone();
        let width = process.parameters.len();
        let last = states.values[states.values.len() - width..].to_vec();
        for (here, &from) in last.into_iter().zip(&taken.from) {
            let from = store.substitute(from, &names);
            states.constraint.push(store.mk_eq(here, from));
        }
        states.constraint.extend(store.conjuncts(goal.constraint));
        states.values.extend(fresh.iter().map(|&symbol| store.mk_symbol(symbol)));
        states.values.extend(taken.to.iter().map(|&to| store.substitute(to, &names)));
        states.atoms = goal.atoms;
        let states = states.solved(store);
        if self.solver.refutes_quickly(&self.program.store, &states.constraint) {
            return Vec::new();
        }
        let transitions: Vec<usize> = path.transitions.iter().copied().chain([transition]).collect();
        let ways = self.without_atoms(states).into_iter();
        ways.map(|states| Path { states, transitions: transitions.clone() }).collect()
    }

    /// The run along a path, if the property can be false at its end.
    fn violating_end(&mut self, process: &Process, property: usize, path: &Path) -> Option<Run> {
        let width = process.parameters.len();
        let store = &mut self.program.store;
        let constraint = store.mk_and(path.states.constraint.iter().copied());
        let values = path.states.values.iter().chain([&constraint]);
        let mut variables: Vec<SymbolId> = values.flat_map(|&term| store.free_symbols(term)).collect();
        variables.retain(|&symbol| store.symbol(symbol).role == Role::Index);
        variables.sort_unstable();
        variables.dedup();
        let state = State {
            source: process.start.source,
            variables,
            args: path.states.values[path.states.values.len() - width..].to_vec(),
            goal: Goal { atoms: Vec::new(), constraint },
        };
        let variables = &process.properties[property].state.variables;
        let fresh = fresh_like(store, variables, Role::Index);
        let claim = safety(store, process, &state, property, &fresh);
        let (found, further) = self.refute_with(&claim, &path.states.values)?;
        let (choices, states) = split(process, &path.transitions, &further);
        let value = |name| found.values.iter().find(|(symbol, _)| *symbol == name).map(|(_, value)| *value);
        let witness = variables.iter().zip(fresh).filter_map(|(&symbol, name)| Some((symbol, value(name)?)));
        Some(Run { states, transitions: path.transitions.clone(), choices, witness: witness.collect() })
    }
}

/// What was chosen for each state, and the states.
fn split(
    process: &Process,
    transitions: &[usize],
    values: &[TermId],
) -> (Vec<Vec<TermId>>, Vec<Vec<TermId>>) {
    let variables = transitions.iter().map(|&taken| process.transitions[taken].variables.len());
    let (mut choices, mut states, mut rest) = (Vec::new(), Vec::new(), values);
    for count in [process.start.variables.len()].into_iter().chain(variables) {
        let (chosen, after) = rest.split_at(count);
        let (state, later) = after.split_at(process.parameters.len());
        choices.push(chosen.to_vec());
        states.push(state.to_vec());
        rest = later;
    }
    (choices, states)
}

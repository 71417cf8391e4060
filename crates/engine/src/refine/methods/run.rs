//! From rules that lead to an unsafe state to a run with values.
//!
//! The rules are a path from location to location of the program that the system is. A solver finds values for what its steps
//! choose; then the run is replayed, in which neither the solver nor the operators have a say.

use super::outcome::Reason;
use crate::refine::path::{Feasibility, feasible, violation};
use crate::refine::program::{LocationId, Origin, Program, TransitionId};
use tenet_solve::Limits;
use tenet_system::System;
use tenet_system::run::Violation;

/// A run by these rules, in order, that violates one of the properties.
pub fn concrete(
    system: &mut System,
    rules: &[usize],
    properties: &[usize],
    limits: &Limits,
) -> Result<Violation, Reason> {
    let program = Program::new(system, properties).map_err(|_| Reason::NoValues)?;
    let consts = system.consts.clone();
    for path in paths(&program, rules) {
        if let Feasibility::Possible(route) = feasible(&mut system.store, &program, &consts, &path, limits) {
            return violation(system, &program, &route).ok_or(Reason::NotReplayed);
        }
    }
    Err(Reason::NoValues)
}

/// The paths that begin somewhere, take these rules and end with the violation of a property.
fn paths(program: &Program, rules: &[usize]) -> Vec<Vec<TransitionId>> {
    let mut found = Vec::new();
    let is_start = |step: &TransitionId| matches!(program.transitions[*step].origin, Origin::Start(_));
    for start in (0..program.transitions.len()).filter(is_start) {
        let Some(path) = follow(program, start, rules) else { continue };
        let last = program.transitions[path[path.len() - 1]].target;
        let is_end = |step: &&TransitionId| matches!(program.transitions[**step].origin, Origin::Property(_));
        let ends = program.locations[last].outgoing.iter().filter(is_end);
        found.extend(ends.map(|&end| [&path[..], &[end]].concat()));
    }
    found
}

/// The path that begins with this step and takes these rules. From a location a rule leads to one other at most.
fn follow(program: &Program, start: TransitionId, rules: &[usize]) -> Option<Vec<TransitionId>> {
    let mut path = vec![start];
    for &rule in rules {
        let here: LocationId = program.transitions[path[path.len() - 1]].target;
        let steps = &program.locations[here].outgoing;
        let is_it = |step: &&TransitionId| program.transitions[**step].origin == Origin::Rule(rule);
        path.push(*steps.iter().find(is_it)?);
    }
    Some(path)
}

//! Abstract paths: whether they are feasible, and if not, which predicates exclude them.

use super::bounded::{Leg, Route};
use super::implicant::{implicant, resolve};
use super::interpolate::{Comparison, divisions, interpolants};
use super::program::{LocationId, Origin, Program, TransitionId};
use super::steps::Values;
use crate::common::search::Found;
use tenet_solve::{Answer, Effort, Limits, Solver, Z3Solver};
use tenet_system::run::{Taken, Violation, replay_violation};
use tenet_system::{PropertyKind, Run, System};
use tenet_term::{Model, Op, Role, Substitution, SymbolId, TermId, TermStore, Value};

/// Effort for the feasibility of one path; beyond that the search has other ways to go on.
const EFFORT_PER_PATH: Effort = Effort::secs(5);

#[derive(Clone, Debug)]
pub struct PathStep {
    pub transition: TransitionId,
    /// A state and parameters with which it can be taken.
    pub values: Values,
    /// The cube of the state after it.
    pub cube: Vec<TermId>,
}

/// What a solver says about a path.
pub enum Feasibility {
    Possible(Route),
    Impossible,
    Unknown(String),
}

pub fn feasible(
    store: &mut TermStore,
    program: &Program,
    consts: &[SymbolId],
    path: &[TransitionId],
    limits: &Limits,
) -> Feasibility {
    let mut solver = Z3Solver::new();
    solver.set_limits(limits.clone().within(EFFORT_PER_PATH));
    program.facts.iter().for_each(|&fact| solver.assert(store, fact));
    let mut state: Vec<(SymbolId, TermId)> = Vec::new();
    let mut asked: Vec<Vec<(SymbolId, TermId)>> = Vec::new();
    for (number, &step) in path.iter().enumerate() {
        let transition = &program.transitions[step];
        let mut known = state;
        let mut params = Vec::new();
        for &param in &transition.params {
            let (name, sort) = (format!("{}@{number}", store.symbol(param).name), store.symbol(param).sort);
            let copy = store.declare(&name, sort, Role::Input);
            let copy = store.mk_symbol(copy);
            params.push((param, copy));
        }
        known.extend(params.iter().copied());
        let now = Substitution::from_pairs(store, known.iter().copied());
        let guard = store.substitute(transition.guard, &now);
        solver.assert(store, guard);
        state = program.locations[transition.target]
            .data
            .iter()
            .map(|&symbol| {
                let update = transition.updates.iter().find(|(updated, _)| *updated == symbol);
                let value = update.map_or_else(|| store.mk_symbol(symbol), |&(_, value)| value);
                (symbol, store.substitute(value, &now))
            })
            .collect();
        asked.push(params);
    }
    match solver.check(store, &[]) {
        Answer::Sat => match read_route(store, consts, path, &asked, &mut solver) {
            Some(route) => Feasibility::Possible(route),
            None => Feasibility::Unknown("a number that is not rational".to_owned()),
        },
        Answer::Unsat => Feasibility::Impossible,
        Answer::Unknown(reason) => Feasibility::Unknown(reason),
    }
}

fn read_route(
    store: &mut TermStore,
    consts: &[SymbolId],
    path: &[TransitionId],
    asked: &[Vec<(SymbolId, TermId)>],
    solver: &mut Z3Solver,
) -> Option<Route> {
    let mut read = |store: &TermStore, pairs: &[(SymbolId, TermId)]| -> Option<Values> {
        let terms: Vec<TermId> = pairs.iter().map(|&(_, term)| term).collect();
        let values = solver.values(store, &terms);
        pairs.iter().zip(values).map(|(&(symbol, _), value)| value.map(|value| (symbol, value))).collect()
    };
    let consts: Vec<(SymbolId, TermId)> =
        consts.iter().map(|&symbol| (symbol, store.mk_symbol(symbol))).collect();
    let consts = read(store, &consts)?;
    let legs: Option<Vec<Leg>> =
        path.iter().zip(asked).map(|(&step, asked)| Some(Leg::once(step, read(store, asked)?))).collect();
    Some(Route { legs: legs?, consts })
}

/// Replays a route. `None` if it does not end in an error, or if it is no run.
pub fn run(system: &mut System, program: &Program, route: &Route) -> Option<Found> {
    violation(system, program, route).map(Found::Run)
}

/// The run of a route, with the property that it violates and the witness.
pub fn violation(system: &mut System, program: &Program, route: &Route) -> Option<Violation> {
    let mut run = Run { consts: route.consts.clone(), ..Run::default() };
    let mut state = Model::new();
    route.consts.iter().for_each(|(symbol, value)| state.set(*symbol, value.clone()));
    for leg in &route.legs {
        for _ in 0..leg.times {
            let params = take(system, program, leg, &mut state)?;
            match program.transitions[leg.transition].origin {
                Origin::Start(rule) => run.start = Taken { rule, params },
                Origin::Rule(rule) => run.rules.push(Taken { rule, params }),
                Origin::Property(property) => {
                    let mut params = params;
                    if let PropertyKind::Start { start } = system.properties[property].kind {
                        let witness = params.split_off(system.starts[start].params.len());
                        run.start = Taken { rule: start, params };
                        params = witness;
                    }
                    let witness: Vec<Value> = params.into_iter().map(|(_, value)| value).collect();
                    let violation = Violation { property, run, witness };
                    return replay_violation(system, &violation).is_ok().then_some(violation);
                }
            }
        }
    }
    None
}

/// Executes a step of a route: the values of the parameters, in their order.
fn take(system: &System, program: &Program, leg: &Leg, state: &mut Model) -> Option<Values> {
    let transition = &program.transitions[leg.transition];
    leg.values.iter().for_each(|(symbol, value)| state.set(*symbol, value.clone()));
    for &(symbol, value) in &leg.defined {
        let value = state.evaluate(&system.store, value).ok()?;
        state.set(symbol, value);
    }
    let params: Option<Values> =
        transition.params.iter().map(|&param| Some((param, state.get(param)?.clone()))).collect();
    let mut after = state.clone();
    for &(symbol, value) in &transition.updates {
        after.set(symbol, state.evaluate(&system.store, value).ok()?);
    }
    *state = after;
    params
}

/// Predicates from an infeasible path: an inequality at each place, if it is infeasible for a reason in linear
/// arithmetic.
pub fn reasons(
    store: &mut TermStore,
    program: &Program,
    path: &[PathStep],
    limits: &Limits,
) -> Option<Vec<(LocationId, TermId)>> {
    let mut comparisons = Vec::new();
    for (number, step) in path.iter().enumerate() {
        compare(store, program, number, step, &mut comparisons)?;
    }
    let known = divisions(store, &comparisons);
    comparisons.extend(known);
    let found = interpolants(store, &comparisons, path.len(), limits)?;
    let places = path.iter().map(|step| program.transitions[step.transition].target);
    Some(places.zip(found).filter(|(_, formula)| !formula.is_bool_literal()).collect())
}

/// The comparisons of a step in its model: those that suffice for its guard and for the cube after it, and the
/// updates of numbers.
fn compare(
    store: &mut TermStore,
    program: &Program,
    number: usize,
    step: &PathStep,
    comparisons: &mut Vec<Comparison>,
) -> Option<()> {
    let transition = &program.transitions[step.transition];
    let mut model = Model::new();
    step.values.iter().for_each(|(symbol, value)| model.set(*symbol, value.clone()));
    let updates = Substitution::from_pairs(store, transition.updates.iter().copied());
    let mut parts = vec![transition.guard];
    for &literal in &step.cube {
        parts.push(store.substitute(literal, &updates));
    }
    let formula = store.mk_and(parts);
    let mut literals = implicant(store, formula, &model)?;
    for &symbol in &program.locations[transition.target].data {
        let variable = store.mk_symbol(symbol);
        if !store.sort(store.sort_of(variable)).is_numeric() {
            continue;
        }
        let update = transition.updates.iter().find(|(updated, _)| *updated == symbol);
        let (value, conditions) = resolve(store, update.map_or(variable, |&(_, value)| value), &model)?;
        literals.extend(conditions);
        comparisons.push(Comparison::update(store, number, variable, value));
    }
    literals.sort_unstable();
    literals.dedup();
    for literal in literals {
        let literal = one_side(store, literal, &model)?;
        comparisons.extend(Comparison::new(store, number, literal));
    }
    Some(())
}

/// That two numbers differ, as the inequality that holds in the model.
fn one_side(store: &mut TermStore, literal: TermId, model: &Model) -> Option<TermId> {
    if !matches!(store.op(literal), Op::Not) {
        return Some(literal);
    }
    let atom = store.args(literal)[0];
    let (Op::Eq, args) = (store.op(atom).clone(), store.args(atom).to_vec()) else { return Some(literal) };
    if !store.sort(store.sort_of(args[0])).is_numeric() {
        return Some(literal);
    }
    let is_less = store.mk_lt(args[0], args[1]);
    Some(if model.holds(store, is_less).ok()? { is_less } else { store.mk_lt(args[1], args[0]) })
}

/// Predicates from an infeasible path, by weakest preconditions from its end: each literal that a step needs, as a
/// formula about every place before it. Parameters have the values that they have on the path.
pub fn weakest(store: &mut TermStore, program: &Program, path: &[PathStep]) -> Vec<(LocationId, TermId)> {
    let mut found = Vec::new();
    let mut needed: Vec<TermId> = Vec::new();
    for step in path.iter().rev() {
        let transition = &program.transitions[step.transition];
        let mut model = Model::new();
        step.values.iter().for_each(|(symbol, value)| model.set(*symbol, value.clone()));
        let mut known = Substitution::new();
        for (symbol, value) in &step.values {
            let sort = store.symbol(*symbol).sort;
            if let (true, Some(value)) = (transition.params.contains(symbol), store.mk_value(sort, value)) {
                known.insert(store, *symbol, value);
            }
        }
        let updates = Substitution::from_pairs(store, transition.updates.iter().copied());
        let mut before = implicant(store, transition.guard, &model).unwrap_or_default();
        before.extend(needed.iter().map(|&literal| store.substitute(literal, &updates)).collect::<Vec<_>>());
        let before = before.into_iter().map(|literal| store.substitute(literal, &known));
        needed =
            before.collect::<Vec<_>>().into_iter().filter(|literal| !literal.is_bool_literal()).collect();
        needed.sort_unstable();
        needed.dedup();
        if let Some(source) = transition.source {
            found.extend(needed.iter().map(|&literal| (source, literal)));
        }
    }
    found
}

/// The values of the numbers at each place of a path: they separate it from every other path.
pub fn values(store: &mut TermStore, program: &Program, path: &[PathStep]) -> Vec<(LocationId, TermId)> {
    let mut found = Vec::new();
    for step in path {
        let Some(source) = program.transitions[step.transition].source else { continue };
        for (symbol, value) in
            step.values.iter().filter(|(symbol, _)| program.locations[source].data.contains(symbol))
        {
            let sort = store.symbol(*symbol).sort;
            let variable = store.mk_symbol(*symbol);
            let is_known = !store.is_bool(variable);
            if let (true, Some(value)) = (is_known, store.mk_value(sort, value)) {
                found.push((source, store.mk_eq(variable, value)));
            }
        }
    }
    found
}

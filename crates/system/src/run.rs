//! Runs of a system whose data have no bound, and whether they really happen.
//!
//! A run says what was chosen: a startstate, rules, and values for their parameters and for the constants. The states
//! follow. [`replay`] computes them with the reference evaluator of terms, which no engine uses for its decisions, and
//! checks every guard on the way.

mod step;

pub use step::{Origin, Step};

use crate::{PropertyKind, System, domain, within_sort};
use tenet_term::{Model, Op, SymbolId, TermId, Value};

/// A run by its choices; the states follow from them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub consts: Vec<(SymbolId, Value)>,
    pub start: Taken,
    pub rules: Vec<Taken>,
}

/// A rule or startstate that was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Position among the rules, or among the startstates.
    pub rule: usize,
    pub params: Vec<(SymbolId, Value)>,
}

/// A run at whose end a property is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub property: usize,
    pub run: Run,
    /// Values of the property's universal variables for which it is false.
    pub witness: Vec<Value>,
}

/// Why a run does not happen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// A guard, a constraint or an axiom is false, or a value is not one of its type.
    #[error("step {0} of the run is not possible")]
    NotEnabled(usize),
    #[error("step {0} of the run cannot be computed: {1}")]
    NoValue(usize, String),
    /// The property holds at its end.
    #[error("the property holds at the end of the run")]
    NotViolated,
}

/// A state: a value for each state symbol, in the order of [`System::state`].
pub type State = Vec<Value>;

/// The states of a run, the first of them that of the startstate.
pub fn replay(system: &mut System, run: &Run) -> Result<Vec<State>, RunError> {
    let mut model = Model::new();
    let consts = system.consts.clone();
    choose(system, &mut model, 0, &consts, &run.consts)?;
    let start = system.starts[run.start.rule].clone();
    choose(system, &mut model, 0, &start.params, &run.start.params)?;
    require(system, &model, 0, start.constraint)?;
    let values: Result<State, RunError> =
        start.values.iter().map(|&value| compute(system, &model, 0, value)).collect();
    let mut states = vec![values?];
    enter(system, &mut model, 0, &states[0])?;
    for (position, taken) in run.rules.iter().enumerate() {
        let number = position + 1;
        let rule = system.rules[taken.rule].clone();
        choose(system, &mut model, number, &rule.params, &taken.params)?;
        require(system, &model, number, rule.guard)?;
        let mut state = states[position].clone();
        for (symbol, value) in rule.updates {
            let value = compute(system, &model, number, value)?;
            let place = system.state.iter().position(|var| var.symbol == symbol);
            state[place.expect("invariant: rules update the state")] = value;
        }
        enter(system, &mut model, number, &state)?;
        states.push(state);
    }
    Ok(states)
}

/// The states of a run, if the property is false at its end.
pub fn replay_violation(system: &mut System, violation: &Violation) -> Result<Vec<State>, RunError> {
    let Violation { property, run, witness } = violation;
    let states = replay(system, run)?;
    let steps = run.rules.len();
    let mut model = Model::new();
    let mut known = run.consts.clone();
    match system.properties[*property].kind {
        // What is demanded of a startstate speaks of its parameters, before there is a state.
        PropertyKind::Start { start } if start == run.start.rule && steps == 0 => {
            known.extend(run.start.params.clone());
        }
        PropertyKind::Start { .. } => return Err(RunError::NotViolated),
        _ => {
            let last = states.last().expect("invariant: a run has a first state");
            known.extend(system.state.iter().map(|var| var.symbol).zip(last.clone()));
        }
    }
    known.into_iter().for_each(|(symbol, value)| model.set(symbol, value));
    let formula = instance(system, system.properties[*property].formula, witness)
        .ok_or_else(|| RunError::NoValue(steps, "the property".to_owned()))?;
    match model.holds(&system.store, formula) {
        Ok(false) => Ok(states),
        Ok(true) => Err(RunError::NotViolated),
        Err(error) => Err(RunError::NoValue(steps, error.to_string())),
    }
}

/// What a formula says of these values, if it says something of everything. They have to be of the right types.
fn instance(system: &mut System, mut formula: TermId, mut witness: &[Value]) -> Option<TermId> {
    let store = &mut system.store;
    while let Op::Forall(bound) = store.op(formula).clone() {
        let (values, rest) = witness.split_at_checked(bound.len())?;
        let sorts = bound.iter().map(|&symbol| store.symbol(symbol).sort).collect::<Vec<_>>();
        let terms: Option<Vec<TermId>> =
            sorts.iter().zip(values).map(|(&sort, value)| store.mk_value(sort, value)).collect();
        let terms = terms?;
        for (&sort, &term) in sorts.iter().zip(&terms) {
            if within_sort(store, sort, term) != TermId::TRUE {
                return None;
            }
        }
        formula = store.instantiate(formula, &terms);
        witness = rest;
    }
    Some(formula)
}

/// Sets parameters or constants; all of them need a value of their type.
fn choose(
    system: &mut System,
    model: &mut Model,
    step: usize,
    symbols: &[SymbolId],
    chosen: &[(SymbolId, Value)],
) -> Result<(), RunError> {
    for &symbol in symbols {
        let value = chosen.iter().find(|(known, _)| *known == symbol).map(|(_, value)| value.clone());
        let missing = || RunError::NoValue(step, system.store.symbol(symbol).name.clone());
        model.set(symbol, value.ok_or_else(missing)?);
        let within = domain(&mut system.store, symbol);
        require(system, model, step, within)?;
    }
    Ok(())
}

/// Makes it the current state, which has to satisfy the axioms.
fn enter(system: &System, model: &mut Model, step: usize, state: &State) -> Result<(), RunError> {
    system.state.iter().zip(state).for_each(|(var, value)| model.set(var.symbol, value.clone()));
    system.axioms.iter().try_for_each(|axiom| require(system, model, step, axiom.formula))
}

fn require(system: &System, model: &Model, step: usize, formula: TermId) -> Result<(), RunError> {
    match model.holds(&system.store, formula) {
        Ok(true) => Ok(()),
        Ok(false) => Err(RunError::NotEnabled(step)),
        Err(error) => Err(RunError::NoValue(step, error.to_string())),
    }
}

fn compute(system: &System, model: &Model, step: usize, term: TermId) -> Result<Value, RunError> {
    model.evaluate(&system.store, term).map_err(|error| RunError::NoValue(step, error.to_string()))
}

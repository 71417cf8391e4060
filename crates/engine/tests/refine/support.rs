//! Running methods, and checking what they claim by other means: a solver that is asked the three questions about an
//! invariant, and plain execution.

use std::collections::BTreeSet;
use tenet_engine::Alone;
use tenet_engine::refine::methods::{Conclusion, Options, Outcome, refine};
use tenet_solve::{Answer, Solver, Z3Solver};
use tenet_system::{Lemma, System};
use tenet_term::{Model, Substitution, SymbolId, TermId, Value};

/// One of the methods with Z3.
pub fn run(system: &mut System, options: &Options) -> Outcome {
    run_with(system, options, Box::new(Z3Solver::ground()))
}

pub fn run_with(system: &mut System, options: &Options, solver: Box<dyn Solver>) -> Outcome {
    let properties: Vec<usize> = (0..system.properties.len()).collect();
    refine(system, &properties, options, solver, &mut Alone).expect("it is a program for the methods")
}

/// The index of the iteration in which a proof was found.
pub fn success(outcome: &Outcome) -> Option<usize> {
    matches!(outcome.conclusion, Conclusion::Proved(_)).then(|| outcome.iterations.len() - 1)
}

/// How many predicates each iteration had.
pub fn counts(outcome: &Outcome) -> Vec<usize> {
    outcome.iterations.iter().map(|iteration| iteration.predicates.len()).collect()
}

pub fn predicates(system: &System, outcome: &Outcome, iteration: usize) -> BTreeSet<String> {
    outcome.iterations[iteration].predicates.iter().map(|&atom| system.store.print(atom)).collect()
}

/// Do the lemmas hold at every start, does every rule keep them, and do they imply every property?
pub fn is_invariant(system: &mut System, lemmas: &[Lemma]) -> bool {
    let bodies: Vec<TermId> = lemmas.iter().map(|lemma| lemma.body).collect();
    let invariant = system.store.mk_and(bodies);
    let mut obligations = Vec::new();
    for start in system.starts.clone() {
        let values: Vec<(SymbolId, TermId)> =
            system.state.iter().map(|var| var.symbol).zip(start.values).collect();
        let at_start = Substitution::from_pairs(&system.store, values);
        let invariant = system.store.substitute(invariant, &at_start);
        obligations.push((vec![start.constraint], invariant));
    }
    for rule in system.rules.clone() {
        let after = Substitution::from_pairs(&system.store, rule.updates);
        let kept = system.store.substitute(invariant, &after);
        obligations.push((vec![invariant, rule.guard], kept));
    }
    for property in system.properties.clone() {
        obligations.push((vec![invariant], property.formula));
    }
    obligations.into_iter().all(|(known, goal)| {
        let denied = system.store.mk_not(goal);
        let mut solver = Z3Solver::new();
        known.iter().chain([&denied]).for_each(|&fact| solver.assert(&system.store, fact));
        solver.check(&system.store, &[]) == Answer::Unsat
    })
}

pub fn state_model(system: &System, state: &[Value]) -> Model {
    let mut model = Model::new();
    system.state.iter().zip(state).for_each(|(var, value)| model.set(var.symbol, value.clone()));
    model
}

/// The states after each rule, with inputs from this range.
pub fn successors(
    system: &System,
    state: &[Value],
    inputs: std::ops::RangeInclusive<i64>,
) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for rule in &system.rules {
        let choices: Vec<Option<i64>> = match rule.params.len() {
            0 => vec![None],
            _ => inputs.clone().map(Some).collect(),
        };
        for choice in choices {
            let mut model = state_model(system, state);
            if let Some(value) = choice {
                rule.params.iter().for_each(|&param| model.set(param, Value::int(value)));
            }
            if model.holds(&system.store, rule.guard) != Ok(true) {
                continue;
            }
            let mut next = state.to_vec();
            for &(symbol, value) in &rule.updates {
                let place =
                    system.state.iter().position(|var| var.symbol == symbol).expect("it is a variable");
                next[place] = model.evaluate(&system.store, value).expect("it has a value");
            }
            all.push(next);
        }
    }
    all
}

/// Does the state violate a property?
pub fn is_bad(system: &System, state: &[Value]) -> bool {
    let model = state_model(system, state);
    system.properties.iter().any(|property| model.holds(&system.store, property.formula) == Ok(false))
}

/// The sets of states that can be reached in at most `steps` steps.
pub fn layers(
    system: &System,
    start: Vec<Value>,
    steps: usize,
    inputs: std::ops::RangeInclusive<i64>,
) -> Vec<BTreeSet<Vec<Value>>> {
    let mut layers = vec![BTreeSet::from([start])];
    for _ in 0..steps {
        let last = layers.last().expect("there is a first one");
        let mut next = last.clone();
        last.iter().for_each(|state| next.extend(successors(system, state, inputs.clone())));
        layers.push(next);
    }
    layers
}

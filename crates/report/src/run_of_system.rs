//! The view of a run whose data have no bound.

use crate::run::{Run, ShownStep};
use crate::shape::Value as Shown;
use tenet_system::run::{State, Taken};
use tenet_system::{Run as SystemRun, System};
use tenet_term::{Sort, SortId, SymbolId, TermStore, Value};

/// A run with its states, which must come from replaying it.
pub fn shown(system: &System, run: &SystemRun, states: &[State], end: String) -> Run {
    let mut steps = vec![start(system, run, states)];
    for (position, taken) in run.rules.iter().enumerate() {
        let rule = &system.rules[taken.rule];
        let params = &rule.params[..rule.shown_params];
        steps.push(ShownStep {
            rule: rule.name.clone(),
            params: parameters(&system.store, params, taken),
            state: variables(system, &states[position + 1]),
            changes: changes(system, Some(&states[position]), &states[position + 1]),
        });
    }
    Run { sizes: Vec::new(), steps, end, is_replayed: true }
}

/// The first step; the values of constants are shown with it.
fn start(system: &System, run: &SystemRun, states: &[State]) -> ShownStep {
    let named = |(symbol, value): &(SymbolId, Value)| {
        let symbol = system.store.symbol(*symbol);
        (symbol.name.clone(), text(&system.store, symbol.sort, value))
    };
    ShownStep {
        rule: system.starts[run.start.rule].name.clone(),
        params: run.consts.iter().map(named).collect(),
        state: variables(system, &states[0]),
        changes: changes(system, None, &states[0]),
    }
}

fn parameters(store: &TermStore, params: &[SymbolId], taken: &Taken) -> Vec<(String, String)> {
    let chosen = taken.params.iter().filter(|(symbol, _)| params.contains(symbol));
    chosen
        .map(|(symbol, value)| {
            let symbol = store.symbol(*symbol);
            (symbol.name.clone(), text(store, symbol.sort, value))
        })
        .collect()
}

fn variables(system: &System, state: &State) -> Vec<(String, Shown)> {
    let named = system.state.iter().zip(state).map(|(var, value)| {
        let symbol = system.store.symbol(var.symbol);
        (symbol.name.clone(), show(&system.store, symbol.sort, value))
    });
    named.collect()
}

fn changes(system: &System, before: Option<&State>, after: &State) -> Vec<(String, String)> {
    let is_new = |place: &usize| before.is_none_or(|before| before[*place] != after[*place]);
    let places = (0..after.len()).filter(is_new);
    places
        .map(|place| {
            let symbol = system.store.symbol(system.state[place].symbol);
            (symbol.name.clone(), text(&system.store, symbol.sort, &after[place]))
        })
        .collect()
}

fn show(store: &TermStore, sort: SortId, value: &Value) -> Shown {
    match value {
        Value::Bool(value) => Shown::Bool(*value),
        // A number that does not fit is shown by its digits.
        Value::Int(value) => {
            i64::try_from(value).map_or_else(|_| Shown::Name(value.to_string()), Shown::Number)
        }
        other => Shown::Name(text(store, sort, other)),
    }
}

/// A value in words.
pub fn text(store: &TermStore, sort: SortId, value: &Value) -> String {
    match (value, store.sort(sort)) {
        (Value::Bool(value), _) => value.to_string(),
        (Value::Int(value), _) => value.to_string(),
        (Value::Real(value), _) => value.to_string(),
        (Value::BitVec(bits), _) => bits.unsigned().to_string(),
        (Value::Enum(position), Sort::Enum { variants, .. }) => variants[*position as usize].clone(),
        (other, _) => format!("{other:?}"),
    }
}

//! A run of a circuit as signals.

use crate::vcd::Signal;
use num_bigint::BigUint;
use std::collections::BTreeSet;
use tenet_system::System;
use tenet_system::run::{State, Violation};
use tenet_term::{Op, Sort, SortId, SymbolId, Value};

/// All registers and inputs of a replayed run, with one cycle for each state. Of a memory, the elements that ever have a value of
/// their own. Other sorts are left out.
pub fn signals(system: &System, violation: &Violation, states: &[State]) -> Vec<Signal> {
    let store = &system.store;
    let mut signals = Vec::new();
    let shown = system.state.iter().enumerate().filter(|(_, var)| !system.auxiliary.contains(&var.symbol));
    for (position, var) in shown {
        let symbol = store.symbol(var.symbol);
        let values: Vec<&Value> = states.iter().map(|state| &state[position]).collect();
        match store.sort(symbol.sort) {
            Sort::Function { result, .. } => signals.extend(places(system, &symbol.name, *result, &values)),
            _ => {
                let values = values.into_iter().map(bits).collect();
                signals.extend(signal(system, symbol.name.clone(), symbol.sort, true, values));
            }
        }
    }
    for &input in system.rules.first().map_or(&[][..], |rule| &rule.params[..rule.shown_params]) {
        let taken = violation.run.rules.iter().map(|taken| {
            taken.params.iter().find(|(known, _)| *known == input).and_then(|(_, value)| bits(value))
        });
        let values = taken.chain([last(system, violation, input)]).collect();
        let symbol = store.symbol(input);
        signals.extend(signal(system, symbol.name.clone(), symbol.sort, false, values));
    }
    signals
}

fn signal(
    system: &System,
    name: String,
    sort: SortId,
    is_register: bool,
    values: Vec<Option<BigUint>>,
) -> Option<Signal> {
    let width = match system.store.sort(sort) {
        Sort::Bool => 1,
        Sort::BitVec(width) => *width,
        _ => return None,
    };
    Some(Signal { name, width, is_register, values })
}

fn places(system: &System, name: &str, element: SortId, values: &[&Value]) -> Vec<Signal> {
    let tables: Vec<_> = values
        .iter()
        .filter_map(|value| match value {
            Value::Function(table) => Some(table),
            _ => None,
        })
        .collect();
    let entries = tables.iter().flat_map(|table| table.entries());
    let places: BTreeSet<&[Value]> = entries.map(|(place, _)| place).collect();
    let signals = places.into_iter().filter_map(|place| {
        let index = bits(place.first()?)?;
        let values = tables.iter().map(|table| bits(table.get(place))).collect();
        signal(system, format!("{name}[{index}]"), element, true, values)
    });
    signals.collect()
}

/// The inputs of the last cycle are the values for which the property is false; they have the same names.
fn last(system: &System, violation: &Violation, input: SymbolId) -> Option<BigUint> {
    let store = &system.store;
    let Op::Forall(bound) = store.op(system.properties[violation.property].formula) else { return None };
    let place = bound.iter().position(|&symbol| store.symbol(symbol).name == store.symbol(input).name)?;
    violation.witness.get(place).and_then(bits)
}

fn bits(value: &Value) -> Option<BigUint> {
    match value {
        Value::Bool(bit) => Some(BigUint::from(u32::from(*bit))),
        Value::BitVec(bits) => Some(bits.unsigned().clone()),
        _ => None,
    }
}

//! The view of a run over unbounded data.

use crate::codes;
use crate::run::{Run, ShownStep};
use crate::shape::Value as Shown;
use tenet_lang::diagnostic::Explanation;
use tenet_system::run::{State, Violation};
use tenet_system::{Property, PropertyKind, Run as SystemRun, System};
use tenet_term::{Op, Sort, SortId, SymbolId, TermStore, Value};

/// Words with more bits are shown in hexadecimal.
const WIDE: u32 = 16;

/// The violation of a property as a clause.
pub fn what(property: &Property) -> (&'static Explanation, String) {
    let name = &property.name;
    match property.kind {
        PropertyKind::Invariant => (&codes::INVARIANT, format!("invariant \"{name}\" is false")),
        PropertyKind::Assertion { .. } => {
            (&codes::ASSERTION, format!("assertion \"{name}\" fails in the next step"))
        }
        PropertyKind::Implicit { .. } | PropertyKind::Start { .. } => {
            (&codes::RANGE, format!("it is not true that \"{name}\""))
        }
    }
}

/// The values of the property's universal variables for which it is false: `, for a = 3, b = 5`; empty if it has none.
pub fn for_what(system: &System, violation: &Violation) -> String {
    let Op::Forall(bound) = system.store.op(system.properties[violation.property].formula) else {
        return String::new();
    };
    let pairs = bound.iter().copied().zip(violation.witness.iter().cloned());
    let pairs = pairs.map(|chosen| named(&system.store, &chosen));
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name} = {value}")).collect();
    if pairs.is_empty() { String::new() } else { format!(", for {}", pairs.join(", ")) }
}

/// A run with its states, which must come from replaying it.
pub fn shown(system: &System, run: &SystemRun, states: &[State], end: String) -> Run {
    let mut steps = vec![start(system, run, states)];
    for (position, taken) in run.rules.iter().enumerate() {
        let rule = &system.rules[taken.rule];
        let shown = &rule.params[..rule.shown_params];
        let params = taken.params.iter().filter(|(symbol, _)| shown.contains(symbol));
        steps.push(ShownStep {
            rule: rule.name.clone(),
            params: params.map(|chosen| named(&system.store, chosen)).collect(),
            state: variables(system, &states[position + 1]),
            changes: changes(system, Some(&states[position]), &states[position + 1]),
        });
    }
    Run { sizes: Vec::new(), steps, end, is_replayed: true }
}

/// The first step; the values of constants are shown with it.
fn start(system: &System, run: &SystemRun, states: &[State]) -> ShownStep {
    ShownStep {
        rule: system.starts[run.start.rule].name.clone(),
        params: run.consts.iter().map(|chosen| named(&system.store, chosen)).collect(),
        state: variables(system, &states[0]),
        changes: changes(system, None, &states[0]),
    }
}

/// A name, and a value as text.
pub fn named(store: &TermStore, (symbol, value): &(SymbolId, Value)) -> (String, String) {
    let symbol = store.symbol(*symbol);
    (symbol.name.clone(), text(store, symbol.sort, value))
}

fn variables(system: &System, state: &State) -> Vec<(String, Shown)> {
    let shown = system.state.iter().zip(state).filter(|(var, _)| !system.auxiliary.contains(&var.symbol));
    let named = shown.map(|(var, value)| {
        let symbol = system.store.symbol(var.symbol);
        (symbol.name.clone(), show(&system.store, symbol.sort, value))
    });
    named.collect()
}

/// The changes of a step; everything for a startstate.
fn changes(system: &System, before: Option<&State>, after: &State) -> Vec<(String, String)> {
    let is_new = |place: &usize| before.is_none_or(|before| before[*place] != after[*place]);
    let change = |place: usize| {
        let symbol = system.store.symbol(system.state[place].symbol);
        let words = |state: &State| text(&system.store, symbol.sort, &state[place]);
        let text =
            before.map_or_else(|| words(after), |before| format!("{} -> {}", words(before), words(after)));
        (symbol.name.clone(), text)
    };
    let is_shown = |place: &usize| !system.auxiliary.contains(&system.state[*place].symbol);
    (0..after.len()).filter(is_shown).filter(is_new).map(change).collect()
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

pub(crate) fn text(store: &TermStore, sort: SortId, value: &Value) -> String {
    match (value, store.sort(sort)) {
        (Value::Bool(value), _) => value.to_string(),
        (Value::Int(value), _) => value.to_string(),
        (Value::Real(value), _) => value.to_string(),
        (Value::BitVec(bits), Sort::BitVec(width)) if *width > WIDE => format!("0x{:x}", bits.unsigned()),
        (Value::BitVec(bits), _) => bits.unsigned().to_string(),
        (Value::Enum(position), Sort::Enum { variants, .. }) => variants[*position as usize].clone(),
        (Value::Index(position), _) => format!("{}_{}", store.sort_name(sort), position + 1),
        (Value::Union(member, position), _) => {
            let value = match store.sort(*member) {
                Sort::Enum { .. } => Value::Enum(*position),
                _ => Value::Index(*position),
            };
            text(store, *member, &value)
        }
        (Value::Function(table), Sort::Function { args, result }) => {
            let entries = table.entries().map(|(place, value)| {
                let place: Vec<String> =
                    place.iter().zip(args).map(|(value, &sort)| text(store, sort, value)).collect();
                format!("{}: {}, ", place.join(", "), text(store, *result, value))
            });
            let default = text(store, *result, table.default_value());
            format!("[{}else {default}]", entries.collect::<String>())
        }
        (other, _) => format!("{other:?}"),
    }
}

//! The view of runs of a process.

use super::value::{entry, value};
use crate::run::{Run, ShownStep};
use crate::shape::Value;
use tenet_system::recursive::{Process, Program, Transition};
use tenet_term::{SymbolId, TermId};

/// A confirmed run through these states by these transitions; the witness has the values for which the property is false.
pub fn run(
    program: &Program,
    states: &[Vec<TermId>],
    transitions: &[usize],
    choices: &[Vec<TermId>],
    property: &str,
    witness: &[(SymbolId, TermId)],
) -> Option<Run> {
    let process = program.process.as_ref()?;
    let mut steps = Vec::new();
    for (place, state) in states.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| states.get(before));
        let transition = place.checked_sub(1).and_then(|before| transitions.get(before));
        let transition = transition.and_then(|&transition| process.transitions.get(transition));
        steps.push(ShownStep {
            rule: transition.map_or("start".to_string(), |transition| transition.name.clone()),
            params: transition
                .zip(choices.get(place))
                .map_or_else(Vec::new, |(transition, chosen)| params(program, transition, chosen)),
            state: named(program, process, state),
            changes: changes(program, process, before, state),
        });
    }
    let name = |symbol: SymbolId| program.store.symbol(symbol).name.clone();
    let values: Vec<String> = witness
        .iter()
        .map(|&(symbol, term)| format!("{} = {}", name(symbol), value(program, term)))
        .collect();
    let values = if values.is_empty() { String::new() } else { format!(", for {}", values.join("; ")) };
    let end = format!("here property \"{property}\" is false{values}");
    Some(Run { sizes: Vec::new(), steps, end, is_replayed: true })
}

/// The choices of a transition. Variables that only name previous values are left out.
fn params(program: &Program, transition: &Transition, chosen: &[TermId]) -> Vec<(String, String)> {
    let is_new =
        |symbol: SymbolId| !transition.from.iter().any(|&arg| program.store.as_symbol(arg) == Some(symbol));
    let variables = transition.variables.iter().zip(chosen).filter(|(symbol, _)| is_new(**symbol));
    variables
        .map(|(&symbol, &term)| (program.store.symbol(symbol).name.clone(), value(program, term)))
        .collect()
}

fn named(program: &Program, process: &Process, state: &[TermId]) -> Vec<(String, Value)> {
    let shown = |&term: &TermId| match program.store.as_int(term).and_then(|value| i64::try_from(value).ok())
    {
        Some(number) => Value::Number(number),
        None => Value::Name(value(program, term)),
    };
    process
        .parameters
        .iter()
        .map(|&symbol| program.store.symbol(symbol).name.clone())
        .zip(state.iter().map(shown))
        .collect()
}

/// The changes of a step, entry by entry; everything for the start.
fn changes(
    program: &Program,
    process: &Process,
    before: Option<&Vec<TermId>>,
    after: &[TermId],
) -> Vec<(String, String)> {
    let mut changes = Vec::new();
    for (place, (&symbol, &new)) in process.parameters.iter().zip(after).enumerate() {
        let name = program.store.symbol(symbol).name.clone();
        let Some(&old) = before.and_then(|before| before.get(place)) else {
            changes.push((name, value(program, new)));
            continue;
        };
        if old == new {
            continue;
        }
        match entries(program, old, new) {
            Some(entries) => changes.extend(
                entries
                    .into_iter()
                    .map(|(at, old, new)| (format!("{name}[{at}]"), format!("{old} -> {new}"))),
            ),
            None => changes.push((name, format!("{} -> {}", value(program, old), value(program, new)))),
        }
    }
    changes
}

/// The entries in which two arrays differ: index, old and new value. `None` if they differ almost everywhere, or are no arrays.
fn entries(program: &Program, old: TermId, new: TermId) -> Option<Vec<(String, String, String)>> {
    let store = &program.store;
    let (old, new) = (entry(store, old)?, entry(store, new)?);
    if old.0 != new.0 {
        return None;
    }
    let at = |array: &(TermId, Vec<(TermId, TermId)>), place: TermId| {
        array.1.iter().find(|(known, _)| *known == place).map_or(array.0, |(_, value)| *value)
    };
    let mut places: Vec<TermId> = old.1.iter().chain(&new.1).map(|(place, _)| *place).collect();
    places.sort_by_key(|&place| store.as_int(place).cloned());
    places.dedup();
    places.retain(|&place| at(&old, place) != at(&new, place));
    let shown = |term: TermId| value(program, term);
    Some(
        places
            .into_iter()
            .map(|place| (shown(place), shown(at(&old, place)), shown(at(&new, place))))
            .collect(),
    )
}

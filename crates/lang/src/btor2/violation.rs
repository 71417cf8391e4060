//! A run of the transition system as one of the document.

use super::Btor2;
use super::document::{Position, Sort};
use super::simulate::{Run, Values};
use super::value::{Memory, Value};
use num_bigint::BigUint;
use tenet_system::run::Violation;
use tenet_system::{System, run};
use tenet_term::{Op, SymbolId, Value as TermValue};

/// The choices of a violation as choices for the document: one cycle for each state of the run. The inputs of the last cycle are
/// the values for which the property is false.
pub fn run(model: &Btor2, system: &System, violation: &Violation) -> Run {
    let run::Run { start, rules, .. } = &violation.run;
    let lookup = |chosen: &[(SymbolId, TermValue)], symbol: SymbolId| {
        chosen.iter().find(|(known, _)| *known == symbol).map(|(_, value)| value.clone())
    };
    let mut found = Run { first: Values::new(), cycles: vec![Values::new(); rules.len() + 1] };
    let put = |values: &mut Values, line: Position, value: Option<TermValue>| {
        if let Some(value) = value {
            values.insert(line, translate(model.document.node(line).sort, &value));
        }
    };
    for register in &model.lowered.registers {
        if let Some(initial) = register.initial {
            put(&mut found.first, register.line, lookup(&start.params, initial));
        }
        for (cycle, taken) in rules.iter().enumerate() {
            let next = register.next.and_then(|next| lookup(&taken.params, next));
            put(&mut found.cycles[cycle + 1], register.line, next);
        }
    }
    let last = last_inputs(system, violation);
    for &(line, symbol) in &model.lowered.inputs {
        for (cycle, taken) in rules.iter().enumerate() {
            put(&mut found.cycles[cycle], line, lookup(&taken.params, symbol));
        }
        let name = &system.store.symbol(symbol).name;
        let value = last.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        put(&mut found.cycles[rules.len()], line, value);
    }
    found
}

/// Bound symbols of a property have the names of the inputs that they stand for.
fn last_inputs(system: &System, violation: &Violation) -> Vec<(String, TermValue)> {
    let store = &system.store;
    let formula = system.properties[violation.property].formula;
    let Op::Forall(bound) = store.op(formula) else { return Vec::new() };
    let names = bound.iter().map(|&symbol| store.symbol(symbol).name.clone());
    names.zip(violation.witness.iter().cloned()).collect()
}

fn translate(sort: Sort, value: &TermValue) -> Value {
    match (sort, value) {
        (Sort::Array { .. }, TermValue::Function(table)) => {
            let mut memory = Memory::new(word(table.default_value()));
            memory.cells = table.entries().map(|(place, value)| (word(&place[0]), word(value))).collect();
            Value::Memory(memory)
        }
        (_, value) => Value::Word(word(value)),
    }
}

fn word(value: &TermValue) -> BigUint {
    match value {
        TermValue::Bool(bit) => BigUint::from(u32::from(*bit)),
        TermValue::BitVec(bits) => bits.unsigned().clone(),
        other => panic!("invariant: circuits have bits only, found {other:?}"),
    }
}

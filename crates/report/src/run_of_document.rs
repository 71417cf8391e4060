//! The view of a run of a BTOR2 file, from the cycles of its simulator.

use crate::run::{Run, ShownStep};
use crate::shape::Value as Shown;
use tenet_lang::btor2::Document;
use tenet_lang::btor2::document::{Position, Sort};
use tenet_lang::btor2::simulate::Cycle;
use tenet_lang::btor2::value::Value;

pub fn shown(document: &Document, cycles: &[Cycle], end: String) -> Run {
    let steps = (0..cycles.len()).map(|number| step(document, cycles, number)).collect();
    Run { sizes: Vec::new(), steps, end, is_replayed: true }
}

/// The state of a cycle, and the inputs of the cycle before, which led to it.
pub fn step(document: &Document, cycles: &[Cycle], number: usize) -> ShownStep {
    let (now, before) = (&cycles[number], number.checked_sub(1).map(|before| &cycles[before]));
    let states: Vec<Position> = document.states().collect();
    let is_new = |line: &&Position| before.is_none_or(|before| before.value(**line) != now.value(**line));
    let changes = states.iter().filter(is_new).map(|&line| {
        let words = |cycle: &Cycle| value(document, cycle, line);
        let text = before.map_or_else(|| words(now), |before| format!("{} -> {}", words(before), words(now)));
        (document.name(line), text)
    });
    ShownStep {
        rule: if before.is_some() { "step" } else { "start" }.to_string(),
        params: before.map_or_else(Vec::new, |before| inputs(document, before)),
        state: states.iter().map(|&line| (document.name(line), shown_value(document, now, line))).collect(),
        changes: changes.collect(),
    }
}

/// The inputs of a cycle, with their values as text.
pub fn inputs(document: &Document, cycle: &Cycle) -> Vec<(String, String)> {
    document.inputs().map(|line| (document.name(line), value(document, cycle, line))).collect()
}

fn shown_value(document: &Document, cycle: &Cycle, line: Position) -> Shown {
    match (cycle.value(line), document.node(line).sort) {
        (Some(Value::Word(bits)), Sort::Bits(1)) => Shown::Bool(bits.bit(0)),
        _ => Shown::Name(value(document, cycle, line)),
    }
}

/// The value of a line as text: one bit is a Boolean.
fn value(document: &Document, cycle: &Cycle, line: Position) -> String {
    let word = |bits: &num_bigint::BigUint, width: u32| match width {
        1 => bits.bit(0).to_string(),
        _ => bits.to_string(),
    };
    match (cycle.value(line), document.node(line).sort) {
        (Some(Value::Word(bits)), Sort::Bits(width)) => word(bits, width),
        (Some(Value::Memory(memory)), Sort::Array { index, element }) => {
            let cells = memory.cells.iter();
            let cells =
                cells.map(|(place, cell)| format!("{}: {}, ", word(place, index), word(cell, element)));
            format!("[{}else {}]", cells.collect::<String>(), word(&memory.default, element))
        }
        _ => String::new(),
    }
}

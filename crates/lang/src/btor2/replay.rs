//! Conversion between witnesses and runs of a document, and validation of witnesses.

use super::document::{Document, Item, Node, Operand, Position, Sort};
use super::op::{Op, Plain};
use super::print::binary;
use super::simulate::{Cycle, Obstacle, Run, Simulator, Values};
use super::value::{Memory, Value};
use super::witness::{Frame, Given, Spans, Witness};
use crate::codes::btor2 as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::collections::BTreeSet;

/// Arrays with more elements than this are not written out element by element.
const MAX_PLACES: u32 = 1 << 12;

/// Computes the cycles of a witness. An error says what is wrong with it, at places in the witness.
pub fn replay(document: &Document, witness: &Witness, spans: &Spans) -> Result<Vec<Cycle>, Diagnostic> {
    let whole = spans.first().copied().unwrap_or_default();
    let given = placed(document, witness, spans)?;
    let mut run = Run { first: Values::new(), cycles: vec![Values::new(); witness.frames.len()] };
    for given in given.iter().filter(|given| given.is_choice) {
        let chosen = match given.is_first {
            true => &mut run.first,
            false => &mut run.cycles[given.cycle],
        };
        choose(document, chosen, given);
    }
    let simulator = Simulator::new(document);
    let wrong = |message: String, span: Span| Diagnostic::error(&codes::NOT_REPLAYED, message, span);
    let cycles = simulator.replay(&run).map_err(|obstacle| wrong(describe(document, &obstacle), whole))?;
    for given in given.iter().filter(|given| !given.is_choice) {
        let value = cycles[given.cycle].value(given.line).expect("invariant: states have values");
        let found = match (value, &given.index) {
            (Value::Word(bits), _) => bits.clone(),
            (Value::Memory(memory), Some(index)) => memory.read(index).clone(),
            (Value::Memory(_), None) => continue,
        };
        let found = binary(&found, given.digits.len() as u32);
        if !matches(given.digits, &found) {
            let name = document.name(given.line);
            let message = format!("in cycle {}, {name} is {found}, not {}", given.cycle, given.digits);
            return Err(wrong(message, given.span));
        }
    }
    let last = cycles.len() - 1;
    let reached = simulator.bads(&cycles[last]);
    let names = document.property_names();
    for &bad in &witness.bads {
        if bad >= names.len() {
            let message = format!("the file has no `bad` line number {bad}");
            return Err(Diagnostic::error(&codes::WITNESS, message, whole));
        }
        if !reached.contains(&bad) {
            return Err(wrong(
                format!("\"{}\" is not reached in cycle {last}, the last one", names[bad]),
                whole,
            ));
        }
    }
    Ok(cycles)
}

/// Why a run is invalid, in words.
pub fn describe(document: &Document, obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::NoCycle => "there is no cycle in it".to_string(),
        Obstacle::Constraint(line, cycle) => {
            let place = document.lines[*line].place.number;
            format!("the constraint in line {place} of the model is violated in cycle {cycle}")
        }
    }
}

/// A value that a witness gives, and for what.
struct Placed<'w> {
    cycle: usize,
    line: Position,
    index: Option<BigUint>,
    digits: &'w str,
    span: Span,
    /// Is it chosen, not computed?
    is_choice: bool,
    /// Is it an initial value?
    is_first: bool,
}

fn placed<'w>(
    document: &Document,
    witness: &'w Witness,
    spans: &Spans,
) -> Result<Vec<Placed<'w>>, Diagnostic> {
    let (states, inputs): (Vec<Position>, Vec<Position>) =
        (document.states().collect(), document.inputs().collect());
    let (first, next) = (document.initial_values(), document.next_values());
    let mut spans = spans.iter().copied();
    let mut found = Vec::new();
    for (cycle, frame) in witness.frames.iter().enumerate() {
        let of_states = frame.states.iter().map(|given| (given, &states, "state"));
        for (given, lines, what) in
            of_states.chain(frame.inputs.iter().map(|given| (given, &inputs, "input")))
        {
            let span = spans.next().unwrap_or_default();
            let misfit = |message: String| Diagnostic::error(&codes::WITNESS, message, span);
            let Some(&line) = lines.get(given.number) else {
                return Err(misfit(format!("the file has no {what} number {}", given.number)));
            };
            let index = index_of(document, line, given).map_err(misfit)?;
            let is_state = what == "state";
            let given_by = if cycle == 0 { &first } else { &next };
            let is_choice = !is_state || given_by[line].is_none();
            let is_first = is_state && cycle == 0;
            found.push(Placed { cycle, line, index, digits: &given.digits, span, is_choice, is_first });
        }
    }
    Ok(found)
}

/// The index of an array element that a value is for; an error if the value does not fit.
fn index_of(document: &Document, line: Position, given: &Given) -> Result<Option<BigUint>, String> {
    let name = document.name(line);
    let (width, index) = match (document.node(line).sort, given.place.as_deref()) {
        (Sort::Bits(width), None) => (width, None),
        (Sort::Bits(_), Some(_)) => return Err(format!("{name} is no array")),
        (Sort::Array { element, .. }, None | Some("*")) => (element, None),
        (Sort::Array { index, element }, Some(place)) => {
            let is_binary =
                place.len() == index as usize && place.bytes().all(|byte| matches!(byte, b'0' | b'1'));
            let place = BigUint::parse_bytes(place.as_bytes(), 2).filter(|_| is_binary);
            (element, Some(place.ok_or_else(|| format!("a place of {name} has {index} binary digits"))?))
        }
    };
    match given.digits.len() == width as usize {
        true => Ok(index),
        false => {
            Err(format!("a value of {name} has {}, not {}", Sort::Bits(width).describe(), given.digits.len()))
        }
    }
}

/// Digits `x` are read as zero.
fn choose(document: &Document, chosen: &mut Values, given: &Placed<'_>) {
    let digits = given.digits.replace(['x', 'X'], "0");
    let bits = BigUint::parse_bytes(digits.as_bytes(), 2).unwrap_or_default();
    let sort = document.node(given.line).sort;
    let value = chosen.entry(given.line).or_insert_with(|| Value::zero(sort));
    match (value, &given.index) {
        (Value::Memory(memory), Some(index)) => {
            memory.cells.insert(index.clone(), bits);
        }
        (Value::Memory(memory), None) => memory.default = bits,
        (Value::Word(word), _) => *word = bits,
    }
}

fn matches(given: &str, found: &str) -> bool {
    given.chars().zip(found.chars()).all(|(given, found)| given == found || given.eq_ignore_ascii_case(&'x'))
}

/// The witness of a run that was replayed, for these `bad` lines.
pub fn witness(document: &Document, run: &Run, cycles: &[Cycle], bads: &[usize]) -> Witness {
    let places = Places::of(document, cycles);
    let (first, next) = (document.initial_values(), document.next_values());
    let frames = (0..run.cycles.len()).map(|cycle| {
        let given_by = if cycle == 0 { &first } else { &next };
        let chosen = if cycle == 0 { &run.first } else { &run.cycles[cycle] };
        let open = document.states().enumerate().filter(|(_, line)| given_by[*line].is_none());
        let states = open.flat_map(|(number, line)| places.given(document, number, line, chosen, '#', cycle));
        let inputs = document.inputs().enumerate();
        let chosen = &run.cycles[cycle];
        let inputs =
            inputs.flat_map(|(number, line)| places.given(document, number, line, chosen, '@', cycle));
        Frame { states: states.collect(), inputs: inputs.collect() }
    });
    Witness { bads: bads.to_vec(), frames: frames.collect() }
}

/// The array elements that a run reads or writes: those that matter in a mostly uniform array.
struct Places {
    places: BTreeSet<(u32, BigUint)>,
}

impl Places {
    fn of(document: &Document, cycles: &[Cycle]) -> Places {
        let mut places = BTreeSet::new();
        for line in &document.lines {
            let Item::Node(Node { op: Op::Plain(Plain::Read | Plain::Write), args, .. }) = &line.item else {
                continue;
            };
            let Sort::Bits(width) = document.sort(args[1]) else { continue };
            for cycle in cycles {
                places.insert((width, index_at(cycle, args[1], width)));
            }
        }
        Places { places }
    }

    /// A value as lines of a witness. A zero array needs none.
    fn given(
        &self,
        document: &Document,
        number: usize,
        line: Position,
        chosen: &Values,
        mark: char,
        cycle: usize,
    ) -> Vec<Given> {
        let sort = document.node(line).sort;
        let name = document.lines[line].symbol.as_ref().map(|name| format!("{name}{mark}{cycle}"));
        let zero = Value::zero(sort);
        match (chosen.get(&line).unwrap_or(&zero), sort) {
            (Value::Word(bits), Sort::Bits(width)) => {
                vec![Given { number, place: None, digits: binary(bits, width), name }]
            }
            (Value::Memory(memory), Sort::Array { index, element }) => {
                let given = |place: &BigUint| Given {
                    number,
                    place: Some(binary(place, index)),
                    digits: binary(memory.read(place), element),
                    name: name.clone(),
                };
                self.needed(memory, index).iter().map(given).collect()
            }
            _ => panic!("invariant: values are of their sorts"),
        }
    }

    fn needed(&self, memory: &Memory, index: u32) -> BTreeSet<BigUint> {
        let mut needed: BTreeSet<BigUint> = memory.cells.keys().cloned().collect();
        if memory.default.is_zero() {
            return needed;
        }
        let all = BigUint::one() << index;
        if all <= BigUint::from(MAX_PLACES) {
            let mut place = BigUint::zero();
            while place < all {
                needed.insert(place.clone());
                place += 1u32;
            }
        } else {
            let looked_at = self.places.iter().filter(|(width, _)| *width == index);
            needed.extend(looked_at.map(|(_, place)| place.clone()));
        }
        needed
    }
}

fn index_at(cycle: &Cycle, operand: Operand, width: u32) -> BigUint {
    let value = cycle.value(operand.line).expect("invariant: operands have values");
    match operand.negated {
        true => super::arithmetic::complement(value.word(), width),
        false => value.word().clone(),
    }
}

//! A flat netlist, as Yosys writes it and reads it again (its JSON format).
//!
//! Between the two runs of Yosys the netlist is checked and changed here (see [`super::edit`]). It is kept close to the
//! file: cells with named connections to bits, which are numbers or constants. Only what is inspected is typed; other
//! parameters are passed through.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A bit of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bit {
    /// A wire.
    Net(u32),
    /// Constant 0.
    Zero,
    /// Constant 1.
    One,
    /// Undefined: any value.
    Undefined,
    /// High impedance.
    HighZ,
}

impl Bit {
    fn read(value: &Value) -> Option<Bit> {
        if let Some(number) = value.as_u64() {
            return u32::try_from(number).ok().map(Bit::Net);
        }
        Bit::of_digit(value.as_str()?.chars().next()?)
    }

    /// The constant of a digit.
    pub fn of_digit(digit: char) -> Option<Bit> {
        match digit {
            '0' => Some(Bit::Zero),
            '1' => Some(Bit::One),
            'x' | 'm' => Some(Bit::Undefined),
            'z' => Some(Bit::HighZ),
            _ => None,
        }
    }

    fn write(self) -> Value {
        match self {
            Bit::Net(number) => json!(number),
            Bit::Zero => json!("0"),
            Bit::One => json!("1"),
            Bit::Undefined => json!("x"),
            Bit::HighZ => json!("z"),
        }
    }
}

/// A signal: bits, least significant first.
pub type Signal = Vec<Bit>;

#[derive(Clone, Debug)]
pub struct Cell {
    /// A name of the user, or one that starts with `$`.
    pub name: String,
    /// Its type, such as `$add`.
    pub kind: String,
    /// Places of the source, separated by `|`.
    pub source: String,
    /// Unparsed parameters.
    pub parameters: Map<String, Value>,
    /// The connections of its ports.
    pub ports: BTreeMap<String, Signal>,
    /// Must it be kept?
    pub keep: bool,
}

impl Cell {
    /// The connection of a port; empty if the cell does not have it.
    pub fn port(&self, name: &str) -> &[Bit] {
        self.ports.get(name).map_or(&[], Vec::as_slice)
    }

    /// The only bit of a port.
    pub fn bit(&self, name: &str) -> Option<Bit> {
        match self.port(name) {
            [bit] => Some(*bit),
            _ => None,
        }
    }

    /// A numeric parameter (written as a number or as binary digits).
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.parameters.get(name)? {
            Value::Number(number) => number.as_u64(),
            Value::String(digits) => u64::from_str_radix(digits, 2).ok(),
            _ => None,
        }
    }

    /// A textual parameter, without the backslash of a public name.
    pub fn text(&self, name: &str) -> Option<&str> {
        let text = self.parameters.get(name)?.as_str()?;
        Some(text.strip_prefix('\\').unwrap_or(text))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Input,
    Output,
    /// Both; not supported.
    Both,
}

#[derive(Clone, Debug)]
pub struct Port {
    pub name: String,
    pub direction: Direction,
    pub bits: Signal,
}

/// A name for bits.
#[derive(Clone, Debug)]
pub struct Net {
    /// Hierarchy is written with dots.
    pub name: String,
    pub bits: Signal,
    /// Is it a name of the user?
    pub is_public: bool,
    /// Does a block assign to it?
    pub is_assigned: bool,
}

#[derive(Clone, Debug)]
pub struct Memory {
    pub name: String,
    /// The first address.
    pub offset: i64,
    /// The number of words.
    pub size: u64,
    /// Bits per word.
    pub width: u64,
}

/// A flat design.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// The name of the top module.
    pub top: String,
    pub ports: Vec<Port>,
    /// The cells, in the order of the file.
    pub cells: Vec<Cell>,
    pub nets: Vec<Net>,
    pub memories: Vec<Memory>,
    /// Initial values of bits; others are arbitrary.
    pub initial: BTreeMap<u32, Bit>,
    next: u32,
    /// The number of added cells.
    added: usize,
}

impl Netlist {
    /// Reads the only module of a file.
    pub fn read(text: &str) -> Option<Netlist> {
        let file: Value = serde_json::from_str(text).ok()?;
        let modules = file.get("modules")?.as_object()?;
        let is_top = |module: &&Value| module.pointer("/attributes/top").is_some();
        let (top, module) =
            modules.iter().find(|(_, module)| is_top(module)).or_else(|| modules.iter().next())?;
        let mut netlist = Netlist {
            top: top.clone(),
            ports: entries(module, "ports").map(port).collect::<Option<_>>()?,
            cells: entries(module, "cells").map(cell).collect::<Option<_>>()?,
            nets: entries(module, "netnames").map(net).collect::<Option<_>>()?,
            memories: entries(module, "memories").map(memory).collect::<Option<_>>()?,
            initial: BTreeMap::new(),
            next: 0,
            added: 0,
        };
        for (_, net) in entries(module, "netnames") {
            netlist.initial.extend(initial(net)?);
        }
        let signals = netlist.cells.iter().flat_map(|cell| cell.ports.values());
        let signals = signals.chain(netlist.ports.iter().map(|port| &port.bits));
        let signals = signals.chain(netlist.nets.iter().map(|net| &net.bits));
        let numbers = signals.flatten().filter_map(|bit| match bit {
            Bit::Net(number) => Some(*number),
            _ => None,
        });
        netlist.next = numbers.max().unwrap_or(1) + 1;
        Some(netlist)
    }

    /// The text of the file.
    pub fn write(&self) -> String {
        let ports = self.ports.iter().map(|port| {
            let direction = match port.direction {
                Direction::Input => "input",
                Direction::Output => "output",
                Direction::Both => "inout",
            };
            (port.name.clone(), json!({ "direction": direction, "bits": written(&port.bits) }))
        });
        let cells = self.cells.iter().map(|cell| {
            let ports: Map<String, Value> =
                cell.ports.iter().map(|(name, bits)| (name.clone(), written(bits))).collect();
            let mut attributes = Map::new();
            if cell.keep {
                attributes.insert("keep".into(), json!(1));
            }
            let cell_object = json!({
                "hide_name": u8::from(cell.name.starts_with('$')), "type": cell.kind,
                "parameters": cell.parameters, "attributes": attributes, "connections": ports,
            });
            (cell.name.clone(), cell_object)
        });
        let nets = self.nets.iter().map(|net| {
            let mut attributes = Map::new();
            if let Some(initial) = self.initial_of(&net.bits) {
                attributes.insert("init".into(), initial);
            }
            let hidden = u8::from(!net.is_public);
            let object = json!({ "hide_name": hidden, "bits": written(&net.bits), "attributes": attributes });
            (net.name.clone(), object)
        });
        let memories = self.memories.iter().map(|memory| {
            let attributes = json!({ "keep": 1 });
            let object = json!({ "hide_name": 0, "attributes": attributes, "width": memory.width,
                "start_offset": memory.offset, "size": memory.size });
            (memory.name.clone(), object)
        });
        let module = json!({
            "attributes": { "top": 1 },
            "ports": ports.collect::<Map<_, _>>(), "cells": cells.collect::<Map<_, _>>(),
            "memories": memories.collect::<Map<_, _>>(), "netnames": nets.collect::<Map<_, _>>(),
        });
        let modules: Map<String, Value> = [("top".to_owned(), module)].into_iter().collect();
        json!({ "creator": "tenet", "modules": modules }).to_string()
    }

    /// An unconnected signal.
    pub fn fresh(&mut self, width: usize) -> Signal {
        let first = self.next;
        self.next += u32::try_from(width).expect("invariant: signals are shorter than 2^32");
        (first..self.next).map(Bit::Net).collect()
    }

    /// Adds a cell and returns the signal at its port `Y`.
    pub fn add(&mut self, kind: &str, parameters: Value, inputs: &[(&str, &[Bit])], width: usize) -> Signal {
        let output = self.fresh(width);
        self.drive(kind, parameters, inputs, "Y", &output);
        output
    }

    /// Adds a cell with one of its ports connected to these bits.
    pub fn drive(&mut self, kind: &str, params: Value, inputs: &[(&str, &[Bit])], port: &str, bits: &[Bit]) {
        let Value::Object(parameters) = params else { unreachable!("invariant: parameters are an object") };
        let mut ports: BTreeMap<String, Signal> =
            inputs.iter().map(|(name, bits)| ((*name).to_owned(), bits.to_vec())).collect();
        ports.insert(port.to_owned(), bits.to_vec());
        let name = format!("$tenet${}", self.added);
        self.added += 1;
        let (kind, source) = (kind.to_owned(), String::new());
        self.cells.push(Cell { name, kind, source, parameters, ports, keep: false });
    }

    /// `condition ? then : otherwise`
    pub fn mux(&mut self, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Signal {
        let inputs = [("A", otherwise), ("B", then), ("S", &[condition])];
        self.add("$mux", json!({ "WIDTH": then.len() }), &inputs, then.len())
    }

    /// A connective of two bits, or of two words with one bit as result.
    pub fn binary(&mut self, kind: &str, left: &[Bit], right: &[Bit]) -> Bit {
        let parameters = json!({ "A_SIGNED": 0, "A_WIDTH": left.len(), "B_SIGNED": 0, "B_WIDTH": right.len(),
            "Y_WIDTH": 1 });
        self.add(kind, parameters, &[("A", left), ("B", right)], 1)[0]
    }

    /// The negation of a bit.
    pub fn not(&mut self, bit: Bit) -> Bit {
        match bit {
            Bit::Zero => Bit::One,
            Bit::One => Bit::Zero,
            _ => {
                self.add("$not", json!({ "A_SIGNED": 0, "A_WIDTH": 1, "Y_WIDTH": 1 }), &[("A", &[bit])], 1)[0]
            }
        }
    }

    fn initial_of(&self, bits: &[Bit]) -> Option<Value> {
        let value = |bit: &Bit| match bit {
            Bit::Net(number) => self.initial.get(number).copied().unwrap_or(Bit::Undefined),
            _ => Bit::Undefined,
        };
        let digits = bits.iter().rev().map(value).map(|bit| match bit {
            Bit::Zero => '0',
            Bit::One => '1',
            _ => 'x',
        });
        let digits: String = digits.collect();
        digits.contains(['0', '1']).then(|| json!(digits))
    }

    /// A name that no net, port or memory has.
    pub fn unused_name(&self, wanted: &str) -> String {
        let is_used = |name: &str| {
            self.nets.iter().any(|net| net.name == name)
                || self.ports.iter().any(|port| port.name == name)
                || self.memories.iter().any(|memory| memory.name == name)
        };
        let candidates = (1..).map(|n| if n == 1 { wanted.to_owned() } else { format!("{wanted}_{n}") });
        candidates.into_iter().find(|name| !is_used(name)).expect("invariant: there are more names than nets")
    }
}

fn entries<'v>(module: &'v Value, key: &str) -> impl Iterator<Item = (&'v String, &'v Value)> {
    module.get(key).and_then(Value::as_object).into_iter().flatten()
}

fn written(bits: &[Bit]) -> Value {
    bits.iter().map(|bit| bit.write()).collect()
}

fn signal(value: Option<&Value>) -> Option<Signal> {
    value?.as_array()?.iter().map(Bit::read).collect()
}

fn port((name, value): (&String, &Value)) -> Option<Port> {
    let direction = match value.get("direction")?.as_str()? {
        "input" => Direction::Input,
        "output" => Direction::Output,
        _ => Direction::Both,
    };
    Some(Port { name: name.clone(), direction, bits: signal(value.get("bits"))? })
}

fn cell((name, value): (&String, &Value)) -> Option<Cell> {
    let connections = value.get("connections")?.as_object()?.iter();
    let ports =
        connections.map(|(port, bits)| Some((port.clone(), signal(Some(bits))?))).collect::<Option<_>>()?;
    Some(Cell {
        name: name.clone(),
        kind: value.get("type")?.as_str()?.to_owned(),
        source: source(value),
        parameters: value.get("parameters").and_then(Value::as_object).cloned().unwrap_or_default(),
        ports,
        keep: false,
    })
}

fn source(value: &Value) -> String {
    value.pointer("/attributes/src").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn net((name, value): (&String, &Value)) -> Option<Net> {
    let is_public = value.get("hide_name").and_then(Value::as_u64) == Some(0);
    Some(Net { name: name.clone(), bits: signal(value.get("bits"))?, is_public, is_assigned: false })
}

fn memory((name, value): (&String, &Value)) -> Option<Memory> {
    Some(Memory {
        name: name.clone(),
        offset: value.get("start_offset")?.as_i64()?,
        size: value.get("size")?.as_u64()?,
        width: value.get("width")?.as_u64()?,
    })
}

/// The initial values of the bits of a net.
fn initial(net: &Value) -> Option<Vec<(u32, Bit)>> {
    let Some(digits) = net.pointer("/attributes/init").and_then(Value::as_str) else {
        return Some(Vec::new());
    };
    let bits = signal(net.get("bits"))?;
    let values = digits.chars().rev().filter_map(Bit::of_digit);
    let known = bits.into_iter().zip(values).filter_map(|(bit, value)| match (bit, value) {
        (Bit::Net(number), Bit::Zero | Bit::One) => Some((number, value)),
        _ => None,
    });
    Some(known.collect())
}

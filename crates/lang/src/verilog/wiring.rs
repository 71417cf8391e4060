//! Drivers and readers of the bits of a netlist.

use super::netlist::{Bit, Cell, Direction, Netlist, Signal};
use std::collections::{HashMap, HashSet};

/// How deeply don't-care values are followed.
const MAX_DEPTH: usize = 200;

/// Is this port of a cell of this type an output?
pub fn is_output(kind: &str, port: &str) -> bool {
    match kind {
        "$memrd" | "$memrd_v2" => port == "DATA",
        "$memwr" | "$memwr_v2" | "$meminit" | "$meminit_v2" | "$assert" | "$assume" | "$cover" => false,
        _ => matches!(port, "Y" | "Q" | "CO" | "X"),
    }
}

/// Is it a register that is updated at a clock edge, or in each cycle?
pub fn is_register(cell: &Cell) -> bool {
    matches!(cell.kind.as_str(), "$dff" | "$adff" | "$ff")
}

/// Is it a port whose value matters? A memory that is read asynchronously has an unconnected clock.
pub fn is_data(cell: &Cell, port: &str) -> bool {
    let is_reading = cell.kind.starts_with("$memrd");
    !is_output(&cell.kind, port) && port != "CLK" && !(is_reading && port != "ADDR")
}

/// The cells that drive bits. Not updated when cells are added.
pub struct Wiring {
    driver: HashMap<u32, usize>,
}

impl Wiring {
    pub fn of(netlist: &Netlist) -> Wiring {
        let mut driver = HashMap::new();
        for (position, cell) in netlist.cells.iter().enumerate() {
            let outputs = cell.ports.iter().filter(|(port, _)| is_output(&cell.kind, port));
            for bit in outputs.flat_map(|(_, bits)| bits) {
                if let Bit::Net(number) = bit {
                    driver.insert(*number, position);
                }
            }
        }
        Wiring { driver }
    }

    /// The position of the cell that drives a bit.
    pub fn driver(&self, bit: Bit) -> Option<usize> {
        match bit {
            Bit::Net(number) => self.driver.get(&number).copied(),
            _ => None,
        }
    }

    /// The cell of this type whose output is exactly this signal.
    fn selects(&self, netlist: &Netlist, signal: &[Bit], kind: &str) -> Option<Cell> {
        let cell = &netlist.cells[self.driver(*signal.first()?)?];
        (cell.kind == kind && cell.port("Y") == signal).then(|| cell.clone())
    }

    /// A signal that is equal wherever an enabling one is nonzero. Yosys leaves a don't-care value undefined, on the same path of
    /// multiplexers on which the enabling one is zero; a choice without any effect should not become an input of the design.
    /// `fill` is used where nothing better is at hand.
    pub fn where_enabled(&self, netlist: &mut Netlist, value: &[Bit], enable: &[Bit], fill: Bit) -> Signal {
        let enabled = self.enabled(netlist, value, enable, fill, MAX_DEPTH);
        enabled.unwrap_or_else(|| vec![fill; value.len()])
    }

    /// `None` if it is never enabled.
    fn enabled(
        &self,
        netlist: &mut Netlist,
        value: &[Bit],
        enable: &[Bit],
        fill: Bit,
        depth: usize,
    ) -> Option<Signal> {
        if enable.iter().all(|bit| *bit == Bit::Zero) {
            return None;
        }
        let pair =
            |kind: &str| Some((self.selects(netlist, value, kind)?, self.selects(netlist, enable, kind)?));
        let found = if depth == 0 { None } else { pair("$mux").or_else(|| pair("$pmux")) };
        let Some((chosen, enabling)) =
            found.filter(|(chosen, enabling)| chosen.port("S") == enabling.port("S"))
        else {
            return Some(value.to_vec());
        };
        let inputs = |cell: &Cell| -> Vec<Signal> {
            let width = cell.port("Y").len();
            let parts = cell.port("B").chunks(width).map(<[Bit]>::to_vec);
            std::iter::once(cell.port("A").to_vec()).chain(parts).collect()
        };
        let pairs = inputs(&chosen).into_iter().zip(inputs(&enabling));
        let parts: Vec<Option<Signal>> =
            pairs.map(|(value, enable)| self.enabled(netlist, &value, &enable, fill, depth - 1)).collect();
        // If one of two values is a don't-care, the other one is as good.
        let mut different: Vec<&Signal> = parts.iter().flatten().collect();
        different.dedup();
        if let [only] = different.as_slice() {
            return Some((*only).clone());
        }
        let parts: Vec<Signal> =
            parts.into_iter().map(|part| part.unwrap_or_else(|| vec![fill; value.len()])).collect();
        if parts == inputs(&chosen) {
            return Some(value.to_vec());
        }
        let (otherwise, parts, select) = (parts[0].clone(), parts[1..].concat(), chosen.port("S").to_vec());
        let inputs: [(&str, &[Bit]); 3] = [("A", &otherwise), ("B", &parts), ("S", &select)];
        let parameters = serde_json::Value::Object(chosen.parameters);
        Some(netlist.add(&chosen.kind, parameters, &inputs, value.len()))
    }
}

/// The bits that are read by a cell or are outputs.
pub fn read_bits(netlist: &Netlist) -> HashSet<Bit> {
    let cells = netlist.cells.iter();
    let inputs = cells.flat_map(|cell| cell.ports.iter().filter(|(port, _)| is_data(cell, port)));
    let outputs = netlist.ports.iter().filter(|port| port.direction == Direction::Output);
    inputs.map(|(_, bits)| bits).chain(outputs.map(|port| &port.bits)).flatten().copied().collect()
}

/// The bits that have a value: outputs of cells, and inputs of the design.
pub fn driven_bits(netlist: &Netlist) -> HashSet<Bit> {
    let cells = netlist.cells.iter();
    let outputs = cells.flat_map(|cell| cell.ports.iter().filter(|(port, _)| is_output(&cell.kind, port)));
    let inputs = netlist.ports.iter().filter(|port| port.direction == Direction::Input);
    outputs.map(|(_, bits)| bits).chain(inputs.map(|port| &port.bits)).flatten().copied().collect()
}

/// Removes what no statement, kept register or output depends on.
pub fn sweep(netlist: &mut Netlist) {
    let wiring = Wiring::of(netlist);
    let is_root = |cell: &Cell| cell.keep || matches!(cell.kind.as_str(), "$assert" | "$assume");
    let mut waiting: Vec<usize> =
        (0..netlist.cells.len()).filter(|&position| is_root(&netlist.cells[position])).collect();
    let outputs = netlist.ports.iter().filter(|port| port.direction == Direction::Output);
    waiting.extend(outputs.flat_map(|port| &port.bits).filter_map(|bit| wiring.driver(*bit)));
    let mut is_live = vec![false; netlist.cells.len()];
    while let Some(position) = waiting.pop() {
        if std::mem::replace(&mut is_live[position], true) {
            continue;
        }
        let cell = &netlist.cells[position];
        let inputs = cell.ports.iter().filter(|(port, _)| is_data(cell, port)).flat_map(|(_, bits)| bits);
        waiting.extend(inputs.filter_map(|bit| wiring.driver(*bit)));
        // A read of a memory depends on its writes.
        if let Some(memory) = cell.text("MEMID") {
            let same = |&other: &usize| netlist.cells[other].text("MEMID") == Some(memory);
            waiting.extend((0..netlist.cells.len()).filter(|other| !is_live[*other]).filter(same));
        }
    }
    let mut live = is_live.iter();
    netlist.cells.retain(|_| *live.next().expect("invariant: one for each cell"));
    let used: HashSet<String> =
        netlist.cells.iter().filter_map(|cell| cell.text("MEMID")).map(str::to_owned).collect();
    netlist.memories.retain(|memory| used.contains(&memory.name));
}

//! Latches: they follow their data while they are enabled, and keep their last value otherwise.
//!
//! In a cycle every signal settles once, and registers and inputs change together at its beginning. So a latch is a multiplexer
//! between its data and what it had at the end of the cycle before, which a register stores. While it is open, its output depends
//! on its inputs within the cycle; a loop through it has no defined value and is refused.

use super::netlist::{Bit, Cell, Netlist};
use super::registers::{public_name, reset_value, store};
use super::wiring::{Wiring, is_register};
use serde_json::json;

/// A latch of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    pub name: String,
    /// Its place, as Yosys writes it.
    pub source: String,
}

fn is_latch(cell: &Cell) -> bool {
    matches!(cell.kind.as_str(), "$dlatch" | "$adlatch" | "$dlatchsr" | "$sr")
}

/// The latches of a design.
pub fn list(netlist: &Netlist) -> Vec<Latch> {
    let latches = netlist.cells.iter().filter(|cell| is_latch(cell)).map(|cell| {
        let name = public_name(netlist, cell.port("Q")).unwrap_or_else(|| "a signal".to_owned());
        Latch { name, source: cell.source.clone() }
    });
    latches.collect()
}

/// A latch that depends on itself within a cycle while it is open.
pub fn looping(netlist: &Netlist) -> Vec<Latch> {
    let wiring = Wiring::of(netlist);
    let mut found = Vec::new();
    for start in (0..netlist.cells.len()).filter(|&cell| is_latch(&netlist.cells[cell])) {
        let mut is_seen = vec![false; netlist.cells.len()];
        let mut waiting = vec![start];
        while let Some(position) = waiting.pop() {
            let read = within_cycle(&netlist.cells[position]);
            let drivers = read.flat_map(|bits| bits.iter()).filter_map(|bit| wiring.driver(*bit));
            waiting.extend(drivers.filter(|&driver| !std::mem::replace(&mut is_seen[driver], true)));
        }
        if is_seen[start] {
            let cell = &netlist.cells[start];
            let name = public_name(netlist, cell.port("Q")).unwrap_or_else(|| "a signal".to_owned());
            found.push(Latch { name, source: cell.source.clone() });
        }
    }
    found
}

/// The inputs on which the outputs of a cell depend in the same cycle.
fn within_cycle(cell: &Cell) -> impl Iterator<Item = &Vec<Bit>> {
    let is_stored = is_register(cell);
    let is_immediate = move |port: &str| {
        if is_stored { port == "ARST" } else { !matches!(port, "Y" | "Q" | "DATA" | "CLK") }
    };
    cell.ports.iter().filter(move |(port, _)| is_immediate(port)).map(|(_, bits)| bits)
}

/// Replaces every latch by a multiplexer and a register.
pub fn replace(netlist: &mut Netlist) {
    for position in (0..netlist.cells.len()).filter(|&at| is_latch(&netlist.cells[at])).collect::<Vec<_>>() {
        let cell = netlist.cells[position].clone();
        let output = cell.port("Q").to_vec();
        let stored = store(netlist, &output);
        let mut value = stored.clone();
        if let Some(enable) = control(netlist, &cell, "EN") {
            value = netlist.mux(enable[0], cell.port("D"), &value);
        }
        if let Some(reset) = control(netlist, &cell, "ARST") {
            value = netlist.mux(reset[0], &reset_value(&cell), &value);
        }
        // Bit by bit; clearing is stronger than setting.
        for (port, forced) in [("SET", Bit::One), ("CLR", Bit::Zero)] {
            if let Some(control) = control(netlist, &cell, port) {
                let bits = control.iter().zip(&value);
                value = bits
                    .map(|(force, bit)| (*force, *bit))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .map(|(force, bit)| netlist.mux(force, &[forced], &[bit])[0])
                    .collect();
            }
        }
        let width = json!({ "WIDTH": output.len() });
        netlist.drive("$pos", unary(output.len()), &[("A", &value)], "Y", &output);
        let register = &mut netlist.cells[position];
        register.kind = "$dff".to_owned();
        register.parameters = width.as_object().cloned().unwrap_or_default();
        register.parameters.insert("CLK_POLARITY".to_owned(), json!(1));
        let ports = [("CLK", vec![Bit::Zero]), ("D", output), ("Q", stored)];
        register.ports = ports.into_iter().map(|(port, bits)| (port.to_owned(), bits)).collect();
    }
}

fn unary(width: usize) -> serde_json::Value {
    json!({ "A_SIGNED": 0, "A_WIDTH": width, "Y_WIDTH": width })
}

/// An input that is active when its bits are 1, whatever its polarity; `None` if the latch does not have it.
fn control(netlist: &mut Netlist, cell: &Cell, port: &str) -> Option<Vec<Bit>> {
    let bits = cell.port(port).to_vec();
    let is_low = cell.number(&format!("{port}_POLARITY")) == Some(0);
    if bits.is_empty() {
        return None;
    }
    Some(if is_low { bits.into_iter().map(|bit| netlist.not(bit)).collect() } else { bits })
}

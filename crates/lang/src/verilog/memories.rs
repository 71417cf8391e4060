//! Memories: out-of-range addresses.
//!
//! Yosys leaves them undefined, and truncates addresses to the bits that it needs: a write past the end would change an
//! existing word. In Verilog such a write does nothing, and a read gives an undefined value (HL-T8).
//!
//! Nor does Yosys agree with itself about memories that do not begin at address 0: when it writes BTOR2, initial values move to
//! other addresses, and reads and writes do not. So each memory is extended down to address 0.

use super::netlist::{Bit, Memory, Netlist, Signal};
use super::wiring::Wiring;

/// The greatest first address of a memory: all words before it would be created.
const MAX_OFFSET: i64 = 1 << 16;

/// Makes the behaviour at other addresses explicit. Fails with the position of a cell that writes without a clock, or
/// that belongs to a memory with addresses below zero or beyond the limit.
pub fn guard(netlist: &mut Netlist) -> Result<(), usize> {
    let wiring = Wiring::of(netlist);
    for position in 0..netlist.cells.len() {
        let cell = netlist.cells[position].clone();
        let is_writing = cell.kind.starts_with("$memwr");
        if !is_writing && !cell.kind.starts_with("$memrd") {
            continue;
        }
        if is_writing && cell.number("CLK_ENABLE") == Some(0) {
            return Err(position);
        }
        let memory =
            cell.text("MEMID").and_then(|name| netlist.memories.iter().find(|memory| memory.name == name));
        let Some(memory) = memory.cloned() else { continue };
        if !(0..=MAX_OFFSET).contains(&memory.offset) {
            return Err(position);
        }
        if is_writing {
            let (enable, address, data) = (cell.port("EN"), cell.port("ADDR"), cell.port("DATA"));
            let address = wiring.where_enabled(netlist, address, enable, Bit::Zero);
            let data = wiring.where_enabled(netlist, data, enable, Bit::Zero);
            let enable = match exists(netlist, &memory, &address) {
                None => enable.to_vec(),
                Some(exists) => netlist.mux(exists, enable, &vec![Bit::Zero; enable.len()]),
            };
            let ports = &mut netlist.cells[position].ports;
            ports.extend([
                ("EN".to_owned(), enable),
                ("ADDR".to_owned(), address),
                ("DATA".to_owned(), data),
            ]);
        } else if let Some(exists) = exists(netlist, &memory, cell.port("ADDR")) {
            let data = cell.port("DATA").to_vec();
            let read = netlist.fresh(data.len());
            let anything = vec![Bit::Undefined; data.len()];
            let inputs: [(&str, &[Bit]); 3] = [("A", &anything), ("B", &read), ("S", &[exists])];
            netlist.drive("$mux", serde_json::json!({ "WIDTH": data.len() }), &inputs, "Y", &data);
            netlist.cells[position].ports.insert("DATA".to_owned(), read);
        }
    }
    for memory in &mut netlist.memories {
        memory.size += u64::try_from(memory.offset).unwrap_or(0);
        memory.offset = memory.offset.min(0);
    }
    Ok(())
}

/// Whether the memory has a word at an address; `None` if it always has.
fn exists(netlist: &mut Netlist, memory: &Memory, address: &[Bit]) -> Option<Bit> {
    let addresses = 1_u128.checked_shl(u32::try_from(address.len()).ok()?).unwrap_or(u128::MAX);
    let first = u128::try_from(memory.offset).unwrap_or(0);
    if first >= addresses {
        return Some(Bit::Zero);
    }
    let end = first + u128::from(memory.size);
    let low = (first > 0).then(|| netlist.binary("$ge", address, &constant(first, address.len())));
    let high = (end < addresses).then(|| netlist.binary("$lt", address, &constant(end, address.len())));
    match (low, high) {
        (Some(low), Some(high)) => Some(netlist.binary("$and", &[low], &[high])),
        (one, other) => one.or(other),
    }
}

/// A constant signal.
fn constant(value: u128, width: usize) -> Signal {
    let bit =
        |position: usize| value.checked_shr(u32::try_from(position).unwrap_or(u32::MAX)).unwrap_or(0) & 1;
    (0..width.max(1)).map(|position| if bit(position) == 1 { Bit::One } else { Bit::Zero }).collect()
}

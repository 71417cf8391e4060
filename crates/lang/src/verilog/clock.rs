//! The clock: there must be exactly one, at one edge, and used for nothing else.
//!
//! A step of the transition system is a cycle in which every register takes its next value. That is a model of the design only if
//! all registers do so at the same time, so everything else is refused (HL-T8).

use super::netlist::{Bit, Direction, Netlist};
use super::wiring::{driven_bits, is_data, is_register};
use std::collections::BTreeMap;

/// Why there is not exactly one clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Registers take their values at different times: descriptions, with a place of each.
    Several(Vec<(String, String)>),
    /// The clock is not an input of the design.
    Internal {
        name: String,
        /// The place of a register.
        source: String,
    },
    /// The clock is read as a value, too.
    Data { name: String, source: String },
    /// The option names a signal that is not the clock.
    Other {
        /// What the option names.
        named: String,
        /// The actual clock.
        found: String,
    },
    /// The option does not name an input of one bit.
    Unknown(String),
}

/// When a register is updated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    /// In each cycle of a global clock.
    Always,
    /// At this edge of a bit.
    At(Bit, bool),
}

/// Finds the clock, and removes it from the design.
pub fn remove(netlist: &mut Netlist, named: Option<&str>) -> Result<(), Problem> {
    let chosen = named
        .map(|name| input(netlist, name).ok_or_else(|| Problem::Unknown(name.to_owned())))
        .transpose()?;
    let mut edges: BTreeMap<Edge, String> = BTreeMap::new();
    for cell in &netlist.cells {
        let is_writing = cell.kind.starts_with("$memwr");
        let edge = match (is_register(cell) || is_writing, cell.bit("CLK")) {
            (true, Some(bit)) => Edge::At(bit, cell.number("CLK_POLARITY") != Some(0)),
            (true, None) => Edge::Always,
            _ => continue,
        };
        edges.entry(edge).or_insert_with(|| cell.source.clone());
    }
    if edges.len() > 1 {
        let all = edges.iter().map(|(edge, source)| (edge_name(netlist, *edge), source.clone()));
        return Err(Problem::Several(all.collect()));
    }
    let found = match edges.into_iter().next() {
        Some((Edge::At(bit, _), source)) => Some((bit, source)),
        _ => None,
    };
    let Some((clock, source)) = found.or_else(|| chosen.map(|bit| (bit, String::new()))) else {
        return Ok(());
    };
    let name = name_of(netlist, clock);
    if let (Some(named), Some(chosen)) = (named, chosen)
        && chosen != clock
    {
        return Err(Problem::Other { named: named.to_owned(), found: name });
    }
    let is_input = |port: &super::netlist::Port| port.direction == Direction::Input && port.bits == [clock];
    // A wire that nothing drives has any value, like an input.
    if !netlist.ports.iter().any(is_input) && driven_bits(netlist).contains(&clock) {
        return Err(Problem::Internal { name, source });
    }
    let reads = |cell: &&super::netlist::Cell| {
        cell.ports.iter().any(|(port, bits)| is_data(cell, port) && bits.contains(&clock))
    };
    if let Some(cell) = netlist.cells.iter().find(reads) {
        return Err(Problem::Data { name, source: cell.source.clone() });
    }
    netlist.ports.retain(|port| port.bits != [clock]);
    for cell in &mut netlist.cells {
        if let Some(bits) = cell.ports.get_mut("CLK") {
            bits.fill(Bit::Zero);
        }
    }
    Ok(())
}

/// The only bit of an input.
pub fn input(netlist: &Netlist, name: &str) -> Option<Bit> {
    let port = netlist.ports.iter().find(|port| port.name == name && port.direction == Direction::Input)?;
    match port.bits.as_slice() {
        [bit] => Some(*bit),
        _ => None,
    }
}

fn edge_name(netlist: &Netlist, edge: Edge) -> String {
    match edge {
        Edge::Always => "the global clock".to_owned(),
        Edge::At(bit, true) => format!("posedge {}", name_of(netlist, bit)),
        Edge::At(bit, false) => format!("negedge {}", name_of(netlist, bit)),
    }
}

/// The user's name of a bit: the shortest one.
fn name_of(netlist: &Netlist, bit: Bit) -> String {
    let named = netlist.nets.iter().filter(|net| net.is_public && net.bits.contains(&bit));
    let name = named.min_by_key(|net| (net.name.len(), net.name.clone())).map(|net| net.name.clone());
    name.unwrap_or_else(|| "an expression".to_owned())
}

//! Which input is the reset, if that is obvious.
//!
//! An input is the reset if it is called like one, if registers without an initial value get a constant from it, and if all registers
//! that it sets agree with its name about when it is active. It must be the only one, and no assumption may speak of it: the first
//! cycle could be impossible otherwise, and a proof would be vacuous.

use super::formal::Reset;
use super::netlist::{Bit, Cell, Direction, Netlist};
use super::wiring::{Wiring, is_data, is_register};
use std::collections::{BTreeMap, HashSet};

/// What is known about the reset of a design whose user does not name one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// There is nothing to reset.
    Nothing,
    /// It is this one.
    Obvious(Reset),
    /// It may be one of these, `!` in front for those that are active when they are 0.
    Perhaps(Vec<String>),
}

/// The registers that an input sets to constants while it has a value.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// While it is 1.
    high: usize,
    /// While it is 0.
    low: usize,
}

impl Uses {
    fn count(&mut self, is_low: bool) {
        if is_low { self.low += 1 } else { self.high += 1 }
    }
}

/// An input as the option names it.
fn written((name, uses): (&&str, &Uses)) -> String {
    if uses.low > uses.high { format!("!{name}") } else { (**name).to_owned() }
}

/// Words that are a reset's name, without what says that it is active low.
const NAMES: &[&str] = &[
    "rst", "reset", "arst", "areset", "srst", "sreset", "rstn", "resetn", "arstn", "aresetn", "srstn",
    "sresetn", "nrst", "nreset", "rstb", "resetb",
];

/// Looks for the reset.
pub fn find(netlist: &Netlist) -> Found {
    let wiring = Wiring::of(netlist);
    let inputs: BTreeMap<Bit, &str> = netlist
        .ports
        .iter()
        .filter(|port| port.direction == Direction::Input && port.bits.len() == 1)
        .map(|port| (port.bits[0], port.name.as_str()))
        .collect();
    let mut uses: BTreeMap<&str, Uses> = BTreeMap::new();
    // Whatever sets registers asynchronously may be a reset, whatever it is called.
    let mut asynchronous: BTreeMap<&str, Uses> = BTreeMap::new();
    for cell in netlist.cells.iter().filter(|cell| is_register(cell) && is_open(netlist, cell)) {
        let Some((bit, is_low)) = control(netlist, &wiring, cell) else { continue };
        let (bit, is_negated) = origin(netlist, &wiring, bit);
        let Some(name) = inputs.get(&bit) else { continue };
        uses.entry(name).or_default().count(is_low != is_negated);
        if cell.kind == "$adff" {
            asynchronous.entry(name).or_default().count(is_low != is_negated);
        }
    }
    let assumed = assumed(netlist, &wiring);
    let is_certain = |name: &str, uses: &Uses| {
        let bit = inputs.iter().find(|(_, known)| **known == name).map(|(bit, _)| *bit);
        let agrees = match polarity(name) {
            Some(true) => uses.high == 0,
            Some(false) => uses.low == 0,
            None => false,
        };
        agrees && bit.is_some_and(|bit| !assumed.contains(&bit))
    };
    let resets = uses.iter().filter(|(name, _)| polarity(name).is_some());
    let resets: Vec<(&&str, &Uses)> = resets.collect();
    match resets.as_slice() {
        [] if asynchronous.is_empty() => Found::Nothing,
        [] => Found::Perhaps(asynchronous.iter().map(written).collect()),
        [(name, uses)] if is_certain(name, uses) => {
            Found::Obvious(Reset { name: (**name).to_owned(), is_active_low: uses.low > 0 })
        }
        several => Found::Perhaps(several.iter().map(|&(name, uses)| written((name, uses))).collect()),
    }
}

/// Is this the name of a reset, and is it one that is active when it is 0?
fn polarity(name: &str) -> Option<bool> {
    let name = name.to_ascii_lowercase();
    let parts: Vec<&str> = name.split('_').filter(|part| !part.is_empty()).collect();
    let reset = parts.iter().find(|part| NAMES.contains(part))?;
    let is_marked = |part: &&str| matches!(*part, "n" | "b" | "l" | "ni" | "bar");
    let is_low = reset.starts_with('n') || reset.ends_with(['n', 'b']) || parts.iter().any(is_marked);
    // `soft_reset_count` counts something else; what is around the word may only name a block or a direction.
    (parts.len() <= 3).then_some(is_low)
}

/// Has some bit of a register no initial value?
fn is_open(netlist: &Netlist, cell: &Cell) -> bool {
    cell.port("Q").iter().any(|bit| matches!(bit, Bit::Net(number) if !netlist.initial.contains_key(number)))
}

/// The bit that sets a register to a constant, and whether it does so when it is 0.
fn control(netlist: &Netlist, wiring: &Wiring, cell: &Cell) -> Option<(Bit, bool)> {
    if let Some(bit) = cell.bit("ARST") {
        return Some((bit, cell.number("ARST_POLARITY") == Some(0)));
    }
    let choice = &netlist.cells[wiring.driver(*cell.port("D").first()?)?];
    let is_constant = |port: &str| choice.port(port).iter().all(|bit| !matches!(bit, Bit::Net(_)));
    let is_whole = choice.kind == "$mux" && choice.port("Y") == cell.port("D");
    match (is_constant("A"), is_constant("B")) {
        (false, true) if is_whole => Some((choice.bit("S")?, false)),
        (true, false) if is_whole => Some((choice.bit("S")?, true)),
        _ => None,
    }
}

/// The bit behind negations, and whether their number is odd.
fn origin(netlist: &Netlist, wiring: &Wiring, mut bit: Bit) -> (Bit, bool) {
    let mut is_negated = false;
    for _ in 0..netlist.cells.len() {
        let Some(driver) = wiring.driver(bit).map(|driver| &netlist.cells[driver]) else { break };
        let is_negation = matches!(driver.kind.as_str(), "$not" | "$logic_not");
        match (is_negation, driver.bit("A"), driver.bit("Y")) {
            (true, Some(behind), Some(_)) => (bit, is_negated) = (behind, !is_negated),
            _ => break,
        }
    }
    (bit, is_negated)
}

/// Everything that an assumption depends on, in whatever cycle.
fn assumed(netlist: &Netlist, wiring: &Wiring) -> HashSet<Bit> {
    let mut found = HashSet::new();
    let mut is_seen = vec![false; netlist.cells.len()];
    let mut waiting: Vec<usize> =
        (0..netlist.cells.len()).filter(|&cell| netlist.cells[cell].kind == "$assume").collect();
    while let Some(position) = waiting.pop() {
        if std::mem::replace(&mut is_seen[position], true) {
            continue;
        }
        let cell = &netlist.cells[position];
        for bit in cell.ports.iter().filter(|(port, _)| is_data(cell, port)).flat_map(|(_, bits)| bits) {
            found.insert(*bit);
            waiting.extend(wiring.driver(*bit));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_when_a_reset_is_active() {
        for name in ["rst", "RESET", "i_rst", "wb_rst_i", "areset", "sys_reset"] {
            assert_eq!(polarity(name), Some(false), "{name}");
        }
        for name in ["rst_n", "rst_ni", "resetn", "aresetn", "nrst", "reset_b", "i_rst_n", "Reset_L"] {
            assert_eq!(polarity(name), Some(true), "{name}");
        }
        for name in ["first", "preset_value", "burst", "n", "rest", "a_b_rst_count"] {
            assert_eq!(polarity(name), None, "{name}");
        }
    }
}

//! Whether every wire has one value: a wire with several drivers has none that anybody could tell (SPEC HL-T8).
//!
//! Yosys merges the two sides of an `assign`, so a second `assign` to the same wire would connect two values with each
//! other, and one of them would be forgotten. So drivers are counted before that happens.

use super::rtlil::{Chunks, Module};
use std::collections::BTreeMap;

/// A wire with several drivers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The wire, with its module if that is not the only one.
    pub wire: String,
    /// Where it is declared, as Yosys writes it.
    pub source: String,
}

/// The first bit of each wire that is driven more than once.
pub fn conflicts(modules: &[Module]) -> Vec<Conflict> {
    modules.iter().flat_map(|module| conflicts_in(module, modules)).collect()
}

fn conflicts_in(module: &Module, modules: &[Module]) -> Vec<Conflict> {
    let mut drivers: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    for (name, wire) in module.wires.iter().filter(|(_, wire)| wire.is_input && !wire.is_output) {
        (0..wire.width).for_each(|bit| *drivers.entry((name, bit)).or_default() += 1);
    }
    let processes = module.updated.iter().map(|updated| {
        // A process may set parts of a wire at several edges.
        let mut bits: Vec<(&str, usize)> = updated.iter().flat_map(|signal| module.bits(signal)).collect();
        bits.sort_unstable();
        bits.dedup();
        bits
    });
    let outputs = module.cells.iter().flat_map(|cell| {
        let is_output = move |port: &str| is_output(&cell.kind, port, modules);
        cell.ports.iter().filter(move |(port, _)| is_output(port)).map(|(_, signal)| signal)
    });
    let continuous = module.assigned.iter().chain(outputs);
    let continuous = continuous.map(|signal: &Chunks| module.bits(signal).collect());
    for bit in processes.chain(continuous).flatten() {
        *drivers.entry(bit).or_default() += 1;
    }
    let mut found: Vec<Conflict> = Vec::new();
    for ((name, _), _) in drivers.into_iter().filter(|(_, count)| *count > 1) {
        let source = module.wires.get(name).map_or(String::new(), |wire| wire.source.clone());
        let conflict = Conflict { wire: name.trim_start_matches('\\').to_owned(), source };
        if !found.contains(&conflict) {
            found.push(conflict);
        }
    }
    found
}

/// Does a cell drive what is connected to this port?
fn is_output(kind: &str, port: &str, modules: &[Module]) -> bool {
    match modules.iter().find(|module| module.name == kind) {
        Some(module) => module.wires.get(port).is_some_and(|wire| wire.is_output),
        None if kind.starts_with("$mem") => {
            matches!(port, "\\DATA" | "\\RD_DATA") && kind.starts_with("$memrd")
        }
        None => matches!(port, "\\Y" | "\\Q" | "\\CO" | "\\X"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilog::rtlil::read;

    #[test]
    fn drivers_are_counted_bit_by_bit() {
        let text = |second: &str| {
            format!(
                "module \\sub\n  wire output 1 \\y\nend\nmodule \\top\n  wire width 2 \\w\n  wire input 1 \\a\n  \
                 connect \\w [0] \\a\n  cell \\sub \\u\n    connect \\y {second}\n  end\nend\n"
            )
        };
        assert_eq!(conflicts(&read(&text("\\w [1]"))), []);
        let found = conflicts(&read(&text("\\w")));
        assert_eq!(found.iter().map(|conflict| conflict.wire.as_str()).collect::<Vec<_>>(), ["w"]);
        assert_eq!(conflicts(&read(&text("\\a"))).len(), 1);
    }
}

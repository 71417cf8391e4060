//! Whether every wire has one value: the value of a wire with several drivers is not determined (HL-T8).
//!
//! Yosys merges the two sides of an `assign`, so a second `assign` to the same wire would connect two values with each
//! other, and one of them would be lost. So drivers are counted before that happens.
//!
//! A variable that is never read may have any number of drivers, such as the `integer i` of all loops of a module.

use super::netlist::{Bit, Netlist};
use super::rtlil::{Chunks, Module, variable};
use super::wiring::is_register;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A wire with several drivers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The wire, with its module unless that is the only one.
    pub wire: String,
    /// The place of its declaration, as Yosys writes it.
    pub source: String,
}

/// The wires that are driven more than once.
#[derive(Clone, Debug, Default)]
pub struct Conflicts {
    /// Those that are read.
    pub read: Vec<Conflict>,
    /// The names of all others.
    pub idle: BTreeSet<String>,
}

impl Conflicts {
    /// The conflicts in a design.
    pub fn of(modules: &[Module]) -> Conflicts {
        let mut conflicts = Conflicts::default();
        for module in modules {
            let used = used(module, modules);
            let (read, idle): (Vec<Conflict>, Vec<Conflict>) =
                conflicts_in(module, modules).into_iter().partition(|conflict| {
                    let is_own = conflict.wire.starts_with('$');
                    is_own || used.contains(format!("\\{}", conflict.wire).as_str())
                });
            conflicts.read.extend(read);
            conflicts.idle.extend(idle.into_iter().map(|conflict| conflict.wire));
        }
        conflicts
    }

    /// Is this the name of a conflicting wire that is never read, in the module itself or in an instance?
    pub fn is_idle(&self, name: &str) -> bool {
        let is_same = |idle: &String| {
            name.strip_suffix(idle.as_str()).is_some_and(|path| path.is_empty() || path.ends_with('.'))
        };
        self.idle.iter().any(is_same)
    }

    /// Removes the registers that drive wires which are never read.
    pub fn drop_idle(&self, netlist: &mut Netlist) {
        let idle = netlist.nets.iter().filter(|net| net.is_public && self.is_idle(&net.name));
        let idle: HashSet<Bit> = idle.flat_map(|net| net.bits.iter().copied()).collect();
        netlist.cells.retain(|cell| {
            !is_register(cell)
                || cell.port("Q").is_empty()
                || !cell.port("Q").iter().all(|bit| idle.contains(bit))
        });
    }
}

/// The variables of a module that are read, and its ports.
fn used<'m>(module: &'m Module, modules: &[Module]) -> BTreeSet<&'m str> {
    let cells = module.cells.iter().flat_map(|cell| {
        let is_read = move |port: &str| !is_output(&cell.kind, port, modules);
        cell.ports.iter().filter(move |(port, _)| is_read(port)).map(|(_, signal)| signal)
    });
    let read = cells.flat_map(|signal| module.bits(signal)).map(|(name, _)| variable(name));
    let ports = module.wires.iter().filter(|(_, wire)| wire.is_input || wire.is_output);
    let ports = ports.map(|(name, _)| name.as_str());
    read.chain(ports).chain(module.used.iter().map(String::as_str)).collect()
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
        let conflicts = |second: &str| Conflicts::of(&read(&text(second)));
        assert!(conflicts("\\w [1]").read.is_empty() && conflicts("\\w [1]").idle.is_empty());
        assert_eq!(conflicts("\\w").idle.iter().collect::<Vec<_>>(), ["w"]);
        assert_eq!(conflicts("\\a").read[0].wire, "a");
    }

    /// A variable that is set in two processes, with another use of its value.
    #[test]
    fn a_variable_that_is_never_read_may_have_several_drivers() {
        let process = |value: &str| {
            format!(
                "  process $p\n    assign $1\\i[1:0] \\i\n    switch \\a\n      case 1'1\n        assign $1\\i[1:0] 2'10\n    \
                 end\n    sync posedge \\clk\n      update \\i $1\\i[1:0]\n      update \\x {value}\n  end\n"
            )
        };
        let text = |first: &str, more: &str| {
            let (first, second) = (process(first), process("1'0").replace("update \\x", "update \\y"));
            let wires = "  wire width 2 \\i\n  wire \\x\n  wire \\y\n  wire input 1 \\a\n";
            format!("module \\top\n{wires}{first}{second}{more}end\n")
        };
        let is_read = |first: &str, more: &str| {
            let conflicts = Conflicts::of(&read(&text(first, more)));
            assert_ne!(conflicts.read.is_empty(), conflicts.idle.is_empty());
            assert_eq!(conflicts.is_idle("u.i"), conflicts.read.is_empty());
            !conflicts.read.is_empty()
        };
        assert!(!is_read("1'1", ""));
        assert!(is_read("\\i [0]", ""));
        // Its value there may be the previous one.
        assert!(is_read("$1\\i[1:0] [0]", ""));
        assert!(is_read("1'1", "  connect \\z \\i\n"));
        assert!(is_read("1'1", "  cell $not $c\n    connect \\A \\i\n    connect \\Y \\z\n  end\n"));
    }
}

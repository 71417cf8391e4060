//! Black boxes: modules without content.
//!
//! Nothing is known of what such a module does, so its outputs are inputs of the design. Whatever the real module may do, this can
//! do it too: a proof holds for all of them. A run to a violation may rest on values that a particular module never gives.

use super::netlist::{Bit, Direction, Netlist, Port};
use super::rtlil::Module;

/// An instance of a module without content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlackBox {
    /// The path of the instance, with dots.
    pub instance: String,
    pub module: String,
    /// The place of the instance, as Yosys writes it.
    pub source: String,
}

/// Replaces every black box by inputs of the design. Those with a port that goes both ways stay, and are refused later.
pub fn open(netlist: &mut Netlist, modules: &[Module]) -> Vec<BlackBox> {
    let mut opened = Vec::new();
    for cell in std::mem::take(&mut netlist.cells) {
        let name = cell.kind.as_str();
        let is_same = |module: &&Module| module.name == format!("\\{name}") || module.name == name;
        let module = modules.iter().find(is_same).filter(|module| !has_both_ways(module));
        let Some(module) = module else {
            netlist.cells.push(cell);
            continue;
        };
        let instance = cell.name.replace(".\\", ".").trim_start_matches("$flatten\\").to_owned();
        for (port, bits) in &cell.ports {
            let is_output = module.wires.get(&format!("\\{port}")).is_some_and(|wire| wire.is_output);
            // A constant or nothing at an output is refused with the drivers.
            let bits: Vec<Bit> = bits.iter().copied().filter(|bit| matches!(bit, Bit::Net(_))).collect();
            if is_output && !bits.is_empty() {
                let name = netlist.unused_name(&format!("{instance}.{port}"));
                netlist.ports.push(Port { name, direction: Direction::Input, bits });
            }
        }
        let module = module.name.trim_start_matches('\\').to_owned();
        opened.push(BlackBox { instance, module, source: cell.source });
    }
    opened.sort_by(|left, right| left.instance.cmp(&right.instance));
    opened
}

fn has_both_ways(module: &Module) -> bool {
    module.wires.values().any(|wire| wire.is_input && wire.is_output)
}

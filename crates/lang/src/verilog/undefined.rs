//! Undefined values are arbitrary: they become inputs.
//!
//! Undefined constants are separate inputs at each occurrence, because two of them need not be equal. An undriven wire
//! is one input for all its readers. But a variable that is only initialised keeps that value.

use super::netlist::{Bit, Direction, Netlist, Port, Signal};
use super::wiring::{driven_bits, is_data, read_bits};
use serde_json::json;
use std::collections::HashSet;

/// Turns everything that is undefined into inputs, and constants that are chosen once into registers.
pub fn choose(netlist: &mut Netlist) {
    chosen_once(netlist);
    chosen_always(netlist);
    kept(netlist);
    undriven(netlist);
    constants(netlist);
}

/// `$anyconst`: a register that keeps its initial value.
fn chosen_once(netlist: &mut Netlist) {
    for cell in netlist.cells.iter_mut().filter(|cell| cell.kind == "$anyconst") {
        let bits = cell.ports.remove("Y").unwrap_or_default();
        let parameters = json!({ "WIDTH": bits.len(), "CLK_POLARITY": 1 });
        cell.kind = "$dff".to_owned();
        cell.parameters = parameters.as_object().cloned().unwrap_or_default();
        let ports = [("D", bits.clone()), ("Q", bits), ("CLK", vec![Bit::Zero])];
        cell.ports = ports.into_iter().map(|(port, bits)| (port.to_owned(), bits)).collect();
    }
}

/// `$anyseq`: an input.
fn chosen_always(netlist: &mut Netlist) {
    let is_chosen = |kind: &str| kind == "$anyseq";
    let chosen: Vec<Signal> = netlist
        .cells
        .iter()
        .filter(|cell| is_chosen(&cell.kind))
        .map(|cell| cell.port("Y").to_vec())
        .collect();
    netlist.cells.retain(|cell| !is_chosen(&cell.kind));
    for bits in chosen {
        let name = super::registers::public_name(netlist, &bits).unwrap_or_else(|| "any".to_owned());
        add_input(netlist, &name, bits);
    }
}

/// Variables that are initialised and never assigned: registers that keep their value. Some bits of a variable may be
/// driven and others not.
fn kept(netlist: &mut Netlist) {
    let driven = driven_bits(netlist);
    let read = read_bits(netlist);
    let is_kept = |bit: &Bit| match bit {
        Bit::Net(number) => {
            netlist.initial.contains_key(number) && read.contains(bit) && !driven.contains(bit)
        }
        _ => false,
    };
    let mut groups: Vec<Signal> = Vec::new();
    let mut known: HashSet<Bit> = HashSet::new();
    for net in &netlist.nets {
        let is_new = |bit: &Bit| is_kept(bit) && !known.contains(bit);
        let runs = net.bits.chunk_by(|one, other| is_new(one) == is_new(other));
        let new: Vec<Signal> = runs.filter(|run| is_new(&run[0])).map(<[Bit]>::to_vec).collect();
        known.extend(new.iter().flatten());
        groups.extend(new);
    }
    for bits in groups {
        let parameters = json!({ "WIDTH": bits.len(), "CLK_POLARITY": 1 });
        netlist.drive("$dff", parameters, &[("D", &bits), ("CLK", &[Bit::Zero])], "Q", &bits);
    }
}

fn undriven(netlist: &mut Netlist) {
    let (read, driven) = (read_bits(netlist), driven_bits(netlist));
    let mut open: HashSet<Bit> =
        read.into_iter().filter(|bit| matches!(bit, Bit::Net(_)) && !driven.contains(bit)).collect();
    let mut named: Vec<(String, Signal)> = Vec::new();
    let mut nets: Vec<&super::netlist::Net> = netlist.nets.iter().filter(|net| net.is_public).collect();
    // The user will look for the name that is highest in the hierarchy.
    nets.sort_by_key(|net| (net.name.matches('.').count(), net.name.clone()));
    for net in nets {
        if net.bits.iter().all(|bit| open.contains(bit)) {
            open.retain(|bit| !net.bits.contains(bit));
            named.push((net.name.clone(), net.bits.clone()));
            continue;
        }
        for (position, bit) in net.bits.iter().enumerate() {
            if open.remove(bit) {
                named.push((format!("{}[{position}]", net.name), vec![*bit]));
            }
        }
    }
    let mut rest: Vec<Bit> = open.into_iter().collect();
    rest.sort_unstable();
    named.extend(rest.into_iter().map(|bit| ("undriven".to_owned(), vec![bit])));
    for (name, bits) in named {
        add_input(netlist, &name, bits);
    }
}

fn constants(netlist: &mut Netlist) {
    let mut found: Vec<(usize, String, Signal)> = Vec::new();
    for (position, cell) in netlist.cells.iter().enumerate() {
        let is_undefined = |bits: &Signal| bits.contains(&Bit::Undefined);
        // Undefined initial contents of a memory are left arbitrary.
        if cell.kind.starts_with("$meminit") {
            continue;
        }
        let ports = cell.ports.iter().filter(|(port, bits)| is_data(cell, port) && is_undefined(bits));
        found.extend(ports.map(|(port, bits)| (position, port.clone(), bits.clone())));
    }
    for (position, port, mut bits) in found {
        let count = bits.iter().filter(|bit| **bit == Bit::Undefined).count();
        let chosen = netlist.fresh(count);
        let mut values = chosen.iter();
        for bit in bits.iter_mut().filter(|bit| **bit == Bit::Undefined) {
            *bit = *values.next().expect("invariant: as many as were counted");
        }
        add_input(netlist, "undefined", chosen);
        netlist.cells[position].ports.insert(port, bits);
    }
}

fn add_input(netlist: &mut Netlist, name: &str, bits: Signal) {
    let is_used = |name: &str| netlist.ports.iter().any(|port| port.name == name);
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let name = names.find(|name| !is_used(name)).expect("invariant: there are more names than ports");
    netlist.ports.push(Port { name, direction: Direction::Input, bits });
}

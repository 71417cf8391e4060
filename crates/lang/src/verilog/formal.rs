//! Assertions and assumptions in the netlist.
//!
//! Yosys samples an assertion in a clocked block in two registers, so that it fails one cycle late. These are removed:
//! an assertion is about the cycle in which it is checked, an assumption holds in that cycle, and neither adds to the
//! state. None may get lost on the way, so they are counted before and after.

use super::marks::{self, Mark};
use super::netlist::{Bit, Cell, Netlist};
use super::registers::reset_value;
use super::sources::Sources;
use super::wiring::{Wiring, is_register};
use crate::span::Span;
use serde_json::json;

/// A statement about the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The name of its cell after [`prepare`].
    pub cell: String,
    /// The user's label.
    pub label: Option<String>,
    /// The path of its instance, with dots.
    pub instance: String,
    /// Its place, as Yosys writes it.
    pub source: String,
    /// Its file and place, if it has a mark.
    pub written: Option<(usize, Span)>,
}

/// The assertions, assumptions and covers of a design.
#[derive(Clone, Debug, Default)]
pub struct Formal {
    /// The assertions, in the order of their cells.
    pub assertions: Vec<Statement>,
    /// The assumptions, `restrict` included.
    pub assumptions: Vec<Statement>,
    /// The covers, which are removed from the design.
    pub covers: Vec<Statement>,
}

/// A reset input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    pub name: String,
    /// Is it active low?
    pub is_active_low: bool,
}

impl Reset {
    /// The value of the option that names it.
    pub fn option(&self) -> String {
        format!("{}{}", if self.is_active_low { "!" } else { "" }, self.name)
    }
}

/// Removes the sampling registers of all statements, names them, and lists them.
pub fn prepare(netlist: &mut Netlist, sources: &Sources) -> Formal {
    let mut marks = marks::remove(netlist);
    let wiring = Wiring::of(netlist);
    let mut formal = Formal::default();
    let mut sampled = Vec::new();
    // In the order of the source, which Yosys keeps if it is that of the names.
    let mut positions: Vec<usize> = (0..netlist.cells.len()).collect();
    positions.sort_by_key(|&position| {
        let cell = &netlist.cells[position];
        let scope = marks.of_cell.get(&cell.name).map(|mark| by_number(&mark.scope));
        (sources.places(&cell.source).pop(), scope)
    });
    for position in positions {
        let cell = netlist.cells[position].clone();
        let list = match cell.kind.as_str() {
            "$assert" => &mut formal.assertions,
            "$assume" => &mut formal.assumptions,
            "$cover" => &mut formal.covers,
            _ => continue,
        };
        let name = format!("tenet_{}_{:06}", &cell.kind[1..], list.len());
        list.push(match marks.of_cell.get(&cell.name) {
            Some(mark) => marked(&cell, name.clone(), mark, sources),
            // A statement that is always true does not depend on its mark any more, but has a place.
            None => {
                let plain = statement(&cell, name.clone());
                let place = sources.places(&cell.source).pop().filter(|_| plain.label.is_none());
                let mark = place.and_then(|place| {
                    let offset = sources.offset(place.file, place.line, place.column);
                    marks.spare(place.file, u32::try_from(offset).ok()?, &plain.instance)
                });
                mark.map_or(plain, |mark| marked(&cell, name.clone(), &mark, sources))
            }
        });
        let [value, enable] = ["A", "EN"].map(|port| cell.bit(port).unwrap_or(Bit::One));
        let registers = [value, enable].map(|bit| sampling(netlist, &wiring, bit));
        let (value, enable) = match registers {
            [Some(of_value), Some(of_enable)] => {
                sampled.extend([of_value, of_enable]);
                (before(netlist, of_value), before(netlist, of_enable))
            }
            _ => (value, enable),
        };
        let value = wiring.where_enabled(netlist, &[value], &[enable], Bit::One);
        let cell = &mut netlist.cells[position];
        cell.name = name;
        cell.ports.insert("A".to_owned(), value);
        cell.ports.insert("EN".to_owned(), vec![enable]);
    }
    // The cells that Yosys made for a statement have no other readers.
    let mut position = 0;
    netlist.cells.retain(|cell| {
        position += 1;
        cell.kind != "$cover" && !sampled.contains(&(position - 1))
    });
    formal
}

fn statement(cell: &Cell, name: String) -> Statement {
    let flat = cell.name.strip_prefix("$flatten\\");
    let (instance, label) = match flat.and_then(|flat| flat.split_once(".$")) {
        Some((path, _)) => (path.replace(".\\", "."), None),
        None if cell.name.starts_with('$') => (String::new(), None),
        // The name contains the path already.
        None => (String::new(), Some(cell.name.clone())),
    };
    Statement { cell: name, label, instance, source: cell.source.clone(), written: None }
}

/// A statement with a mark, which tells its path and its place.
fn marked(cell: &Cell, name: String, mark: &Mark, sources: &Sources) -> Statement {
    let known = sources.marked(mark.file, mark.offset);
    let label = known.and_then(|known| known.label.as_ref()).map(|label| match mark.scope.as_str() {
        "" => label.clone(),
        scope => format!("{scope}.{label}"),
    });
    let written = known.map(|known| (mark.file, known.span));
    Statement { cell: name, label, instance: mark.scope.clone(), source: cell.source.clone(), written }
}

/// A path by which `lane[2]` comes before `lane[10]`.
fn by_number(scope: &str) -> Vec<(String, u64)> {
    let parts = scope.split('[').map(|part| {
        let (number, rest) = part.split_once(']').unwrap_or(("", part));
        (rest.to_owned(), number.parse().unwrap_or(0))
    });
    parts.collect()
}

/// The register in which Yosys samples a bit for a statement.
fn sampling(netlist: &Netlist, wiring: &Wiring, bit: Bit) -> Option<usize> {
    let driver = wiring.driver(bit)?;
    let is_made_for_it = netlist.nets.iter().any(|net| net.bits == [bit] && net.name.contains("$formal$"));
    (is_register(&netlist.cells[driver]) && is_made_for_it).then_some(driver)
}

/// The next value of a register.
fn before(netlist: &mut Netlist, register: usize) -> Bit {
    let cell = netlist.cells[register].clone();
    let next = cell.port("D")[0];
    if cell.kind != "$adff" {
        return next;
    }
    let (reset, value) = (cell.port("ARST")[0], reset_value(&cell));
    let (then, otherwise) =
        if cell.number("ARST_POLARITY") == Some(0) { ([next], value) } else { ([value[0]], vec![next]) };
    netlist.mux(reset, &then, &otherwise)[0]
}

/// A bit that is 1 in the first cycle only, for `$initstate` and for the reset.
pub fn first_cycle(netlist: &mut Netlist, is_needed: bool) -> Bit {
    let asking: Vec<usize> =
        (0..netlist.cells.len()).filter(|&cell| netlist.cells[cell].kind == "$initstate").collect();
    if asking.is_empty() && !is_needed {
        return Bit::Zero;
    }
    let bit = netlist.fresh(1)[0];
    netlist.drive(
        "$dff",
        json!({ "WIDTH": 1, "CLK_POLARITY": 1 }),
        &[("D", &[Bit::Zero]), ("CLK", &[Bit::Zero])],
        "Q",
        &[bit],
    );
    if let Bit::Net(number) = bit {
        netlist.initial.insert(number, Bit::One);
    }
    let name = netlist.unused_name("first_cycle");
    netlist.nets.push(super::netlist::Net { name, bits: vec![bit], is_public: true, is_assigned: true });
    let replaced: Vec<Bit> = asking.iter().filter_map(|&cell| netlist.cells[cell].bit("Y")).collect();
    netlist.cells.retain(|cell| cell.kind != "$initstate");
    let inputs = netlist.cells.iter_mut().flat_map(|cell| cell.ports.values_mut());
    for bits in inputs.chain(netlist.ports.iter_mut().map(|port| &mut port.bits)) {
        bits.iter_mut().filter(|other| replaced.contains(other)).for_each(|other| *other = bit);
    }
    bit
}

/// The reset is active in the first cycle and never again; nothing is checked in that cycle, in which `first` is 1.
pub fn apply_reset(netlist: &mut Netlist, reset: Bit, is_active_low: bool, first: Bit) {
    let agree = netlist.binary(if is_active_low { "$xor" } else { "$xnor" }, &[reset], &[first]);
    let later = netlist.not(first);
    for position in 0..netlist.cells.len() {
        if netlist.cells[position].kind == "$assert" {
            let enable = netlist.cells[position].bit("EN").unwrap_or(Bit::One);
            let enable = netlist.binary("$and", &[enable], &[later]);
            netlist.cells[position].ports.insert("EN".to_owned(), vec![enable]);
        }
    }
    let ports: [(&str, &[Bit]); 1] = [("A", &[agree])];
    netlist.drive("$assume", json!({}), &ports, "EN", &[Bit::One]);
}

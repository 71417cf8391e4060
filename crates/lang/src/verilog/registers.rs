//! Registers: asynchronous resets, and the names of the source.

use super::marks::{self, Mark};
use super::netlist::{Bit, Direction, Net, Netlist, Port, Signal};
use super::wiring::is_register;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Replaces a register with an asynchronous reset by one with a synchronous reset and a multiplexer: while the reset is
/// active, readers of the register see the reset value at once.
pub fn synchronise(netlist: &mut Netlist) {
    for position in 0..netlist.cells.len() {
        if netlist.cells[position].kind != "$adff" {
            continue;
        }
        let cell = netlist.cells[position].clone();
        let (reset, value) = (cell.port("ARST").to_vec(), reset_value(&cell));
        let reset = match cell.number("ARST_POLARITY") {
            Some(0) => netlist.not(reset[0]),
            _ => reset[0],
        };
        let width = cell.port("Q").len();
        let stored = store(netlist, cell.port("Q"));
        let next = netlist.mux(reset, &value, cell.port("D"));
        let inputs: [(&str, &[Bit]); 3] = [("A", &stored), ("B", &value), ("S", &[reset])];
        netlist.drive("$mux", json!({ "WIDTH": width }), &inputs, "Y", cell.port("Q"));
        let register = &mut netlist.cells[position];
        register.kind = "$dff".to_owned();
        register.parameters.retain(|name, _| !name.starts_with("ARST"));
        register.ports.remove("ARST");
        register.ports.insert("D".to_owned(), next);
        register.ports.insert("Q".to_owned(), stored);
    }
}

/// The bits of a register in which something with this output is stored: they take over its initial value, and are called
/// `name_stored`.
pub fn store(netlist: &mut Netlist, output: &[Bit]) -> Signal {
    let stored = netlist.fresh(output.len());
    for (old, new) in output.iter().zip(&stored) {
        if let (Bit::Net(old), Bit::Net(new)) = (old, new)
            && let Some(initial) = netlist.initial.remove(old)
        {
            netlist.initial.insert(*new, initial);
        }
    }
    if let Some(name) = public_name(netlist, output) {
        let name = netlist.unused_name(&format!("{name}_stored"));
        netlist.nets.push(Net { name, bits: stored.clone(), is_public: true, is_assigned: true });
    }
    stored
}

/// The value after a reset, least significant bit first.
pub fn reset_value(cell: &super::netlist::Cell) -> Signal {
    let digits = cell.text("ARST_VALUE").unwrap_or_default();
    let mut bits: Signal = digits.chars().rev().filter_map(Bit::of_digit).collect();
    bits.resize(cell.port("Q").len(), Bit::Zero);
    bits
}

/// Before the first cycle a register had the value that it begins with: so has `$past` of it in the first cycle. `$past` of anything
/// else has any value then.
pub fn begin_pasts(netlist: &mut Netlist) {
    let pasts: HashSet<Bit> = netlist
        .nets
        .iter()
        .filter(|net| net.name.contains("$past$"))
        .flat_map(|net| net.bits.clone())
        .collect();
    // The value two cycles ago is that of the cycle before one cycle ago.
    loop {
        let mut found = Vec::new();
        for cell in netlist.cells.iter().filter(|cell| is_register(cell)) {
            for (next, bit) in cell.port("D").iter().zip(cell.port("Q")) {
                if let (Bit::Net(next), Bit::Net(number)) = (next, bit)
                    && pasts.contains(bit)
                    && !netlist.initial.contains_key(number)
                    && let Some(initial) = netlist.initial.get(next)
                {
                    found.push((*number, *initial));
                }
            }
        }
        if found.is_empty() {
            return;
        }
        netlist.initial.extend(found);
    }
}

/// Marks the registers that are kept even if they are not read: those that the source names.
pub fn mark(netlist: &mut Netlist) {
    let index = Index::of(netlist);
    for position in 0..netlist.cells.len() {
        if is_register(&netlist.cells[position]) {
            let is_named = index.name(netlist, netlist.cells[position].port("Q")).is_some();
            netlist.cells[position].keep = is_named;
        }
    }
}

/// The names of registers.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Those of the registers that outputs represent.
    pub of_outputs: BTreeMap<String, String>,
    /// Those of registers that the source does not have.
    pub auxiliary: BTreeSet<String>,
}

/// Gives each register its name in the source, and drops every other name. Yosys may prefer the name of an output that
/// has some of a register's bits, so each register gets an output of its own, by which its name is found again. `first` is 1 in the
/// first cycle, and `called` names a statement.
pub fn name(netlist: &mut Netlist, first: Bit, called: &dyn Fn(&Mark) -> String) -> Names {
    let mut names = Names::default();
    let mut nets: Vec<Net> = Vec::new();
    let mut used: BTreeMap<String, usize> = netlist.ports.iter().map(|port| (port.name.clone(), 1)).collect();
    used.extend(netlist.memories.iter().map(|memory| (memory.name.clone(), 1)));
    let index = Index::of(netlist);
    let added = Added::of(netlist);
    for position in 0..netlist.cells.len() {
        if !is_register(&netlist.cells[position]) {
            continue;
        }
        let bits = netlist.cells[position].port("Q").to_vec();
        let written = index.name(netlist, &bits);
        let is_auxiliary = written.is_none() || bits == [first];
        let before = index.name(netlist, netlist.cells[position].port("D"));
        let Some(name) = written.or_else(|| added.name(&bits, before, called)) else { continue };
        netlist.cells[position].keep = true;
        let count = used.entry(name.clone()).or_default();
        *count += 1;
        let name = if *count > 1 { format!("{name}#{count}") } else { name };
        if is_auxiliary {
            names.auxiliary.insert(name.clone());
        }
        let output = format!("tenet_register_{}", names.of_outputs.len());
        names.of_outputs.insert(output.clone(), name.clone());
        netlist.ports.push(Port { name: output, direction: Direction::Output, bits: bits.clone() });
        nets.push(Net { name, bits, is_public: true, is_assigned: true });
    }
    // Registers without a name in the source still have initial values.
    for position in (0..netlist.cells.len()).filter(|&position| is_register(&netlist.cells[position])) {
        let bits = netlist.cells[position].port("Q").to_vec();
        if !netlist.cells[position].keep {
            nets.push(Net {
                name: format!("$register{position}"),
                bits,
                is_public: false,
                is_assigned: true,
            });
        }
    }
    netlist.nets = nets;
    names
}

/// Registers that the source does not have, by their bits: values of the cycle before, and attempts of properties.
struct Added {
    pasts: HashSet<Vec<Bit>>,
    attempts: HashMap<Vec<Bit>, Mark>,
}

impl Added {
    fn of(netlist: &Netlist) -> Added {
        let pasts = netlist.nets.iter().filter(|net| net.name.contains("$past$"));
        let attempts =
            netlist.nets.iter().filter_map(|net| Some((net.bits.clone(), marks::owner(&net.name)?)));
        Added { pasts: pasts.map(|net| net.bits.clone()).collect(), attempts: attempts.collect() }
    }

    /// `$past(req)` or `answered.attempts`; `before` is the name of what is stored.
    fn name(&self, bits: &[Bit], before: Option<String>, called: &dyn Fn(&Mark) -> String) -> Option<String> {
        if self.pasts.contains(bits) {
            return Some(format!("$past({})", before.unwrap_or_else(|| "...".to_owned())));
        }
        self.attempts.get(bits).map(|mark| format!("{}.attempts", called(mark)))
    }
}

/// The nets that hold a bit.
struct Index {
    nets: HashMap<Bit, Vec<usize>>,
}

impl Index {
    fn of(netlist: &Netlist) -> Index {
        let mut nets: HashMap<Bit, Vec<usize>> = HashMap::new();
        for (position, net) in netlist.nets.iter().enumerate().filter(|(_, net)| is_named(net)) {
            for bit in &net.bits {
                nets.entry(*bit).or_default().push(position);
            }
        }
        Index { nets }
    }

    /// The name of a whole net, or of a part of one: preferably one that a block assigns to, then the deepest in the hierarchy,
    /// where the register is.
    fn name(&self, netlist: &Netlist, bits: &[Bit]) -> Option<String> {
        let candidates = self.nets.get(bits.first()?)?.iter().map(|&net| &netlist.nets[net]);
        let named = candidates.filter_map(|net| {
            let low = net.bits.windows(bits.len()).position(|window| window == bits)?;
            let name = match (bits.len() == net.bits.len(), bits.len()) {
                (true, _) => net.name.clone(),
                (false, 1) => format!("{}[{low}]", net.name),
                (false, width) => format!("{}[{}:{low}]", net.name, low + width - 1),
            };
            let depth = net.name.matches('.').count();
            Some((!net.is_assigned, net.bits.len() != bits.len(), usize::MAX - depth, name))
        });
        named.min().map(|(.., name)| name)
    }
}

/// Is it a name of the user? Functions have registers with names that look like one.
fn is_named(net: &Net) -> bool {
    net.is_public && !net.name.contains('$')
}

/// The user's name of a signal.
pub fn public_name(netlist: &Netlist, bits: &[Bit]) -> Option<String> {
    Index::of(netlist).name(netlist, bits)
}

//! Marks: which statement of the netlist is which of the source.
//!
//! Yosys names a statement after its label alone, and refuses two with one label, as generate loops have them. So statements get
//! blocks of their own with a mark (see [`super::sva`]), and the path of the mark is that of the statement.

use super::netlist::{Bit, Netlist};
use super::sva::{MARK, PREFIX};
use super::wiring::{is_data, is_output};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Where a statement is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The path of its block, with dots.
    pub scope: String,
    pub file: usize,
    /// The place of its keyword.
    pub offset: u32,
}

/// The marks of a design.
#[derive(Debug, Default)]
pub struct Marks {
    /// Those of statements, by the names of their cells.
    pub of_cell: BTreeMap<String, Mark>,
    /// Those on which no statement depends: it is always true there.
    spare: Vec<Mark>,
}

impl Marks {
    /// The mark of a statement at this place that is always true, in an instance.
    pub fn spare(&mut self, file: usize, offset: u32, instance: &str) -> Option<Mark> {
        let is_it = |mark: &Mark| {
            let rest = mark.scope.strip_prefix(instance);
            let is_inside =
                rest.is_some_and(|rest| instance.is_empty() || rest.is_empty() || rest.starts_with('.'));
            is_inside && (mark.file, mark.offset) == (file, offset)
        };
        let position = self.spare.iter().position(is_it)?;
        Some(self.spare.remove(position))
    }
}

/// Finds the marks, and makes them false.
pub fn remove(netlist: &mut Netlist) -> Marks {
    let mut marks: Vec<(Bit, Mark)> = Vec::new();
    let mut bits: HashSet<Bit> = HashSet::new();
    for net in netlist.nets.iter().filter(|net| net.name.ends_with(MARK)) {
        bits.extend(&net.bits);
        if let (Some(mark), Some(bit)) = (read(&net.name), net.bits.first()) {
            marks.push((*bit, mark));
        }
    }
    let mut readers: HashMap<Bit, Vec<usize>> = HashMap::new();
    for (position, cell) in netlist.cells.iter().enumerate() {
        let inputs = cell.ports.iter().filter(|(port, _)| is_data(cell, port)).flat_map(|(_, bits)| bits);
        inputs.for_each(|bit| readers.entry(*bit).or_default().push(position));
    }
    let mut found = Marks::default();
    for (bit, mark) in marks {
        let (mut waiting, mut seen) = (vec![bit], HashSet::new());
        let count = found.of_cell.len();
        while let Some(position) = waiting.pop().and_then(|bit| readers.get(&bit)) {
            for &position in position.iter().filter(|&&position| seen.insert(position)).collect::<Vec<_>>() {
                let cell = &netlist.cells[position];
                if matches!(cell.kind.as_str(), "$assert" | "$assume" | "$cover") {
                    found.of_cell.insert(cell.name.clone(), mark.clone());
                }
                let outputs = cell.ports.iter().filter(|(port, _)| is_output(&cell.kind, port));
                waiting.extend(outputs.flat_map(|(_, bits)| bits));
            }
        }
        if found.of_cell.len() == count {
            found.spare.push(mark);
        }
    }
    for bit in netlist.cells.iter_mut().flat_map(|cell| cell.ports.values_mut()).flatten() {
        if bits.contains(bit) {
            *bit = Bit::Zero;
        }
    }
    found
}

/// Reads `u1.lane[0].tenet$2_345.tenet$mark`.
fn read(name: &str) -> Option<Mark> {
    block(name.strip_suffix(MARK)?.strip_suffix('.')?)
}

/// The statement of a register of its own, such as `u1.tenet$2_345.tenet$2_345_0`.
pub fn owner(name: &str) -> Option<Mark> {
    let (path, register) = name.rsplit_once('.')?;
    if register.starts_with(PREFIX) { block(path) } else { None }
}

/// Reads `u1.lane[0].tenet$2_345`.
fn block(path: &str) -> Option<Mark> {
    let (scope, block) = path.rsplit_once('.').unwrap_or(("", path));
    let (file, offset) = block.strip_prefix(PREFIX)?.split_once('_')?;
    // An unrolled loop numbers its blocks.
    let offset = offset.split('[').next()?;
    Some(Mark { scope: scope.to_owned(), file: file.parse().ok()?, offset: offset.parse().ok()? })
}

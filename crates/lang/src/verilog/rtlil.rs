//! The design after Yosys has elaborated the source and before it makes gates of it (its text format RTLIL).
//!
//! Here an `if` or `case` is still one `switch`, with its place in the source, and its arms in their order; after that it is many
//! multiplexers. And here an `assign` is still one: two of them to the same wire later become one wire that both values are
//! connected to, without any message. Only the parts needed for this are parsed.

use std::collections::{BTreeMap, BTreeSet};

/// A part of a signal; lists of them have the least significant bits first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// Bits of a wire.
    Wire {
        /// As it is written in the file.
        name: String,
        /// The least significant bit.
        low: usize,
        /// The number of bits; `None` for the whole wire.
        width: Option<usize>,
    },
    /// Digits, most significant first.
    Constant(String),
}

/// A signal: its parts, least significant first.
pub type Chunks = Vec<Chunk>;

/// A wire of a module.
#[derive(Clone, Debug, Default)]
pub struct Wire {
    /// The number of bits.
    pub width: usize,
    pub is_input: bool,
    pub is_output: bool,
    pub source: String,
}

/// A cell, or an instance of a module.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    pub kind: String,
    pub name: String,
    pub source: String,
    /// Connections of its ports.
    pub ports: Vec<(String, Chunks)>,
}

/// An arm of a switch: the values that the signal is compared with; none for the default.
#[derive(Clone, Debug, Default)]
pub struct Arm {
    /// The place; an `if` has one for its condition.
    pub source: String,
    /// The constants, as digits with the most significant first; `-` is either digit.
    pub values: Vec<String>,
}

/// An `if` or a `case`.
#[derive(Clone, Debug, Default)]
pub struct Switch {
    pub source: String,
    /// The signal that is compared.
    pub signal: Chunks,
    pub arms: Vec<Arm>,
}

#[derive(Clone, Debug, Default)]
pub struct Module {
    /// As it is written in the file.
    pub name: String,
    pub wires: BTreeMap<String, Wire>,
    pub cells: Vec<Cell>,
    /// The targets of continuous assignments.
    pub assigned: Vec<Chunks>,
    /// The targets of each process.
    pub updated: Vec<Vec<Chunks>>,
    /// The variables that are read by assignments to others. Reads by cells are not included.
    pub used: BTreeSet<String>,
    /// All switches.
    pub switches: Vec<Switch>,
}

/// Reads all modules of a file.
pub fn read(text: &str) -> Vec<Module> {
    let mut reader = Reader::default();
    for line in text.lines() {
        reader.line(line);
    }
    reader.modules
}

#[derive(Default)]
struct Reader {
    modules: Vec<Module>,
    /// The place of the next item.
    source: String,
    /// In a process: the indices of the open switches.
    open: Vec<usize>,
    is_process: bool,
    is_cell: bool,
    /// Does the current sync rule set initial values?
    is_initial: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let depth = line.len() - line.trim_start().len();
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        if word == "module" {
            self.modules.push(Module { name: rest.to_owned(), ..Module::default() });
        }
        let Some(module) = self.modules.last_mut() else { return };
        match word {
            "attribute" => {
                if let Some(place) = rest.strip_prefix("\\src ") {
                    self.source = place.trim_matches('"').to_owned();
                }
                return;
            }
            "wire" => wire(module, rest, &self.source),
            "cell" => {
                let (kind, name) = rest.split_once(' ').unwrap_or((rest, ""));
                let (kind, name, source) = (kind.to_owned(), name.to_owned(), self.source.clone());
                module.cells.push(Cell { kind, name, source, ports: Vec::new() });
                self.is_cell = true;
            }
            "connect" if self.is_cell => {
                let (port, signal) = rest.split_once(' ').unwrap_or((rest, ""));
                if let Some(cell) = module.cells.last_mut() {
                    cell.ports.push((port.to_owned(), chunks(signal).0));
                }
            }
            "connect" => {
                module.use_in_assignment(rest);
                module.assigned.push(chunks(rest).0);
            }
            "assign" if self.is_process => {
                module.use_in_assignment(rest);
                // It may stand between a place and the item that the place belongs to.
                return;
            }
            "memwr" if self.is_process => {
                module.use_all(rest);
                return;
            }
            "process" => {
                module.updated.push(Vec::new());
                self.is_process = true;
            }
            "switch" if self.is_process => {
                self.open.push(module.switches.len());
                module.use_all(rest);
                let (signal, source) = (chunks(rest).0, self.source.clone());
                module.switches.push(Switch { source, signal, arms: Vec::new() });
            }
            "case" if self.is_process => {
                module.use_all(rest);
                let values =
                    rest.split(',').map(|value| digits(value.trim())).filter(|value| !value.is_empty());
                let arm = Arm { source: self.source.clone(), values: values.collect() };
                if let Some(switch) = self.open.last().and_then(|&open| module.switches.get_mut(open)) {
                    switch.arms.push(arm);
                }
            }
            "sync" => {
                module.use_all(rest);
                self.is_initial = rest == "init";
            }
            "update" if !self.is_initial => {
                module.use_in_assignment(rest);
                if let Some(process) = module.updated.last_mut() {
                    process.push(chunks(rest).0);
                }
            }
            "end" => self.end(depth),
            // Other lines keep the place: those between it and its item do not matter here.
            _ => return,
        }
        self.source.clear();
    }

    fn end(&mut self, depth: usize) {
        match depth {
            _ if self.open.pop().is_some() => {}
            _ if self.is_cell => self.is_cell = false,
            _ => self.is_process = false,
        }
    }
}

fn wire(module: &mut Module, rest: &str, source: &str) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let Some((name, options)) = words.split_last() else { return };
    let after = |word: &str| options.iter().position(|option| *option == word).map(|at| options.get(at + 1));
    let width = after("width").flatten().and_then(|width| width.parse().ok()).unwrap_or(1);
    let is_both = options.contains(&"inout");
    let wire = Wire {
        width,
        is_input: options.contains(&"input") || is_both,
        is_output: options.contains(&"output") || is_both,
        source: source.to_owned(),
    };
    module.wires.insert((*name).to_owned(), wire);
}

fn names(signal: &Chunks) -> impl Iterator<Item = &str> {
    signal.iter().filter_map(|chunk| match chunk {
        Chunk::Wire { name, .. } => Some(name.as_str()),
        Chunk::Constant(_) => None,
    })
}

/// The variable of a name: `\i` for itself and for `$1\i[31:0]`, its value somewhere in a process.
pub fn variable(name: &str) -> &str {
    let after = name.strip_prefix('$').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    match after.filter(|rest| rest.starts_with('\\')) {
        Some(rest) => rest.rfind('[').map_or(rest, |bounds| &rest[..bounds]),
        None => name,
    }
}

/// The first signal of a text, and the rest of the text.
fn chunks(text: &str) -> (Chunks, &str) {
    let text = text.trim_start();
    let Some(mut rest) = text.strip_prefix('{') else {
        let (chunk, rest) = chunk(text);
        return (chunk.into_iter().collect(), rest);
    };
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix('}') {
            found.reverse();
            return (found, after);
        }
        let (Some(next), after) = chunk(rest) else { return (found, "") };
        found.push(next);
        rest = after;
    }
}

fn chunk(text: &str) -> (Option<Chunk>, &str) {
    let text = text.trim_start();
    let (word, mut rest) = text.split_once(' ').unwrap_or((text, ""));
    if word.is_empty() {
        return (None, "");
    }
    if !word.starts_with(['\\', '$']) {
        return (Some(Chunk::Constant(digits(word))), rest);
    }
    let (mut low, mut width) = (0, None);
    if let Some(select) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let (bounds, after) = select;
        let (high, least) = bounds.split_once(':').unwrap_or((bounds, bounds));
        let number = |text: &str| text.parse::<usize>().unwrap_or(0);
        (low, width) = (number(least), Some(number(high) + 1 - number(least).min(number(high))));
        rest = after;
    }
    (Some(Chunk::Wire { name: word.to_owned(), low, width }), rest)
}

/// The digits of a constant: `4'01-1`, or a number of 32 bits.
fn digits(text: &str) -> String {
    match text.split_once('\'') {
        Some((width, digits)) => {
            let digits = digits.trim_start_matches('s');
            let width = width.parse::<usize>().unwrap_or(digits.len());
            // A single digit may stand for all of them.
            let fill = if digits == "x" || digits == "z" { digits } else { "0" };
            format!("{}{digits}", fill.repeat(width.saturating_sub(digits.len())))
        }
        None => text.parse::<i32>().map_or(String::new(), |number| format!("{number:032b}")),
    }
}

impl Module {
    /// Records the variables on the right side of an assignment, except where a variable keeps or passes on its own
    /// value.
    fn use_in_assignment(&mut self, text: &str) {
        let (target, value) = chunks(text);
        let targets: Vec<&str> = names(&target).map(variable).collect();
        let value = chunks(value).0;
        let used = names(&value).map(variable).filter(|used| targets.iter().any(|target| target != used));
        self.used.extend(used.map(str::to_owned));
    }

    /// Records all variables in a text.
    fn use_all(&mut self, text: &str) {
        let words = text.split_whitespace().filter(|word| word.starts_with(['\\', '$']));
        self.used.extend(words.map(|word| variable(word.trim_end_matches(',')).to_owned()));
    }

    /// The bits of a signal that are wires: name and bit number.
    pub fn bits<'c>(&'c self, signal: &'c Chunks) -> impl Iterator<Item = (&'c str, usize)> {
        signal.iter().flat_map(move |chunk| {
            let (name, low, width) = match chunk {
                Chunk::Wire { name, low, width } => (
                    name.as_str(),
                    *low,
                    width.unwrap_or_else(|| self.wires.get(name).map_or(0, |w| w.width)),
                ),
                Chunk::Constant(_) => ("", 0, 0),
            };
            (low..low + width).map(move |bit| (name, bit))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
attribute \\src \"a.v:1.1-9.10\"
module \\top
  attribute \\src \"a.v:2.3-2.4\"
  wire width 4 input 3 \\d
  wire \\g[0].r
  cell $add $add$1
    parameter \\A_WIDTH 3
    connect \\A { \\d [3:2] 2'01 \\g[0].r }
    connect \\Y $1
  end
  attribute \\src \"a.v:4.1-8.4\"
  process $p
    assign $0 1'0
    attribute \\src \"a.v:5.1-7.4\"
    switch \\d [0]
      attribute \\src \"a.v:5.5-5.8\"
      case 1'1
        switch \\d
          case 4'1--0 , 3
            assign $0 1'1
          case 
        end
      case 
    end
    sync posedge \\clk
      update \\g[0].r $0
    sync init
      update \\d 4'0
  end
  connect \\w \\d
end
";

    #[test]
    fn what_matters_is_read() {
        let modules = read(TEXT);
        let [module] = modules.as_slice() else { panic!("one module: {modules:?}") };
        assert_eq!(module.name, "\\top");
        assert!(module.wires["\\d"].is_input && module.wires["\\d"].width == 4);
        let bits: Vec<(&str, usize)> = module.bits(&module.cells[0].ports[0].1).collect();
        assert_eq!(bits, [("\\g[0].r", 0), ("\\d", 2), ("\\d", 3)]);
        let [outer, inner] = module.switches.as_slice() else { panic!("two switches") };
        assert_eq!((outer.source.as_str(), outer.arms[0].source.as_str()), ("a.v:5.1-7.4", "a.v:5.5-5.8"));
        assert_eq!(outer.arms.len(), 2);
        assert_eq!(inner.arms[0].values, ["1--0".to_owned(), format!("{:032b}", 3)]);
        assert_eq!(inner.arms[1].values.len(), 0);
        assert_eq!(module.updated[0].len(), 1);
        assert_eq!(module.assigned.len(), 1);
    }
}

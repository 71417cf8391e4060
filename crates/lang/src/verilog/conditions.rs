//! The branch conditions of a design (Clarke et al., section 4.1): their places, their text, and the signals they compare.
//!
//! Yosys lists them in each instance of a module, and connects their signals; the text comes from the source. Each signal becomes
//! an output of the netlist, so that it survives the translation under a known name.

use super::netlist::{Bit, Direction, Netlist, Port, Signal};
use super::rtlil::{Chunk, Module, Switch};
use super::scan::{Branching, Reason, Scan};
use super::sources::{Place, Sources};
use crate::span::Span;
use std::collections::{HashMap, HashSet};

/// The number of instances that are visited.
const MAX_INSTANCES: usize = 10_000;

/// The kind of branch that a condition belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `if`
    If,
    /// A labelled arm of a `case`.
    Arm,
    /// The `default` of a `case`.
    Default,
    /// `… ? … : …`
    Conditional,
}

impl Kind {
    /// The kind in words.
    pub fn text(self) -> &'static str {
        match self {
            Kind::If => "if",
            Kind::Arm => "case arm",
            Kind::Default => "default",
            Kind::Conditional => "conditional",
        }
    }
}

/// How a condition depends on a signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// The signal has one of these values: digits, most significant first, `-` for either.
    OneOf(Vec<String>),
    /// It has none of them.
    NoneOf(Vec<String>),
}

/// A condition of the source in one instance.
#[derive(Clone, Debug)]
pub struct Condition {
    pub kind: Kind,
    /// Index of the file.
    pub file: usize,
    pub line: usize,
    /// The span of its text in that file.
    pub span: Span,
    pub text: String,
    /// The instance, with dots; empty for the top module.
    pub instance: String,
    /// The output that carries the signal.
    pub output: String,
    /// The condition on the signal.
    pub test: Test,
    /// Why it cannot be lifted out of its block.
    pub stays: Option<Reason>,
}

/// Finds all conditions and gives the netlist an output for each signal. `scans` are the scans of each file's text.
/// Also marks the nets that blocks assign to: a register gets their names rather than those of wires connected to it.
pub fn expose(
    netlist: &mut Netlist,
    modules: &[Module],
    sources: &Sources,
    scans: &[Scan],
) -> Vec<Condition> {
    let nets: HashMap<String, Signal> =
        netlist.nets.iter().map(|net| (net.name.clone(), net.bits.clone())).collect();
    let mut finder =
        Finder { nets, sources, scans, outputs: Vec::new(), known: HashMap::new(), found: Vec::new() };
    let top = modules.iter().find(|module| module.name.trim_start_matches('\\') == netlist.top);
    let mut waiting: Vec<(Vec<String>, &Module)> = top.into_iter().map(|top| (Vec::new(), top)).collect();
    let mut count = 0;
    let mut assigned = HashSet::new();
    while let Some((path, module)) = waiting.pop() {
        count += 1;
        finder.module(&path, module);
        let updated = module.updated.iter().flatten().flatten();
        assigned.extend(updated.filter_map(|chunk| match chunk {
            Chunk::Wire { name, .. } => Some(flat_name(&path, name)),
            Chunk::Constant(_) => None,
        }));
        for cell in module.cells.iter().rev() {
            let inner = modules.iter().find(|module| module.name == cell.kind);
            if let Some(inner) = inner.filter(|_| count + waiting.len() < MAX_INSTANCES) {
                let inner_path = path.iter().chain([&cell.name]).cloned().collect();
                waiting.push((inner_path, inner));
            }
        }
    }
    netlist.nets.iter_mut().for_each(|net| net.is_assigned = assigned.contains(&net.name));
    netlist.ports.retain(|port| port.direction != Direction::Output);
    netlist.ports.extend(finder.outputs);
    let mut found = finder.found;
    found.sort_by_key(|condition| (condition.file, condition.span.start, condition.instance.clone()));
    found
}

struct Finder<'a> {
    nets: HashMap<String, Signal>,
    sources: &'a Sources,
    scans: &'a [Scan],
    outputs: Vec<Port>,
    known: HashMap<Signal, String>,
    found: Vec<Condition>,
}

/// A signal under a name that survives the translation.
struct Shown {
    /// The output that carries its wires.
    output: String,
    /// For each bit of the signal, least significant first, its digit if it is constant.
    constants: Vec<Option<char>>,
}

impl Shown {
    /// Values of the signal as values of its wires, without those that its constants exclude.
    fn values(&self, values: &[String]) -> Vec<String> {
        values.iter().filter_map(|value| self.value(value)).collect()
    }

    fn value(&self, digits: &str) -> Option<String> {
        let width = self.constants.len();
        if digits.len() != width {
            return None;
        }
        let agree =
            |(digit, constant): (char, &Option<char>)| digit == '-' || constant.is_none_or(|c| c == digit);
        let pairs = || digits.chars().zip(self.constants.iter().rev());
        pairs()
            .all(agree)
            .then(|| pairs().filter(|(_, constant)| constant.is_none()).map(|(digit, _)| digit).collect())
    }
}

impl Finder<'_> {
    fn module(&mut self, path: &[String], module: &Module) {
        for switch in &module.switches {
            if let Some(output) = self.output(path, &switch.signal, module) {
                self.switch(path, switch, &output);
            }
        }
        for cell in module.cells.iter().filter(|cell| cell.name.starts_with("$ternary$")) {
            let select = cell.ports.iter().find(|(port, _)| port == "\\S");
            let output = select.and_then(|(_, select)| self.output(path, select, module));
            if let (Some(output), Some(place)) = (output, self.sources.place(&cell.source)) {
                self.conditional(path, &place, output.output);
            }
        }
    }

    /// The output that carries the wires of a signal. Constant bits, from a wider label, are not part of it.
    fn output(&mut self, path: &[String], signal: &[Chunk], module: &Module) -> Option<Shown> {
        let (mut bits, mut constants) = (Signal::new(), Vec::new());
        for chunk in signal {
            match chunk {
                Chunk::Constant(digits) => constants.extend(digits.chars().rev().map(Some)),
                Chunk::Wire { name, low, width } => {
                    let width = width.unwrap_or_else(|| module.wires.get(name).map_or(0, |wire| wire.width));
                    bits.extend_from_slice(self.nets.get(&flat_name(path, name))?.get(*low..low + width)?);
                    constants.resize(constants.len() + width, None);
                }
            }
        }
        let is_wire = |bit: &Bit| matches!(bit, Bit::Net(_));
        if bits.is_empty() || !bits.iter().all(is_wire) {
            return None;
        }
        let known = self.known.get(&bits).cloned();
        let name = known.unwrap_or_else(|| {
            let name = format!("tenet_branch_{}", self.outputs.len());
            self.known.insert(bits.clone(), name.clone());
            self.outputs.push(Port { name: name.clone(), direction: Direction::Output, bits });
            name
        });
        Some(Shown { output: name, constants })
    }

    fn switch(&mut self, path: &[String], switch: &Switch, shown: &Shown) {
        let Some(place) = self.sources.place(&switch.source) else { return };
        let statement = self.statement(&place);
        let is_if = match &statement {
            Some(statement) => statement.is_if(),
            // Yosys knows where the condition of an `if` is, and not where the labels of a `case` are.
            None => switch.arms.first().is_some_and(|arm| self.sources.place(&arm.source).is_some()),
        };
        let stays = statement.as_ref().map_or(Some(Reason::Opaque), |statement| statement.stays);
        let text_of = |span: Span| one_line(&self.sources.files[place.file].text[span.range()]);
        let here = Span::new(self.sources.offset(place.file, place.line, place.column), 0);
        let here = Span { end: here.start, ..here };
        let labelled: Vec<&super::rtlil::Arm> =
            switch.arms.iter().filter(|arm| !arm.values.is_empty()).collect();
        let mut new = Vec::new();
        if is_if {
            let span = match (&statement, labelled.first().and_then(|arm| self.sources.place(&arm.source))) {
                (Some(statement), _) => statement.condition,
                (None, Some(place)) => self.span(&place),
                (None, None) => here,
            };
            let test = Test::OneOf(labelled.first().map(|arm| shown.values(&arm.values)).unwrap_or_default());
            new.push((Kind::If, span, text_of(span), test));
        } else {
            let arms = statement.as_ref().map_or(&[][..], |statement| statement.arms.as_slice());
            let written: Vec<_> = arms.iter().filter(|arm| !arm.is_default).collect();
            let compared = statement.as_ref().map(|statement| text_of(statement.condition));
            for (number, arm) in labelled.iter().enumerate() {
                let test = Test::OneOf(shown.values(&arm.values));
                match (written.get(number), &compared) {
                    (Some(source), Some(compared)) if written.len() == labelled.len() => {
                        let tests =
                            source.labels.iter().map(|label| format!("{compared} == {}", text_of(*label)));
                        let span = source.labels.iter().copied().reduce(Span::to).unwrap_or(here);
                        new.push((Kind::Arm, span, tests.collect::<Vec<_>>().join(" || "), test));
                    }
                    _ => new.push((Kind::Arm, here, format!("arm {}", number + 1), test)),
                }
            }
            if let Some(default) = arms.iter().find(|arm| arm.is_default) {
                let values = labelled.iter().flat_map(|arm| shown.values(&arm.values)).collect();
                let text = format!("default of {}", compared.unwrap_or_default());
                new.push((Kind::Default, default.labels[0], text, Test::NoneOf(values)));
            }
        }
        for (kind, span, text, test) in new {
            let file = place.file;
            let line = self.sources.line_of(file, span.start as usize);
            let (instance, output) = (instance_name(path), shown.output.clone());
            self.found.push(Condition { kind, file, line, span, text, instance, output, test, stays });
        }
    }

    /// `condition ? … : …`
    fn conditional(&mut self, path: &[String], place: &Place, output: String) {
        let whole = self.span(place);
        let text = &self.sources.files[place.file].text[whole.range()];
        let end = question_mark(text).unwrap_or(0);
        let condition = text[..end].trim_end();
        let span = Span::new(whole.start as usize, whole.start as usize + condition.len());
        let found = Condition {
            kind: Kind::Conditional,
            file: place.file,
            line: place.line,
            span,
            text: one_line(condition),
            instance: instance_name(path),
            output,
            test: Test::OneOf(vec!["1".to_owned()]),
            stays: None,
        };
        self.found.push(found);
    }

    /// The statement at a place. Macros on a line shift the columns that Yosys counts, so the nearest one on the line is taken.
    fn statement(&self, place: &Place) -> Option<Branching> {
        let wanted = self.sources.offset(place.file, place.line, place.column);
        let on_line = self.scans.get(place.file)?.branchings.iter().filter(|branching| {
            self.sources.line_of(place.file, branching.keyword.start as usize) == place.line
        });
        on_line.min_by_key(|branching| (branching.keyword.start as usize).abs_diff(wanted)).cloned()
    }

    fn span(&self, place: &Place) -> Span {
        let start = self.sources.offset(place.file, place.line, place.column);
        Span::new(start, self.sources.offset(place.file, place.end_line, place.end_column).max(start))
    }
}

/// Yosys's name of a wire of an instance in the flat netlist.
fn flat_name(path: &[String], name: &str) -> String {
    match (path.is_empty(), name.strip_prefix('\\')) {
        (true, Some(public)) => public.to_owned(),
        (true, None) => name.to_owned(),
        (false, Some(public)) => format!("{}.{public}", instance_name(path)),
        (false, None) => format!("$flatten{}.{name}", path.join(".")),
    }
}

fn instance_name(path: &[String]) -> String {
    path.iter().map(|part| part.trim_start_matches('\\')).collect::<Vec<_>>().join(".")
}

/// Where the question mark of a conditional is.
fn question_mark(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for token in super::lexer::tokens(text) {
        match token.text(text) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "?" if depth == 0 => return Some(token.span.start as usize),
            _ => {}
        }
    }
    None
}

/// Words with single spaces between them.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wires_of_instances_have_flat_names() {
        let path = ["\\b".to_owned(), "\\g[0].k".to_owned()];
        assert_eq!(flat_name(&path, "\\y"), "b.g[0].k.y");
        assert_eq!(flat_name(&path, "$0\\y[0:0]"), "$flatten\\b.\\g[0].k.$0\\y[0:0]");
        assert_eq!(flat_name(&[], "\\y"), "y");
    }

    #[test]
    fn constants_of_a_signal_are_compared_at_once() {
        let shown = Shown { output: String::new(), constants: vec![None, None, Some('0'), Some('1')] };
        let values = ["1001", "0001", "-0-1", "11"].map(str::to_owned);
        assert_eq!(shown.values(&values), ["01", "-1"]);
    }

    #[test]
    fn the_condition_ends_before_its_question_mark() {
        assert_eq!(question_mark("(a ? b : c) == d ? e : f"), Some(17));
        assert_eq!(question_mark("a[b ? c : d]"), None);
    }
}

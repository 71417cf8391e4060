//! Verilog and SystemVerilog (`.v`, `.sv`), read by [Yosys](https://yosyshq.net/yosys) as a process.
//!
//! [`sources`] finds the files of a design, `translate` has Yosys translate them to BTOR2, and [`read`] makes a circuit of that
//! with the names of the source: its registers, its assertions, and its branch conditions. [`rewrite`](mod@rewrite) writes a
//! design with a name for each of these conditions. What has no meaning in cycles of one clock is refused (HL-T8). What is
//! accepted is in `docs/verilog.md`.
//!
//! Between the two runs of Yosys: `rtlil` and `drivers` inspect the design before gates are made of it; `netlist` and `wiring`
//! are the flat netlist, of which `supported` refuses parts; `black_boxes`, `clock`, `formal`, `latches`, `marks`, `memories`,
//! `registers`, `reset` and `undefined` change the rest. Concurrent assertions are rewritten in the text before the first run (`sva`,
//! `copy`). The conditions come from the text: `lexer`, `scan`, `lifting`, `conditions`, `rewrite`.

mod black_boxes;
mod clock;
pub mod conditions;
mod copy;
mod drivers;
pub mod file_list;
mod folder;
pub mod formal;
mod frontend;
mod latches;
mod lexer;
mod lifting;
mod marks;
mod memories;
mod messages;
mod netlist;
mod partial;
mod registers;
mod reset;
pub mod rewrite;
mod rtlil;
pub mod scan;
pub mod sources;
mod supported;
mod sva;
mod translate;
mod undefined;
mod wiring;
mod writes;
pub mod yosys;

pub use frontend::VerilogFrontend;

use crate::btor2::document::Item;
use crate::btor2::{Btor2, lower, parse};
use crate::codes::verilog as codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::frontend::Surroundings;
use crate::span::Span;
use black_boxes::BlackBox;
use conditions::{Condition, Test};
use formal::{Reset, Statement};
use num_bigint::BigUint;
use sources::{Others, SourceFile, Sources};
use std::collections::BTreeMap;
use std::path::Path;
use tenet_system::finite::program::Source;
use tenet_system::{Activation, Predicate};
use tenet_term::{BvOp, SymbolId, TermId, TermStore};
use translate::{Translation, translate};

/// How a design is to be read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The top module; otherwise Yosys finds it.
    pub top: Option<String>,
    /// The input that must be the clock.
    pub clock: Option<String>,
    /// The input that is active in the first cycle and never again.
    pub reset: Option<Reset>,
    /// Whether an obvious reset is taken for one if none is named.
    pub guesses_reset: bool,
    /// Parameters of the top module.
    pub consts: Vec<(String, String)>,
    /// Further files, folders and macros.
    pub others: Others,
}

impl Options {
    /// Only plain names and numbers may get into a script.
    fn check(&self) -> Result<(), Vec<Diagnostic>> {
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        };
        let is_number = |value: &str| {
            let digits = value.strip_prefix('-').unwrap_or(value);
            !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
        };
        let wrong_top = self.top.iter().find(|name| !is_name(name));
        let wrong_const = self.consts.iter().find(|(name, value)| !is_name(name) || !is_number(value));
        let is_macro = |(name, value): &&(String, String)| is_name(name) && !value.contains(['\n', '\r']);
        match (wrong_top, wrong_const) {
            (None, None) => match self.others.defines.iter().find(|define| !is_macro(define)) {
                None => Ok(()),
                Some((name, value)) => {
                    let message =
                        format!("`-D {name}={value}`: a macro has a plain name and a value of one line");
                    Err(vec![Diagnostic::global(&codes::OPTION, message)])
                }
            },
            (Some(name), _) => {
                Err(vec![Diagnostic::global(&codes::OPTION, format!("`--top {name}`: this is no name"))])
            }
            (None, Some((name, value))) => {
                let message =
                    format!("`--const {name}={value}`: a parameter has a plain name and a whole number");
                Err(vec![Diagnostic::global(&codes::OPTION, message)])
            }
        }
    }
}

/// A condition with its meaning.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Its place and text.
    pub condition: Condition,
    /// Its meaning, over registers and inputs.
    pub formula: TermId,
}

#[derive(Clone, Debug)]
pub struct Verilog {
    /// The circuit, with the names of the source.
    pub circuit: Btor2,
    /// The source files; the first is the one that was named.
    pub files: Vec<SourceFile>,
    /// Every branch condition, constant ones included. Formulas are in the store of the circuit's system.
    pub branches: Vec<Branch>,
    /// The reset that was not named but is obvious, as it would be named.
    pub guessed_reset: Option<String>,
}

/// Reads a design. Its other files are noted in the surroundings.
pub fn read(
    name: &str,
    text: &str,
    options: &Options,
    around: &mut Surroundings<'_>,
) -> Result<(Verilog, Vec<Diagnostic>), Vec<Diagnostic>> {
    options.check()?;
    let sources = Sources::gather(name, text, &options.others, around.files)
        .map_err(|file| vec![Diagnostic::global(&codes::INCLUDE, format!("there is no file `{file}`"))])?;
    around.included = sources.included();
    let stop = &mut *around.is_over;
    let translation = translate(&sources, options, stop)?;
    let (document, _) = parse::parse(&translation.btor2).map_err(|errors| {
        let why = errors.first().map_or("", |error| error.message.as_str());
        vec![Diagnostic::global(
            &codes::YOSYS_FAILED,
            format!("Yosys wrote BTOR2 that cannot be read: {why}"),
        )]
    })?;
    let bads = document.bads().count();
    let constraints = document.constraints().count();
    if (bads, constraints) != (translation.formal.assertions.len(), translation.constraints) {
        let message = format!(
            "Yosys translated {bads} of {} assertions and {constraints} of {} assumptions",
            translation.formal.assertions.len(),
            translation.constraints
        );
        return Err(vec![Diagnostic::global(&codes::LOST, message)]);
    }
    let mut reader = Reader { sources: &sources, translation: &translation };
    let warnings = reader.warnings();
    let (mut circuit, branches) = reader.circuit(document);
    circuit.lowered.system.conditions = reader.conditions(options);
    let guessed_reset = translation.guessed_reset.as_ref().map(Reset::option);
    Ok((Verilog { circuit, files: sources.files, branches, guessed_reset }, warnings))
}

struct Reader<'a> {
    sources: &'a Sources,
    translation: &'a Translation,
}

impl Reader<'_> {
    fn circuit(&mut self, mut document: crate::btor2::Document) -> (Btor2, Vec<Branch>) {
        let names = self.names();
        for line in document.lines.iter_mut().filter(|line| matches!(line.item, Item::Bad(_))) {
            let name = line.symbol.as_ref().and_then(|symbol| names.get(symbol));
            line.symbol = name.map(|(name, _)| name.clone()).or(line.symbol.take());
        }
        self.name_registers(&mut document);
        writes::name_contents(&mut document);
        writes::simplify(&mut document);
        let mut lowered = lower::lower(&document);
        let spans: BTreeMap<&str, Span> = names.values().map(|(name, span)| (name.as_str(), *span)).collect();
        for property in &mut lowered.system.properties {
            property.source =
                spans.get(property.name.as_str()).map_or(Source::default(), |span| source(*span));
        }
        let system = &mut lowered.system;
        let is_auxiliary = |symbol: &SymbolId| {
            self.translation.registers.auxiliary.contains(&system.store.symbol(*symbol).name)
        };
        system.auxiliary = system.state.iter().map(|var| var.symbol).filter(is_auxiliary).collect();
        let outputs: BTreeMap<String, TermId> = lowered
            .outputs
            .iter()
            .filter_map(|(line, value)| Some((document.lines[*line].symbol.clone()?, *value)))
            .collect();
        let store = &mut lowered.system.store;
        let branches = self.translation.conditions.iter().filter_map(|condition| {
            let formula = meaning(store, *outputs.get(&condition.output)?, &condition.test)?;
            Some(Branch { condition: condition.clone(), formula })
        });
        let mut branches: Vec<Branch> = branches.collect();
        unique(&mut branches);
        lowered.system.branches = self.predicates(&branches);
        let enables = lowered.enables.iter().enumerate();
        let enables = enables.filter_map(|(property, formula)| Some((property, (*formula)?)));
        let activations = enables.filter(|(_, formula)| *formula != TermId::TRUE);
        lowered.system.activations =
            activations.map(|(property, formula)| Activation { property, formula }).collect();
        (Btor2 { document, lowered }, branches)
    }

    fn name_registers(&self, document: &mut crate::btor2::Document) {
        let outputs = document.lines.iter().filter_map(|line| match (&line.item, &line.symbol) {
            (Item::Output(operand), Some(symbol)) if !operand.negated => {
                Some((operand.line, self.translation.registers.of_outputs.get(symbol)?.clone()))
            }
            _ => None,
        });
        let named: Vec<(usize, String)> = outputs.collect();
        let states: Vec<usize> = document.states().collect();
        for (line, name) in named.into_iter().filter(|(line, _)| states.contains(line)) {
            document.lines[line].symbol = Some(name);
        }
    }

    /// Branch conditions as predicates, without duplicates.
    fn predicates(&self, branches: &[Branch]) -> Vec<Predicate> {
        let mut known = Vec::new();
        let mut found = Vec::new();
        for Branch { condition, formula } in branches {
            if formula.is_bool_literal() || known.contains(formula) {
                continue;
            }
            known.push(*formula);
            let name = place_name(self.sources, condition.file, condition.line, &condition.instance);
            let source = source(self.sources.span(condition.file, condition.span));
            found.push(Predicate { name, source, formula: *formula });
        }
        found
    }

    /// For the cell of each assertion its name and its place.
    fn names(&self) -> BTreeMap<String, (String, Span)> {
        let mut used: BTreeMap<String, usize> = BTreeMap::new();
        let mut names = BTreeMap::new();
        for statement in &self.translation.formal.assertions {
            let place = self.place(statement);
            let name = match (&statement.label, place) {
                (Some(label), _) => label.clone(),
                (None, Some((file, span))) => {
                    let line = self.sources.line_of(file, span.start as usize);
                    place_name(self.sources, file, line, &statement.instance)
                }
                (None, None) => "assertion".to_owned(),
            };
            let name: String = name.split_whitespace().collect::<Vec<_>>().join("_");
            let count = used.entry(name.clone()).or_default();
            *count += 1;
            let name = if *count > 1 { format!("{name}#{count}") } else { name };
            let span = place.map_or(Span::default(), |(file, span)| self.sources.span(file, span));
            names.insert(statement.cell.clone(), (name, span));
        }
        names
    }

    /// The place of a statement: Yosys counts from the end of the token before it, so it is the next word that can begin one.
    fn place(&self, statement: &Statement) -> Option<(usize, Span)> {
        if let Some((file, span)) = statement.written {
            return Some((file, span));
        }
        let place = self.sources.places(&statement.source).pop()?;
        let start = self.sources.offset(place.file, place.line, place.column);
        let end = self.sources.offset(place.file, place.end_line, place.end_column);
        let words = &self.translation.scans.get(place.file)?.formal;
        let word = words.iter().find(|word| (start..=end).contains(&(word.start as usize)));
        Some((place.file, Span::new(word.map_or(start, |word| word.start as usize), end.max(start))))
    }

    /// The assumptions of verdicts about the design: its reset, and its `assume`s.
    fn conditions(&self, options: &Options) -> Vec<String> {
        let guessed = &self.translation.guessed_reset;
        let reset = options.reset.iter().chain(guessed).map(|Reset { name, is_active_low }| {
            let (first, later) = if *is_active_low { (0, 1) } else { (1, 0) };
            let how = if guessed.is_some() { " (guessed; --reset none leaves it open)" } else { "" };
            format!(
                "reset `{name}` is {first} in the first cycle, which is not checked, and {later} ever after{how}"
            )
        });
        let assumptions = self.translation.formal.assumptions.iter().map(|statement| {
            let place = self.place(statement).map(|(file, span)| {
                let line = self.sources.line_of(file, span.start as usize);
                place_name(self.sources, file, line, &statement.instance)
            });
            let name = statement.label.clone().or(place).unwrap_or_default();
            format!("assume {name}").trim_end().to_owned()
        });
        let boxes = self.translation.black_boxes.iter().map(|BlackBox { instance, module, .. }| {
            format!(
                "the outputs of black box `{instance}` (module `{module}`) have any value in each cycle, \
                 so a run may rest on values that the real module never gives"
            )
        });
        reset.chain(assumptions).chain(boxes).collect()
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        let mut warnings = self.translation.warnings.clone();
        if self.translation.formal.assertions.is_empty() {
            let message = "the design asserts nothing, so there is nothing to prove";
            let warning = Diagnostic {
                severity: Severity::Warning,
                ..Diagnostic::global(&codes::NO_ASSERTION, message)
            };
            warnings.push(warning.help("write `assert (…);` in an `always` block"));
        }
        for cover in &self.translation.formal.covers {
            warnings.push(self.warning(&codes::COVER, "`cover` is not looked for", self.place(cover)));
        }
        let formal = &self.translation.formal;
        let statements = formal.assertions.iter().chain(&formal.assumptions).chain(&formal.covers);
        let present: Vec<(usize, u32)> = statements
            .filter_map(|statement| self.place(statement))
            .map(|(file, span)| (file, span.start))
            .collect();
        for (file, scan) in self.translation.scans.iter().enumerate() {
            for word in scan.formal.iter().filter(|word| !present.contains(&(file, word.start))) {
                let kind = &self.sources.files[file].text[word.range()];
                let message = format!("this `{kind}` is not part of the design");
                warnings.push(self.warning(&codes::ABSENT, &message, Some((file, *word))));
            }
        }
        warnings
    }

    fn warning(
        &self,
        code: &'static crate::diagnostic::Explanation,
        message: &str,
        place: Option<(usize, Span)>,
    ) -> Diagnostic {
        match place {
            Some((file, span)) => Diagnostic::warning(code, message, self.sources.span(file, span)),
            None => Diagnostic { severity: Severity::Warning, ..Diagnostic::global(code, message) },
        }
    }
}

/// `fifo.v:12`, followed by the instance if it is not the top module.
fn place_name(sources: &Sources, file: usize, line: usize, instance: &str) -> String {
    let name = Path::new(&sources.files[file].name).file_name();
    let name =
        name.map_or_else(|| sources.files[file].name.clone(), |name| name.to_string_lossy().into_owned());
    let instance = if instance.is_empty() { String::new() } else { format!("@{instance}") };
    format!("{name}:{line}{instance}")
}

fn source(span: Span) -> Source {
    Source { start: span.start, end: span.end }
}

/// Removes duplicate conditions with the same meaning: an unrolled loop has many.
fn unique(branches: &mut Vec<Branch>) {
    let mut known = std::collections::HashSet::new();
    branches.retain(|Branch { condition, formula }| {
        let place = (condition.file, condition.span, condition.kind.text(), condition.instance.clone());
        known.insert((place, *formula))
    });
}

/// The meaning of a condition on a signal; `None` if a value of it is undefined.
fn meaning(store: &mut TermStore, signal: TermId, test: &Test) -> Option<TermId> {
    let (values, is_negated) = match test {
        Test::OneOf(values) => (values, false),
        Test::NoneOf(values) => (values, true),
    };
    let mut tests = Vec::new();
    for value in values {
        tests.push(has_value(store, signal, value)?);
    }
    let any = store.mk_or(tests);
    Some(if is_negated { store.mk_not(any) } else { any })
}

fn has_value(store: &mut TermStore, signal: TermId, digits: &str) -> Option<TermId> {
    if digits.contains(|c: char| !matches!(c, '0' | '1' | '-')) {
        return None;
    }
    if store.is_bool(signal) {
        return match digits {
            "1" => Some(signal),
            "0" => Some(store.mk_not(signal)),
            "-" => Some(TermId::TRUE),
            _ => None,
        };
    }
    let width = store.width(signal)?;
    if width as usize != digits.len() {
        return None;
    }
    let number = |one: fn(char) -> bool| {
        let bits: String = digits.chars().map(|digit| if one(digit) { '1' } else { '0' }).collect();
        BigUint::parse_bytes(bits.as_bytes(), 2)
    };
    let value = number(|digit| digit == '1')?;
    let value = store.mk_bitvec(width, value);
    if !digits.contains('-') {
        return Some(store.mk_eq(signal, value));
    }
    let mask = number(|digit| digit != '-')?;
    let mask = store.mk_bitvec(width, mask);
    let masked = store.mk_bv(BvOp::And, &[signal, mask]);
    Some(store.mk_eq(masked, value))
}

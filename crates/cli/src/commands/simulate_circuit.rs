//! `tenet simulate` for BTOR2 files: a random run, or the run of a witness.
//!
//! Both go through the simulator of the file's own lines. Random inputs that violate a constraint are drawn again, up to a limit
//! that only rare constraints reach.

use crate::args::SimulateArgs;
use crate::clock;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Input, read_bytes};
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::Value as Json;
use std::path::Path;
use tenet_lang::btor2::document::{Document, Position, Sort};
use tenet_lang::btor2::simulate::{Cycle, Simulator, Values};
use tenet_lang::btor2::value::{Memory, Value};
use tenet_lang::btor2::{Btor2, replay, witness};
use tenet_lang::codes::btor2 as codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::Source;
use tenet_report::json;
use tenet_report::number::counted;
use tenet_report::run_of_document as view;
use tenet_report::style::Paint;
use tenet_report::text;
use tenet_system::random::Random;

/// Witnesses that are larger are not read.
const MAX_BYTES: u64 = 1 << 28;
/// The number of attempts to draw inputs for a cycle.
const DRAWS: usize = 1000;

/// Runs the command.
pub fn run(
    args: &SimulateArgs,
    input: &mut Input,
    model: &Btor2,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    if args.interactive {
        let message = "`--interactive` asks for a rule in each step; a circuit has only one";
        input.diagnostics.push(Diagnostic::global(&codes::NOT_FOR_CIRCUITS, message));
        return input.reject(console, args.output.json);
    }
    match &args.witness {
        Some(file) => replay_witness(args, file, model, console),
        None => walk(args, input, model, console),
    }
}

/// Replays all witnesses of a file.
fn replay_witness(
    args: &SimulateArgs,
    file: &Path,
    model: &Btor2,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    let mut input = Input::unread(file);
    let text = read_bytes(file, MAX_BYTES).and_then(|bytes| {
        String::from_utf8(bytes)
            .map_err(|_| Diagnostic::global(&codes::WITNESS, "this is no witness: it is not UTF-8 text"))
    });
    let read = text.and_then(|text| {
        input = Input::of(Source::new(file.to_string_lossy(), text));
        witness::read(&input.source.content)
    });
    let witnesses = match read {
        Ok(witnesses) => witnesses,
        Err(error) => {
            input.diagnostics.push(error);
            return input.reject(console, args.output.json);
        }
    };
    let names = model.document.property_names();
    let mut reached = Vec::new();
    for (claim, spans) in &witnesses {
        match replay::replay(&model.document, claim, spans) {
            Ok(cycles) => {
                show(args, &model.document, &cycles, console)?;
                reached.extend(claim.bads.iter().map(|&bad| (names[bad].clone(), cycles.len() - 1)));
            }
            Err(error) => {
                let is_misfit = error.explanation == &codes::WITNESS;
                input.diagnostics.push(error);
                let exit = input.reject(console, args.output.json)?;
                return Ok(if is_misfit { exit } else { Exit::CheckFailed });
            }
        }
    }
    if args.output.json {
        let reached = reached.iter().map(|(property, cycle)| Reached { property, cycle: *cycle });
        let file = args.model.main().to_string_lossy();
        console.answer_json(&Replayed {
            header: json::header(env!("CARGO_PKG_VERSION"), &file),
            verdict: "unsafe",
            witness: &input.source.name,
            reached: reached.collect(),
        })?;
        return Ok(Exit::Safe);
    }
    for (name, cycle) in reached {
        let text =
            console.style.paint(Paint::Good, &format!("replayed: \"{name}\" is reached in cycle {cycle}"));
        console.answer(&format!("{text}\n"))?;
    }
    Ok(Exit::Safe)
}

/// Prints the cycles of a witness, if everything is to be printed.
fn show(
    args: &SimulateArgs,
    document: &Document,
    cycles: &[Cycle],
    console: &mut Console,
) -> anyhow::Result<()> {
    if !args.output.verbose || args.output.json {
        return Ok(());
    }
    for number in 0..cycles.len() {
        let step = text::step(number, &view::step(document, cycles, number), console.style);
        console.answer(&step)?;
    }
    Ok(())
}

/// How a walk ended.
enum End {
    Steps,
    NoInputs,
    Interrupted,
    Bad(usize),
}

/// Walks at random until something ends it.
fn walk(
    args: &SimulateArgs,
    input: &mut Input,
    model: &Btor2,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    let is_silent = args.output.json || args.output.quiet;
    if !is_silent {
        input.show_diagnostics(console);
    }
    let document = &model.document;
    let budget = clock::start(None, None)?;
    let mut walk = Walk { document, simulator: Simulator::new(document), random: Random::new(args.seed) };
    let mut cycles: Vec<Cycle> = Vec::new();
    let end = loop {
        if budget.stop().is_some() {
            break End::Interrupted;
        }
        let Some(cycle) = walk.draw(cycles.last()) else { break End::NoInputs };
        let bad = walk.simulator.bads(&cycle).first().copied();
        cycles.push(cycle);
        if !is_silent {
            let number = cycles.len() - 1;
            console.show(&text::step(number, &view::step(document, &cycles, number), console.style))?;
        }
        match bad {
            Some(bad) => break End::Bad(bad),
            None if cycles.len() > args.steps => break End::Steps,
            None => {}
        }
    };
    let (line, exit) = judge(document, &end, &cycles);
    if args.output.json {
        console.answer_json(&object(args, input, document, &cycles, line, exit))?;
        return Ok(exit);
    }
    let paint = if exit == Exit::Unsafe { Paint::Bad } else { Paint::Strong };
    let steps = counted(cycles.len().saturating_sub(1) as u64, "step");
    console.answer(&format!("{} ({steps}, seed {})\n", console.style.paint(paint, &line), args.seed))?;
    Ok(exit)
}

fn judge(document: &Document, end: &End, cycles: &[Cycle]) -> (String, Exit) {
    match end {
        End::Steps => ("no violation on this walk".to_string(), Exit::Safe),
        End::NoInputs => {
            (format!("the walk ends: {DRAWS} random inputs violate the constraints"), Exit::Safe)
        }
        End::Interrupted => ("interrupted".to_string(), Exit::Interrupted),
        End::Bad(bad) => {
            let inputs = cycles.last().map_or_else(Vec::new, |last| view::inputs(document, last));
            let inputs: Vec<String> =
                inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let inputs =
                if inputs.is_empty() { String::new() } else { format!(", for {}", inputs.join(", ")) };
            (format!("unsafe: \"{}\" is reached{inputs}", document.property_names()[*bad]), Exit::Unsafe)
        }
    }
}

struct Walk<'d> {
    document: &'d Document,
    simulator: Simulator<'d>,
    random: Random,
}

impl Walk<'_> {
    /// The next cycle, with random inputs that satisfy the constraints.
    fn draw(&mut self, before: Option<&Cycle>) -> Option<Cycle> {
        for _ in 0..DRAWS {
            let chosen = self.values(self.document.inputs().chain(self.document.states()).collect());
            let states = match before {
                Some(before) => self.simulator.step(before, &chosen),
                None => self.simulator.start(&chosen),
            };
            let cycle = self.simulator.cycle(&states, &chosen);
            if self.simulator.violated(&cycle).is_none() {
                return Some(cycle);
            }
        }
        None
    }

    fn values(&mut self, lines: Vec<Position>) -> Values {
        let value = |line: Position| (line, self.value(self.document.node(line).sort));
        lines.into_iter().map(value).collect()
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bits(width) => Value::Word(self.word(width)),
            Sort::Array { element, .. } => Value::Memory(Memory::new(self.word(element))),
        }
    }

    fn word(&mut self, width: u32) -> BigUint {
        let digits = (0..width.div_ceil(32)).map(|_| self.random.number() as u32);
        BigUint::new(digits.collect()) % (BigUint::from(1u32) << width)
    }
}

/// The answer about a witness as JSON.
#[derive(Serialize)]
struct Replayed<'a> {
    #[serde(flatten)]
    header: json::Header<'a>,
    verdict: &'static str,
    witness: &'a str,
    reached: Vec<Reached<'a>>,
}

#[derive(Serialize)]
struct Reached<'a> {
    property: &'a str,
    cycle: usize,
}

/// The answer about a random run as JSON.
#[derive(Serialize)]
struct Walked<'a> {
    #[serde(flatten)]
    header: json::Header<'a>,
    verdict: Option<&'static str>,
    seed: u64,
    trace: json::Run<'a>,
    diagnostics: Vec<json::Diagnostic<'a>>,
}

fn object(
    args: &SimulateArgs,
    input: &Input,
    document: &Document,
    cycles: &[Cycle],
    end: String,
    exit: Exit,
) -> Json {
    json::json(&Walked {
        header: json::header(env!("CARGO_PKG_VERSION"), &input.source.name),
        verdict: (exit == Exit::Unsafe).then_some("unsafe"),
        seed: args.seed,
        trace: json::run(&view::shown(document, cycles, end)),
        diagnostics: json::diagnostics(&input.diagnostics, &input.text()),
    })
}

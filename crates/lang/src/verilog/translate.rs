//! From the files of a design to BTOR2: two runs of Yosys, with checks and changes in between.
//!
//! The first run elaborates the design and flattens it. The netlist is then checked for everything that has no meaning in cycles
//! of one clock, and changed: no clock, no undefined values, statements about the current cycle, outputs for branch conditions.
//! The second run only converts it to BTOR2; nothing is left to its discretion.

use super::black_boxes::{self, BlackBox};
use super::conditions::{self, Condition};
use super::drivers::Conflicts;
use super::folder::Folder;
use super::formal::{self, Formal, Reset};
use super::latches::Latch;
use super::marks::Mark;
use super::netlist::Netlist;
use super::registers::Names;
use super::reset::{self, Found};
use super::rtlil::{Chunk, Module};
use super::scan::{Scan, scan};
use super::sources::Sources;
use super::yosys::{self, Failure};
use super::{
    Options, clock, latches, memories, messages, partial, registers, rtlil, supported, undefined, wiring,
};
use crate::btor2::parse;
use crate::codes::verilog as codes;
use crate::diagnostic::{Diagnostic, Severity};
use std::path::Path;

/// A design as BTOR2.
pub struct Translation {
    pub btor2: String,
    /// Its assertions, assumptions and covers.
    pub formal: Formal,
    /// The reset, if it is not named but obvious.
    pub guessed_reset: Option<Reset>,
    /// The number of constraints that the text must have.
    pub constraints: usize,
    /// The names of its registers.
    pub registers: Names,
    /// The branch conditions.
    pub conditions: Vec<Condition>,
    /// The scan of each file's text.
    pub scans: Vec<Scan>,
    /// The black boxes, whose outputs are inputs.
    pub black_boxes: Vec<BlackBox>,
    /// Further diagnostics.
    pub warnings: Vec<Diagnostic>,
}

type Refusal = Vec<Diagnostic>;

/// Translates a design.
pub fn translate(
    sources: &Sources,
    options: &Options,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Translation, Refusal> {
    let program = yosys::program();
    let folder = Folder::new().map_err(|error| vec![failed(&format!("no temporary folder: {error}"))])?;
    sources.write(&folder).map_err(|error| vec![failed(&error.to_string())])?;
    let mut runs = Runs { program: &program, folder: &folder, sources, top: options.top.clone(), stop };
    let top = runs.top(options)?;
    let printed = runs.run(&elaboration(sources, options, top.as_deref()))?;
    let modules = rtlil::read(&runs.file("elaborated.il")?);
    if modules.is_empty() {
        return Err(vec![Diagnostic::global(&codes::NO_ASSERTION, "there is no module in the text")]);
    }
    let mut netlist = Netlist::read(&runs.file("flat.json")?)
        .ok_or_else(|| vec![failed("its netlist was not understood")])?;
    let black_boxes = black_boxes::open(&mut netlist, &modules);
    let latches = latches::list(&netlist);
    let conflicts = Conflicts::of(&modules);
    refuse_undefined_branches(sources, &modules)?;
    refuse_structure(sources, &conflicts, &printed, &netlist)?;
    conflicts.drop_idle(&mut netlist);
    let scans: Vec<Scan> = sources
        .files
        .iter()
        .map(|file| if file.is_verilog { scan(&file.text) } else { Scan::default() })
        .collect();
    let conditions = conditions::expose(&mut netlist, &modules, sources, &scans);
    let asked = options.reset.is_none() && options.guesses_reset;
    let found = if asked { reset::find(&netlist) } else { Found::Nothing };
    let guessed_reset = match &found {
        Found::Obvious(reset) => Some(reset.clone()),
        Found::Nothing | Found::Perhaps(_) => None,
    };
    let options = &Options { reset: options.reset.clone().or(guessed_reset.clone()), ..options.clone() };
    let (formal, registers) = edit(&mut netlist, sources, options)?;
    let constraints = formal.assumptions.len() + usize::from(options.reset.is_some());
    folder.write("edited.json", netlist.write()).map_err(|error| vec![failed(&error.to_string())])?;
    let btor2 = runs.btor2()?;
    let mut warnings = messages::implicit_wires(sources, &printed);
    warnings.extend(black_boxes.iter().map(|black_box| black_box_warning(sources, black_box)));
    warnings.extend(latches.iter().map(|latch| latch_warning(sources, latch)));
    warnings.extend(reset_warning(&found));
    Ok(Translation {
        btor2,
        formal,
        guessed_reset,
        constraints,
        registers,
        conditions,
        scans,
        black_boxes,
        warnings,
    })
}

/// A Yosys program, a folder, and cancellation.
struct Runs<'a> {
    program: &'a Path,
    folder: &'a Folder,
    sources: &'a Sources,
    /// The top module that was asked for.
    top: Option<String>,
    stop: &'a mut dyn FnMut() -> bool,
}

impl Runs<'_> {
    fn run(&mut self, script: &str) -> Result<String, Refusal> {
        yosys::run(self.program, self.folder, script, self.stop).map_err(|failure| self.refusal(failure))
    }

    fn refusal(&self, failure: Failure) -> Refusal {
        match failure {
            Failure::Refused(printed) => messages::errors(self.sources, self.top.as_deref(), &printed),
            Failure::Missing(program) => {
                let message = format!("there is no program `{program}`, which reads Verilog");
                let help =
                    "install Yosys (Debian and Ubuntu: apt install yosys), or name it with --yosys PATH";
                vec![Diagnostic::global(&codes::NO_YOSYS, message).help(help)]
            }
            Failure::Slow(limit) => {
                vec![failed(&format!("it did not end within {} seconds", limit.as_secs()))]
            }
            Failure::Stopped => vec![failed("it was stopped before it had read the design")],
            Failure::Broken(why) => vec![failed(&why)],
        }
    }

    fn file(&self, name: &str) -> Result<String, Refusal> {
        self.folder.read(name).map_err(|_| vec![failed(&format!("it did not write its file {name}"))])
    }

    /// The edited netlist as BTOR2. Narrowing may leave an operand that is zero without any bits, for which Yosys
    /// writes invalid BTOR2; then it is repeated without narrowing.
    fn btor2(&mut self) -> Result<String, Refusal> {
        self.run(&writing(NARROWING))?;
        let text = self.file("design.btor")?;
        if parse::parse(&text).is_ok() {
            return Ok(text);
        }
        self.run(&writing(""))?;
        self.file("design.btor")
    }

    /// The top module. Parameters can only be set if it is known by name, otherwise Yosys ignores them silently.
    fn top(&mut self, options: &Options) -> Result<Option<String>, Refusal> {
        if options.top.is_some() || options.consts.is_empty() {
            return Ok(options.top.clone());
        }
        let printed = self.run(&format!("{}hierarchy -auto-top\n", reading(self.sources)))?;
        let mut names = printed.lines().filter_map(|line| line.trim().strip_prefix("Top module:"));
        let name = names.next().map(|name| name.trim().trim_start_matches('\\').to_owned());
        name.map(Some).ok_or_else(|| vec![failed("it did not say which module is the top")])
    }
}

fn failed(why: &str) -> Diagnostic {
    Diagnostic::global(&codes::YOSYS_FAILED, format!("Yosys could not do its work: {why}"))
        .help("`tenet doctor` shows which Yosys is used; 0.23 is known to work")
}

fn reading(sources: &Sources) -> String {
    format!("read_verilog -formal -sv {}\n", sources.main())
}

/// The first script. Names in it have been checked by [`Options::check`], so nothing needs quotes. Tables stay
/// multiplexers (`-norom`), because a memory would have no branches.
fn elaboration(sources: &Sources, options: &Options, top: Option<&str>) -> String {
    let top = top.map_or("-auto-top".to_owned(), |top| format!("-top {top}"));
    let consts = options.consts.iter().map(|(name, value)| format!(" -chparam {name} {value}"));
    let consts: String = consts.collect();
    format!(
        "{}hierarchy -check {top}{consts}\nwrite_rtlil elaborated.il\nproc -norom -noopt\nflatten\ncheck\nopt_expr -keepdc\nwrite_json flat.json\n",
        reading(sources)
    )
}

/// The second script. Registers are neither merged nor narrowed: they keep their names and widths. Statements are not
/// merged either: two equal ones stay two.
fn writing(narrowing: &str) -> String {
    format!(
        "read_json edited.json\nmemory_collect\nopt_expr t:$dff %n\n{narrowing}opt_expr t:$dff %n\n\
         opt_merge t:$dff t:$assert t:$assume %u %u %n\nopt_clean\nwrite_btor design.btor\n"
    )
}

/// Passes that narrow operators.
const NARROWING: &str = "wreduce -keepdc t:$dff t:$mem_v2 %u %n\n";

/// Refuses branches on a literal `x`. Yosys takes the branch for one that is never taken, and drops it before the `x` can be
/// given a value.
fn refuse_undefined_branches(sources: &Sources, modules: &[Module]) -> Result<(), Refusal> {
    let is_undefined =
        |chunk: &Chunk| matches!(chunk, Chunk::Constant(digits) if digits.contains(['x', 'z']));
    let switches = modules.iter().flat_map(|module| &module.switches);
    let refused: Refusal = switches
        .filter(|switch| switch.signal.iter().any(is_undefined))
        .map(|switch| {
            let message = "a branch on a constant `x` or `z` has no meaning over two values";
            messages::at(sources, &codes::UNSUPPORTED, message, sources.place(&switch.source).as_ref())
        })
        .collect();
    if refused.is_empty() { Ok(()) } else { Err(refused) }
}

/// Refuses designs with combinational loops and the like.
fn refuse_structure(
    sources: &Sources,
    conflicts: &Conflicts,
    printed: &str,
    netlist: &Netlist,
) -> Result<(), Refusal> {
    let several = conflicts.read.iter().map(|conflict| {
        let message = format!("`{}` has several drivers", conflict.wire);
        messages::at(sources, &codes::SEVERAL_DRIVERS, &message, sources.place(&conflict.source).as_ref())
    });
    let refused = supported::refused(netlist).into_iter().map(|refused| {
        let place = sources.places(&refused.source).pop();
        messages::at(sources, refused.code, &refused.message, place.as_ref())
    });
    let latched = latches::looping(netlist).into_iter().map(|latch| {
        let message =
            format!("the latch `{}` depends on itself within one cycle while it is open", latch.name);
        messages::at(sources, &codes::LOOP, &message, sources.places(&latch.source).pop().as_ref())
    });
    // Wires with several drivers look like one wire, and so perhaps like a loop.
    let loops = if conflicts.read.is_empty() { messages::loops(sources, printed) } else { Vec::new() };
    let mut found: Refusal = Vec::new();
    for diagnostic in several.chain(refused).chain(loops).chain(latched) {
        if !found.contains(&diagnostic) {
            found.push(diagnostic);
        }
    }
    let told = messages::driven_twice(printed);
    if found.is_empty() && told.iter().any(|name| !conflicts.is_idle(name)) {
        found.push(Diagnostic::global(&codes::SEVERAL_DRIVERS, "a signal has several drivers"));
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// All changes, in the required order.
fn edit(netlist: &mut Netlist, sources: &Sources, options: &Options) -> Result<(Formal, Names), Refusal> {
    let reset = match &options.reset {
        None => None,
        Some(reset) => match clock::input(netlist, &reset.name) {
            Some(bit) => Some((bit, reset.is_active_low)),
            None => return Err(vec![no_input("--reset", &reset.name)]),
        },
    };
    clock::remove(netlist, options.clock.as_deref())
        .map_err(|problem| vec![clock_refusal(sources, problem)])?;
    if let Some(Reset { name, .. }) =
        options.reset.as_ref().filter(|reset| clock::input(netlist, &reset.name).is_none())
    {
        let message = format!("`--reset {name}`: this is the clock");
        return Err(vec![Diagnostic::global(&codes::OPTION, message)]);
    }
    registers::begin_pasts(netlist);
    let formal = formal::prepare(netlist, sources);
    memories::guard(netlist).map_err(|position| {
        let place = sources.places(&netlist.cells[position].source).pop();
        let message =
            "a memory is written without a clock, or its addresses are below zero or begin far away from it";
        vec![messages::at(sources, &codes::UNSUPPORTED, message, place.as_ref())]
    })?;
    partial::open(netlist);
    latches::replace(netlist);
    registers::synchronise(netlist);
    let first = formal::first_cycle(netlist, reset.is_some());
    if let Some((reset, is_active_low)) = reset {
        formal::apply_reset(netlist, reset, is_active_low, first);
    }
    registers::mark(netlist);
    wiring::sweep(netlist);
    undefined::choose(netlist);
    let called = |mark: &Mark| {
        let label = sources.marked(mark.file, mark.offset).and_then(|marked| marked.label.clone());
        let line = || format!("line{}", sources.line_of(mark.file, mark.offset as usize));
        let label = label.unwrap_or_else(line);
        if mark.scope.is_empty() { label } else { format!("{}.{label}", mark.scope) }
    };
    let registers = registers::name(netlist, first, &called);
    Ok((formal, registers))
}

fn black_box_warning(sources: &Sources, black_box: &BlackBox) -> Diagnostic {
    let BlackBox { instance, module, source } = black_box;
    let message = format!("the module `{module}` has no content; the outputs of `{instance}` have any value");
    messages::warning_at(sources, &codes::BLACK_BOX, &message, sources.places(source).pop().as_ref())
}

/// A hint at a reset that is not taken for one.
fn reset_warning(found: &Found) -> Option<Diagnostic> {
    let Found::Perhaps(names) = found else { return None };
    let first = names.first()?;
    let message = format!("`{}` may be a reset, but not obviously; it has any value", names.join("`, `"));
    let warning = Diagnostic { severity: Severity::Warning, ..Diagnostic::global(&codes::RESET, message) };
    Some(warning.help(format!("if it is: --reset '{first}'; if it is none: --reset none")))
}

fn latch_warning(sources: &Sources, latch: &Latch) -> Diagnostic {
    let message =
        format!("`{}` keeps its value in some cases without being a register (a latch)", latch.name);
    messages::warning_at(sources, &codes::LATCH, &message, sources.places(&latch.source).pop().as_ref())
}

fn no_input(option: &str, name: &str) -> Diagnostic {
    let message = format!("`{option} {name}`: the top module has no input of one bit with this name");
    Diagnostic::global(&codes::OPTION, message)
}

fn clock_refusal(sources: &Sources, problem: clock::Problem) -> Diagnostic {
    let place = |source: &str| sources.places(source).pop();
    match problem {
        clock::Problem::Several(edges) => {
            let names: Vec<&str> = edges.iter().map(|(name, _)| name.as_str()).collect();
            let message = format!("registers do not all wait for the same edge: {}", names.join(", "));
            let source = edges.last().map_or("", |(_, source)| source);
            messages::at(sources, &codes::SEVERAL_CLOCKS, &message, place(source).as_ref())
        }
        clock::Problem::Internal { name, source } => {
            let message = format!("the clock `{name}` is no input of the top module");
            messages::at(sources, &codes::SEVERAL_CLOCKS, &message, place(&source).as_ref())
        }
        clock::Problem::Data { name, source } => {
            let message = format!("the clock `{name}` is used as a value");
            messages::at(sources, &codes::SEVERAL_CLOCKS, &message, place(&source).as_ref())
        }
        clock::Problem::Other { named, found } => {
            let message = format!("`--clock {named}`: the registers wait for `{found}`");
            Diagnostic::global(&codes::SEVERAL_CLOCKS, message)
        }
        clock::Problem::Unknown(name) => no_input("--clock", &name),
    }
}

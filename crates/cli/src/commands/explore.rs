//! `tenet explore`: searches every reachable state of a finite instance.

use crate::args::{ExploreArgs, OutputArgs};
use crate::clock;
use crate::console::Console;
use crate::exit::Exit;
use crate::face::Face;
use crate::files::{self, require_folder};
use crate::input::Input;
use crate::no_verdict::no_verdict;
use crate::watchdog;
use anyhow::Context;
use std::path::Path;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::exploration::{Exploration, Stop};
use tenet_report::source::Text;
use tenet_report::style::Style;
use tenet_report::text::{self, Detail};
use tenet_report::view::Report;
use tenet_report::{itf, json};
use tenet_session::explore::{chosen_properties, replay, search};
use tenet_session::{Budget, machine};
use tenet_system::finite::explore::{Deadlock, End, Options};
use tenet_system::finite::program::{Program, PropertyKind};
use tenet_system::finite::trace::ReplayError;

/// Runs the command.
pub fn run(args: &ExploreArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let budget = clock::start(args.timeout, args.memory)?;
    let (mut input, problem) = Input::load(&args.model);
    let ready = problem.as_ref().and_then(|problem| {
        let program = input.made(problem.model().finite())?;
        let chosen = input.asked(chosen_properties(&args.properties, &program))?;
        Some((problem, program, chosen))
    });
    let Some((problem, program, properties)) = ready else { return input.reject(console, args.output.json) };
    if let Some(file) = &args.trace {
        require_folder(file)?;
    }
    if !args.output.json && !args.output.quiet {
        input.show_diagnostics(console);
    }
    watchdog::expect("explore", &asked_about(&program, properties.as_deref()));
    let deadlock = args.deadlock.map_or_else(|| problem.model().deadlock(), Into::into);
    let options = Options { properties, deadlock, ..options(args, &budget) };
    let face = Face::new(&input, args.output, console.style);
    let (outcome, stop) = search(&program, &options, &budget, &*face);
    if let Err(error) = replay(&program, &outcome) {
        return not_replayed(&error, &input, args.output, console);
    }
    let exploration = Exploration {
        text: input.text(),
        program: &program,
        options: &options,
        outcome: &outcome,
        stop,
        instance: problem.instance(problem.reading()),
        has_default_memory: args.memory.is_none(),
        is_deadlock_asked: args.deadlock.is_some() && deadlock != Deadlock::Off,
        seconds: budget.elapsed().as_secs_f64(),
        peak_memory_mb: machine::peak_memory_mb(),
    };
    let report = exploration.report();
    print(&report, &input, args.output, console)?;
    write_trace(args.trace.as_deref(), &report, console)?;
    let is_cut_short = outcome.end == End::Stopped && stop == Some(Stop::Interrupt);
    Ok(if is_cut_short { Exit::Interrupted } else { report.verdict.into() })
}

/// The names of the invariants that are checked.
fn asked_about(program: &Program, chosen: Option<&[usize]>) -> Vec<String> {
    let all = program.properties.iter().enumerate();
    let is_chosen = |place: usize| chosen.is_none_or(|chosen| chosen.contains(&place));
    let named = all.filter(|(place, property)| property.kind == PropertyKind::Invariant && is_chosen(*place));
    named.map(|(_, property)| property.name.clone()).collect()
}

fn options(args: &ExploreArgs, budget: &Budget) -> Options {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Options {
        symmetry: !args.no_symmetry,
        threads: args.threads.map_or(cores, usize::from),
        memory_limit: budget.memory(),
        max_depth: args.depth,
        keep_going: args.keep_going,
        ..Options::default()
    }
}

pub(crate) fn not_replayed(
    error: &ReplayError,
    input: &Input,
    output: OutputArgs,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    let what = format!("error: a violation was found, but its run could not be repeated: {error}");
    no_verdict(&what, input, output, console)
}

pub(crate) fn print(
    report: &Report,
    input: &Input,
    output: OutputArgs,
    console: &mut Console,
) -> anyhow::Result<()> {
    console.answer(&rendered(report, &input.diagnostics, &input.text(), output, console.style))
}

/// The report in the form that is wanted.
pub(crate) fn rendered(
    report: &Report,
    diagnostics: &[Diagnostic],
    text: &Text<'_>,
    output: OutputArgs,
    style: Style,
) -> String {
    if output.json {
        return format!("{:#}\n", json::report(report, env!("CARGO_PKG_VERSION"), diagnostics, text));
    }
    let detail = match output {
        OutputArgs { quiet: true, .. } => Detail::Quiet,
        OutputArgs { verbose: true, .. } => Detail::Verbose,
        _ => Detail::Normal,
    };
    text::report(report, detail, style)
}

/// Writes the first run to the file that was asked for.
pub(crate) fn write_trace(file: Option<&Path>, report: &Report, console: &mut Console) -> anyhow::Result<()> {
    let Some(file) = file else { return Ok(()) };
    let first = report.properties.iter().find_map(|property| Some((property, property.trace.as_ref()?)));
    let Some((property, run)) = first else {
        console.log(&format!("{} is not written: there is no run to show\n", file.display()));
        return Ok(());
    };
    let object = itf::trace(run, &report.file, &property.name);
    let text = serde_json::to_string_pretty(&object).context("cannot write JSON")?;
    files::write(file, &(text + "\n"))
}

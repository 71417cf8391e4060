//! `tenet explore`: searches every reachable state of a finite instance.

use crate::args::{ExploreArgs, OutputArgs};
use crate::clock::Clock;
use crate::console::Console;
use crate::exit::Exit;
use crate::files::{self, require_folder};
use crate::input::Input;
use crate::machine;
use crate::no_verdict::no_verdict;
use crate::progress::{self, Line};
use crate::watchdog;
use anyhow::Context;
use std::path::Path;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::suggest::closest;
use tenet_report::exploration::{Exploration, Stop};
use tenet_report::text::{self, Detail};
use tenet_report::view::Report;
use tenet_report::{codes, itf, json};
use tenet_system::finite::explore::{Deadlock, End, Options, Outcome, Progress, explore};
use tenet_system::finite::program::{Program, PropertyKind};
use tenet_system::finite::trace::{ReplayError, Replayer};

/// Runs the command.
pub fn run(args: &ExploreArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let clock = Clock::start(args.timeout)?;
    let (mut input, model) = Input::load(&args.model);
    let ready = model.as_ref().and_then(|model| {
        let program = input.lower(model)?;
        let chosen = chosen_properties(&args.properties, &program, &mut input)?;
        Some((model, program, chosen))
    });
    let Some((model, program, properties)) = ready else { return input.reject(console, args.output.json) };
    if let Some(file) = &args.trace {
        require_folder(file)?;
    }
    if !args.output.json && !args.output.quiet {
        input.show_diagnostics(console);
    }
    watchdog::expect("explore", asked_about(&program, properties.as_deref()));
    let deadlock = model.deadlock(args.deadlock);
    let options = Options { properties, deadlock, ..options(args) };
    let (outcome, stop) = search(&program, &options, &clock, Line::new(!args.output.quiet));
    if let Err(error) = replay(&program, &outcome) {
        return not_replayed(&error, &input, args.output, console);
    }
    let exploration = Exploration {
        text: input.text(),
        program: &program,
        options: &options,
        outcome: &outcome,
        stop,
        instance: model.instance(&args.model),
        has_default_memory: args.memory.is_none(),
        is_deadlock_asked: args.deadlock.is_some() && deadlock != Deadlock::Off,
        seconds: clock.elapsed().as_secs_f64(),
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

fn options(args: &ExploreArgs) -> Options {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Options {
        symmetry: !args.no_symmetry,
        threads: args.threads.map_or(cores, usize::from),
        memory_limit: memory_limit(args.memory),
        max_depth: args.depth,
        keep_going: args.keep_going,
        ..Options::default()
    }
}

/// Without a limit of the user's, one that keeps the machine from swapping.
pub(crate) fn memory_limit(megabytes: Option<u64>) -> usize {
    match megabytes {
        Some(megabytes) => usize::try_from(megabytes.saturating_mul(1 << 20)).unwrap_or(usize::MAX),
        None => machine::available_memory().map_or(usize::MAX, |available| available / 5 * 4),
    }
}

/// The invariants that `--property` names; a name that is none is an error.
pub(crate) fn chosen_properties(
    names: &[String],
    program: &Program,
    input: &mut Input,
) -> Option<Option<Vec<usize>>> {
    if names.is_empty() {
        return Some(None);
    }
    let invariants = program.properties.iter().enumerate();
    let invariants: Vec<(usize, &str)> = invariants
        .filter(|(_, p)| p.kind == PropertyKind::Invariant)
        .map(|(i, p)| (i, p.name.as_str()))
        .collect();
    let mut chosen = Vec::new();
    for name in names {
        match invariants.iter().find(|(_, known)| known == name) {
            Some((index, _)) => chosen.push(*index),
            None => input.diagnostics.push(unknown_property(name, &invariants)),
        }
    }
    (!input.diagnostics.iter().any(Diagnostic::is_error)).then_some(Some(chosen))
}

pub(crate) fn unknown_property(name: &str, invariants: &[(usize, &str)]) -> Diagnostic {
    let names: Vec<&str> = invariants.iter().map(|(_, name)| *name).collect();
    let help = match closest(name, names.iter().copied()) {
        Some(close) => format!("did you mean \"{close}\"?"),
        None if names.is_empty() => "the model has no invariants".to_string(),
        None => format!("the invariants are: {}", names.join(", ")),
    };
    Diagnostic::global(&codes::UNKNOWN_PROPERTY, format!("there is no invariant called \"{name}\""))
        .help(help)
}

/// Searches, and says why the search was stopped if it was.
pub(crate) fn search(
    program: &Program,
    options: &Options,
    clock: &Clock,
    mut line: Line,
) -> (Outcome, Option<Stop>) {
    let mut stop = None;
    let mut tick = |progress: &Progress| {
        let elapsed = clock.elapsed();
        line.show(elapsed, || progress::search(elapsed, progress));
        stop = stop.or_else(|| clock.stop());
        stop.is_none()
    };
    let outcome = explore(program, options, &mut tick);
    (outcome, stop)
}

pub(crate) fn replay(program: &Program, outcome: &Outcome) -> Result<(), ReplayError> {
    if outcome.traces.is_empty() {
        return Ok(());
    }
    let mut replayer = Replayer::new(program);
    outcome.traces.iter().try_for_each(|trace| replayer.replay(trace))
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
    if output.json {
        let object = json::report(report, env!("CARGO_PKG_VERSION"), &input.diagnostics, &input.text());
        return console.answer_json(&object);
    }
    let detail = match output {
        OutputArgs { quiet: true, .. } => Detail::Quiet,
        OutputArgs { verbose: true, .. } => Detail::Verbose,
        _ => Detail::Normal,
    };
    console.answer(&text::report(report, detail, console.style))
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

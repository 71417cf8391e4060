//! `tenet prove`: every property, every size.
//!
//! There is no engine for proofs yet. What is here is honest all the same: the model is read for every size, which
//! refuses what has no such reading, and small instances are searched for violations, smallest first. A violation in an
//! instance is a violation; finding none proves nothing, so the answer is then `unknown`.

use super::explore::{chosen_properties, memory_limit, not_replayed, print, replay, require_folder, search};
use crate::args::{ModelArgs, ProveArgs};
use crate::clock::Clock;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{self, Input};
use crate::machine;
use crate::progress::Line;
use tenet_lang::murphi::hir::{Model, PropertyKind, TypeKind};
use tenet_report::codes;
use tenet_report::exploration::{Exploration, Stop};
use tenet_report::view::{Instance, Property, Reason, Report, Statistics, Verdict};
use tenet_system::finite::explore::{Deadlock, End, Options};

/// The instances that are searched give every unbounded type this many elements.
const SIZES: std::ops::RangeInclusive<u64> = 1..=3;

/// What became of the search of one instance.
enum Searched {
    /// Every state was visited, and nothing is wrong.
    Clean,
    /// The command is over: something is wrong, and has been printed.
    Over(Exit),
    /// The user stopped it.
    Interrupted,
    /// A limit was reached, or there is no such instance.
    Open,
}

/// Runs the command.
pub fn run(args: &ProveArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let clock = Clock::start(Some(args.timeout))?;
    let (mut input, model) = Input::load_with(&args.model, args.predicates.as_deref());
    let read = model.and_then(|model| {
        input.read_unbounded(&model, &args.model, &args.unbounded)?;
        Some(model)
    });
    let Some(model) = read else { return input.reject(console, args.output.json) };
    if let Some(file) = &args.trace {
        require_folder(file)?;
    }
    if !args.output.json && !args.output.quiet {
        input.show_diagnostics(console);
    }
    let mut clean: Option<ModelArgs> = None;
    let mut exit = Exit::Unknown;
    for size in SIZES {
        let instance = instance(args, &model, size);
        if clean.as_ref().is_some_and(|last| last.sizes == instance.sizes && last.consts == instance.consts) {
            break; // Nothing is unbounded: there is only this instance.
        }
        match search_instance(args, &instance, &clock, console)? {
            Searched::Over(exit) => return Ok(exit),
            Searched::Open => break,
            Searched::Clean => clean = Some(instance),
            Searched::Interrupted => {
                exit = Exit::Interrupted;
                break;
            }
        }
    }
    let report = unknown(&model, &input, args, clean.as_ref(), &clock);
    print(&report, &input, args.output, console)?;
    Ok(exit)
}

/// The model's arguments with a size for everything that is unbounded.
fn instance(args: &ProveArgs, model: &Model, size: u64) -> ModelArgs {
    let mut sized = args.model.clone();
    let is_set = |name: &str| args.model.sizes.iter().any(|(known, _)| known == name);
    for ty in &model.types {
        let Some(name) = &ty.name else { continue };
        let is_unbounded = matches!(ty.kind, TypeKind::Scalarset { .. }) || args.unbounded.contains(name);
        if is_unbounded && !is_set(name) && !sized.sizes.iter().any(|(known, _)| known == name) {
            sized.sizes.push((name.clone(), size));
        }
    }
    let roots = model.consts.iter().filter(|constant| !constant.unknown || constant.definition.is_none());
    let consts = roots.filter(|constant| constant.unknown || args.unbounded.contains(&constant.name));
    sized.consts.extend(consts.map(|constant| (constant.name.clone(), size.into())));
    sized
}

fn search_instance(
    args: &ProveArgs,
    model_args: &ModelArgs,
    clock: &Clock,
    console: &mut Console,
) -> anyhow::Result<Searched> {
    let (mut input, model) = Input::load_with(model_args, args.predicates.as_deref());
    let Some(model) = model else { return Ok(Searched::Open) };
    let Some(program) = input.lower(&model) else { return Ok(Searched::Open) };
    let Some(properties) = chosen_properties(&args.properties, &program, &mut input) else {
        return Ok(Searched::Over(input.reject(console, args.output.json)?));
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        threads: args.threads.map_or(cores, usize::from),
        memory_limit: memory_limit(args.memory),
        // A state in which nothing happens violates no property.
        deadlock: Deadlock::Off,
        properties,
        ..Options::default()
    };
    let (outcome, stop) = search(&program, &options, clock, Line::new(!args.output.quiet));
    if let Err(error) = replay(&program, &outcome) {
        return Ok(Searched::Over(not_replayed(&error, &input, args.output, console)?));
    }
    if outcome.end == End::Stopped && stop == Some(Stop::Interrupt) {
        return Ok(Searched::Interrupted);
    }
    if !outcome.traces.iter().any(|trace| !trace.finding.is_limit(&program)) {
        return Ok(if outcome.end == End::Complete { Searched::Clean } else { Searched::Open });
    }
    let exploration = Exploration {
        text: input.text(),
        program: &program,
        options: &options,
        outcome: &outcome,
        stop,
        instance: input::instance(&model, model_args),
        has_default_memory: args.memory.is_none(),
        seconds: clock.elapsed().as_secs_f64(),
        peak_memory_mb: machine::peak_memory_mb(),
    };
    let report = exploration.report();
    print(&report, &input, args.output, console)?;
    super::explore::write_trace(args.trace.as_deref(), &report, console)?;
    Ok(Searched::Over(report.verdict.into()))
}

/// That nothing is known, and how far the search got.
fn unknown(
    model: &Model,
    input: &Input,
    args: &ProveArgs,
    clean: Option<&ModelArgs>,
    clock: &Clock,
) -> Report {
    let seconds = clock.elapsed().as_secs_f64();
    let instance = clean.map(|args| input::instance(model, args)).unwrap_or_default();
    let searched = match clean {
        Some(args) => {
            let sizes = args.sizes.iter().map(|(name, size)| format!("{name} = {size}"));
            let consts = args.consts.iter().map(|(name, value)| format!("{name} = {value}"));
            let all: Vec<String> = sizes.chain(consts).collect();
            match all.is_empty() {
                true => "no violation in the model as written, where nothing is unbounded".to_string(),
                false => format!("no violation up to {}", all.join(", ")),
            }
        }
        None => "no instance was searched completely".to_string(),
    };
    let hint = match clean {
        Some(args) if args.sizes.is_empty() && args.consts.is_empty() => {
            "say with --unbounded which ranges or constants stand for any size"
        }
        Some(_) => "search larger instances with `tenet explore --size`",
        None => "raise --timeout, or take smaller instances with --const or --size",
    };
    let reason = Reason {
        explanation: &codes::NO_ENGINE,
        text: format!("{searched}; this version has no engine that proves every size"),
        hint: Some(hint.to_string()),
    };
    let invariants = model.properties.iter().filter(|property| property.kind == PropertyKind::Invariant);
    let chosen = invariants.filter(|p| args.properties.is_empty() || args.properties.contains(&p.name));
    let properties = chosen.map(|property| open(&property.name, &reason, seconds)).collect();
    Report {
        file: input.file.clone(),
        verdict: Verdict::Unknown,
        headline: reason.text.clone(),
        instance: Instance { consts: Vec::new(), ..instance },
        properties,
        checked: String::new(),
        statistics: Statistics {
            seconds,
            peak_memory_mb: machine::peak_memory_mb(),
            ..Statistics::default()
        },
        assumptions: Vec::new(),
        certificate: None,
        notes: Vec::new(),
    }
}

fn open(name: &str, reason: &Reason, seconds: f64) -> Property {
    Property {
        name: name.to_string(),
        verdict: Verdict::Unknown,
        engine: "explore",
        seconds,
        invariant: None,
        predicates: None,
        iterations: None,
        abstract_states: None,
        reason: Some(reason.clone()),
        location: None,
        trace: None,
    }
}

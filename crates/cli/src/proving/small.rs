//! Searches small instances of a model that is read for every size, smallest first. A violation in an instance is a
//! violation; finding none proves nothing.

use super::Job;
use crate::args::ModelArgs;
use crate::clock::Clock;
use crate::commands::explore::{
    chosen_properties, memory_limit, not_replayed, print, replay, search, write_trace,
};
use crate::console::Console;
use crate::exit::Exit;
use crate::machine;
use crate::model::Model;
use crate::progress::Line;
use tenet_report::exploration::{Exploration, Stop};
use tenet_system::finite::explore::{Deadlock, End, Options};

/// The instances that are searched give every unbounded type this many elements.
const SIZES: std::ops::RangeInclusive<u64> = 1..=3;

/// What the search of all of them gave.
pub enum Small {
    /// The command is over: something is wrong, and has been printed.
    Over(Exit),
    /// Nothing is wrong in the instances that were searched completely.
    Open {
        /// The largest of those.
        clean: Option<ModelArgs>,
        /// Whether the user stopped it.
        is_interrupted: bool,
    },
}

/// What became of the search of one instance.
enum Searched {
    Clean,
    Over(Exit),
    Interrupted,
    /// A limit was reached, or there is no such instance.
    Open,
}

/// Searches until the clock stops it, and prints a violation if there is one.
pub fn search_small(
    job: &Job<'_>,
    model: &Model,
    clock: &Clock,
    console: &mut Console,
) -> anyhow::Result<Small> {
    let mut clean: Option<ModelArgs> = None;
    for size in SIZES {
        let instance = model.sized(job.model, &job.proof.unbounded, size);
        if clean.as_ref().is_some_and(|last| last.sizes == instance.sizes && last.consts == instance.consts) {
            break; // Nothing is unbounded: there is only this instance.
        }
        match search_instance(job, &instance, clock, console)? {
            Searched::Over(exit) => return Ok(Small::Over(exit)),
            Searched::Open => break,
            Searched::Clean => clean = Some(instance),
            Searched::Interrupted => return Ok(Small::Open { clean, is_interrupted: true }),
        }
    }
    Ok(Small::Open { clean, is_interrupted: false })
}

fn search_instance(
    job: &Job<'_>,
    model_args: &ModelArgs,
    clock: &Clock,
    console: &mut Console,
) -> anyhow::Result<Searched> {
    let (mut input, model) = job.load(model_args);
    let Some(model) = model else { return Ok(Searched::Open) };
    let Some(program) = input.lower(&model) else { return Ok(Searched::Open) };
    let Some(properties) = chosen_properties(&job.proof.properties, &program, &mut input) else {
        return Ok(Searched::Over(input.reject(console, job.output.json)?));
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        threads: job.proof.threads.map_or(cores, usize::from),
        memory_limit: memory_limit(job.proof.memory),
        // A state in which nothing happens violates no property.
        deadlock: Deadlock::Off,
        properties,
        ..Options::default()
    };
    let (outcome, stop) = search(&program, &options, clock, Line::new(!job.output.quiet));
    if let Err(error) = replay(&program, &outcome) {
        return Ok(Searched::Over(not_replayed(&error, &input, job.output, console)?));
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
        instance: model.instance(model_args),
        has_default_memory: job.proof.memory.is_none(),
        seconds: job.clock.elapsed().as_secs_f64(),
        peak_memory_mb: machine::peak_memory_mb(),
    };
    let report = exploration.report();
    print(&report, &input, job.output, console)?;
    write_trace(job.proof.trace.as_deref(), &report, console)?;
    Ok(Searched::Over(report.verdict.into()))
}

/// `no violation up to NODE = 3`
pub fn describe(clean: Option<&ModelArgs>) -> String {
    let Some(args) = clean else { return "no instance was searched completely".to_string() };
    let sizes = args.sizes.iter().map(|(name, size)| format!("{name} = {size}"));
    let consts = args.consts.iter().map(|(name, value)| format!("{name} = {value}"));
    let all: Vec<String> = sizes.chain(consts).collect();
    match all.is_empty() {
        true => "no violation in the model as written, where nothing is unbounded".to_string(),
        false => format!("no violation up to {}", all.join(", ")),
    }
}

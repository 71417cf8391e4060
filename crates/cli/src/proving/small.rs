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
use crate::input::Input;
use crate::machine;
use crate::model::Model;
use crate::progress::Line;
use std::sync::Arc;
use tenet_engine::run::{Taken, happens};
use tenet_report::codes;
use tenet_report::exploration::{Exploration, Stop};
use tenet_report::view::Report;
use tenet_system::finite::explore::{Deadlock, End, Options};
use tenet_system::finite::program::Program;
use tenet_system::finite::trace::{Finding, ReplayError, Trace, shown_parameters};

/// The instances that are searched give every unbounded type up to so many elements.
pub const LARGEST: u64 = 5;

/// How far instances are searched. A search is not limited by time, or it would depend on the machine what is found.
#[derive(Clone, Copy)]
pub enum Reach {
    /// What takes some milliseconds.
    Touch,
    /// What takes a part of a second.
    Glance,
    /// What takes some seconds.
    Short,
    /// As far as is sensible.
    Long,
}

/// The limits of the search of one instance.
#[derive(Clone, Copy)]
struct Budget {
    /// Bytes that its states may take.
    memory: usize,
    /// Rules that may be tried, see [`Options::max_work`].
    work: Option<u64>,
}

impl Budget {
    const TOUCH: Budget = Budget { memory: 1 << 18, work: Some(100_000) };
    const GLANCE: Budget = Budget { memory: 2 << 20, work: Some(1_000_000) };
    const SMALL: Budget = Budget { memory: 2 << 20, work: None };
    const MEDIUM: Budget = Budget { memory: 40 << 20, work: None };
    const LARGE: Budget = Budget { memory: 300 << 20, work: None };
}

impl Reach {
    /// One round after the other.
    fn budgets(self) -> &'static [Budget] {
        match self {
            Reach::Touch => &[Budget::TOUCH],
            Reach::Glance => &[Budget::GLANCE],
            Reach::Short => &[Budget::SMALL, Budget::MEDIUM],
            Reach::Long => &[Budget::SMALL, Budget::MEDIUM, Budget::LARGE],
        }
    }
}

/// What the search of all of them gave.
#[allow(clippy::large_enum_variant, reason = "there is one of it at a time")]
pub enum Small {
    /// Something is wrong.
    Found(Box<Found>),
    /// Nothing is wrong in the instances that were searched completely.
    Open {
        /// The largest of those.
        clean: Option<ModelArgs>,
        /// The largest of those that have no startstate, if no instance was seen to have one.
        empty: Option<ModelArgs>,
        /// Whether the user stopped it.
        is_interrupted: bool,
    },
}

/// Something wrong, and where.
pub struct Found {
    input: Input,
    kind: FoundKind,
    /// The property that is false, if it is one.
    property: Option<String>,
}

enum FoundKind {
    /// The command line asks for what is not there.
    Rejected,
    /// A run that could not be replayed.
    NotReplayed(ReplayError),
    /// A run.
    Run(Box<Report>),
}

/// What became of the search of one instance.
enum Searched {
    Clean,
    /// There is no startstate.
    Empty,
    Found(Box<Found>),
    Interrupted,
    /// A limit was reached.
    Open,
    /// There is no such instance, or there is nothing more to be found in it.
    None,
}

impl Found {
    /// Is it a run that was replayed?
    pub fn is_run(&self) -> bool {
        matches!(self.kind, FoundKind::Run(_))
    }

    /// The property that a run violates; a fault violates none.
    pub fn property(&self) -> Option<&str> {
        self.property.as_deref()
    }

    /// The sentence about it, for people.
    pub fn headline(&self) -> String {
        match &self.kind {
            FoundKind::Run(report) => format!("{} ({})", report.headline, report.instance.describe()),
            FoundKind::Rejected | FoundKind::NotReplayed(_) => "no run".to_string(),
        }
    }

    /// Prints it and ends the command.
    pub fn show(&self, job: &Job<'_>, console: &mut Console) -> anyhow::Result<Exit> {
        match &self.kind {
            FoundKind::Rejected => self.input.reject(console, job.output.json),
            FoundKind::NotReplayed(error) => not_replayed(error, &self.input, job.output, console),
            FoundKind::Run(report) => {
                let seconds = job.clock.elapsed().as_secs_f64();
                let mut report = (**report).clone();
                report.statistics.seconds = seconds;
                print(&report, &self.input, job.output, console)?;
                write_trace(job.proof.trace.as_deref(), &report, console)?;
                Ok(report.verdict.into())
            }
        }
    }
}

/// Searches until the clock stops it or something is found: all sizes a little, then all of them further.
pub fn search_small(
    job: &Job<'_>,
    model: &Model,
    clock: &Clock,
    threads: usize,
    largest: u64,
    reach: Reach,
) -> Small {
    let mut clean: Option<ModelArgs> = None;
    let (mut empty, mut has_start): (Option<ModelArgs>, bool) = (None, false);
    let open = |clean, empty: Option<ModelArgs>, has_start: bool, is_interrupted| Small::Open {
        clean,
        empty: empty.filter(|_| !has_start),
        is_interrupted,
    };
    let mut done: Vec<u64> = Vec::new();
    for &budget in reach.budgets() {
        for size in 1..=largest {
            if done.contains(&size) {
                continue;
            }
            let instance = model.sized(job.model, &job.proof.unbounded, size);
            let is_same = |last: &ModelArgs| last.sizes == instance.sizes && last.consts == instance.consts;
            if clean.as_ref().is_some_and(is_same) || empty.as_ref().is_some_and(is_same) {
                return open(clean, empty, has_start, false); // Nothing is unbounded: this is all.
            }
            match search_instance(job, &instance, clock, threads, budget) {
                Searched::Found(found) => return Small::Found(found),
                Searched::Open if clock.stop().is_some() => {
                    return open(clean, empty, has_start, false);
                }
                Searched::Open => has_start = true,
                Searched::None => done.push(size),
                Searched::Empty => {
                    done.push(size);
                    clean = Some(instance.clone());
                    empty = Some(instance);
                }
                Searched::Clean => {
                    done.push(size);
                    has_start = true;
                    clean = Some(instance);
                }
                Searched::Interrupted => return open(clean, empty, has_start, true),
            }
        }
    }
    open(clean, empty, has_start, false)
}

fn search_instance(
    job: &Job<'_>,
    model_args: &ModelArgs,
    clock: &Clock,
    threads: usize,
    budget: Budget,
) -> Searched {
    let (mut input, model) = job.load(model_args);
    let Some(model) = model else { return Searched::None };
    // Where too much is chosen freely, a part of the choices has to do. Then nothing is ever searched completely.
    let (program, is_sample) = match (model.program(), model.sample()) {
        (Ok((program, _)), _) => (program, false),
        (Err(_), Some(program)) => (program, true),
        (Err(_), None) => return Searched::None,
    };
    let found = |input, kind| Searched::Found(Box::new(Found { input, kind, property: None }));
    let Some(properties) = chosen_properties(&job.proof.properties, &program, &mut input) else {
        return found(input, FoundKind::Rejected);
    };
    let options = Options {
        threads,
        memory_limit: memory_limit(job.proof.memory).min(budget.memory),
        max_work: budget.work,
        // A state in which nothing happens violates no property.
        deadlock: Deadlock::Off,
        properties,
        ..Options::default()
    };
    let (outcome, stop) = search(&program, &options, clock, Line::new(false));
    if let Err(error) = replay(&program, &outcome) {
        return found(input, FoundKind::NotReplayed(error));
    }
    if outcome.end == End::Stopped && stop == Some(Stop::Interrupt) {
        return Searched::Interrupted;
    }
    if job.is_larger && !outcome.traces.iter().all(|trace| happens_as_written(job, trace, &program, clock)) {
        return Searched::Open;
    }
    if !outcome.traces.iter().any(|trace| !trace.finding.is_limit(&program)) {
        return match outcome.end {
            End::Complete if is_sample => Searched::None,
            End::Complete if outcome.statistics.states == 0 => Searched::Empty,
            End::Complete => Searched::Clean,
            _ => Searched::Open,
        };
    }
    let exploration = Exploration {
        text: input.text(),
        program: &program,
        options: &options,
        outcome: &outcome,
        stop,
        instance: model.instance(model_args),
        has_default_memory: job.proof.memory.is_none(),
        is_deadlock_asked: false,
        seconds: job.clock.elapsed().as_secs_f64(),
        peak_memory_mb: machine::peak_memory_mb(),
    };
    let report = Box::new(with_our_hints(exploration.report()));
    let property = outcome.traces.iter().find_map(|trace| match trace.finding {
        Finding::Property(position) => Some(program.properties[position].name.clone()),
        _ => None,
    });
    Searched::Found(Box::new(Found { input, kind: FoundKind::Run(report), property }))
}

/// Is a run of an instance one of the model as it is written, where ranges have no end? Of faults that is not known.
fn happens_as_written(job: &Job<'_>, trace: &Trace, program: &Program, clock: &Clock) -> bool {
    let Finding::Property(property) = trace.finding else { return false };
    let property = &program.properties[property].name;
    let (mut input, Some(model)) = job.load(job.model) else { return false };
    let Some(mut system) = input.read_unbounded(&model, job.model, &[]) else { return false };
    let taken = trace.steps.iter().enumerate().map(|(place, step)| {
        let rules = if place == 0 { &program.starts } else { &program.rules };
        let shown = shown_parameters(&program.layout, &rules[step.action.rule], step.action.instance);
        let numbers = shown.into_iter().filter_map(|(name, value)| Some((name, value.parse().ok()?)));
        Taken { rule: step.action.rule, numbers: numbers.collect() }
    });
    let taken: Vec<Taken> = taken.collect();
    clock.stop().is_none() && happens(&mut system, &taken, property, &Arc::default())
}

/// What was not looked at can be chosen; `--keep-going` is an option of `tenet explore` only.
fn with_our_hints(mut report: Report) -> Report {
    let reasons = report.properties.iter_mut().filter_map(|property| property.reason.as_mut());
    for reason in reasons.filter(|reason| reason.explanation.code == codes::STOPPED_AT_FIRST.code) {
        reason.hint = Some("choose others with --property".to_string());
    }
    report
}

/// `no violation up to NODE = 3`
pub fn describe(clean: Option<&ModelArgs>) -> String {
    let Some(args) = clean else { return "no instance was searched completely".to_string() };
    match sizes(args).as_str() {
        "" => "no violation in the model as written, where nothing is unbounded".to_string(),
        sizes => format!("no violation up to {sizes}"),
    }
}

/// `NODE = 3, N = 3`; nothing for the model as written.
pub fn sizes(args: &ModelArgs) -> String {
    let sizes = args.sizes.iter().map(|(name, size)| format!("{name} = {size}"));
    let consts = args.consts.iter().map(|(name, value)| format!("{name} = {value}"));
    sizes.chain(consts).collect::<Vec<String>>().join(", ")
}
